#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The same program, unchanged, recorded by the module and in process: both files
# have the same events, except for ids, times and documented differences.  Needs
# root and the module loaded.
set -u

here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=selftests/evntprov/cli/cli.bash
. "$here/cli.bash"

# All events of a file, without fields that may differ: activity ids are new in
# each run
events() {
	"$evnt" dump --images --full --json "$1" | command jq -S --arg program "$program" '
		select(.provider_name != "MSNT_SystemTrace") |
		del(.time, .filetime, .time_ns, .cpu, .pid, .tid, .activity, .related) |
		.flags -= (if (.flags / 2 | floor) % 2 == 1 then 2 else 0 end) |
		if .extended then .extended |= map(select(.type != 1 and
			.type != 6)) else . end |
		if .stack then .stack |= [.[] | select(.module == $program) |
			{function, line}] else . end |
		if .name == "Image" then .fields |= {BuildId, FileName, Offset}
		else . end'
}

# record WHAT PROVIDER OPTION... -- COMMAND...
same() {
	local what=$1 all

	shift
	program=${*: -1}
	rm -f "$dir"/*.etl
	run "$evnt" record -o "$dir/module.etl" -p "$@"
	exits 0 "$what: the module's recording succeeds"
	run "$evnt" record --in-process -o "$dir/own.etl" -p "$@"
	exits 0 "$what: the recording in process succeeds"
	events "$dir/module.etl" >"$dir/module.json"
	events "$dir/own.etl" >"$dir/own.json"
	all=$(jq -s length "$dir/module.json")
	is "$((all > 0))" 1 "$what: $all events are recorded"
	run diff "$dir/module.json" "$dir/own.json"
	exits 0 "$what: both recordings have the same events"
}

same TraceLogging '*Evntprov-Sample' -- "$sample"
same "a manifest" 2f3c9a1e-6c61-4f0c-9a57-30a4f1c3b7d2 -- "$here/manifest_program"
same "call stacks" '*Evntprov-Stacks' --stack -- "$here/stack_program"

finish
