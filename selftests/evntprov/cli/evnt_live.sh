#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The verbs of evnt that read running sessions: tail, snapshot.  Needs root and
# the module loaded.
set -u

here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=selftests/evntprov/cli/cli.bash
. "$here/cli.bash"

# Run evnt tail in the background, and wait until it reads its sessions
tail_begin() {
	"$evnt" tail "$@" >"$dir/out" 2>"$dir/err" </dev/null &
	tailer=$!
}

tail_end() {
	wait "$tailer"
	status=$?
}

has_consumers() {
	[ "$(property "$1" consumers 2>/dev/null)" = "$2" ]
}

# Whether evnt tail reads its own session, and has enabled the provider
reads_own() {
	has_consumers Own 1 && has_enabled Own
}

lines_of() {
	wc -l <"$dir/$1"
}

has_lines() {
	[ "$(lines_of "$1")" -ge "$2" ]
}

is_gone() {
	! session_runs "$1"
}

# The counts in the last message of evnt tail: printed and missed events
printed() {
	sed -n 's/.*: \([0-9]*\) events printed.*/\1/p' "$dir/err"
}

missed() {
	sed -n 's/.*lost, \([0-9]*\) missed.*/\1/p' "$dir/err"
}

reports_missed() {
	grep -q 'MISSED [1-9]' "$dir/err"
}

echo "# tail: arguments"
misuse "tail without a session" 'write a SESSION, or -p' tail
misuse "tail of a session with --buffers" 'has its name' tail a --buffers 9
misuse "tail of a session with -o" 'has its name' tail a -o "$dir/a.etl"
misuse "tail -p with wrong keywords" 'keywords' tail -p '*A:ff'
misuse "tail --append" 'append excludes' tail -p '*A' -o "$dir/a.etl" --append
fails "tail of an unknown session" 'no session' tail Nobody
fails "tail of an unregistered provider" 'no registered' tail \
	-p Evntprov-Nobody
fails "tail --manifest of a missing file" 'there is no manifest' tail -p '*A' \
	--manifest "$dir/none.man"
"$evnt" start File -o "$dir/file.etl" 2>/dev/null
fails "tail of a session without real-time mode" 'real-time on' \
	tail File
"$evnt" stop File 2>/dev/null
is "$(sessions)" 0 "failed verbs leave no session"

echo "# tail -p starts a session"
tail_begin -p '*Evntprov-Sample' --json -n Own
succeeds "tail -p starts a session" eventually reads_own
is "$(property Own bound)" true "the session of tail -p is bound"
is "$(property Own mode_names)" real-time,independent \
	"the session of tail -p is in real-time mode"
"$sample" --count 3 2>/dev/null
succeeds "tail prints events while it runs" eventually has_lines out 3
is "$(property Own consumers)" 1 \
	"tail keeps its session after it has printed events"
"$sample" --count 3 2>/dev/null
events=$(property Own events)
kill -INT "$tailer"
tail_end
exits 0 "an interrupted tail succeeds"
says err "session 'Own': $events events printed, 0 lost, 0 missed" \
	"an interrupted tail prints its counts"
is_json "tail --json prints JSON"
is "$(lines_of out)" "$events" \
	"an interrupted tail prints all events written before"
is "$(json -s '[.[] | .provider_name] | unique[]')" Evntprov-Sample \
	"tail --json contains the provider's name"
is "$(json -s '[.[] | .time] | . == sort')" true \
	"tail prints events in order of time"
succeeds "an interrupted tail stops its session" is_gone Own

