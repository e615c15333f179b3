# shellcheck shell=bash
# Where things live, what they are called, and how the test bed speaks to its user.

cache_dir=${ETCD_OPERATOR_CACHE:-$HOME/.cache/etcd-operator}
bin_dir=$cache_dir/bin
state_dir=${ETCD_OPERATOR_TESTBED:-/var/tmp/etcd-operator-testbed}
log_dir=$state_dir/logs
kubeconfig_file=$state_dir/kubeconfig
cluster_domain=${ETCD_OPERATOR_TESTBED_DOMAIN:-cluster.local}

nodes=(node-1 node-2 node-3)

# 198.18.0.0/15 is set aside for benchmarks (RFC 2544): no network that a machine is on has it.
host_address=198.18.0.1
pod_range=198.18.8.0/21
service_range=198.19.0.0/16
api_address=198.19.0.1
dns_address=198.19.0.10
api_url=https://$host_address:6443

# node-2 → 198.18.0.12 and 198.18.12.0/24
node_address() { printf '198.18.0.1%s\n' "${1#node-}"; }
node_pod_range() { printf '198.18.1%s.0/24\n' "${1#node-}"; }
node_dir() { printf '%s/%s\n' "$state_dir" "$1"; }

say() { printf '%s\n' "$*" >&2; }

die() {
	say "testbed: $*"
	exit 70
}

# For failures that nobody has explained: die has, and ends with 70.
show_failure() {
	[ $? -eq 70 ] || say "testbed: failed: ${1%%$'\n'*}"
}

# 75 → 1m15s
duration() {
	if [ "$1" -ge 60 ]; then
		printf '%dm%02ds' $(($1 / 60)) $(($1 % 60))
	else
		printf '%ds' "$1"
	fi
}

need_root() {
	[ "$(id -u)" -eq 0 ] ||
		die "the test bed makes network namespaces, mounts and cgroups, and so must run as root (try sudo)"
}

need_node() {
	local node
	for node in "${nodes[@]}"; do
		[ "$node" != "${1:-}" ] || return 0
	done
	die "no such node: '${1:-}' (there are: ${nodes[*]})"
}

# up and down run alone; other commands side by side, but one at a time for each node. Descriptors 8
# and 9 are closed for every program that is started to stay (see spawn), or it would hold the locks.
lock_testbed() {
	mkdir -p "$(dirname "$state_dir")"
	exec 9>"$state_dir.lock"
	wait_for_lock 9 "$1"
}

lock_node() {
	exec 8>"$state_dir/$1.lock"
	wait_for_lock 8 --exclusive
}

wait_for_lock() {
	flock --nonblock "$2" "$1" || {
		say "another testbed command is running: waiting"
		flock "$2" "$1"
	}
}

# wait_for_all PID…: fails if one of them did.
wait_for_all() {
	local pid status=0
	for pid in "$@"; do
		wait "$pid" || status=1
	done
	return "$status"
}

# wait_until SECONDS WHAT COMMAND…
wait_until() {
	local deadline=$((SECONDS + $1)) what=$2
	shift 2
	until "$@"; do
		[ "$SECONDS" -lt "$deadline" ] || die "gave up waiting: $what (logs are in $log_dir)"
		sleep 0.1
	done
}
