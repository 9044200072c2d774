# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# How the scripts in the machine say what they have found: TAP, whose numbers come
# where they are read.

said=${TMPDIR:-/tmp}/said-$UID

# A case: its name, the command that says whether
check() {
	local name=$1

	shift
	if "$@" > "$said" 2>&1; then
		echo "ok - $name"
	else
		echo "not ok - $name"
		sed 's/^/# /' "$said" | tail -n 40
	fi
}

# Whether a text is another one
is() {
	[ "$1" = "$2" ] || { echo "'$1' is not '$2'"; return 1; }
}
