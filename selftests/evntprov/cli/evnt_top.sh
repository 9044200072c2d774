#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# evnt top: its counts match the events.  Needs root and the module loaded.
set -u

here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=selftests/evntprov/cli/cli.bash
. "$here/cli.bash"

misuse() {
	local what=$1 word=$2

	shift 2
	run "$evnt" top "$@"
	exits 2 "$what is misuse"
	says err "$word" "$what: the message names the error"
}

# Run it in the background, and wait for its first interval
top_begin() {
	"$evnt" top --json --interval 0.2 "$@" >"$dir/out" 2>"$dir/err" \
		</dev/null &
	top=$!
	succeeds "top prints an interval" eventually test -s "$dir/out"
}

top_end() {
	kill -INT "$top"
	wait "$top"
	status=$?
}

# Number of the sample's events that were counted in session $1
counted() {
	jq -s --arg session "$1" '[.[].providers[] |
		select(.session == $session) | .events] | add // 0' "$dir/out"
}

has_counted() {
	[ "$(counted "$1")" = "$2" ]
}

has_lost() {
	jq -se 'any(.[].sessions[];
		.lost_per_second > 0 and .lost_too_large == 1)' \
		"$dir/out" >/dev/null
}

# Current number of a session's events
events_of() {
	"$evnt" query --json "$1" | jq .events
}

echo "# arguments"
misuse "no time" "0.1 to 3600 seconds, not 'never'" --interval never
misuse "too short a time" "0.1 to 3600" --interval 0.01
misuse "no number" "a number from 1, not '0'" --count 0
run "$evnt" top Nobody
exits 1 "top of an unknown session fails"
says err "there is no session 'Nobody'" "top names the unknown session"

echo "# no session"
run "$evnt" top --once --interval 0.1
exits 0 "top --once succeeds"
says out '  0 sessions, 0 events/s' "top reports that there are no sessions"

echo "# a session in real-time mode, two with files, one in memory"
"$evnt" start Live --real-time -p '*Evntprov-Sample' 2>"$dir/err"
"$evnt" start File -o "$dir/a.etl" -p '*Evntprov-Sample' 2>"$dir/err"
"$evnt" start Round -o "$dir/b.etl" --circular 1 -p '*Evntprov-Sample' \
	2>"$dir/err"
"$evnt" start Memory --buffering -p '*Evntprov-Sample' 2>"$dir/err"
"$sample" --count 3 2>/dev/null
"$evnt" flush Live File Round 2>"$dir/err" >&2
before=$(events_of Live)
top_begin
# A flush writes a buffer of each of two processors
taskset -c 0 "$sample" --count 10 2>/dev/null
taskset -c $(($(nproc) - 1)) "$sample" --count 10 2>/dev/null
events=$(($(events_of Live) - before))
"$evnt" flush Live File Round 2>"$dir/err" >&2
succeeds "top counts all events of a session in real-time mode" \
	eventually has_counted Live "$events"
succeeds "top counts only new events of a session with a file" \
	eventually has_counted File "$events"
succeeds "top counts only new events of a circular session" \
	eventually has_counted Round "$events"
succeeds "top counts only new events of a session in memory" \
	eventually has_counted Memory "$events"
top_end
exits 0 "SIGINT ends top"
is "$(jq -s '[.[].providers[].name] | unique[]' -r "$dir/out")" \
	Evntprov-Sample "top prints the provider's name from its events"
is "$(jq -s '[.[].processes[].process] | unique[]' -r "$dir/out")" evnt-sample \
	"top prints the name of the process from its events"
is "$(jq -s '[.[].processes[].events] | add' "$dir/out")" \
	"$(jq -s '[.[].providers[].events] | add' "$dir/out")" \
	"the counts by process match the counts by provider"
is "$(jq -s -r '[.[].providers[] | "\(.session) \(.from)"] | unique[]' \
	"$dir/out" | tr '\n' ,)" "File file,Live real-time,Memory memory,Round file," \
		"top prints the source of the counts"
is "$(jq -s '.[-1].sessions | map(.name) | sort | join(",")' -r "$dir/out")" \
	File,Live,Memory,Round "top prints all sessions"