echo "# tail selects TraceLogging events by field, name and id"
# $1: events of the program that must be printed; $2: what is the same; options
selects() {
	tail_begin -p '*Evntprov-Fields' -n Own --json "${@:3}"
	eventually reads_own
	"$here/fields_program"
	kill -INT "$tailer"
	tail_end
	is "$(json -s '[.[] | "\(.name)\(.fields.Size // "")"] | join(" ")')" \
		"$1" "$2"
}
selects "Read4000 Closed Read8000 Closed Read12000 Closed" \
	"without options, tail prints all events"
selects "Read8000 Read12000" "tail --where selects by a field without a manifest" \
	--where 'Size > 4096'
says err 'no manifest describes.*Evntprov-Fields: --where is evaluated here' \
	"tail notes that --where selects after the recording"
selects "Read8000 Closed" "tail --where compares texts of TraceLogging" \
	--where 'Path contains long'
selects "Closed Closed Closed" "tail --event selects by name" --event Closed
selects "Read12000" "tail --event and --where select together" \
	--event Read --where 'Size = 12000'
selects "" "tail --id selects no TraceLogging event" --id 7
says err 'none of [0-9]* events matches the options' \
	"tail reports that --id matched nothing"
selects "" "tail --where with an unknown field prints nothing" \
	--where 'Sise > 5'
exits 1 "tail --where with an unknown field fails"
says err 'Sise.*Size' "tail --where suggests the field"

echo "# record selects TraceLogging events by field, too"
record_fields() {
	run "$evnt" record -p '*Evntprov-Fields' -o "$dir/fields.etl" "$@" -- \
		"$here/fields_program"
}

fields_kept() {
	"$evnt" dump --json "$dir/fields.etl" |
		jq -r '"\(.process) \(.name)\(.fields.Size // "")"' | tr '\n' ' '
}

record_fields --where 'Size > 4096'
exits 0 "record --where succeeds without a manifest"
says err 'no manifest describes.*evaluated here, at the end of the recording' \
	"record notes when --where selects"
says err "2 of 6 events fulfil --where" "record --where counts the events"
says err "2 events kept, 0 lost; .* has $(stat -c %s "$dir/fields.etl") bytes" \
	"record --where reports what the file has"
is "$(fields_kept)" "fields_program Read8000 fields_program Read12000 " \
	"record --where keeps the selected events, with their process"
is "$(ls "$dir"/fields.etl*)" "$dir/fields.etl" \
	"record --where leaves no other file"
record_fields --event Closed --where 'Path contains long'
is "$(fields_kept)" "fields_program Closed " \
	"record --event and --where select together"
record_fields --where 'Size > 99999' --require-events
exits 3 "record --where and --require-events fail if no event is selected"
says err "0 of 6 events fulfil --where" "record --where reports that none is"
says_not err "nothing was recorded" "record --where does not explain it otherwise"
record_fields --where 'Sise > 5'
exits 1 "record --where with an unknown field fails"
says err "no event has a field 'Sise': did you mean 'Size'" \
	"record --where suggests the field"
is "$(fields_kept | wc -w)" 12 "record --where with an unknown field keeps all"

run "$evnt" record -p '*Evntprov-Fields' --id 7 -o "$dir/fields.etl" -- \
	"$here/fields_program"
says err 'events of TraceLogging have no ids.*--event' \
	"record reports that --id does not select TraceLogging events"
run "$evnt" record -p '*Evntprov-Sample' --event A -o "$dir/fields.etl" -- \
	"$sample"
says err 'kept all events that are not of TraceLogging: select these by --id' \
	"record reports that --event selects only TraceLogging events"


echo "# the reason for an empty recording of a program that runs some milliseconds"
# $1: expected reason; $2: case; then options
short() {
	local reason=$1 what=$2

	shift 2
	run "$evnt" record "$@" -o "$dir/fields.etl" -- "$here/fields_program"
	says err "$reason" "record, $what: the reason is given"
}

short "fields_program.* has registered it.* wrote nothing" \
	"a level without events" -p '*Evntprov-Fields::Critical'
# On a slow machine, record sees the program, and explains its session's filters
short "has registered it.*\(its events were refused\|or nothing called No\)" \
	"another event" -p '*Evntprov-Fields' --event No
says err "refused 6 events" "record counts the events that filters refused"
short "has registered it.* wrote nothing" \
	"a level without events and names" -p '*Evntprov-Fields::Critical' \
	--no-process-names
short "has registered it, but \(the session does not record\|.*other\)" \
	"another executable" -p '*Evntprov-Fields' --exe other
short "no process has registered it: did the program run" \
	"another provider" -p '*Evntprov-Nobody'
run "$evnt" record -p '*Evntprov-Fields' --exe other --json --require-events \
	-o "$dir/fields.etl" -- "$here/fields_program"
exits 3 "record --require-events fails if the program is excluded"
is "$(jq -c '[.registrations, .registrations_excluded, .events_filtered]' \
	"$dir/out")" "[0,1,0]" "record --json has the counts"
run "$evnt" record -p '*Evntprov-Fields' --event Closed --json \
	-o "$dir/fields.etl" -- "$here/fields_program"
is "$(jq -c '[.events, .registrations, .events_filtered]' "$dir/out")" "[3,1,3]" \
	"record --json counts recorded and refused events"

echo "# tail of a session prints the events of a group"
"$evnt" start One --real-time -p '*Evntprov-Sample' 2>/dev/null
tail_begin One -p 'group:*Samples::4' --json
eventually has_consumers One 1
for group in Samples Others; do
	"$sample" --count 3 --group $group 2>/dev/null
done
"$sample" --count 3 2>/dev/null
"$evnt" stop One 2>/dev/null
tail_end
exits 0 "tail of a group succeeds"
is "$(json -s '[.[].pid] | unique | length')" 1 \
	"tail of a group prints the events of its member alone"
succeeds "tail of a group prints them all" has_lines out 3
is "$(json -s 'all(.level <= 4)')" true "tail of a group prints its level"

echo "# tail and dump print the same"
tail_begin -p '*Evntprov-Sample' -n Own -o "$dir/own.etl"
eventually reads_own
"$sample" --count 3 2>/dev/null
kill -TERM "$tailer"
tail_end
exits 0 "a terminated tail -o succeeds"
"$evnt" dump "$dir/own.etl" >"$dir/dumped" 2>/dev/null
succeeds "tail -o writes the events that it prints" cmp "$dir/out" "$dir/dumped"
succeeds "tail -o writes events" [ -s "$dir/dumped" ]

echo "# tail of running sessions"
"$evnt" start One --real-time -p '*Evntprov-Sample' 2>/dev/null
"$evnt" start Two --real-time -p '*Evntprov-Sample::Error' 2>/dev/null
"$sample" --count 1 2>/dev/null
tail_begin --json one two
succeeds "tail reads two sessions" eventually has_consumers Two 1
"$sample" --count 3 2>/dev/null
all=$(property One events) errors=$(property Two events)
succeeds "tail prints events written before and after its start" \
	eventually has_lines out $((all + errors))
succeeds "sessions of different levels have different events" \
	[ "$all" -gt "$errors" ]
"$evnt" stop Two 2>/dev/null
"$sample" --count 1 2>/dev/null
all=$(property One events)
succeeds "tail continues when one of its sessions stops" \
	eventually has_lines out $((all + errors))
"$evnt" stop One 2>/dev/null
tail_end
exits 0 "tail ends with its last session"
says err "session 'One': $all events printed, 0 lost, 0 missed" \
	"tail prints the counts of the first session"
says err "session 'Two': $errors events printed, 0 lost, 0 missed" \
	"tail prints the counts of the second session"
"$evnt" start One --real-time -p '*Evntprov-Sample' 2>/dev/null
tail_begin --json One -p '*Evntprov-Sample::Error+*Nobody'
eventually has_consumers One 1
"$sample" --count 4 2>/dev/null
"$evnt" stop One 2>/dev/null
tail_end
is_json "tail SESSION -p --json prints JSON"
is "$(json -s '[.[] | .level] | max')" 2 \
	"tail SESSION -p prints only the selected events"
"$evnt" start One --real-time 2>/dev/null
tail_begin --json --header One
succeeds "tail --header prints the session before any event" eventually has_lines out 1
kill -INT "$tailer"
tail_end
exits 0 "an interrupted tail of an idle session succeeds"
succeeds "an interrupted tail does not stop a given session" session_runs One
succeeds "an interrupted tail stops consuming a given session" \
	has_consumers One 0
is "$(json -s length)" 1 \
	"tail --header prints one event that describes the session"
for _ in $(seq 8); do
	"$evnt" tail One >/dev/null 2>&1 </dev/null &
	pids+=" $!"
done
eventually has_consumers One 8
fails "tail of a session with the maximum number of consumers" \
	'already has 8 consumers' tail One
# shellcheck disable=SC2086 # a list
kill $pids
wait
"$evnt" stop One 2>/dev/null

echo "# tail with a closed pipe, and killed"
"$evnt" start One --real-time -p '*Evntprov-Sample' 2>/dev/null
{
	"$evnt" tail One 2>"$dir/err" </dev/null
	echo "$?" >"$dir/status"
} | head -n 2 >"$dir/out" &
eventually has_consumers One 1
"$sample" --count 3 2>/dev/null
wait
is "$(cat "$dir/status")" 0 "tail ends when its pipe is closed"
is "$(lines_of out)" 2 "tail prints to a pipe until it is closed"
says_not err 'Broken\|cannot write' "tail into a closed pipe prints no error"
says err 'events printed' "tail into a closed pipe prints its counts"
succeeds "tail into a closed pipe stops consuming" \
	eventually has_consumers One 0
"$evnt" stop One 2>/dev/null
"$evnt" start Idle --real-time 2>/dev/null
{
	"$evnt" tail Idle 2>/dev/null </dev/null
	date >"$dir/ended"
} | read -rt 1
succeeds "tail notices a closed pipe without an event" \
	eventually [ -e "$dir/ended" ]
"$evnt" stop Idle 2>/dev/null
tail_begin -p '*Evntprov-Sample' -n Own
eventually reads_own
kill -KILL "$tailer"
wait "$tailer" 2>/dev/null
succeeds "a killed tail leaves no session" eventually is_gone Own

echo "# tail reports losses without a request, when they occur and at the end"
tail_begin -p '*Evntprov-Sample' -n Own --buffer-size 4
eventually reads_own
"$sample" --count 1 2>/dev/null
large() {
	grep -q 'LOST 1 events because they were too large' "$dir/err"
}
succeeds "tail reports a too large event when it occurs" eventually large
kill -INT "$tailer"
tail_end
says err 'events printed, 1 lost, 0 missed' "tail reports losses at the end"
is "$(grep -c 'too large' "$dir/err")" 2 \
	"tail reports a loss once when it occurs and once at the end"
"$evnt" start One --real-time --buffer-size 16 --buffers 8 \
	-p '*Evntprov-Sample' 2>/dev/null
mkfifo "$dir/fifo"
"$evnt" tail One >"$dir/fifo" 2>"$dir/err" </dev/null &
tailer=$!
exec 3<"$dir/fifo"
eventually has_consumers One 1
# No consumer reads
"$sample" --count 30000 2>/dev/null
events=$(property One events)
"$evnt" stop One 2>/dev/null
cat <&3 >"$dir/out"
exec 3<&-
tail_end
exits 0 "tail with a slow reader succeeds"
succeeds "tail with a slow reader reports missed events" reports_missed
is "$(grep -vc '^LOST ' "$dir/out")" "$(printed)" \
	"tail counts the events that it prints"
is $(($(printed) + $(missed))) "$events" \
	"printed and missed events are all events of a session that has ended"
tail_begin -p '*Evntprov-Sample' -n Own --buffer-size 16 --buffers 8
eventually reads_own
suspend "$tailer"
"$sample" --count 30000 2>/dev/null
kill -CONT "$tailer"
succeeds "a suspended tail reports missed events while it runs" \
	eventually reports_missed
"$sample" --count 1 2>/dev/null
events=$(property Own events)
kill -INT "$tailer"
tail_end
is $(($(printed) + $(missed))) "$events" \
	"printed and missed events are all events of a tail's session"

echo "# snapshot"
misuse "snapshot without a session" 'which session' snapshot \
	-o "$dir/shot.etl"
misuse "snapshot of two sessions" 'one session' snapshot a b -o "$dir/shot.etl"
misuse "snapshot without a file" 'which file' snapshot a
fails "snapshot of an unknown session" 'no session' snapshot Nobody \
	-o "$dir/shot.etl"
fails "snapshot into a device" 'no regular file' snapshot Nobody -o /dev/null
"$evnt" start File -o "$dir/file.etl" 2>/dev/null
echo precious >"$dir/shot.etl"
fails "snapshot of a session with a file" 'keeps no events' \
	snapshot File -o "$dir/shot.etl"
is "$(cat "$dir/shot.etl")" precious \
	"a failed snapshot does not change an existing file"
"$evnt" start Flight --buffering -p '*Evntprov-Sample' 2>/dev/null
fails "snapshot into a missing folder" 'directory' snapshot Flight \
	-o "$dir/no/shot.etl"
fails "snapshot into the file of a session" 'no session write' \
	snapshot Flight -o "$dir/file.etl"
"$evnt" stop File 2>/dev/null
run "$evnt" snapshot Flight -o "$dir/shot.etl"
exits 0 "snapshot of an idle session succeeds"
says err "0 events kept; '$dir/shot.etl' has [1-9]" \
	"snapshot of an idle session reports 0 events"
says err "provider enabled" \
	"snapshot of an idle session reports a possible reason"
"$sample" --count 3 2>/dev/null
run "$evnt" snapshot flight -o "$dir/shot.etl"
exits 0 "snapshot succeeds"
says_not out . "snapshot prints nothing on stdout"
events=$(property Flight events)
says err "$events events kept; '$dir/shot.etl' has [1-9][0-9]* bytes" \
	"snapshot reports the number of events and bytes"
"$evnt" dump --json "$dir/shot.etl" >"$dir/out" 2>/dev/null
is "$(json -s length)" "$events" "snapshot contains all events"
succeeds "snapshot does not stop the session" session_runs Flight
"$sample" --count 3 2>/dev/null
run "$evnt" snapshot --json Flight -o "$dir/shot.etl"
exits 0 "snapshot into its former file succeeds"
is "$(json '[.session, .events, .events_lost] | @csv')" \
	"\"Flight\",$(property Flight events),0" \
		"snapshot --json contains the counts"
is "$(json .bytes)" "$(stat -c %s "$dir/shot.etl")" \
	"snapshot --json contains the file's size"
is "$(json .buffers)" $(($(json .bytes) / 65536)) \
	"snapshot --json contains the number of buffers"
is "$("$evnt" dump --json "$dir/shot.etl" 2>/dev/null | wc -l)" \
	"$(json .events)" \
		"snapshot --json contains the number of events in the file"
"$evnt" stop Flight 2>/dev/null
"$evnt" start Flight --buffering --buffer-size 4 -p '*Evntprov-Sample' \
	2>/dev/null
"$sample" --count 1 2>/dev/null
run "$evnt" snapshot Flight -o "$dir/shot.etl"
says err 'LOST 1 events because they were too large' \
	"snapshot reports losses without a request"
"$evnt" stop Flight 2>/dev/null
"$evnt" start Live --real-time -p '*Evntprov-Sample' 2>/dev/null
"$sample" --count 3 2>/dev/null
run "$evnt" snapshot --json Live -o "$dir/shot.etl"
exits 0 "snapshot of a session in real-time mode succeeds"
is "$(json .events)" "$(property Live events)" \
	"snapshot of a session in real-time mode contains the events in memory"
"$evnt" stop Live 2>/dev/null
mkdir "$dir/small"
if mount -t tmpfs -o size=64k none "$dir/small" 2>"$dir/err"; then
	"$evnt" start Flight --buffering -p '*Evntprov-Sample' 2>/dev/null
	"$sample" --count 3 2>/dev/null
	fails "snapshot into a disk that is full" 'no space left' \
		snapshot Flight -o "$dir/small/shot.etl"
	is "$(stat -c %s "$dir/small/shot.etl")" 0 \
		"snapshot onto a full disk leaves an empty file"
	"$evnt" stop Flight 2>/dev/null
	umount "$dir/small"
else
	ok "full disk # SKIP cannot mount a small one"
fi

echo "# rights"
if command -v setpriv >/dev/null; then
	for args in "tail -p {00000000-0000-0000-0000-000000000001}" "snapshot A -o $dir/mine.etl"; do
		# shellcheck disable=SC2086 # words
		run setpriv --reuid 65534 --regid 65534 --clear-groups \
			"$evnt" $args
		exits 1 "${args%% *} without rights fails"
		says err 'no permission' \
			"${args%% *} without rights reports the missing permission"
	done
else
	ok "rights # SKIP there is no setpriv(1)"
fi
is "$(sessions)" 0 "no session is left"
finish
