# shellcheck shell=bash
# Where things live, and how the test bed speaks to its user.

cache_dir=${ETCD_OPERATOR_CACHE:-$HOME/.cache/etcd-operator}
bin_dir=$cache_dir/bin

say() { printf '%s\n' "$*" >&2; }

die() {
	say "testbed: $*"
	exit 1
}

need_root() {
	[ "$(id -u)" -eq 0 ] ||
		die "'$1' makes network namespaces, mounts and cgroups, and so must run as root (try sudo)"
}

# 75 → 1m15s
duration() {
	if [ "$1" -ge 60 ]; then
		printf '%dm%02ds' $(($1 / 60)) $(($1 % 60))
	else
		printf '%ds' "$1"
	fi
}
