# shellcheck shell=bash
# Builds every program of the test bed from pinned Go modules.
#
# A part is built into a folder named after a hash of all that went into it, and then linked into
# $bin_dir: a build is either whole or absent, and going back to older pins costs nothing.

# what the test bed itself is made of
base_parts=(kubernetes containerd coredns provisioner pause "etcd-$base_etcd_line")

all_parts=("${base_parts[@]}" helm "${etcd_lines[@]/#/etcd-}")

# built only when they are named
optional_parts=(cert-manager "${store_parts[@]}" s3-client linearizable)

build() {
	local part parts=("$@")
	[ ${#parts[@]} -gt 0 ] || parts=("${all_parts[@]}")
	for part in "${parts[@]}"; do
		known_part "$part" || die "no such part: $part (there are: ${all_parts[*]} ${optional_parts[*]})"
		is_built "$part" || build_part "$part"
		link_part "$part"
	done
}

# All that 'up' needs.
build_base() {
	need_root
	install_packages "${machine_packages[@]}"
	build "${base_parts[@]}"
}

is_built() { [ -d "$(part_dir "$1")" ]; }

known_part() {
	local part
	for part in "${all_parts[@]}" "${optional_parts[@]}"; do
		[ "$part" != "$1" ] || return 0
	done
	return 1
}

# Two builds at once would do all the work twice: the second waits, and finds it done.
build_part() {
	local part=$1 target lock
	target=$(part_dir "$part")
	mkdir -p "$cache_dir/parts" "$bin_dir"
	exec {lock}>"$cache_dir/parts/.$part.lock"
	flock -n "$lock" || {
		say "$part is being built by another run: waiting"
		flock "$lock"
	}
	if [ ! -d "$target" ]; then
		rm -rf "$target.new"
		mkdir -p "$target.new"
		case $part in
		etcd-3.4) unpack_debian_etcd "$target.new" ;;
		azurite) install_azurite "$target.new" ;;
		*) build_go_part "$part" "$target.new" ;;
		esac
		mv "$target.new" "$target"
	fi
	exec {lock}>&-
}

part_dir() {
	local hash
	hash=$({
		part_flags "$1"
		[ ! -d "$testbed_dir/modules/$1" ] || find "$testbed_dir/modules/$1" -type f | sort | xargs cat
	} | sha256sum)
	printf '%s/parts/%s-%s\n' "$cache_dir" "$1" "${hash:0:12}"
}

# The version of a part is what its go.mod requires, and is written nowhere else.
part_version() {
	local module
	case $1 in
	kubernetes) module=k8s.io/kubernetes ;;
	containerd) module=github.com/containerd/containerd/v2 ;;
	coredns) module=github.com/coredns/coredns ;;
	helm) module=helm.sh/helm/v3 ;;
	cert-manager) module=github.com/cert-manager/cert-manager ;;
	versitygw) module=github.com/versity/versitygw ;;
	fake-gcs-server) module=github.com/fsouza/fake-gcs-server ;;
	azurite) azurite_version && return ;;
	etcd-3.4) printf '%s\n' "$debian_etcd_version" && return ;;
	etcd-*) module=go.etcd.io/etcd/server/v3 ;;
	*) printf '(our own)\n' && return ;;
	esac
	awk -v module="$module" '{ sub(/^require /, "") } $1 == module && $2 ~ /^v/ { print substr($2, 2); exit }' \
		"$testbed_dir/modules/$1/go.mod"
}

