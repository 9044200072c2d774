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

tells_missed() {
	grep -q 'MISSED [1-9]' "$dir/err"
}

echo "# tail: arguments"
misuse "tail of nothing" 'write a SESSION, or -p' tail
misuse "tail of a session with --buffers" 'has its name' tail a --buffers 9
misuse "tail of a session with -o" 'has its name' tail a -o "$dir/a.etl"
misuse "tail -p of no keywords" 'keywords' tail -p '*A:ff'
misuse "tail --append" 'append excludes' tail -p '*A' -o "$dir/a.etl" --append
fails "tail of no session" 'no session' tail Nobody
fails "tail of a name that nobody registered" 'no registered' tail \
	-p Evntprov-Nobody
fails "tail --manifest of no file" 'there is no manifest' tail -p '*A' \
	--manifest "$dir/none.man"
"$evnt" start File -o "$dir/file.etl" 2>/dev/null
fails "tail of a session that is not in real-time mode" 'real-time on' \
	tail File
"$evnt" stop File 2>/dev/null
is "$(sessions)" 0 "none of these leaves a session"

echo "# tail: a session of its own"
tail_begin -p '*Evntprov-Sample' --json -n Own
succeeds "it runs" eventually has_consumers Own 1
is "$(property Own bound)" true "bound"
is "$(property Own mode_names)" real-time "in real-time mode"
"$sample" --count 3 2>/dev/null
succeeds "events are printed while it runs" eventually has_lines out 3
is "$(property Own consumers)" 1 "which goes on"
"$sample" --count 3 2>/dev/null
events=$(property Own events)
kill -INT "$tailer"
tail_end
exits 0 "tail that is interrupted"
says err "session 'Own': $events events printed, 0 lost, 0 missed" \
	"says what it did"
is_json "tail --json"
is "$(lines_of out)" "$events" "all that was written before is printed"
is "$(json -s '[.[] | .provider_name] | unique[]')" Evntprov-Sample "decoded"
is "$(json -s '[.[] | .time] | . == sort')" true "in order"
succeeds "the session is gone" is_gone Own

echo "# tail and dump print alike"
tail_begin -p '*Evntprov-Sample' -n Own -o "$dir/own.etl"
eventually has_consumers Own 1
"$sample" --count 3 2>/dev/null
kill -TERM "$tailer"
tail_end
exits 0 "tail -o that is terminated"
"$evnt" dump "$dir/own.etl" >"$dir/dumped" 2>/dev/null
succeeds "tail -o: the file has the same events" cmp "$dir/out" "$dir/dumped"
succeeds "and there are some" [ -s "$dir/dumped" ]

echo "# tail: sessions that run"
"$evnt" start One --real-time -p '*Evntprov-Sample' 2>/dev/null
"$evnt" start Two --real-time -p '*Evntprov-Sample::Error' 2>/dev/null
"$sample" --count 1 2>/dev/null
tail_begin --json one two
succeeds "tail of two" eventually has_consumers Two 1
"$sample" --count 3 2>/dev/null
all=$(property One events) errors=$(property Two events)
succeeds "prints what was written before, and what comes" \
	eventually has_lines out $((all + errors))
succeeds "two levels differ" [ "$all" -gt "$errors" ]
"$evnt" stop Two 2>/dev/null
"$sample" --count 1 2>/dev/null
all=$(property One events)
succeeds "it goes on when one ends" eventually has_lines out $((all + errors))
"$evnt" stop One 2>/dev/null
tail_end
exits 0 "and ends with the last"
says err "session 'One': $all events printed, 0 lost, 0 missed" "of the one"
says err "session 'Two': $errors events printed, 0 lost, 0 missed" \
	"of the other"
"$evnt" start One --real-time -p '*Evntprov-Sample' 2>/dev/null
tail_begin --json One -p '*Evntprov-Sample::Error+*Nobody'
eventually has_consumers One 1
"$sample" --count 4 2>/dev/null
"$evnt" stop One 2>/dev/null
tail_end
is_json "tail SESSION -p"
is "$(json -s '[.[] | .level] | max')" 2 "prints what it says only"
"$evnt" start One --real-time 2>/dev/null
tail_begin --json --header One
eventually has_consumers One 1
kill -INT "$tailer"
tail_end
exits 0 "tail of a session in which nothing happens, interrupted"
succeeds "leaves that session" session_runs One
succeeds "of which it takes leave" has_consumers One 0
is "$(json -s length)" 1 "tail --header: one event describes the session"
for _ in $(seq 8); do
	"$evnt" tail One >/dev/null 2>&1 </dev/null &
	pids+=" $!"
done
eventually has_consumers One 8
fails "tail of a session that has as many consumers as it may" \
	'already has 8 consumers' tail One
# shellcheck disable=SC2086 # a list
kill $pids
wait
"$evnt" stop One 2>/dev/null

echo "# tail: a closed pipe, and kill -9"
"$evnt" start One --real-time -p '*Evntprov-Sample' 2>/dev/null
{
	"$evnt" tail One 2>"$dir/err" </dev/null
	echo "$?" >"$dir/status"
} | head -n 2 >"$dir/out" &
eventually has_consumers One 1
"$sample" --count 3 2>/dev/null
wait
is "$(cat "$dir/status")" 0 "tail into a pipe that is closed ends"
is "$(lines_of out)" 2 "after what was wanted"
says_not err 'Broken\|cannot write' "quietly"
says err 'events printed' "and says what it did"
succeeds "it takes leave of the session" eventually has_consumers One 0
"$evnt" stop One 2>/dev/null
"$evnt" start Idle --real-time 2>/dev/null
{
	"$evnt" tail Idle 2>/dev/null </dev/null
	date >"$dir/ended"
} | read -rt 1
succeeds "nothing need come for it to see that" eventually [ -e "$dir/ended" ]
"$evnt" stop Idle 2>/dev/null
tail_begin -p '*Evntprov-Sample' -n Own
eventually has_consumers Own 1
kill -KILL "$tailer"
wait "$tailer" 2>/dev/null
succeeds "its own session goes when it is killed" eventually is_gone Own

