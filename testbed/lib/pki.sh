# shellcheck shell=bash
# Certificates, tokens and kubeconfigs. Components show tokens; only the API server and, when it
# calls a kubelet, its client have certificates.

pki_dir=$state_dir/pki

create_credentials() {
	mkdir -p "$pki_dir"
	chmod 700 "$pki_dir"
	new_key "$pki_dir/ca.key"
	openssl req -x509 -new -key "$pki_dir/ca.key" -days 3650 -subj /CN=etcd-operator-testbed \
		-out "$pki_dir/ca.crt"
	sign apiserver "/CN=kube-apiserver" "$(api_names)"
	sign kubelet-client "/O=system:masters/CN=kube-apiserver-kubelet-client" "DNS:kube-apiserver"
	new_key "$pki_dir/service-accounts.key"
	create_users
}

api_names() {
	printf 'IP:%s,IP:%s,DNS:localhost,DNS:kubernetes,DNS:kubernetes.default,' "$host_address" "$api_address"
	printf 'DNS:kubernetes.default.svc,DNS:kubernetes.default.svc.%s' "$cluster_domain"
}

# Elliptic curves: an RSA key takes a second to find.
new_key() { openssl ecparam -name prime256v1 -genkey -noout -out "$1"; }

# sign NAME SUBJECT ALTERNATIVE-NAMES
sign() {
	new_key "$pki_dir/$1.key"
	openssl req -new -key "$pki_dir/$1.key" -subj "$2" |
		openssl x509 -req -CA "$pki_dir/ca.crt" -CAkey "$pki_dir/ca.key" -CAcreateserial -days 3650 \
			-extfile <(printf 'subjectAltName=%s\n' "$3") -out "$pki_dir/$1.crt" 2>/dev/null
}

create_users() {
	local node
	add_user admin system:masters "$kubeconfig_file"
	add_user system:kube-controller-manager "" "$pki_dir/kube-controller-manager.kubeconfig"
	add_user system:kube-scheduler "" "$pki_dir/kube-scheduler.kubeconfig"
	add_user system:kube-proxy "" "$pki_dir/kube-proxy.kubeconfig"
	add_user testbed:coredns "" "$pki_dir/coredns.kubeconfig"
	add_user testbed:provisioner "" "$pki_dir/provisioner.kubeconfig"
	for node in "${nodes[@]}"; do
		add_user "system:node:$node" system:nodes "$pki_dir/$node.kubeconfig"
	done
}

# add_user NAME GROUP KUBECONFIG
add_user() {
	local token
	token=$(openssl rand -hex 16)
	printf '%s,%s,%s,"%s"\n' "$token" "$1" "$1" "$2" >>"$pki_dir/tokens.csv"
	(
		umask 077
		cat >"$3" <<-EOF
			apiVersion: v1
			kind: Config
			clusters:
			- name: testbed
			  cluster:
			    server: $api_url
			    certificate-authority-data: $(base64 -w0 "$pki_dir/ca.crt")
			users:
			- name: $1
			  user: {token: $token}
			contexts:
			- name: testbed
			  context: {cluster: testbed, user: "$1"}
			current-context: testbed
		EOF
	)
}
