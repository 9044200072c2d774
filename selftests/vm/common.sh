# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# shellcheck disable=SC2034
# Shared by the scripts of the test machine: paths, error handling.

CACHE=${EVNT_CACHE:-${XDG_CACHE_HOME:-${HOME:-/root}/.cache}/evntprov}
REPO=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
BUILD=${EVNT_BUILD:-$REPO/build}
KERNELS_STOCK="6.1 6.12 newest 6.1-rt"
KERNELS_DEBUG="kasan kcsan"
# Built like these, for the benchmark: with something that stock kernels lack
KERNELS_PEER="user-events"
KERNELS_KNOWN="$KERNELS_STOCK $KERNELS_DEBUG $KERNELS_PEER"

die() {
	echo "${0##*/}: $*" >&2
	exit 1
}

say() {
	[ -z "${QUIET:-}" ] && echo "${0##*/}: $*" >&2
	return 0
}

# Print scripts and settings without their comments, on which nothing depends
without_comments() {
	sed '/^[[:space:]]*#/d; /^[[:space:]]*$/d' "$@"
}

# Take the lock of this name until this script ends
lock() {
	mkdir -p "$CACHE"
	exec 9> "$CACHE/lock-$1"
	flock 9
}

# Download packages of Debian into the working directory.  APT: options of apt.
declare -a APT=()
apt_download() {
	apt-get "${APT[@]}" -qq -o APT::Sandbox::User=root download "$@"
}

# The mirror that this system uses for Debian itself
# shellcheck disable=SC2016
debian_mirror() {
	apt-get indextargets --format '$(SITE) $(ORIGIN) $(LABEL)' \
		'Created-By: Packages' |
		awk '$2 == "Debian" && $3 == "Debian" { print $1; exit }'
}

# Messages of a kernel about errors
REPORTS='BUG:|BUG at|WARNING:|Oops|Kernel panic|general protection fault|KASAN:|KCSAN:|UBSAN:|KFENCE:|kmemleak: [0-9]+ new|INFO: rcu_|INFO: task .* blocked|soft lockup|hard LOCKUP|possible recursive locking|possible circular locking|inconsistent lock state|suspicious RCU usage|Call Trace:|refcount_t:|list_(add|del) corruption'
