# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# TAP output of the scripts in the machine; the reader adds the numbers.

output=${TMPDIR:-/tmp}/output-$UID

# Run a case: its name, the command that decides
check() {
	local name=$1

	shift
	if "$@" > "$output" 2>&1; then
		echo "ok - $name"
	else
		echo "not ok - $name"
		sed 's/^/# /' "$output" | tail -n 40
	fi
}

# Whether two texts are equal
is() {
	[ "$1" = "$2" ] || { echo "'$1' is not '$2'"; return 1; }
}
