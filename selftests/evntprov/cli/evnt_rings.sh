#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Rings as evnt doctor, query and top show them.  Needs root and the module
# loaded.
set -u

here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=selftests/evntprov/cli/cli.bash
. "$here/cli.bash"
parameter=/sys/module/evntprov/parameters/rings
before=$(cat $parameter)
spec='*Evntprov-Rings'
unset EVNTPROV_RINGS

# A session that has room for rings, or that has other properties
start() {
	local name=$1

	shift
	"$evnt" start "$name" -o "$dir/$name.etl" --buffers 100 "$@" \
		2>"$dir/err"
}

# Write $1 events, and keep the process; further arguments are its environment
hold() {
	local events=$1

	shift
	mkfifo "$dir/input"
	env "$@" "$here/ring_program" "$events" <"$dir/input" >"$dir/written" &
	held=$!
	exec 7>"$dir/input"
	succeeds "the program has written its events" \
		eventually grep -q 0 "$dir/written"
}

let_go() {
	exec 7>&-
	wait "$held"
	rm "$dir/input"
}

finds() {
	run "$evnt" doctor
	exits 0 "doctor, $1: no problem"
	says out "$2" "doctor, $1: the finding is printed"
}

# Check the line of a session's rings
shows() {
	run "$evnt" query "$2"
	says out "^Rings:  *$3" "query, $1"
}

echo "# rings are off"
echo N >$parameter
finds "rings are off" '^note  *rings  *off: threads write'
says out "-> 'echo Y > $parameter'" "doctor suggests to turn them on"
start Before -p "$spec"
shows "rings are off" Before "none: the module's rings are off$"

echo "# rings are on"
echo Y >$parameter
finds "no ring" '^ok  *rings  *on: 0 of [1-9][0-9]* are in use, with 0 KiB'
says out '^[a-z]*  *rings  *threads read the time ' "doctor reports the clock"
says out "^note  *rings  *'Before' has no events from rings, .* were off when" \
	"doctor reports a session from before"
shows "a session from before" Before \
	"none: the module's rings were off when it was started$"
"$evnt" stop Before 2>"$dir/err"
start Ring --real-time --flush 1 -p "$spec"
start Secure --mode secure -p "$spec"
start System --clock system -p "$spec"
start Few --buffers 4 -p "$spec"
start Shared --mode no-per-processor-buffering -p "$spec"
start Kernel --system process -p "$spec"
shows "a session with rings" Ring "0 events came from them$"
shows "a secure session" Secure "none: its mode is secure$"
shows "a session with another clock" System \
	"none: its clock is system, not perf$"
shows "a session with few buffers" Few \
	"none: it has [0-9]* buffers, and needs [0-9]*: see --buffers$"
shows "a session with buffers of all processors" Shared \
	"none: its mode is no-per-processor-buffering$"
shows "a session with events of the kernel" Kernel \
	"none: it records events of the kernel$"
"$evnt" stop Secure System Few Shared Kernel 2>"$dir/err"
is "$("$evnt" query --json Ring | jq -c '[.rings, .ring_events,
	(.providers[] | .rings)]')" '[true,0,true]' \
	"query --json contains the rings of a session and its providers"

echo "# a process with a ring"
hold 50 EVNTPROV_RINGS=force
# A query has the rings copied
shows "events from a ring" Ring "50 events came from them$"
finds "a ring" \
	'^ok  *rings  *on: 1 of [1-9][0-9]* are in use, with 56 KiB'
is "$(grep -c ' rw-s 00100000 .*/evntprov$' "/proc/$held/maps")" 1 \
	"a ring is a mapping of the device"
"$evnt" top --json --interval 0.2 Ring >"$dir/out" 2>"$dir/err" </dev/null &
top=$!
succeeds "top prints an interval" eventually test -s "$dir/out"
env EVNTPROV_RINGS=force "$here/ring_program" 20 </dev/null >"$dir/written"
has_counted() {
	jq -se '([.[].providers[].events] | add) == 20 and
		.[-1].sessions[0].ring_events == 70' "$dir/out" >/dev/null
}
succeeds "top counts events from rings" eventually has_counted
kill -INT "$top"
wait "$top"
is "$(jq -se 'any(.[].sessions[]; .ring_events_per_second > 0)' "$dir/out")" \
	true "top --json contains their rate"
is "$(jq -s '[.[].cpus[] | select(.ring != null) | .ring] | length > 0' \
	"$dir/out")" true "top --json numbers the rings among the processors"
run "$evnt" top --once --interval 0.1 Ring
says out '^SESSION  *EVENTS/S  BY RINGS/S  WRITTEN' \
	"top has a column of events from rings"
says out '^ring [0-9][0-9]*  *0' "top names the rings"
let_go

echo "# what top prints of a process with a ring"
"$evnt" top --interval 0.2 Ring >"$dir/out" 2>"$dir/err" </dev/null &
top=$!
succeeds "top prints an interval" eventually test -s "$dir/out"
hold 5 EVNTPROV_RINGS=force
has_process() {
	"$evnt" flush Ring 2>>"$dir/err"
	grep -q "^ring_program\[$held\]  *Ring .* real time  1$" "$dir/out"
}
succeeds "top prints the number of rings of a process" eventually has_process
kill -INT "$top"
wait "$top"
let_go

echo "# providers without rings"
"$evnt" enable Ring "$spec" --stack
run "$evnt" query Ring
says out '^  Rings:  *none: its events have call stacks$' \
	"query reports call stacks"
"$evnt" enable Ring "$spec" --not-id 7
run "$evnt" query Ring
says out '^  Rings:  *none: it has filters on events$' "query reports filters"
is "$("$evnt" query --json Ring | jq -c '[.rings, (.providers[] |
	.rings, .rings_why)]')" '[true,false,"it has filters on events"]' \
	"query --json contains the reason"
hold 5 EVNTPROV_RINGS=off
finds "a process without rings" \
	"^note  *rings  *1 process has registered without rings, such as process $held"
let_go
"$evnt" stop Ring 2>"$dir/err"
echo "$before" >$parameter
is "$(sessions)" 0 "no session is left"

finish
