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
	says err "$word" "$what: says what is wrong"
}

# Run it in the background, and wait for its first interval
top_begin() {
	"$evnt" top --json --interval 0.2 "$@" >"$dir/out" 2>"$dir/err" \
		</dev/null &
	top=$!
	succeeds "it begins" eventually test -s "$dir/out"
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
exits 1 "no such session"
says err "there is no session 'Nobody'" "says so"

echo "# nothing runs"
run "$evnt" top --once --interval 0.1
exits 0 "top --once"
says out '  0 sessions, 0 events/s' "says so"

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
"$sample" --count 20 2>/dev/null
events=$(($(events_of Live) - before))
"$evnt" flush Live File Round 2>"$dir/err" >&2
succeeds "all events of a session in real-time mode are counted" \
	eventually has_counted Live "$events"
succeeds "all that are written to a file, and none from before" \
	eventually has_counted File "$events"
succeeds "likewise to a file that goes round" \
	eventually has_counted Round "$events"
succeeds "likewise of what is kept in memory" \
	eventually has_counted Memory "$events"
top_end
exits 0 "Ctrl-C ends it"
is "$(jq -s '[.[].providers[].name] | unique[]' -r "$dir/out")" \
	Evntprov-Sample "by the name that its events tell"
is "$(jq -s -r '[.[].providers[] | "\(.session) \(.from)"] | unique[]' \
	"$dir/out" | tr '\n' ,)" "File file,Live real-time,Memory memory,Round file," "and from where"
is "$(jq -s '.[-1].sessions | map(.name) | sort | join(",")' -r "$dir/out")" \
	File,Live,Memory,Round "all sessions"
# Rates are rounded to a tenth
is "$(jq -s --argjson n $((4 * events)) '[.[] | .seconds as $s |
	.cpus[].events_per_second * $s] | add - $n | fabs < 5' "$dir/out")" true \
	"by CPU it is as many in each"

echo "# text"
run "$evnt" top --count 2 --interval 0.1 File Memory
exits 0 "two blocks"
is "$(grep -c '2 sessions' "$dir/out")" 2 "are two"
says out '^SESSION  *EVENTS/S' "sessions"
says out '^CPU  *EVENTS/S' "CPUs"
says_not out "Not counted by provider" "all are counted"
says_not out $'\033' "nothing for a terminal"
run script -qec "'$evnt' top --once --interval 0.1" "$dir/typed"
succeeds "on a terminal it is cleared" grep -q $'\033\[H' "$dir/typed"

echo "# losses"
"$evnt" start Lossy -o "$dir/lossy.etl" --buffer-size 4 \
	-p '*Evntprov-Sample' 2>"$dir/err"
top_begin Lossy
"$sample" --count 1 2>/dev/null
succeeds "a loss is told" eventually has_lost
"$evnt" stop Lossy 2>"$dir/err" >&2
wait "$top"
is "$?" 0 "it ends with its sessions"
is "$(jq -s '[.[].cpus[].lost_per_second] | add > 0' "$dir/out")" true \
	"and by CPU"

echo "# a session that was started before the clock was set"
date -s '+1 hour' >/dev/null
top_begin Live
before=$(events_of Live)
"$sample" --count 5 2>/dev/null
events=$(($(events_of Live) - before))
"$evnt" flush Live 2>"$dir/err" >&2
succeeds "all events are counted" eventually has_counted Live "$events"
top_end
date -s '-1 hour' >/dev/null
"$evnt" stop Live File Memory Round 2>"$dir/err" >&2

echo "# whom it does not count"
"$evnt" start Much --buffering --buffer-size 1024 --min-buffers 66 2>"$dir/err"
run "$evnt" top --once --interval 0.1
says out "Not counted by provider: 'Much', as .*more in memory.*'evnt snapshot'" \
	"what is too much to copy, and what to do"
"$evnt" stop Much 2>"$dir/err" >&2
tells_gap() {
	"$sample" --count 2000 2>/dev/null
	grep -q "all of 'Little', as .*a shorter --interval" "$dir/out"
}
"$evnt" start Little --buffering --buffer-size 4 -p '*Evntprov-Sample' \
	2>"$dir/err"
"$evnt" top --interval 0.5 >"$dir/out" 2>"$dir/err" </dev/null &
top=$!
succeeds "what is overwritten too soon, and what to do" eventually tells_gap
top_end
"$evnt" stop Little 2>"$dir/err" >&2
is "$(sessions)" 0 "no session is left"

finish
