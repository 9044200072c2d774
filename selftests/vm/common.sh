# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# shellcheck disable=SC2034
# What the scripts of the test machine share: where things are, how to fail.

CACHE=${EVNT_CACHE:-${XDG_CACHE_HOME:-${HOME:-/root}/.cache}/evntprov}
REPO=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
BUILD=${EVNT_BUILD:-$REPO/build}
KERNELS_KNOWN="6.1 6.12 newest"

die() {
	echo "${0##*/}: $*" >&2
	exit 1
}

say() {
	[ -z "${QUIET:-}" ] && echo "${0##*/}: $*" >&2
	return 0
}

# Until this script ends, no other one gets past the lock of that name
lock() {
	mkdir -p "$CACHE"
	exec 9> "$CACHE/lock-$1"
	flock 9
}
