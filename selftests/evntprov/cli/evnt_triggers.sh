#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Events that end a recording or start an action, and the snapshot that a crash
# takes.  Needs root and the module loaded.
set -u

here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=selftests/evntprov/cli/cli.bash
. "$here/cli.bash"
sample_spec='*Evntprov-Sample'

is_gone() {
	! session_runs "$1"
}

# Number of events with this id in a log
count_of() {
	"$evnt" dump --json --id "$2" "$1" 2>/dev/null | wc -l
}

has_no_session() {
	is "$(sessions)" 0 "$1: no session is left"
}

echo "# arguments"
misuse "--on without an action" 'what should be done' record -p "$sample_spec" \
	-o "$dir/a.etl" --on 1
misuse "--run without --on" 'when?' tail -p "$sample_spec" --run true
misuse "an event without a name" 'needs the name' tail -p "$sample_spec" --until ''
misuse "conditions that cannot be read" 'where' tail -p "$sample_spec" \
	--until 'where Size >'
misuse "an id that is too large" 'at most 65535' tail -p "$sample_spec" --until 70000
misuse "--until twice" 'once' tail -p "$sample_spec" --until 1 --until 2
misuse "--snapshot of events in a file" 'leave out -o' record -p "$sample_spec" \
	-o "$dir/a.etl" --on 1 --snapshot "$dir/b.etl"
misuse "--until without the module" 'in-process' record --in-process \
	-p "$sample_spec" -o "$dir/a.etl" --until 1 -- true

echo "# record --until"
run timeout 100 "$evnt" record -p "$sample_spec" -o "$dir/until.etl" --until 3 \
	-- sh -c "$sample --count 3; exec sleep 300"
exits 0 "record --until succeeds, though its command had to end"
succeeds "the log has the event" [ "$(count_of "$dir/until.etl" 3)" -gt 0 ]
says_not err 'did not occur' "the event is not reported as absent"
run "$evnt" record -p "$sample_spec" -o "$dir/absent.etl" --until 999 \
	-- "$sample" --count 1
exits 0 "record --until ends with its command"
says err "the event of --until '999' did not occur" "an absent event is reported"
run "$evnt" record -p "$sample_spec" -o "$dir/absent.etl" \
	--until 'where Nosuch = 1' -- "$sample" --count 1
says err 'Nosuch' "a field that no event has is reported"
has_no_session "record --until"

echo "# record --on"
run "$evnt" record -p "$sample_spec" -o "$dir/run.etl" --on 3 \
	--run "echo ran >> '$dir/ran'" \
	-- sh -c "$sample --count 3; exec sleep 3"
exits 0 "record --on --run succeeds"
is "$(cat "$dir/ran" 2>/dev/null)" ran "the command runs once"
run "$evnt" record -p "$sample_spec" --on 3 --snapshot "$dir/shot.etl" \
	-- sh -c "$sample --count 3; exec sleep 3"
exits 0 "record --on --snapshot succeeds"
says err "events kept; '$dir/shot.etl' has" "the snapshot is reported"
succeeds "the snapshot has the event" [ "$(count_of "$dir/shot.etl" 3)" -gt 0 ]
has_no_session "record --on"

echo "# tail"
"$evnt" tail -p "$sample_spec" --json --until 3 --on 3 --run "echo on > '$dir/on'" \
	>"$dir/out" 2>"$dir/err" </dev/null &
tailer=$!
eventually has_enabled "evnt-tail-$tailer"
"$sample" --count 3 2>/dev/null
wait "$tailer"
status=$?
exits 0 "tail --until succeeds"
is "$(jq -s '.[-1].id' "$dir/out")" 3 "the last event that tail prints is the one"
is "$(cat "$dir/on" 2>/dev/null)" on "tail --on runs the command"
run "$evnt" tail -p "$sample_spec" --duration 1
exits 0 "tail --duration succeeds"
has_no_session "tail"

echo "# a crash takes a snapshot"
handler=$(cat /proc/sys/kernel/core_pattern)
helper=$dir/evnt-core
sed "s,/usr/bin/evnt,$evnt," "$here/evnt-core" > "$helper"
chmod 755 "$helper" "$dir"
printf '#!/bin/sh\necho "$@" > %s\n' "$dir/next" > "$dir/handler"
chmod 755 "$dir/handler"
echo "|$helper flight $dir %P $dir/handler %P %s" > /proc/sys/kernel/core_pattern
"$evnt" start flight --buffering -p "$sample_spec" 2>/dev/null
# shellcheck disable=SC2016 # for the shell that crashes
bash -c 'ulimit -c unlimited; "$1" --count 2; kill -SEGV $$' - "$sample" \
	>/dev/null 2>&1 &
crashed=$!
wait "$crashed" 2>/dev/null
succeeds "the crash writes a snapshot" eventually test -s "$dir/flight.$crashed.etl"
succeeds "the next handler runs with its arguments" eventually grep -qx \
	"$crashed 11" "$dir/next"
succeeds "the snapshot has the events before the crash" \
	[ "$(count_of "$dir/flight.$crashed.etl" 1)" -gt 0 ]
echo "$handler" > /proc/sys/kernel/core_pattern
"$evnt" stop flight 2>/dev/null
has_no_session "a crash"

finish
