# shellcheck shell=bash
# The etcd lines that the operator is tested with.

# 3.4 does not build with today's Go: its binaries are Debian's.
debian_etcd_version=3.4.23

etcd_lines=(3.4 3.5 3.6 3.7)

# The line that every test bed has: Kubernetes keeps its own state in it.
base_etcd_line=3.6

# The lines that are built, and so the ones that nodes have images of.
built_etcd_lines() {
	local line
	for line in "${etcd_lines[@]}"; do
		! is_built "etcd-$line" || printf '%s\n' "$line"
	done
}

# unpack_debian_etcd FOLDER
unpack_debian_etcd() {
	say "unpacking Debian's etcd $debian_etcd_version"
	unpack_package etcd-server "$1/.root"
	unpack_package etcd-client "$1/.root"
	mv "$1"/.root/usr/bin/etcd* "$1/"
	rm -rf "$1/.root"
	# "grep -q" would end at the first line, and etcd with an error if it still writes then.
	[[ $("$1/etcd" --version) == "etcd Version: $debian_etcd_version"* ]] ||
		die "Debian's etcd is no longer $debian_etcd_version: mend lib/etcd.sh"
}

# Prints the folder with etcd, etcdctl and etcdutl of a version (3.6.16) or a line (3.6).
etcd_bin() {
	local line
	for line in "${etcd_lines[@]}"; do
		case $1 in
		"$line" | "$(part_version "etcd-$line")")
			build "etcd-$line"
			printf '%s\n' "$bin_dir/etcd-$(part_version "etcd-$line")"
			return
			;;
		esac
	done
	die "no such etcd: $1 (there are the lines ${etcd_lines[*]})"
}
