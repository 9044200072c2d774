#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The options of evnt that filter events: each one, and each error with a
# message of its own.  Needs root and the module loaded.
set -u

here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=selftests/evntprov/cli/cli.bash
. "$here/cli.bash"

# Record the sample with options, into $dir/a.etl
record() {
	run "$evnt" record -p '*Evntprov-Sample' -o "$dir/a.etl" "$@" \
		-- "$sample"
}

# Ids of recorded events with counts; the sample writes 1 2 3x6 4 0 5 6
ids() {
	"$evnt" dump --json "$dir/a.etl" | jq -r .id | sort -n | uniq -c |
		awk '{ printf "%s%dx%d", s, $2, $1; s = " " }'
}

# $1: options; $2: ids and counts; $3: name
passes() {
	local what=$1 want=$2

	shift 2
	record "$@"
	exits 0 "record $what succeeds"
	is "$(ids)" "$want" "record $what keeps the selected events"
}

# Check that a usage_error option fails with this message
misuse() {
	local what=$1 word=$2

	shift 2
	record "$@"
	exits 2 "$what is misuse"
	says err "$word" "$what: the message names the error"
}

fails() {
	local what=$1 word=$2

	shift 2
	record "$@"
	exits 1 "$what fails"
	says err "$word" "$what: the message gives the reason"
}

echo "# selected events"
passes "without filters" "0x1 1x1 2x1 3x6 4x1 5x1 6x1"
passes "--id" "1x1 3x6 4x1" --id 1,3-4
passes "--id twice" "1x1 4x1" --id 1 --id 4
passes "--not-id" "0x1 1x1 2x1 6x1" --not-id 3-5
passes "--exe" "0x1 1x1 2x1 3x6 4x1 5x1 6x1" --exe 'other;EVNT-sample'
passes "--event, which is for TraceLogging" "0x1 1x1 2x1 3x6 4x1 5x1 6x1" \
	--event Started,Stopped
passes "--exe and --id" "6x1" --exe evnt-sample --id 6

echo "# groups"
run "$evnt" record -p 'group:*Samples:0:4' -o "$dir/a.etl" \
	-- "$sample" --group Samples
exits 0 "record of a group succeeds"
is "$(ids)" "0x1 1x1 2x1 4x1 5x1" \
	"record of a group keeps its members' events up to the level"
run "$evnt" record -p 'group:*Samples+*Evntprov-Sample::1' -o "$dir/a.etl" \
	-- "$sample" --group Samples
is "$(ids)" "0x1 1x1 2x1 3x6 4x1 5x1 6x1" \
	"record of a group and a member keeps each event once"
run timeout 60 "$evnt" record -p 'group:*Samples' -o "$dir/a.etl" \
	-- "$sample" --wait 0 --group Others
is "$(ids)" "" "record of a group keeps no events of other providers"
run timeout 60 "$evnt" record -p '{group}' -o "$dir/a.etl" -- "$sample"
exits 2 "a group without its id is misuse"
run "$evnt" record -p 'group:*Samples' -o "$dir/a.etl" --id 1 -- "$sample"
exits 1 "--id for a group fails"
says err "for a group" "--id for a group: the message gives the reason"

run "$evnt" start groups -o "$dir/b.etl"
run "$evnt" enable groups 'group:*Samples:0x3:Warning' --exe evnt-sample
exits 0 "enable of a group succeeds"
run "$evnt" query groups
says out "Group: .*level=3 any=0x3 .*property=0x20" "query shows the group"
says out "Filter: .*evnt-sample" "query shows the group's filter"
is "$("$evnt" query groups --json | jq -c '.providers[] | [.group, .level]')" \
	"[true,3]" "query --json shows the group"
run "$evnt" providers
says out "(group) .*groups" "providers shows the group"
is "$("$evnt" providers --json | jq -c 'select(.group) | [.sessions[].name]')" \
	'["groups"]' "providers --json shows the group"
