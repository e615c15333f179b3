# shellcheck shell=bash
# Finds a Go that is new enough, or fetches one the way a Go module is fetched.

go_minimum=1.26
go_toolchain=1.26.8

# Prints the path of a go command of at least $go_minimum.
find_go() {
	if command -v go >/dev/null && go_is_new_enough go; then
		command -v go
		return
	fi
	command -v go >/dev/null || install_packages golang-go >&2
	fetch_go
}

go_is_new_enough() {
	local version
	version=$(GOTOOLCHAIN=local "$1" env GOVERSION 2>/dev/null) || return 1
	[ "$(printf '%s\n' "$go_minimum" "${version#go}" | sort -V | head -n1)" = "$go_minimum" ]
}

# The toolchain is published as a module, so any old go can fetch it from the proxy that it already
# uses and check it against the checksum database. Module zips carry no modes: hence the chmod.
fetch_go() {
	local arch root
	arch=$(dpkg --print-architecture)
	say "go $go_minimum or later is needed: fetching $go_toolchain"
	root=$(cd / && GO111MODULE=on GOTOOLCHAIN=local go mod download -json \
		"golang.org/toolchain@v0.0.1-go$go_toolchain.linux-$arch" |
		sed -n 's/^[[:space:]]*"Dir": "\(.*\)",*$/\1/p')
	[ -n "$root" ] || die "go $go_toolchain could not be fetched"
	chmod +x "$root"/bin/* "$root"/pkg/tool/*/*
	printf '%s\n' "$root/bin/go"
}
