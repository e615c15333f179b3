# shellcheck shell=bash
# The control plane: programs of the machine itself, so that no fault of a node touches them.

control_programs=(etcd kube-apiserver kube-controller-manager kube-scheduler coredns provisioner)
audit_log=$state_dir/audit/audit.log

# render FILE KEY=VALUE…: a file of config/ with each @KEY@ filled in.
render() {
	local file=$1 pair script=(-e "")
	shift
	for pair in "$@"; do
		script+=(-e "s|@${pair%%=*}@|${pair#*=}|g")
	done
	sed "${script[@]}" "$testbed_dir/config/$file"
}

start_control_program() {
	is_running "control/$1" || "start_${1//-/_}"
}

start_etcd() {
	# Its data does not outlive the test bed: waiting for the disk would only slow everybody down.
	spawn control/etcd "$bin_dir/etcd-$(part_version "etcd-$base_etcd_line")/etcd" --name testbed \
		--data-dir "$state_dir/etcd" --unsafe-no-fsync --log-level warn \
		--listen-client-urls "http://$host_address:2379" --advertise-client-urls "http://$host_address:2379" \
		--listen-peer-urls "http://$host_address:2380" --initial-advertise-peer-urls "http://$host_address:2380" \
		--initial-cluster "testbed=http://$host_address:2380" --auto-compaction-retention 10m
}

start_kube_apiserver() {
	mkdir -p "${audit_log%/*}"
	render audit-policy.yaml >"$state_dir/audit/policy.yaml"
	spawn control/kube-apiserver "$bin_dir/kube-apiserver" \
		--etcd-servers "http://$host_address:2379" \
		--bind-address "$host_address" --advertise-address "$host_address" --secure-port 6443 \
		--tls-cert-file "$pki_dir/apiserver.crt" --tls-private-key-file "$pki_dir/apiserver.key" \
		--client-ca-file "$pki_dir/ca.crt" --token-auth-file "$pki_dir/tokens.csv" \
		--authorization-mode Node,RBAC --enable-admission-plugins NodeRestriction --allow-privileged \
		--service-cluster-ip-range "$service_range" \
		--service-account-issuer "https://kubernetes.default.svc.$cluster_domain" \
		--service-account-signing-key-file "$pki_dir/service-accounts.key" \
		--service-account-key-file "$pki_dir/service-accounts.key" \
		--kubelet-preferred-address-types InternalIP \
		--kubelet-client-certificate "$pki_dir/kubelet-client.crt" \
		--kubelet-client-key "$pki_dir/kubelet-client.key" \
		--audit-policy-file "$state_dir/audit/policy.yaml" --audit-log-path "$audit_log" \
		--audit-log-mode blocking --profiling=false
}

start_kube_controller_manager() {
	spawn control/kube-controller-manager "$bin_dir/kube-controller-manager" \
		--kubeconfig "$pki_dir/kube-controller-manager.kubeconfig" --leader-elect=false --secure-port 0 \
		--use-service-account-credentials --service-account-private-key-file "$pki_dir/service-accounts.key" \
		--root-ca-file "$pki_dir/ca.crt" --cluster-signing-cert-file "$pki_dir/ca.crt" \
		--cluster-signing-key-file "$pki_dir/ca.key" \
		--node-monitor-grace-period 16s --node-monitor-period 2s --profiling=false
}

start_kube_scheduler() {
	spawn control/kube-scheduler "$bin_dir/kube-scheduler" \
		--kubeconfig "$pki_dir/kube-scheduler.kubeconfig" --leader-elect=false --secure-port 0 --profiling=false
}

start_coredns() {
	render Corefile "HOST=$host_address" "DOMAIN=$cluster_domain" \
		"KUBECONFIG=$pki_dir/coredns.kubeconfig" >"$state_dir/Corefile"
	spawn control/coredns "$bin_dir/coredns" -conf "$state_dir/Corefile"
}

start_provisioner() {
	mkdir -p "$state_dir/volumes"
	if [ "${ETCD_OPERATOR_TESTBED_VOLUMES:-disk}" = memory ] && ! mountpoint -q "$state_dir/volumes"; then
		mount -t tmpfs volumes "$state_dir/volumes"
	fi
	spawn control/provisioner "$bin_dir/provisioner" \
		-kubeconfig "$pki_dir/provisioner.kubeconfig" -root "$state_dir/volumes"
}

kubectl() { "$bin_dir/kubectl" --kubeconfig "$kubeconfig_file" "$@"; }

# Much cheaper than kubectl, which counts when it is asked ten times a second.
api_get() {
	local token
	token=$(sed -n 's/.*{token: \(.*\)}.*/\1/p' "$kubeconfig_file")
	curl -sf --max-time 5 --cacert "$pki_dir/ca.crt" -H "Authorization: Bearer $token" "$api_url$1"
}

api_is_ready() { api_get /readyz >/dev/null; }

wait_for_api() {
	wait_until 90 "the API server to be ready" api_is_ready_or_dead
	api_is_ready || die "the API server does not run: $(tail -n1 "$log_dir/control/kube-apiserver.log")"
}

api_is_ready_or_dead() { api_is_ready || ! is_running control/kube-apiserver; }

dns_is_ready() { curl -sf --max-time 2 "http://$host_address:8181/ready" >/dev/null; }

apply_objects() {
	render objects.yaml "DNS=$dns_address" "HOST=$host_address" |
		kubectl apply --server-side -f - >/dev/null
}

restart_apiserver() {
	stop_program control/kube-apiserver
	start_kube_apiserver
	wait_for_api
	say "the API server was restarted"
}

freeze_apiserver() {
	kill -STOP "$(pid_of control/kube-apiserver)"
	say "the API server is frozen: connections stay open, nothing is answered"
}

thaw_apiserver() {
	kill -CONT "$(pid_of control/kube-apiserver)"
	wait_for_api
	say "the API server is running again"
}

apiserver_is_frozen() {
	grep -q '^State:[[:space:]]*T' "/proc/$(pid_of control/kube-apiserver)/status" 2>/dev/null
}