run "$evnt" disable groups 'group:*Samples'
exits 0 "disable of a group succeeds"
is "$("$evnt" query groups --json | jq -c .providers)" "[]" \
	"a disabled group is not enabled"
run "$evnt" stop groups

# In a process out of scope the provider is not enabled at all
run timeout 60 "$evnt" record -p '*Evntprov-Sample' -o "$dir/a.etl" --exe other \
	-- "$sample" --wait 0
is "$(ids)" "" "--exe of another program keeps no events"
run timeout 60 "$evnt" record -p '*Evntprov-Sample' -o "$dir/a.etl" --pid $$ \
	-- "$sample" --wait 0
is "$(ids)" "" "--pid of another process keeps no events"

echo "# conditions"
guid=$("$evnt" record --json -p '*Evntprov-Sample' -o "$dir/a.etl" -- "$sample" \
	2>/dev/null | jq -r '.providers[0].id')
cat >"$dir/sample.man" <<END
<instrumentationManifest xmlns="http://schemas.microsoft.com/win/2004/08/events"
	xmlns:win="http://manifests.microsoft.com/win/2004/08/windows/events">
<instrumentation><events>
<provider name="Evntprov-Sample" symbol="S" guid="{$guid}">
<templates>
<template tid="step"><data name="Number" inType="win:UInt32"/>
<data name="Unit" inType="win:AnsiString"/></template>
<template tid="trouble"><data name="Device" inType="win:AnsiString" length="4"/>
</template></templates>
<events>
<event value="3" version="1" symbol="Step" template="step"/>
<event value="5" symbol="Trouble" template="trouble"/>
</events></provider></events></instrumentation></instrumentationManifest>
END
man=(--manifest "$dir/sample.man")
passes "--where" "3x3" "${man[@]}" --where 'Number >= 3'
passes "--where of another field" "5x1" "${man[@]}" --where 'Device is DISK'
passes "--where with or" "3x2 5x1" "${man[@]}" \
	--where 'Device = disk or (Number = 0 or Number=5) and Unit contains TE'
passes "--where that nothing meets" "" "${man[@]}" \
	--where 'Number > 2 and Unit = "steps"'
passes "--where and --id" "3x1" "${man[@]}" --id 3 --where 'Number = 1'
mkdir "$dir/manifests"
cp "$dir/sample.man" "$dir/manifests/"
EVNTPROV_MANIFESTS=$dir/manifests
export EVNTPROV_MANIFESTS
passes "--where by the system's manifests" "3x2" \
	--where 'Number between 1 and 2'
unset EVNTPROV_MANIFESTS

echo "# stacks"
stacks() {
	"$evnt" stat --json "$dir/a.etl" | jq -r '.extended.STACK64 // 0'
}

passes "--stack" "0x1 1x1 2x1 3x6 4x1 5x1 6x1" --stack
is "$(stacks)" 12 "each event has its stack"
passes "--stack=3,5" "0x1 1x1 2x1 3x6 4x1 5x1 6x1" --stack=3,5
is "$(stacks)" 7 "events of these ids have their stacks"
passes "without --stack" "0x1 1x1 2x1 3x6 4x1 5x1 6x1"
is "$(stacks)" 0 "events have no stacks without --stack"

echo "# errors"
misuse "--pid 0" 'numbers of processes' --pid 0
misuse "--pid x" 'numbers of processes' --pid 1,x
misuse "nine --pid" 'numbers of processes' --pid 1,2,3,4,5,6,7,8,9
misuse "--exe without a name" 'no name in it' --exe ';'
misuse "--exe twice" 'joined by' --exe a --exe b
misuse "--id x" "numbers to 65535 or ranges" --id x
misuse "--id 65536" "numbers to 65535" --id 65536
misuse "--id 5-3" "numbers to 65535" --id 5-3
misuse "65 --id" "up to 64" --id 0-64
misuse "--id and --not-id" 'not both' --id 1 --not-id 2
misuse "--event and --not-event" 'one of' --event a --not-event b
misuse "--event with an empty name" 'names of TraceLogging' --event a,,b
misuse "--stack=x" '\-\-stack' --stack=x
misuse "--where with an error" 'column 10: a value is missing' \
	--where 'Number > '
