# shellcheck shell=bash
# One switch, one cable from the machine itself and one from each node:
#
#   machine 198.18.0.1 ──┐
#   node-1 198.18.0.11 ──┤ bridge, in a network namespace of its own, so that the machine's
#   node-2 198.18.0.12 ──┤ firewall (Docker's, say) has no word in what nodes tell each other
#   node-3 198.18.0.13 ──┘
#
# There is a route from everywhere to every pod, and none out of the machine.

netns_prefix=etcdtb
switch=$netns_prefix-switch
host_link=$netns_prefix-host

netns_of() { printf '%s-%s\n' "$netns_prefix" "$1"; }

create_network() {
	local node
	ip netns add "$switch"
	ip -n "$switch" link add bridge type bridge
	ip -n "$switch" link set bridge up
	ip link add "$host_link" type veth peer name host netns "$switch"
	ip address add "$host_address/24" dev "$host_link"
	ip link set "$host_link" up
	ip -n "$switch" link set host master bridge up
	for node in "${nodes[@]}"; do
		create_node_network "$node"
		ip route add "$(node_pod_range "$node")" via "$(node_address "$node")"
	done
}

create_node_network() {
	local node=$1 name other
	name=$(netns_of "$node")
	ip netns add "$name"
	ip -n "$name" link set lo up
	ip -n "$name" link add eth0 type veth peer name "$node" netns "$switch"
	ip -n "$name" address add "$(node_address "$node")/24" dev eth0
	ip -n "$name" link set eth0 up
	ip -n "$switch" link set "$node" master bridge up
	for other in "${nodes[@]}"; do
		[ "$other" = "$node" ] ||
			ip -n "$name" route add "$(node_pod_range "$other")" via "$(node_address "$other")"
	done
	# Never travelled: kube-proxy rewrites the address, but the kernel wants a route before that.
	ip -n "$name" route add "$service_range" dev eth0
	ip netns exec "$name" sysctl -q -w net.ipv4.ip_forward=1
}

delete_network() {
	local node
	for node in "${nodes[@]}"; do
		ip netns delete "$(netns_of "$node")" 2>/dev/null || true
	done
	ip link delete "$host_link" 2>/dev/null || true
	ip netns delete "$switch" 2>/dev/null || true
}

network_exists() {
	local node
	for node in "${nodes[@]}"; do
		[ -e "/run/netns/$(netns_of "$node")" ] || return 1
	done
	ip link show "$host_link" >/dev/null 2>&1
}

# The cable is pulled at the switch: the node keeps its addresses and routes, and its packets go
# nowhere.
unplug() { ip -n "$switch" link set "$1" down; }
plug_in() { ip -n "$switch" link set "$1" up; }
is_plugged_in() { ip -n "$switch" -o link show "$1" 2>/dev/null | grep -q '[<,]UP[,>]'; }
