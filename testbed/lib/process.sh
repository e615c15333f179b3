# shellcheck shell=bash
# Programs that stay: each is known by a name such as control/kube-apiserver or node-1/kubelet,
# which is also its cgroup, its log file and its pid file.

# spawn NAME COMMAND…
spawn() {
	local name=$1
	shift
	mkdir -p "$cgroup_root/$name" "$log_dir/${name%/*}" "$state_dir/run/${name%/*}"
	(
		echo "$BASHPID" >"$cgroup_root/$name/cgroup.procs"
		echo "$BASHPID" >"$state_dir/run/$name.pid"
		exec setsid "$@" 8>&- 9>&- </dev/null >>"$log_dir/$name.log" 2>&1
	) &
	# so that is_running tells the truth as soon as spawn returns
	until is_running "$name" || ! kill -0 $! 2>/dev/null; do sleep 0.01; done
}

# Prints the process id, or fails if the program is not running.
pid_of() {
	local pid
	pid=$(cat "$state_dir/run/$1.pid" 2>/dev/null) || return 1
	grep -qx "$pid" "$cgroup_root/$1/cgroup.procs" 2>/dev/null || return 1
	printf '%s\n' "$pid"
}

is_running() { pid_of "$1" >/dev/null; }

# stop_program NAME: asks, and insists after five seconds.
stop_program() {
	local pid deadline=$((SECONDS + 5))
	pid=$(pid_of "$1") || return 0
	kill -TERM "$pid" 2>/dev/null || true
	while is_running "$1" && [ "$SECONDS" -lt "$deadline" ]; do sleep 0.1; done
	cgroup_kill "$1"
}