says err '^  Number > $' \
	"--where with an error: the message shows the condition"
says err '^           ^$' \
	"--where with an error: the message marks the position"
misuse "--where twice" 'once' --where 'a=1' --where 'b=1'
fails "--manifest of a missing file" 'no manifest' --manifest "$dir/no"
fails "--where without a manifest" "no event has a field 'Number'" \
	--where 'Number=1'
says err "has all 12 events" "--where of an absent field removes nothing"
is "$(ids)" "0x1 1x1 2x1 3x6 4x1 5x1 6x1" \
	"--where of an absent field keeps all events"
fails "--where without a manifest, with --circular" 'no manifest defines' \
	--circular 1 --where 'Number=1'
fails "--where with an unknown field" "field 'Numbers'" "${man[@]}" \
	--where 'Number = 1 or Numbers = 1'
says err '^                ^$' \
	"--where with an unknown field: the message marks the field"
fails "--where with a relation that the field does not have" \
	'is a number and has' \
	"${man[@]}" --where 'Number contains 1'
fails "--where with an invalid value" 'no value for field' "${man[@]}" \
	--where 'Number = -1'
fails "--where of events that --id excludes" 'no selected event' \
	"${man[@]}" --id 5 --where 'Number = 1'
run "$evnt" disable x '*y' --id 1
exits 2 "disable with filters is misuse"
run "$evnt" tail server --id 1
exits 2 "tail of a running session with filters is misuse"
is "$(sessions)" 0 "no session is left after errors"

echo "# start and enable"
run "$evnt" start Filters -o "$dir/a.etl" -p '*Evntprov-Sample' --id 1
exits 0 "start --id succeeds"
"$sample" >/dev/null
run "$evnt" enable Filters '*Evntprov-Sample' "${man[@]}" --where 'Number=4'
exits 0 "enable --where succeeds"
"$sample" >/dev/null
"$evnt" stop Filters 2>/dev/null
is "$(ids)" "1x1 3x1" "enabling a provider again replaces its filters"

echo "# query shows filters"
shown() {
	"$evnt" query --json Filters |
		jq -r '.providers[0].filters[] | .name + "=" + .value' |
		paste -sd' '
}

"$evnt" start Filters -o "$dir/a.etl" -p '*Evntprov-Sample' 2>/dev/null
is "$(shown)" "" "query --json shows no filters without filters"
run "$evnt" enable Filters '*Evntprov-Sample' --pid 1,$$ --exe 'a;b' \
	--package c --app d.e --not-id 1,3-5,8-9 --event X,Y --stack=7
exits 0 "enable with all filters succeeds"
is "$(shown)" \
	"pid=1,$$ exe=a;b package=c app=d.e event=X,Y stack=7 not-id=1,3-5,8,9" \
	"query --json shows each filter"
run "$evnt" query Filters
says out "^  Filter: *pid 1,$$\$" "query shows the processes"
says out '^  Filter: *not-id 1,3-5,8,9$' "query shows the ids"
"$evnt" providers --json | jq -c .sessions[0].filters >"$dir/out"
says out '"name":"exe","value":"a;b"' "providers --json shows filters"
run "$evnt" enable Filters '*Evntprov-Sample' "${man[@]}" --not-event Z \
	--where 'Number = 1 or Device = x'
is "$(shown | sed 's/([0-9]* bytes)/(n)/')" \
	"not-event=Z where=events 3.1,5.0 (n) id=3,5" \
	"query --json shows the events of conditions and their ids"
"$evnt" stop Filters 2>/dev/null
is "$(sessions)" 0 "no session is left"

finish
