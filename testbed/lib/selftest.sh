# shellcheck shell=bash
# Tries everything that the test bed promises, with a plain etcd of three members.

selftest_namespace=testbed-selftest

selftest() {
	local start=$SECONDS
	need_root
	step "build" "$testbed_dir/testbed" build
	step "up" "$testbed_dir/testbed" up
	step "up again, at once" up_is_quick
	step "etcd on three nodes, not root, root file system read-only" deploy_etcd
	step "service address, names across nodes, exec and logs" talk_to_etcd
	step "pods from the machine itself" machine_reaches_pods
	step "every etcd line runs" run_every_line
	step "load-image" load_an_image
	step "a volume tied to its node" use_local_volume
	step "kill and revive" kill_and_revive
	step "partition and heal" partition_and_heal
	step "drain and uncordon" drain_and_uncordon
	step "freeze, thaw and restart the API server" disturb_apiserver
	step "lose-disk" lose_a_disk
	step "repair" repair
	step "down leaves nothing behind" leave_nothing_behind
	step "up once more" "$testbed_dir/testbed" up
	say "all is well after $(duration $((SECONDS - start)))"
}

# step NAME COMMAND…: not as the condition of an `if`, within which bash forgets `set -e`.
step() {
	local name=$1 start=$SECONDS output status
	shift
	output=$(mktemp)
	trap - ERR
	set +e
	(
		set -e
		"$@"
	) >"$output" 2>&1
	status=$?
	set -e
	if [ $status -ne 0 ]; then
		sed 's/^/      /' "$output" >&2
		rm "$output"
		die "selftest failed: $name"
	fi
	rm "$output"
	say "ok    $name ($(duration $((SECONDS - start))))"
}
