# shellcheck shell=bash
# Images without Docker and without a registry: an OCI archive is one layer, two small JSON files
# and an index.

# with a host in it, for a name without one is taken to be Docker Hub's
pause_image=testbed.local/pause:1
etcd_repository=quay.io/coreos/etcd

# oci_archive NAME FOLDER COMMAND OUTPUT: an image whose root is FOLDER.
oci_archive() {
	local name=$1 folder=$2 command=$3 output=$4 layout layer config manifest arch
	arch=$(dpkg --print-architecture)
	layout=$(mktemp -d "$output.XXXXXX")
	mkdir -p "$layout/blobs/sha256"
	tar -C "$folder" --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner -cf "$layout/layer" .
	layer=$(store_blob "$layout" "$layout/layer")
	printf '{"architecture":"%s","os":"linux","config":{"Env":["PATH=/usr/local/bin:/usr/bin:/bin"],"Cmd":["%s"],"WorkingDir":"/"},"rootfs":{"type":"layers","diff_ids":["%s"]}}' \
		"$arch" "$command" "${layer%% *}" >"$layout/config"
	config=$(store_blob "$layout" "$layout/config")
	printf '{"schemaVersion":2,"mediaType":"application/vnd.oci.image.manifest.v1+json","config":%s,"layers":[%s]}' \
		"$(descriptor application/vnd.oci.image.config.v1+json "$config")" \
		"$(descriptor application/vnd.oci.image.layer.v1.tar "$layer")" >"$layout/manifest"
	manifest=$(store_blob "$layout" "$layout/manifest")
	manifest=$(descriptor application/vnd.oci.image.manifest.v1+json "$manifest")
	printf '{"schemaVersion":2,"manifests":[%s,"annotations":{"io.containerd.image.name":"%s"}}]}' \
		"${manifest%\}}" "$name" >"$layout/index.json"
	printf '{"imageLayoutVersion":"1.0.0"}' >"$layout/oci-layout"
	tar -C "$layout" -cf "$output" oci-layout index.json blobs
	rm -rf "$layout"
}

# store_blob LAYOUT FILE: moves a file to where its digest says, and prints digest and size.
store_blob() {
	local digest size
	digest=$(sha256sum "$2" | cut -d' ' -f1)
	size=$(stat -c %s "$2")
	mv "$2" "$1/blobs/sha256/$digest"
	printf 'sha256:%s %s\n' "$digest" "$size"
}

# descriptor MEDIA-TYPE "DIGEST SIZE"
descriptor() { printf '{"mediaType":"%s","digest":"%s","size":%s}' "$1" "${2% *}" "${2#* }"; }

# etcd_image LINE OUTPUT: as the release has it: no shell, binaries in /usr/local/bin.
etcd_image() {
	local line=$1 output=$2 root library
	root=$(mktemp -d)
	mkdir -p "$root/usr/local/bin" "$root/var/lib/etcd" "$root/tmp"
	chmod 1777 "$root/tmp"
	cp -L "$(part_dir "etcd-$line")"/etcd* "$root/usr/local/bin/"
	# Debian's etcd is linked dynamically: its libraries come along
	shared_libraries "$root/usr/local/bin/etcd" | while read -r library; do
		mkdir -p "$root${library%/*}"
		cp -L "$library" "$root$library"
	done
	chmod 755 "$root"
	oci_archive "$etcd_repository:v$(part_version "etcd-$line")" "$root" /usr/local/bin/etcd "$output"
	rm -rf "$root"
}

shared_libraries() {
	# fails for a program that needs none
	{ ldd "$1" 2>/dev/null || true; } | sed -n 's|^[^/]*\(/[^ ]*\) (0x.*|\1|p'
}

pause_archive() { program_archive pause "$pause_image" "$1"; }

# program_archive PROGRAM NAME OUTPUT: an image of nothing but a program that is linked statically.
program_archive() {
	local root
	root=$(mktemp -d)
	chmod 755 "$root"
	cp -L "$bin_dir/$1" "$root/$1"
	oci_archive "$2" "$root" "/$1" "$3"
	rm -rf "$root"
}

# load_program NAME: a program of the test bed as the image testbed.local/NAME:1, for pods of tests.
load_program() {
	local program=${1:-} archive
	[ -x "$bin_dir/$program" ] || die "no such program in $bin_dir: $program"
	archive=$(mktemp "$state_dir/$program.XXXXXX")
	program_archive "$program" "testbed.local/$program:1" "$archive"
	load_image "$archive"
	rm "$archive"
}

# The images of a test bed are imported once, into a folder of the cache; each node starts with a
# copy of it. That takes a moment, where twelve imports would take half a minute.

