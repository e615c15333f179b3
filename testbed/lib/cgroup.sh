# shellcheck shell=bash
# All that the test bed runs lives in cgroups of its own, one tree for each node. So the whole of a
# node, shims and containers included, can be ended at one stroke, and nothing else ever is: a
# process id may be taken by a stranger, a place in a cgroup may not.

cgroup_name=etcd-operator-testbed

# With cgroup v1 the freezer holds the processes: it is the one hierarchy that can stop them all.
if [ -e /sys/fs/cgroup/cgroup.controllers ]; then
	cgroup_version=2
	cgroup_root=/sys/fs/cgroup/$cgroup_name
else
	cgroup_version=1
	cgroup_root=/sys/fs/cgroup/freezer/$cgroup_name
fi

# Every process id below a cgroup.
cgroup_pids() {
	[ -d "$cgroup_root/$1" ] || return 0
	find "$cgroup_root/$1" -name cgroup.procs -exec cat {} + 2>/dev/null || true
}

# cgroup_kill NAME: ends all of it, again and again until nothing is left.
cgroup_kill() {
	[ -d "$cgroup_root/$1" ] || return 0
	wait_until 20 "processes of ${1:-the test bed} to end" cgroup_kill_round "$1"
}

# Frozen first, so that nothing can fork, notice that a neighbour died, or say goodbye to anyone.
cgroup_kill_round() {
	local pids
	if [ "$cgroup_version" = 2 ]; then
		echo 1 >"$cgroup_root/$1/cgroup.kill"
	else
		echo FROZEN >"$cgroup_root/$1/freezer.state"
		pids=$(cgroup_pids "$1")
		# shellcheck disable=SC2086 # one argument for each process
		[ -z "$pids" ] || kill -KILL $pids 2>/dev/null || true
		echo THAWED >"$cgroup_root/$1/freezer.state"
	fi
	cgroup_is_empty "$1"
}

cgroup_is_empty() { [ -z "$(cgroup_pids "$1")" ]; }

# cgroup_prepare NAME: in every hierarchy, where the kubelet expects the parent of its pods.
cgroup_prepare() {
	local tree
	if [ "$cgroup_version" = 2 ]; then
		mkdir -p "$cgroup_root/$1"
		pass_controllers_down "$cgroup_root/$1"
	else
		for tree in /sys/fs/cgroup/*/cgroup.procs; do
			mkdir -p "${tree%/*}/$cgroup_name/$1"
		done
	fi
	weigh_pods
}

# The pods of all nodes together would weigh as much as one process of the machine, and whatever else it does would
# starve the operator until its probes fail. Where the weight cannot be set, it stays so.
weigh_pods() {
	if [ "$cgroup_version" = 2 ]; then
		echo 1000 2>/dev/null >"$cgroup_root/cpu.weight" || true
	else
		echo 10240 2>/dev/null >"/sys/fs/cgroup/cpu/$cgroup_name/cpu.shares" || true
	fi
}

# With cgroup v2 a controller reaches a cgroup only if every ancestor passes it on.
pass_controllers_down() {
	local parent=${1%/*} controller
	[ "$parent" = /sys/fs/cgroup ] || pass_controllers_down "$parent"
	for controller in cpu cpuset io memory pids hugetlb; do
		echo "+$controller" >"$parent/cgroup.subtree_control" 2>/dev/null || true
	done
}

# cgroup_remove NAME: in every hierarchy, for runc makes container cgroups in all of them.
cgroup_remove() {
	local tree
	for tree in "/sys/fs/cgroup/$cgroup_name" /sys/fs/cgroup/*/"$cgroup_name"; do
		[ ! -d "$tree/$1" ] || find "$tree/$1" -depth -type d -exec rmdir {} + 2>/dev/null || true
	done
}
