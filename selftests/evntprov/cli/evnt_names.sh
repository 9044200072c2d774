#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Recordings contain the name of each process that writes events of the enabled
# providers, before its first event, once for each session; a record of the name
# is no event.  Needs root and the module loaded.
set -u

here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=selftests/evntprov/cli/cli.bash
. "$here/cli.bash"

log=$dir/a.etl

# Records that name processes: pid and name
names() {
	"$evnt" dump --json --images "$1" | jq -r 'select(.opcode == 3 and
		.provider_name == "MSNT_SystemTrace") |
		"\(.fields.ProcessId) \(.fields.ImageFileName)"'
}

# Processes of the events, with their number.  On a slow machine a log also has
# events about lost ones, which are of no process.
processes() {
	"$evnt" dump --format csv "$1" |
		sed '1d; /Evntprov-Losses/d; s/.*,//; s/^$/none/' |
		sort | uniq -c | tr -s ' \n' ' '
}

echo "# a recording of a command"
run "$evnt" record -p '*Evntprov-Sample' -o "$log" -- "$sample"
exits 0 "record succeeds"
says err ' 12 events kept, 0 lost' "a record of a name is not counted as an event"
is "$("$evnt" dump "$log" | wc -l)" 12 "a record of a name is not printed"
is "$("$evnt" dump "$log" | grep -c '  evnt-sample\[[0-9]*\]  Evntprov-Sample  ')" \
	12 "each event has the name of its process"
is "$("$evnt" dump --json "$log" | jq -r .process | sort -u)" evnt-sample \
	"JSON has the name of each process"
is "$(names "$log" | wc -l)" 1 "a process is named once"
is "$(names "$log")" "$(printf '0x%X evnt-sample' \
	"$("$evnt" dump --json "$log" | jq -r .pid | head -n 1)")" \
	"the record has the form of Windows' kernel"
is "$("$evnt" dump --json --images "$log" | jq -r .provider_name | head -n 1)" \
	MSNT_SystemTrace "the name precedes the first event"
is "$("$evnt" stat --json "$log" | jq .count)" 13 \
	"statistics do not contain the record of a name"

echo "# several programs and sessions"
cp "$sample" "$dir/other"
export LD_LIBRARY_PATH=$build/lib
"$evnt" start First -o "$dir/first.etl" -p '*Evntprov-Sample' 2>/dev/null
"$evnt" start Second -o "$dir/second.etl" -p '*Evntprov-Sample' 2>/dev/null
"$evnt" start Third -o "$dir/third.etl" -p '*Evntprov-Sample' --exe other \
	2>/dev/null
"$sample" >/dev/null
"$dir/other" >/dev/null
"$evnt" stop First 2>/dev/null
"$evnt" stop Third 2>/dev/null
"$evnt" stop Second 2>/dev/null
for name in first second; do
	is "$(processes "$dir/$name.etl")" " 12 evnt-sample 12 other " \
		"the log $name.etl names both processes"
done

is "$(names "$dir/third.etl" | cut -d' ' -f2)" other \
	"a session does not get the name of a process that a filter excludes"

echo "# other occasions"
"$evnt" start Later -o "$dir/later.etl" 2>/dev/null
"$sample" --wait 100 &
writer=$!
registered() {
	"$evnt" providers --json | jq -e --argjson pid "$writer" \
		'.registrations[] | select(.pid == $pid)' >/dev/null
}
succeeds "the program registers" eventually registered
"$evnt" enable Later '*Evntprov-Sample' 2>/dev/null
wait "$writer"
"$evnt" stop Later 2>/dev/null
is "$(processes "$dir/later.etl")" " 12 evnt-sample " \
	"a provider enabled after its registration is named"

# Record until the file goes round and nothing is lost at its end: else it may
# lose the name as well
goes_round() {
	run "$evnt" record -p '*Evntprov-Sample' -o "$log" --circular 1 \
		--buffer-size 8 -- "$sample" --count 15000
	[ "$status" != 0 ] || {
		grep -qe ' 0 lost' -e 'were overwritten' "$dir/err" &&
			[ "$(processes "$log" | tr -d 0-9)" = "  evnt-sample " ]
	}
}
eventually goes_round
exits 0 "record into a circular file succeeds"
is "$(processes "$log" | tr -d 0-9)" "  evnt-sample " \
	"a circular file names the process though its first events are overwritten"
is "$("$evnt" dump --id 1 "$log" | grep -c Evntprov-Sample)" 0 \
	"the first event is overwritten"

"$evnt" tail -p '*Evntprov-Sample' -n Live >"$dir/out" 2>"$dir/err" </dev/null &
tailer=$!
eventually has_enabled Live
"$sample" >/dev/null
has_lines() {
	[ "$(wc -l <"$dir/out")" -ge 12 ]
}
eventually has_lines
kill -INT "$tailer"
wait "$tailer"
is "$(grep -c '  evnt-sample\[[0-9]*\]  Evntprov-Sample  ' "$dir/out")" 12 \
	"tail prints the name of the process"

echo "# no name without a request"
run "$evnt" record --no-process-names -p '*Evntprov-Sample' -o "$log" -- "$sample"
exits 0 "record --no-process-names succeeds"
is "$(names "$log")" "" "a log has no names if they are switched off"
is "$(processes "$log")" " 12 none " "its events have no name"

echo "# private sessions"
run "$evnt" record --in-process -p '*Evntprov-Sample' -o "$log" -- "$sample"
exits 0 "record --in-process succeeds"
is "$(processes "$log")" " 12 evnt-sample " "a process names itself"
"$sample" --wait 100 &
writer=$!
succeeds "the program registers again" eventually registered
"$evnt" start Private -o "$dir/private.etl" --mode private -p '*Evntprov-Sample' \
	--pid "$writer" 2>/dev/null
wait "$writer"
"$evnt" stop Private 2>/dev/null
is "$(processes "$dir"/private.etl*)" " 12 evnt-sample " \
	"a system-wide private session names its processes"

finish