# seed_dir LINE…: the folder of the images of these etcd lines
seed_dir() {
	local part hash
	hash=$({
		cat "$testbed_dir/lib/images.sh"
		for part in containerd pause "${@/#/etcd-}"; do part_dir "$part"; done
	} | sha256sum)
	printf '%s/parts/images-%s\n' "$cache_dir" "${hash:0:12}"
}

# build_seed LINE…
build_seed() {
	local seed lock line
	seed=$(seed_dir "$@")
	[ ! -d "$seed" ] || return 0
	exec {lock}>"$cache_dir/parts/.images.lock"
	flock "$lock"
	if [ ! -d "$seed" ]; then
		say "making the images: pause, etcd $*"
		rm -rf "$seed.new"
		mkdir -p "$seed.new/archives"
		pause_archive "$seed.new/archives/pause.tar"
		for line in "$@"; do
			etcd_image "$line" "$seed.new/archives/etcd-$line.tar"
		done
		import_seed "$seed.new"
		rm -rf "$seed.new/archives"
		mv "$seed.new" "$seed"
		# nodes hold links or copies of their own: no one needs the older ones
		find "$cache_dir/parts" -maxdepth 1 -name 'images-*' ! -path "$seed" -exec rm -rf {} +
	fi
	exec {lock}>&-
}

# A containerd that lives just long enough to import.
import_seed() {
	local seed=$1 pid archive
	render containerd.toml "DIR=$seed" "PAUSE=$pause_image" >"$seed/containerd.toml"
	"$bin_dir/containerd" --config "$seed/containerd.toml" --log-level error 8>&- 9>&- >"$seed/log" 2>&1 &
	pid=$!
	wait_until 30 "containerd to import images" \
		"$bin_dir/ctr" --address "$seed/containerd.sock" version >/dev/null 2>&1
	for archive in "$seed"/archives/*.tar; do
		"$bin_dir/ctr" --address "$seed/containerd.sock" --namespace k8s.io images import --local "$archive" >/dev/null 2>"$seed/log"
	done
	kill "$pid"
	wait "$pid" || true
	unmount_below "$seed"
	rm -rf "$seed/run" "$seed/log" "$seed/containerd.toml" "$seed"/containerd.sock*
}

# plant_seed NODE LINE…: blobs and unpacked layers never change, so links will do where the file system is
# the same; databases do change.
plant_seed() {
	local seed target
	target=$(node_dir "$1")/containerd
	[ ! -d "$target" ] || return 0
	mkdir -p "$(node_dir "$1")"
	seed=$(seed_dir "${@:2}")/containerd
	cp -al "$seed" "$target.new" 2>/dev/null || {
		rm -rf "$target.new"
		cp -a "$seed" "$target.new"
	}
	(cd "$seed" && find . -name '*.db') | while read -r database; do
		cp --remove-destination "$seed/$database" "$target.new/$database"
	done
	mv "$target.new" "$target"
}

# What was built since the nodes got their images is loaded into them.
load_new_etcd_images() {
	local line part archive
	for line in $(built_etcd_lines); do
		part=$(part_dir "etcd-$line")
		! grep -qxF "$part" "$state_dir/etcd-images" || continue
		say "loading the image of etcd $(part_version "etcd-$line")"
		archive=$(mktemp "$state_dir/etcd-$line.XXXXXX")
		etcd_image "$line" "$archive"
		load_image "$archive"
		rm "$archive"
		printf '%s\n' "$part" >>"$state_dir/etcd-images"
	done
}

# load_image FILE…: into every node; a node that is down gets it when it comes back.
load_image() {
	local node file pids=()
	[ $# -gt 0 ] || die "load-image needs the name of an OCI archive"
	for file in "$@"; do
		[ -f "$file" ] || die "no such file: $file"
	done
	for node in "${nodes[@]}"; do
		load_image_into "$node" "$@" &
		pids+=($!)
	done
	wait_for_all "${pids[@]}" || die "an image could not be loaded"
}

load_image_into() {
	local node=$1 file pending
	shift
	pending=$(node_dir "$node")/pending-images
	for file in "$@"; do
		if is_running "$node/containerd"; then
			ctr "$node" images import --local "$file" >/dev/null
		else
			mkdir -p "$pending"
			cp "$file" "$pending/$(sha256sum "$file" | cut -c1-12).tar"
		fi
	done
}

import_pending_images() {
	local node=$1 file
	for file in "$(node_dir "$node")"/pending-images/*.tar; do
		[ -e "$file" ] || continue
		ctr "$node" images import --local "$file" >/dev/null
		rm "$file"
	done
}
