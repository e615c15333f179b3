# shellcheck shell=bash
# What can go wrong with a node, and how it gets well again.

# A power cut: the cable first, for dying programs would tell their peers goodbye, and a machine
# without power refuses no connection: it does not answer at all.
kill_node() {
	unplug "$1"
	power_off "$1"
	say "$1 is dead"
}

revive_node() {
	local start
	start=$(date -u +%Y-%m-%dT%H:%M:%S)
	node_is_running "$1" || power_off "$1"
	plug_in "$1"
	start_node "$1"
	wait_until 90 "$1 to be ready" node_renewed_since "$1" "$start"
	say "$1 is alive"
}

partition_node() {
	unplug "$1"
	say "$1 is cut off from the others and from the control plane; its programs run on"
}

heal_node() {
	plug_in "$1"
	say "$1 is connected again"
}

drain_node() {
	kubectl drain "$1" --ignore-daemonsets --delete-emptydir-data --force "${@:2}"
}

uncordon_node() { kubectl uncordon "$1"; }

# lose_disk NAMESPACE CLAIM: the volume is there, and empty.
lose_disk() {
	local volume folder
	[ $# -eq 2 ] || die "usage: testbed lose-disk NAMESPACE CLAIM"
	volume=$(kubectl -n "$1" get pvc "$2" -o 'jsonpath={.spec.volumeName}') || die "no such claim: $1/$2"
	[ -n "$volume" ] || die "the claim $1/$2 has no volume"
	folder=$(kubectl get pv "$volume" -o 'jsonpath={.spec.hostPath.path}{.spec.local.path}')
	case $folder in
	"$state_dir"/volumes/?*) ;;
	*) die "not a volume of the test bed: $folder" ;;
	esac
	find "$folder" -mindepth 1 -delete
	say "the volume of $1/$2 is empty"
}
