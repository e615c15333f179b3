# shellcheck shell=bash
# The steps of the selftest that break things.

node_is_not_ready() { ! node_is_ready "$1"; }
all_members_answer() {
	etcdctl_in etcd-0 http://etcd-0.etcd:2379,http://etcd-1.etcd:2379,http://etcd-2.etcd:2379 endpoint health
}

# process_names PIDS: of those that live.
process_names() {
	local pid
	for pid in $1; do cat "/proc/$pid/comm" 2>/dev/null || true; done
}

# In a moment: the dead are still listed until their parent has heard of it.
are_gone() { [ -z "$(process_names "$1")" ]; }

kill_and_revive() {
	local node address pids
	node=$(pod_node etcd-1)
	address=$(pod_address etcd-1)
	pids=$(cgroup_pids "$node")
	expect "etcd among them" etcd "$(process_names "$pids" | grep -x etcd)"
	tb kill "$node"
	wait_until 5 "the last process to end" are_gone "$pids"
	expect "a dead node refuses nothing" 28 "$(curl -s --max-time 2 "http://$address:2379/health" >/dev/null || echo $?)"
	etcdctl_in etcd-0 http://etcd-0.etcd:2379 put without node
	wait_until 40 "$node to be seen dead" node_is_not_ready "$node"
	tb revive "$node"
	wait_until 60 "all members to answer" all_members_answer
	expect "what was written meanwhile" node "$(etcdctl_in etcd-1 http://localhost:2379 get without --print-value-only)"
}

partition_and_heal() {
	local node pids
	node=$(pod_node etcd-2)
	pids=$(cgroup_pids "$node/pods")
	expect "etcd among them" etcd "$(process_names "$pids" | grep -x etcd)"
	tb partition "$node"
	wait_until 40 "$node to be seen lost" node_is_not_ready "$node"
	expect "containers that live on" "$pids" "$(cgroup_pids "$node/pods")"
	tb heal "$node"
	wait_until 40 "$node to be ready" node_is_ready "$node"
	wait_until 60 "all members to answer" all_members_answer
}

drain_and_uncordon() {
	local node
	node=$(pod_node etcd-0)
	tb drain "$node" --timeout 60s
	expect "pods left on $node" 0 "$(k get pods --field-selector "spec.nodeName=$node" --no-headers 2>/dev/null | wc -l)"
	tb uncordon "$node"
	k rollout status statefulset etcd --timeout 60s
}

disturb_apiserver() {
	tb freeze-apiserver
	must_fail api_get /version
	tb thaw-apiserver
	tb restart-apiserver
	api_get /version
}

use_local_volume() {
	local claim='{"apiVersion":"v1","kind":"PersistentVolumeClaim","metadata":{"name":"local"},
		"spec":{"storageClassName":"local","accessModes":["ReadWriteOnce"],"resources":{"requests":{"storage":"1Mi"}}}}'
	k apply -f - <<<"$claim"
	k run local --image "$pause_image" --overrides "$(restricted_pod)" --override-type json --dry-run=client -o json |
		sed 's|"containers": \[|"volumes": [{"name": "v", "persistentVolumeClaim": {"claimName": "local"}}], &|' |
		k apply -f -
	k wait pod local --for condition=Ready --timeout 30s
	expect "node of the volume" "$(pod_node local)" "$(kubectl get pv "$(k get pvc local -o 'jsonpath={.spec.volumeName}')" \
		-o 'jsonpath={.spec.nodeAffinity.required.nodeSelectorTerms[0].matchExpressions[0].values[0]}')"
	k delete pod,pvc local --now
}

lose_a_disk() {
	local folder
	folder=$state_dir/volumes/$(k get pvc data-etcd-2 -o 'jsonpath={.spec.volumeName}')
	[ -d "$folder/etcd/member" ]
	tb lose-disk "$selftest_namespace" data-etcd-2
	expect "files left" "" "$(ls -A "$folder")"
}

repair() {
	kill -KILL "$(pid_of control/kube-scheduler)" "$(pid_of node-1/kubelet)"
	tb partition node-2
	must_fail tb status
	tb up
	tb status
}

leave_nothing_behind() {
	local pids
	pids=$(cgroup_pids "")
	expect "members" 3 "$(process_names "$(cgroup_pids node-1) $(cgroup_pids node-2) $(cgroup_pids node-3)" | grep -cx etcd)"
	tb down
	tb down
	expect "state" "" "$(ls -A "$state_dir" 2>/dev/null)"
	expect "mounts" "" "$(grep "$state_dir" /proc/self/mountinfo)"
	expect "network namespaces" "" "$(ip netns list | grep "^$netns_prefix-")"
	expect "links" "" "$(ip -o link | grep "$netns_prefix")"
	wait_until 5 "the last process to end" are_gone "$pids"
	expect "cgroups" "" "$(find /sys/fs/cgroup -maxdepth 2 -name "$cgroup_name")"
}
