# shellcheck shell=bash
# cert-manager, for those who test with it: a program of the machine, like the control plane.

# collect_cert_manager_crds GO FOLDER: as its module has them; they need no webhook to be served.
collect_cert_manager_crds() {
	local source
	source=$("$1" list -m -f '{{.Dir}}' github.com/cert-manager/cert-manager)
	mkdir "$2/cert-manager-crds"
	cp "$source"/deploy/crds/*.yaml "$2/cert-manager-crds/"
	chmod -R u+w "$2/cert-manager-crds"
}

# As the administrator: what it may do is not what is tested. Its namespace holds the Secrets of
# ClusterIssuers.
start_cert_manager() {
	build cert-manager
	kubectl apply --server-side -f "$bin_dir/cert-manager-crds/" >/dev/null
	wait_until 30 "the kinds of cert-manager to be served" cert_manager_is_served
	printf '{"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "cert-manager"}}' |
		kubectl apply --server-side -f - >/dev/null
	is_running control/cert-manager || spawn control/cert-manager "$bin_dir/cert-manager" \
		-kubeconfig "$kubeconfig_file" -cluster-resource-namespace cert-manager
	say "cert-manager $(part_version cert-manager) runs: its log is $log_dir/control/cert-manager.log"
}

# Asked by use: "kubectl wait" gives up where a CRD has no conditions yet.
cert_manager_is_served() {
	kubectl get --all-namespaces certificates.cert-manager.io,certificaterequests.cert-manager.io,issuers.cert-manager.io,clusterissuers.cert-manager.io \
		>/dev/null 2>&1
}

# What it made stays, and so do its CRDs: to take them away would take every Certificate with them.
stop_cert_manager() {
	stop_program control/cert-manager
	say "cert-manager was stopped"
}