# Rates are rounded to a tenth
is "$(jq -s --argjson n $((4 * events)) '[.[] | .seconds as $s |
	.cpus[].events_per_second * $s] | add - $n | fabs < 5' "$dir/out")" true \
	"the counts by CPU match the counts by session"

echo "# text"
run "$evnt" top --count 2 --interval 0.1 File Memory
exits 0 "top --count 2 succeeds"
is "$(grep -c '2 sessions' "$dir/out")" 2 "top --count 2 prints two blocks"
says out '^SESSION  *EVENTS/S' "top prints a table of sessions"
says out '^CPU  *EVENTS/S' "top prints a table of CPUs"
says_not out "Not counted by provider" \
	"top reports no session without counts by provider"
says_not out $'\033' "top prints no escape sequences into a file"
run script -qec "'$evnt' top --once --interval 0.1" "$dir/typed"
succeeds "top clears a terminal" grep -q $'\033\[H' "$dir/typed"
run script -qec "LC_ALL=C '$evnt' top --count 3 --interval 0.1" "$dir/typed"
succeeds "top shows a column for each interval on a terminal" \
	grep -q '^[_.:=+*#-]\{3\}  at most [0-9]* events/s' "$dir/typed"
run script -qec "LC_ALL=C.UTF-8 '$evnt' top --once --interval 0.1" "$dir/typed"
succeeds "top uses block characters where there are any" \
	grep -q '^▁  at most 0 events/s' "$dir/typed"

echo "# a full circular file"
"$evnt" start Full -o "$dir/full.etl" --circular 1 --buffer-size 256 \
	-p '*Evntprov-Sample' 2>"$dir/err"
fill() {
	"$sample" --count 1 2>/dev/null
	"$evnt" flush Full 2>"$dir/err" >&2
}
for _ in 1 2 3 4 5 6; do
	fill
done
top_begin Full
has_written() {
	fill
	jq -se 'any(.[].sessions[]; .bytes_per_second > 0)' "$dir/out" \
		>/dev/null
}
succeeds "top shows the rate of a full circular file" eventually has_written
top_end
"$evnt" stop Full 2>"$dir/err"

echo "# losses"
"$evnt" start Lossy -o "$dir/lossy.etl" --buffer-size 4 \
	-p '*Evntprov-Sample' 2>"$dir/err"
top_begin Lossy
"$sample" --count 1 2>/dev/null
succeeds "top reports a loss" eventually has_lost
"$evnt" stop Lossy 2>"$dir/err" >&2
wait "$top"
is "$?" 0 "top of a session ends with the session"
is "$(jq -s '[.[].cpus[].lost_per_second] | add > 0' "$dir/out")" true \
	"top counts losses by CPU"

echo "# a session that was started before the clock was set"
date -s '+1 hour' >/dev/null
top_begin Live
before=$(events_of Live)
"$sample" --count 5 2>/dev/null
events=$(($(events_of Live) - before))
"$evnt" flush Live 2>"$dir/err" >&2
succeeds "top counts all events of a session after a change of the clock" \
	eventually has_counted Live "$events"
top_end
date -s '-1 hour' >/dev/null
"$evnt" stop Live File Memory Round 2>"$dir/err" >&2

echo "# sessions that are not counted"
"$evnt" start Much --buffering --buffer-size 1024 --min-buffers 66 2>"$dir/err"
run "$evnt" top --once --interval 0.1
says out "Not counted by provider: 'Much', as .*more in memory.*'evnt snapshot'" \
	"top suggests snapshot for a session with much memory"
"$evnt" stop Much 2>"$dir/err" >&2
reports_gap() {
	"$sample" --count 2000 2>/dev/null
	grep -q "all of 'Little', as .*a shorter --interval" "$dir/out"
}
"$evnt" start Little --buffering --buffer-size 4 -p '*Evntprov-Sample' \
	2>"$dir/err"
"$evnt" top --interval 0.5 >"$dir/out" 2>"$dir/err" </dev/null &
top=$!
succeeds "top suggests a shorter interval when events are overwritten" \
	eventually reports_gap
top_end
"$evnt" stop Little 2>"$dir/err" >&2
is "$(sessions)" 0 "no session is left"

finish
