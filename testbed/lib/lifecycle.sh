# shellcheck shell=bash
# up, down and status.

owner_file=/run/$cgroup_name

machine_packages=(runc containernetworking-plugins iproute2 nftables conntrack openssl curl procps util-linux)

# up [LINE…]: with the etcd lines that are built, and those named
up() {
	local start=$SECONDS
	refuse_another
	build_base
	[ $# -eq 0 ] || build "${@/#/etcd-}"
	if [ -d "$state_dir" ] && ! can_be_kept; then
		remove_everything
	fi
	if is_whole; then
		load_new_etcd_images
		say "the test bed is up: KUBECONFIG=$kubeconfig_file"
		return
	fi
	[ -d "$state_dir/etcd" ] || prepare
	start_everything
	load_new_etcd_images
	say "the test bed is up after $(duration $((SECONDS - start))): KUBECONFIG=$kubeconfig_file"
}

# What runs must be this boot's and these versions', with its network still there; else a fresh start
# is the quickest repair.
can_be_kept() {
	[ "$(cat "$state_dir/made-of" 2>/dev/null)" = "$(made_of)" ] || {
		say "the test bed was made of other parts, or left half-made: starting afresh"
		return 1
	}
	network_exists || {
		say "the test bed's network is gone: starting afresh"
		return 1
	}
}

made_of() {
	local part
	cat /proc/sys/kernel/random/boot_id
	printf '%s\n' "$cluster_domain"
	for part in "${base_parts[@]}"; do part_dir "$part"; done
	cat "$testbed_dir"/config/* | sha256sum
}

prepare() {
	local node line lines pids=()
	mapfile -t lines < <(built_etcd_lines)
	build_seed "${lines[@]}"
	remove_everything
	mkdir -p "$state_dir" "$log_dir"
	printf '%s\n' "$state_dir" >"$owner_file"
	raise_limits
	create_network
	create_credentials
	for node in "${nodes[@]}"; do
		plant_seed "$node" "${lines[@]}" &
		pids+=($!)
	done
	wait_for_all "${pids[@]}" || die "the images could not be copied"
	for line in "${lines[@]}"; do part_dir "etcd-$line"; done >"$state_dir/etcd-images"
	made_of >"$state_dir/made-of"
}

# Three kubelets, three containerds and their pods watch more files than the default lets one user.
raise_limits() {
	local limit=/proc/sys/fs/inotify/max_user_instances
	[ "$(cat "$limit")" -ge 1024 ] || echo 1024 >"$limit"
}

# Names and addresses are the machine's, so there can be one test bed on it.
refuse_another() {
	local owner
	owner=$(cat "$owner_file" 2>/dev/null) || return 0
	[ "$owner" = "$state_dir" ] || cgroup_is_empty "" ||
		die "another test bed runs on this machine, in $owner: take that one down first"
}

is_whole() {
	local program node
	for program in "${control_programs[@]}"; do
		is_running "control/$program" || return 1
	done
	for node in "${nodes[@]}"; do
		node_is_running "$node" && is_plugged_in "$node" || return 1
	done
	! apiserver_is_frozen && api_is_ready && nodes_are_ready
}

start_everything() {
	local node program objects
	! apiserver_is_frozen || thaw_apiserver
	for node in "${nodes[@]}"; do
		plug_in "$node"
		node_is_running "$node" || power_off "$node"
		start_containerd "$node"
	done
	start_control_program etcd
	start_control_program kube-apiserver
	wait_for_api
	apply_objects &
	objects=$!
	for program in "${control_programs[@]}"; do
		start_control_program "$program"
	done
	for node in "${nodes[@]}"; do
		start_node "$node"
	done
	wait "$objects" || die "the first objects could not be applied"
	wait_until 30 "CoreDNS to answer" dns_is_ready
	wait_until 90 "all nodes to be ready" nodes_are_ready
}

# Ready and open for pods: a drain that a test forgot is undone too.
nodes_are_ready() {
	local state
	state=$(kubectl get nodes -o 'jsonpath={range .items[*]}{.metadata.name}={.status.conditions[?(@.type=="Ready")].status}{.spec.unschedulable}{" "}{end}' 2>/dev/null)
	case $state in
	*Truetrue*) kubectl uncordon "${nodes[@]}" >/dev/null 2>&1 || true ;;
	"node-1=True node-2=True node-3=True ") return 0 ;;
	esac
	return 1
}

down() {
	refuse_another
	if [ ! -d "$state_dir" ] && ! network_exists; then
		say "the test bed is not up"
	fi
	remove_everything
	say "the test bed is down"
}

remove_everything() {
	cgroup_kill ""
	unmount_below "$state_dir"
	delete_network
	cgroup_remove ""
	find /var/log/containers -lname "$state_dir/*" -delete 2>/dev/null || true
	rm -f /var/lib/cni/results/etcd-testbed-*
	rm -rf "$state_dir" "$owner_file"
}

status() {
	local program node
	[ -d "$state_dir" ] || {
		say "the test bed is not up"
		return 1
	}
	for program in "${control_programs[@]}"; do
		printf '%-26s %s\n' "$program" "$(program_state "control/$program")"
	done
	for node in "${nodes[@]}"; do
		printf '%-26s %s\n' "$node" "$(node_state "$node")"
	done
	printf '\nKUBECONFIG=%s\nlogs: %s\n' "$kubeconfig_file" "$log_dir"
	is_whole
}

program_state() {
	if ! is_running "$1"; then
		echo dead
	elif [ "$1" = control/kube-apiserver ] && apiserver_is_frozen; then
		echo frozen
	else
		echo running
	fi
}

node_state() {
	local programs=running cable="" ready=NotReady
	node_is_running "$1" || programs=dead
	is_plugged_in "$1" || cable=", cut off"
	! node_is_ready "$1" || ready=Ready
	printf '%s%s, %s for Kubernetes\n' "$programs" "$cable" "$ready"
}
