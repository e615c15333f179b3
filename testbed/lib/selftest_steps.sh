# shellcheck shell=bash
# The steps of the selftest; each fails by its exit code and says why on the way.

tb() { "$testbed_dir/testbed" "$@"; }
k() { kubectl --namespace "$selftest_namespace" "$@"; }
etcdctl_in() { k exec "$1" -- etcdctl --dial-timeout 2s --command-timeout 5s --endpoints "$2" "${@:3}"; }
pod_address() { k get pod "$1" -o 'jsonpath={.status.podIP}'; }
pod_node() { k get pod "$1" -o 'jsonpath={.spec.nodeName}'; }

expect() {
	[ "$2" = "$3" ] || {
		echo "$1: expected '$2', got '$3'"
		return 1
	}
}

must_fail() {
	if "$@"; then
		echo "should have failed: $*"
		return 1
	fi
}

up_is_quick() {
	local start=$SECONDS
	tb up
	[ $((SECONDS - start)) -le 5 ]
}

deploy_etcd() {
	kubectl delete namespace "$selftest_namespace" --ignore-not-found
	render selftest.yaml "IMAGE=$etcd_repository:v$(part_version etcd-3.6)" | kubectl apply -f -
	k rollout status statefulset etcd --timeout 60s
	expect "nodes with a member" 3 "$(k get pods -l app=etcd -o 'jsonpath={range .items[*]}{.spec.nodeName}{"\n"}{end}' | sort -u | wc -l)"
}

talk_to_etcd() {
	etcdctl_in etcd-0 http://etcd-client:2379 put key value
	expect "by name" value "$(etcdctl_in etcd-1 "http://etcd-2.etcd.$selftest_namespace.svc.$cluster_domain:2379" get key --print-value-only)"
	[[ $(k logs etcd-0) == *'ready to serve client requests'* ]]
}

machine_reaches_pods() {
	local pod
	for pod in etcd-0 etcd-1 etcd-2; do
		curl -sf --max-time 5 "http://$(pod_address "$pod"):2379/health" | grep -q true
	done
}

# run_once NAME IMAGE COMMAND…: a pod that does one thing, and what it said.
run_once() {
	local name=$1 image=$2
	shift 2
	k run "$name" --image "$image" --restart Never --overrides "$(restricted_pod)" --override-type json --command -- "$@" >&2
	k wait pod "$name" --for 'jsonpath={.status.phase}=Succeeded' --timeout 30s >&2
	k logs "$name"
	k delete pod "$name" --now >&2
}

restricted_pod() {
	cat <<-'EOF'
		[{"op": "add", "path": "/spec/securityContext",
		  "value": {"runAsNonRoot": true, "runAsUser": 1000, "seccompProfile": {"type": "RuntimeDefault"}}},
		 {"op": "add", "path": "/spec/containers/0/securityContext",
		  "value": {"allowPrivilegeEscalation": false, "capabilities": {"drop": ["ALL"]}}}]
	EOF
}

run_every_line() {
	local line version
	for line in "${etcd_lines[@]}"; do
		version=$(part_version "etcd-$line")
		run_once "etcd-${line/./-}" "$etcd_repository:v$version" /usr/local/bin/etcd --version | grep "etcd Version: $version"
		"$(tb etcd-bin "$version")/etcd" --version | grep "etcd Version: $version"
	done
}

load_an_image() {
	local folder
	folder=$(mktemp -d)
	mkdir "$folder/root"
	cp -L "$bin_dir/etcd-$(part_version etcd-3.6)/etcdutl" "$folder/root/tool"
	chmod 755 "$folder/root"
	oci_archive testbed.local/selftest:1 "$folder/root" /tool "$folder/image.tar"
	tb load-image "$folder/image.tar"
	rm -rf "$folder"
	run_once loaded testbed.local/selftest:1 /tool version | grep 'etcdutl version'
}
