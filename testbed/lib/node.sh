# shellcheck shell=bash
# A node: containerd, kubelet and kube-proxy in a network namespace, with folders of their own.

node_programs=(containerd kubelet kube-proxy)

# in_node NODE COMMAND…: the node's network, and nothing else of its own. `ip netns exec` would make
# a mount namespace too, and kubelet and containerd would not see each other's mounts.
in_node() {
	local node=$1
	shift
	nsenter --net="/run/netns/$(netns_of "$node")" "$@"
}

spawn_in_node() {
	local node=$1 program=$2
	shift 2
	spawn "$node/$program" nsenter --net="/run/netns/$(netns_of "$node")" "$@"
}

configure_node() {
	local node=$1 dir
	dir=$(node_dir "$node")
	mkdir -p "$dir/cni" "$dir/volume-plugins" "$dir/pod-logs" "$dir/kubelet"
	render containerd.toml "DIR=$dir" "PAUSE=$pause_image" >"$dir/containerd.toml"
	render cni.conflist "DIR=$dir" "NODE=$node" "PODS=$(node_pod_range "$node")" >"$dir/cni/10-testbed.conflist"
	render kubelet.yaml "DIR=$dir" "PKI=$pki_dir" "DNS=$dns_address" "DOMAIN=$cluster_domain" \
		"ADDRESS=$(node_address "$node")" "CGROUP=$cgroup_name/$node" >"$dir/kubelet.yaml"
	render kube-proxy.yaml "PKI=$pki_dir" "NODE=$node" "PODS=$pod_range" >"$dir/kube-proxy.yaml"
}

start_containerd() {
	local node=$1
	is_running "$node/containerd" && return
	configure_node "$node"
	# the shim and runc are found by name
	PATH=$bin_dir:$PATH spawn_in_node "$node" containerd "$bin_dir/containerd" \
		--config "$(node_dir "$node")/containerd.toml" --log-level warn
}

start_kubelet() {
	local node=$1 dir
	is_running "$node/kubelet" && return
	dir=$(node_dir "$node")
	cgroup_prepare "$node/pods"
	spawn_in_node "$node" kubelet "$bin_dir/kubelet" --config "$dir/kubelet.yaml" \
		--kubeconfig "$pki_dir/$node.kubeconfig" --root-dir "$dir/kubelet" --cert-dir "$dir/kubelet/pki" \
		--hostname-override "$node" --node-ip "$(node_address "$node")" \
		--node-labels "topology.kubernetes.io/region=testbed,topology.kubernetes.io/zone=zone-${node#node-}"
}

start_kube_proxy() {
	local node=$1
	is_running "$node/kube-proxy" && return
	spawn_in_node "$node" kube-proxy "$bin_dir/kube-proxy" --config "$(node_dir "$node")/kube-proxy.yaml"
}

ctr() {
	local node=$1
	shift
	"$bin_dir/ctr" --address "$(node_dir "$node")/containerd.sock" --namespace k8s.io "$@"
}

containerd_answers() { ctr "$1" version >/dev/null 2>&1; }

# start_node NODE: whatever of it is not running yet.
start_node() {
	local node=$1
	start_containerd "$node"
	wait_until 30 "containerd of $node" containerd_answers "$node"
	import_pending_images "$node"
	start_kubelet "$node"
	start_kube_proxy "$node"
}

node_is_running() {
	local program
	for program in "${node_programs[@]}"; do
		is_running "$1/$program" || return 1
	done
}

# power_off NODE: the end of all processes and of everything that a real machine holds in memory:
# mounts, the network of pods, sockets. What is on disk stays.
power_off() {
	local node=$1 dir
	dir=$(node_dir "$node")
	cgroup_kill "$node"
	{ cat "$dir"/run/io.containerd.runtime.v2.task/k8s.io/*/address 2>/dev/null || true; } |
		sed -n 's|^unix://\(/run/containerd/s/[0-9a-f]*\)$|\1|p' | xargs -r rm -f
	unmount_below "$dir"
	rm -rf "$dir/run" "$dir"/containerd.sock*
	cgroup_remove "$node"
}

# The newest mount goes first: mounts may lie upon each other.
unmount_below() {
	local path
	awk -v below="$1/" 'index($5, below) == 1 { print $5 }' /proc/self/mountinfo | tac |
		while read -r path; do
			umount -l "$(printf '%b' "$path")" 2>/dev/null || true
		done
}

# Its lease, for what Kubernetes says of a node is old news until it has missed the node for a while.
node_renewed_since() {
	local renewed
	renewed=$(kubectl -n kube-node-lease get lease "$1" -o 'jsonpath={.spec.renewTime}' 2>/dev/null)
	[[ $renewed > $2 ]] && node_is_ready "$1"
}

node_is_ready() {
	[ "$(kubectl get node "$1" -o 'jsonpath={.status.conditions[?(@.type=="Ready")].status}' 2>/dev/null)" = True ]
}
