# shellcheck shell=bash
# Servers that keep objects, for the tests of backups: S3, Google Cloud Storage and Azure Blob Storage.

store_parts=(versitygw fake-gcs-server azurite)

azurite_version() {
	sed -n 's/^ *"azurite": "\(.*\)".*/\1/p' "$testbed_dir/modules/azurite/package.json"
}

# install_azurite FOLDER: there is no Go server that speaks Azure's language, so this one needs node.
install_azurite() {
	local folder=$1/azurite
	command -v npm >/dev/null || install_packages nodejs npm
	say "installing azurite $(azurite_version)"
	mkdir "$folder"
	cp "$testbed_dir"/modules/azurite/package*.json "$folder/"
	(cd "$folder" && nice npm ci --omit=dev --ignore-scripts --no-audit --no-fund >.log 2>&1) ||
		build_failed azurite "$folder/.log"
	rm "$folder/.log"
}
