# shellcheck shell=bash
# SPDX-License-Identifier: MIT
# Shared by the scripts here: paths, a temporary folder, and TAP.
#
#	. "$(dirname "$0")/../common/tap.bash"
#	check "what holds" command argument...
#	is "$got" "$wanted" "what is the same"
#	done_testing

repo=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../.." && pwd)
build=${EVNT_BUILD:-${O:-$repo/build}}
# shellcheck disable=SC2034 # for the scripts that include this
{
evnt=$build/tools/evnt
data=${EVNT_DATA:-/EVNT_DATA-is-not-set}
}
dir=$(mktemp -d /tmp/evnt-test.XXXXXX)
trap 'rm -rf "$dir"' EXIT
count=0
failures=0

skip_all() {
	echo "1..0 # SKIP $1"
	exit 0
}

skip() {
	count=$((count + 1))
	echo "ok $count - # SKIP $1"
}

pass() {
	count=$((count + 1))
	echo "ok $count - $1"
}

# Expected values, or the output, are read from standard input
fail() {
	count=$((count + 1))
	failures=$((failures + 1))
	echo "not ok $count - $1"
	grep -av '^ok ' | head -n 30 | head -c 4000 | sed 's/^/# /'
}

# Run a command that must succeed; 77 skips the case, with the output's last
# line as the reason.  On failure, $dir/out and $dir/err are printed, too.
check() {
	local what=$1 status

	shift
	"$@" > "$dir/.tap" 2>&1
	status=$?
	case $status in
	0) pass "$what" ;;
	77) skip "$what: $(tail -n 1 "$dir/.tap")" ;;
	*) fail "$what" < <(cat "$dir/.tap" "$dir/out" "$dir/err" 2> /dev/null) ;;
	esac
}

is() {
	if [ "$1" = "$2" ]; then
		pass "$3"
	else
		fail "$3" < <(diff <(echo "$1") <(echo "$2"))
	fi
}

done_testing() {
	echo "1..$count"
	[ "$failures" = 0 ]
}
