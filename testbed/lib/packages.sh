# shellcheck shell=bash
# Debian packages: what the machine itself must have, and what is only unpacked.

# Installs what is missing; costs nothing when all is there.
install_packages() {
	local package installed missing=()
	installed=$(dpkg-query -W -f='${Package} ${Status}\n' "$@" 2>/dev/null || true)
	for package in "$@"; do
		grep -qxF "$package install ok installed" <<<"$installed" || missing+=("$package")
	done
	[ ${#missing[@]} -gt 0 ] || return 0
	[ "$(id -u)" -eq 0 ] || die "these packages are missing: ${missing[*]} (run as root, or install them)"
	say "installing ${missing[*]}"
	apt_get install --no-install-recommends "${missing[@]}" >/dev/null
}

# An empty or outdated package index is the usual cause of failure: refresh it and try once more.
apt_get() {
	DEBIAN_FRONTEND=noninteractive apt-get -qq -y "$@" 2>/dev/null && return
	apt-get -qq update
	DEBIAN_FRONTEND=noninteractive apt-get -qq -y "$@"
}

# unpack_package PACKAGE FOLDER: the files of a package without its services.
unpack_package() {
	local package=$1 folder=$2 downloads
	downloads=$(mktemp -d)
	# apt's sandbox user must be able to write here, or it warns
	chmod 777 "$downloads"
	(cd "$downloads" && apt_get download "$package" >/dev/null)
	dpkg-deb -x "$downloads"/*.deb "$folder"
	rm -rf "$downloads"
}
