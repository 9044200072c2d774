#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The screens of the verbs that need the module are those in screens.txt, except
# for numbers, ids, times and the width of columns.  test_screens.sh has the other
# verbs.  Needs root and the module loaded.
#
#	EVNT_GOLDEN=FILE	write them to FILE, to be looked at before a commit
set -u

here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=selftests/evntprov/cli/cli.bash
. "$here/cli.bash"
export LC_ALL=C.UTF-8 TZ=UTC COLUMNS=80
unset EVNTPROV_RINGS
parameter=/sys/module/evntprov/parameters/rings
before=$(cat $parameter)
# As by default
echo Y > $parameter

# Replace what differs between runs; lines of several processors become one
masked() {
	sed -E "s,$dir,DIR,g; s,$build,BUILD,g; s/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/ID/g
		s/0x[0-9a-f]+/N/g; s/[0-9]+([.:,-][0-9]+)*/N/g
		s/[▁▂▃▄▅▆▇█]+/#/g; s/[[:space:]]+/ /g; s/ \$//" | uniq
}

# Print a command and its screen, with its exit status unless that is 0
show() {
	{
		printf '$ evnt'
		printf ' %q' "$@"
		echo
		"$evnt" "$@" 2>&1 < /dev/null || echo "exit status $?"
		echo
	} | masked
}

all_screens() {
	local spec='*Evntprov-Sample'

	show sessions
	show start web -o "$dir/web.etl" -p "$spec" --circular 1
	show start flight --buffering
	show enable flight "$spec"
	show start web -o "$dir/web.etl"
	"$sample" --count 3 > /dev/null 2>&1
	show sessions
	show query web
	show query wbe
	show update web --flush 2
	show flush web
	show snapshot flight -o "$dir/shot.etl"
	show snapshot web -o "$dir/shot.etl"
	show top --once --interval 0.2
	show capture-state web "$spec"
	show disable flight "$spec"
	show access list
	show providers
	show clean
	show stop web flight
	show record -p "$spec" -o "$dir/sample.etl" -- "$sample" --count 2
	show record -p '*Evntprov-Sampel' -o "$dir/none.etl" -- "$sample" --count 1
	show record -p "$spec" --until 999 -o "$dir/none.etl" -- "$sample" --count 1
	show record -p "$spec" --on 3 --snapshot "$dir/shot.etl" -- "$sample" --count 2
	show tail -p "$spec" --duration 1
	show tail web
}

all_screens > "$dir/out"
if [ -n "${EVNT_GOLDEN:-}" ]; then
	cp "$dir/out" "$EVNT_GOLDEN"
fi
: > "$dir/err"
if diff -u "$here/screens.txt" "$dir/out" > "$dir/diff" 2> "$dir/err"; then
	ok "the screens are those in screens.txt"
else
	sed 's/^/# /' "$dir/diff"
	not_ok "the screens are those in screens.txt"
fi
echo "$before" > $parameter
is "$(sessions)" 0 "no session is left"
finish