echo "# tail: losses are told unasked, when they happen and in the end"
tail_begin -p '*Evntprov-Sample' -n Own --buffer-size 4
eventually has_consumers Own 1
"$sample" --count 1 2>/dev/null
large() {
	grep -q 'LOST 1 events because they were too large' "$dir/err"
}
succeeds "an event that is too large is told as it runs" eventually large
kill -INT "$tailer"
tail_end
says err 'events printed, 1 lost, 0 missed' "and in the end"
is "$(grep -c 'too large' "$dir/err")" 2 "once each"
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
exits 0 "tail whose reader is slow"
succeeds "it says what it missed" tells_missed
is "$(lines_of out)" "$(printed)" "what it printed is there"
is $(($(printed) + $(missed))) "$events" "and the rest it missed, to the event"
tail_begin -p '*Evntprov-Sample' -n Own --buffer-size 16 --buffers 8
eventually has_consumers Own 1
kill -STOP "$tailer"
"$sample" --count 30000 2>/dev/null
kill -CONT "$tailer"
succeeds "a tail that was stopped tells what it missed as it runs" \
	eventually tells_missed
"$sample" --count 1 2>/dev/null
events=$(property Own events)
kill -INT "$tailer"
tail_end
is $(($(printed) + $(missed))) "$events" "to the event"

echo "# snapshot"
misuse "snapshot without a session" 'which session' snapshot \
	-o "$dir/shot.etl"
misuse "snapshot of two" 'one session' snapshot a b -o "$dir/shot.etl"
misuse "snapshot without a file" 'which file' snapshot a
fails "snapshot of no session" 'no session' snapshot Nobody \
	-o "$dir/shot.etl"
fails "snapshot into a device" 'no regular file' snapshot Nobody -o /dev/null
"$evnt" start File -o "$dir/file.etl" 2>/dev/null
echo precious >"$dir/shot.etl"
fails "snapshot of a session that keeps nothing" 'keeps no events' \
	snapshot File -o "$dir/shot.etl"
is "$(cat "$dir/shot.etl")" precious "leaves the file alone"
"$evnt" start Flight --buffering -p '*Evntprov-Sample' 2>/dev/null
fails "snapshot into no directory" 'directory' snapshot Flight \
	-o "$dir/no/shot.etl"
fails "snapshot into the file of a session" 'no session write' \
	snapshot Flight -o "$dir/file.etl"
"$evnt" stop File 2>/dev/null
run "$evnt" snapshot Flight -o "$dir/shot.etl"
exits 0 "snapshot of a session in which nothing happened"
says err "0 events kept; '$dir/shot.etl' has [1-9]" "says so"
says err "provider enabled" "and what may be the reason"
"$sample" --count 3 2>/dev/null
run "$evnt" snapshot flight -o "$dir/shot.etl"
exits 0 "snapshot"
says_not out . "is quiet on stdout"
events=$(property Flight events)
says err "$events events kept; '$dir/shot.etl' has [1-9][0-9]* bytes" \
	"says what it wrote"
"$evnt" dump --json "$dir/shot.etl" >"$dir/out" 2>/dev/null
is "$(json -s length)" "$events" "which is all that came"
succeeds "the session goes on" session_runs Flight
"$sample" --count 3 2>/dev/null
run "$evnt" snapshot --json Flight -o "$dir/shot.etl"
exits 0 "snapshot of more, into the same file"
is "$(json '[.session, .events, .events_lost] | @csv')" \
	"\"Flight\",$(property Flight events),0" "snapshot --json"
is "$(json .bytes)" "$(stat -c %s "$dir/shot.etl")" "bytes"
is "$(json .buffers)" $(($(json .bytes) / 65536)) "buffers"
is "$("$evnt" dump --json "$dir/shot.etl" 2>/dev/null | wc -l)" \
	"$(json .events)" "events"
"$evnt" stop Flight 2>/dev/null
"$evnt" start Flight --buffering --buffer-size 4 -p '*Evntprov-Sample' \
	2>/dev/null
"$sample" --count 1 2>/dev/null
run "$evnt" snapshot Flight -o "$dir/shot.etl"
says err 'LOST 1 events because they were too large' \
	"snapshot tells losses unasked"
"$evnt" stop Flight 2>/dev/null
"$evnt" start Live --real-time -p '*Evntprov-Sample' 2>/dev/null
"$sample" --count 3 2>/dev/null
run "$evnt" snapshot --json Live -o "$dir/shot.etl"
exits 0 "snapshot of a session in real-time mode"
is "$(json .events)" "$(property Live events)" "has what is in memory"
"$evnt" stop Live 2>/dev/null
mkdir "$dir/small"
if mount -t tmpfs -o size=64k none "$dir/small" 2>"$dir/err"; then
	"$evnt" start Flight --buffering -p '*Evntprov-Sample' 2>/dev/null
	"$sample" --count 3 2>/dev/null
	fails "snapshot into a disk that is full" 'no space left' \
		snapshot Flight -o "$dir/small/shot.etl"
	is "$(stat -c %s "$dir/small/shot.etl")" 0 "leaves an empty file"
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
		exits 1 "${args%% *} without rights"
		says err 'no permission' "${args%% *} says what is missing"
	done
else
	ok "rights # SKIP there is no setpriv(1)"
fi
is "$(sessions)" 0 "no session is left"
finish
