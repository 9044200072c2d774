#!/bin/bash
# SPDX-License-Identifier: MIT
# make demo shows fields, a slow request and its cause, losses and the files, on
# a screen's number of short lines.  It runs here without the module.
set -u
# shellcheck source=selftests/unit/common/tap.bash
. "$(dirname "$0")/../common/tap.bash"

# The demo writes beside the programs
mkdir "$dir/build"
ln -s "$build"/{lib,tools} "$dir/build/"

shows() {
	grep -qE -- "$1" "$dir/out"
}

# On a busy machine another request may take longer than those with a slow disk:
# repeat until one of them is the slowest, by its size
for _ in {1..20}; do
	EVNT_BUILD=$dir/build IN_PROCESS=1 "$repo/scripts/demo" > "$dir/out" \
		2> "$dir/err"
	status=$?
	! shows 'Request \(Stop\) Size=6[0-9]{4} ' || break
done
is "$status" 0 "the demo succeeds"

is "$(($(wc -l < "$dir/out") < 60))" 1 "the demo prints fewer than 60 lines"
is "$(awk 'length > 100' "$dir/out")" "" "no line is longer than 100 columns"
is "$(grep -E '0x|[0-9a-f]{8}' "$dir/out")" "" "the demo prints no hexadecimal numbers"
check "events have names and fields" shows \
	'\[[0-9]+\]  Example-Server  Request ▶  Number=0 Path="/page/[0-9]+"$'
check "warnings are shown" shows '  Warning: Slow disk  Path='
check "the slowest request is shown" shows ' ms  Request result=200 '
check "its cause is shown" shows ' [mu]s Slow disk Path='
check "losses are shown" shows '^No event was lost\.$'
check "the log is a file" [ -s "$dir/build/demo/server.etl" ]
check "the page is a file" grep -q '^<!doctype html>' "$dir/build/demo/server.html"
is "$(tail -n 1 "$dir/out")" "$dir/build/demo/server.html" \
	"the last line is the path of the page"
done_testing