# Linker flags: without a stamp, clients see v0.0.0 and helm believes in a Kubernetes long gone.
part_flags() {
	local version minor package
	version=$(part_version "$1")
	case $1 in
	kubernetes)
		minor=${version#*.}
		for package in k8s.io/component-base/version k8s.io/client-go/pkg/version; do
			printf -- '-X %s.gitVersion=v%s ' "$package" "$version"
			printf -- '-X %s.gitMajor=1 -X %s.gitMinor=%s ' "$package" "$package" "${minor%.*}"
		done
		;;
	containerd) printf -- '-X github.com/containerd/containerd/v2/version.Version=v%s ' "$version" ;;
	helm)
		minor=$(part_version kubernetes)
		minor=${minor#*.}
		printf -- '-X helm.sh/helm/v3/internal/version.version=v%s ' "$version"
		for package in chartutil lint/rules; do
			printf -- '-X helm.sh/helm/v3/pkg/%s.k8sVersionMajor=1 ' "$package"
			printf -- '-X helm.sh/helm/v3/pkg/%s.k8sVersionMinor=%s ' "$package" "${minor%.*}"
		done
		;;
	cert-manager) printf -- '-X github.com/cert-manager/cert-manager/pkg/util.AppVersion=v%s ' "$version" ;;
	versitygw) printf -- '-X main.Version=v%s ' "$version" ;;
	etcd-3.4) printf '%s' "$version" ;;
	esac
	printf -- '-s -w\n'
}

# build_go_part PART FOLDER
build_go_part() (
	local part=$1 folder=$2 go packages total
	go=$(find_go)
	cd "$testbed_dir/modules/$part"
	unset GOROOT # may be that of the go that was too old
	export CGO_ENABLED=0 GOWORK=off GOTOOLCHAIN=local GOFLAGS=
	say "building $part $(part_version "$part")"
	mapfile -t packages < <(go_packages "$go")
	[ ${#packages[@]} -gt 0 ] || die "the module of $part names no program"
	say "  $part: fetching its sources"
	# told line by line, of which only a failure is of interest
	total=$("$go" list -deps "${packages[@]}" 2>"$folder/.log" | wc -l) || build_failed "$part" "$folder/.log"
	# without what only debuggers read: the linker leaves it out anyway
	nice "$go" build -v -trimpath -buildvcs=false -gcflags all=-dwarf=false -ldflags "$(part_flags "$part")" \
		-o "$folder/" "${packages[@]}" >"$folder/.log" 2>&1 &
	show_progress $! "$part" "$folder/.log" "$total"
	wait $! || build_failed "$part" "$folder/.log"
	rm "$folder/.log"
	case $part in
	etcd-*) mv "$folder/server" "$folder/etcd" ;;
	cert-manager) collect_cert_manager_crds "$go" "$folder" ;;
	esac
)

build_failed() {
	grep -v '^go: downloading' "$2" | tail -n 20 >&2
	die "$1 did not build"
}

# The programs that a module names as its tools; a module with a main of its own names none.
go_packages() {
	if [ -e main.go ]; then
		printf '.\n'
	else
		awk '/^tool \(/ { in_tools = 1; next } /^\)/ { in_tools = 0 } in_tools { print $1 } /^tool [^(]/ { print $2 }' go.mod
	fi
}

# show_progress PID PART LOG TOTAL: packages that were compiled before are not listed by the
# compiler, so a rebuild may end long before its total.
show_progress() {
	local pid=$1 part=$2 log=$3 total=$4 start=$SECONDS compiled
	while kill -0 "$pid" 2>/dev/null; do
		sleep 1
		[ $(((SECONDS - start) % 10)) -eq 0 ] || continue
		compiled=$(grep -vc '^go: downloading' "$log" || true)
		say "  $part: $compiled of $total packages compiled, $(duration $((SECONDS - start)))"
	done
	say "  $part: done in $(duration $((SECONDS - start)))"
}

link_part() {
	local part=$1 folder program
	folder=$(part_dir "$part")
	mkdir -p "$bin_dir"
	case $part in
	etcd-*) ln -sfn "$folder" "$bin_dir/etcd-$(part_version "$part")" ;;
	*)
		for program in "$folder"/*; do
			ln -sfn "$program" "$bin_dir/${program##*/}"
		done
		;;
	esac
}
