#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The verbs of evnt that start, show, change and end sessions: each option, and
# each error with a message of its own.  Needs root and the module loaded.
set -u

here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=selftests/evntprov/cli/cli.bash
. "$here/cli.bash"

# Modes may be unsupported, and must then be refused by name
starts_or_refuses() {
	local what=$1

	shift
	run "$evnt" start Modal "$@"
	if [ "$status" = 0 ]; then
		ok "start $what succeeds"
		"$evnt" stop Modal 2>/dev/null
	else
		exits 1 "start $what is refused"
		says err "does not support .*$what" \
			"start $what: the message names the mode"
	fi
}

echo "# start: arguments"
misuse "start without a name" 'which name' start -o "$dir/a.etl"
misuse "start with two names" 'one name' start a b -o "$dir/a.etl"
misuse "start without a file" 'which file' start a
misuse "start --buffer-size 3" '4 to 16384' start a -o "$dir/a.etl" \
	--buffer-size 3
misuse "start --buffers 0" '1 to 65536' start a -o "$dir/a.etl" --buffers 0
misuse "start --min-buffers x" 'min-buffers' start a -o "$dir/a.etl" \
	--min-buffers x
misuse "start --buffers less than --min-buffers" 'less than' start a \
	-o "$dir/a.etl" --buffers 20 --min-buffers 30
misuse "start --flush 0" 'seconds' start a -o "$dir/a.etl" --flush 0
misuse "start --max-size 1x" 'MB' start a -o "$dir/a.etl" --max-size 1x
misuse "start --circular -1" 'MB' start a -o "$dir/a.etl" --circular -1
misuse "start --new-file without %d" '%d' start a -o "$dir/a.etl" --new-file 1
misuse "start --circular --max-size" 'one of' start a -o "$dir/a.etl" \
	--circular 1 --max-size 2
misuse "start --preallocate without a size" 'how large' start a \
	-o "$dir/a.etl" --preallocate
misuse "start --append --circular" '--append excludes' start a -o "$dir/a.etl" \
	--append --circular 1
misuse "start --mode frobnicate" 'frobnicate' start a -o "$dir/a.etl" \
	--mode frobnicate
misuse "start --clock sun" 'perf, system or cycle' start a -o "$dir/a.etl" \
	--clock sun
misuse "start -p A:ff" 'keywords' start a -o "$dir/a.etl" -p A:ff
is "$(sessions)" 0 "failed commands start no session"

echo "# a session without room costs other sessions no events"
lost() {
	"$evnt" query --json "$1" | jq .events_lost
}
strangers() {
	"$evnt" start Small --real-time --buffer-size 4 -p '*Evntprov-Sample' \
		"$@" 2>"$dir/err"
	"$evnt" start Large -o "$dir/large.etl" -p '*Evntprov-Sample' "$@" \
		2>"$dir/err"
	"$sample" --count 300 2>/dev/null
	is "$(($(lost Small) > 0))" 1 "a session that nobody reads has losses"
}
strangers
is "$(lost Large)" 0 "another session has none"
"$evnt" stop Small Large 2>"$dir/err"
strangers --all-or-none
is "$(($(lost Large) > 0))" 1 "another session has them as well by --all-or-none"
run "$evnt" sessions
says out '[1-9][0-9]* ([1-9][0-9]* blocked)' \
	"sessions prints that they were caused by another session"
run "$evnt" query Large --json
is "$(json '[.events_lost == .lost_blocked, .lost_no_buffer, .lost_too_large,
	.blocker] | @csv')" 'true,0,0,"Small"' \
	"query --json names the session that caused them"
run "$evnt" doctor
says out "'Large' LOST [0-9]* events because session 'Small' (4 KB buffers" \
	"doctor names the session that caused them"
says out "start 'Small' without --all-or-none, or with .*--buffer" \
	"doctor advises to change the session that caused them"
run "$evnt" stop Large
says err "'Large' LOST [0-9]* events because session 'Small' (4 KB" \
	"stop names the session that caused them"
says_not err "session 'Large'.* start the session with more --buffers" \
	"stop does not advise to change the session that was blocked"
"$evnt" stop Small 2>"$dir/err"

echo "# properties of a started session"
run "$evnt" start Alpha -o "$dir/alpha.etl"
exits 0 "start succeeds"
says err "session 'Alpha' runs, and writes '$dir/alpha.etl'" \
	"start reports that the session runs"
says_not out . "start prints nothing on stdout"
is "$(property alpha mode_names)" sequential,independent \
	"the mode is sequential by default"
is "$(property alpha clock)" perf "the clock is perf by default"
is "$(property alpha buffer_size)" 65536 "the buffer size is 64 KB by default"
is "$(property alpha max_file_size)" 0 "the file size is unlimited by default"
is "$(property alpha flush_ms)" 0 "there is no flush timer by default"
is "$(property alpha alive)" false \
	"a session outlives the process that started it"
is "$(property alpha '"providers"|length')" 0 \
	"a session has no provider by default"
fails "start of a name in use" 'runs already' start ALPHA \
	-o "$dir/b.etl"
fails "start into a file in use" 'no other session' start Beta \
	-o "$dir/alpha.etl"
fails "start into a missing folder" 'directory' start Beta -o "$dir/no/b.etl"
fails "start into a device" 'no regular file' start Beta -o /dev/null
fails "start of a name that is too long" 'too long' start \
	"$(printf '%01100d' 0)" -o "$dir/b.etl"
fails "start with an unregistered provider" 'no registered' start \
	Beta -o "$dir/b.etl" -p Evntprov-Nobody
is "$(sessions)" 1 "a failed start leaves no session"
run "$evnt" start --json Beta -o "$dir/beta.etl" --buffer-size 128 \
	--buffers 64 --min-buffers 32 --flush 7 --circular 3 --clock system \
	-p '*Evntprov-Sample:0x3:Warning+*Second'
exits 0 "start with all options succeeds"
is_json "start --json prints JSON"
is "$(json '[.name, .buffer_size, .min_buffers, .max_buffers, .flush_ms,
	.max_file_size, .mode_names, .clock, .file] | @tsv')" \
	"$(printf '%s\t' Beta 131072 32 64 7000 3 \
		circular,independent system)$dir/beta.etl" \
	"start sets each given property"
is "$(property Beta '"providers"|length')" 2 "start enables two providers"
is "$("$evnt" query --json Beta |
	jq -r '.providers[] | select(.level == 3) | .match_any')" 0x3 \
	"start enables with level and keywords"
run "$evnt" start Gamma -o "$dir/gamma.etl" --max-size 2 --preallocate
exits 0 "start --max-size --preallocate succeeds"
is "$(stat -c %s "$dir/gamma.etl")" $((2 * 1024 * 1024)) \
	"--preallocate allocates the maximum size"
is "$(property Gamma mode_names)" sequential,preallocate,independent \
	"--preallocate sets the mode"
run "$evnt" start Delta -o "$dir/delta.etl" --max-size 2048 --mode kbytes,0x20
exits 0 "start --mode by name and number succeeds"
is "$(property Delta mode)" 0x8002021 "--mode sets the mode"
is "$(stat -c %s "$dir/delta.etl")" $((2 * 1024 * 1024)) \
	"--mode kbytes changes the unit of --max-size"
cd "$dir" || exit 1
run "$evnt" start Epsilon -o epsilon.etl
is "$(property Epsilon file)" "$dir/epsilon.etl" \
	"start makes a relative path absolute"
cd / || exit 1
starts_or_refuses real-time --real-time
starts_or_refuses buffering --buffering
for n in 1 2; do
	run "$evnt" record -o "$dir/more.etl" --append --buffer-size 128 \
		-p '*Evntprov-Sample' -- "$sample" --count 10
	exits 0 "record --append, time $n, succeeds"
done
once=$("$evnt" record --json -o "$dir/once.etl" -p '*Evntprov-Sample' \
	-- "$sample" --count 10 2>/dev/null | jq .events)
is "$("$evnt" dump --json "$dir/more.etl" | wc -l)" $((2 * once)) \
	"record --append keeps the events of both recordings"
run "$evnt" start Modal -o "$dir/more.etl" --append
exits 0 "start --append succeeds"
is "$(property Modal mode_names)" sequential,append,independent \
	"--append sets the mode"
is "$(property Modal clock)" system "--append selects the system clock"
is "$(property Modal buffer_size)" 131072 \
	"--append takes the buffer size from the file"
"$evnt" stop Modal 2>/dev/null
misuse "start --append --clock perf" 'clock system' start Modal \
	-o "$dir/more.etl" --append --clock perf
fails "start --append with another buffer size" 'cannot append' start Modal \
	-o "$dir/more.etl" --append --buffer-size 64
seq 10000 >"$dir/text"
fails "start --append to a file that is no log" 'cannot append' start Modal \
	-o "$dir/text" --append
fails "start --append beyond the maximum size" \
	'has reached that size' start Modal \
	-o "$dir/more.etl" --append --mode kbytes --max-size 256
run "$evnt" start Modal -o "$dir/modal%d.etl" --new-file 1
exits 0 "start --new-file succeeds"
is "$(property Modal file)" "$dir/modal1.etl" "--new-file begins with file 1"
is "$(property Modal mode_names)" new-file,independent "--new-file sets the mode"
run "$evnt" update Modal --next-file
exits 0 "update --next-file succeeds"
is "$(property Modal file)" "$dir/modal2.etl" \
	"update --next-file selects the next file"
fails "update --next-file of a session without --new-file" \
	'only one with --new-file' \
	update Alpha --next-file
"$evnt" stop Modal 2>/dev/null
run "$evnt" record --json -o "$dir/series%d.etl" --new-file 64 --mode kbytes \
	--buffer-size 8 --buffers 400 -p '*Evntprov-Sample' -- "$sample" --count 3000
exits 0 "record --new-file succeeds"
is "$(json .events_lost)" 0 "record --new-file loses no events"
is "$("$evnt" dump --json "$dir"/series*.etl | wc -l)" "$(json .events)" \
	"the files of a series contain all events"
is "$(find "$dir" -name 'series*.etl' -size +64k)" "" \
	"no file of a series exceeds its limit"
succeeds "record --new-file writes several files" test -s "$dir/series3.etl"
starts_or_refuses independent -o "$dir/modal.etl" --mode independent

echo "# sessions: owners"
run "$evnt" sessions
exits 0 "sessions succeeds"
says out '^[0-9]* *Alpha *[0-9]* root (ended) ' \
	"sessions shows that the owner has ended"
run "$evnt" sessions --json
is_json "sessions --json prints JSON"
is "$(json 'select(.name == "Alpha") | [.user, .bound, .alive, .command] | @csv')" \
	'"root",false,false,' "sessions --json shows that the owner has ended"

echo "# query"
misuse "query without a name" 'which session' query
run "$evnt" query Beta alpha
exits 0 "query of two sessions succeeds"
is "$(grep -c '^Name: ' "$dir/out")" 2 "query prints both sessions"
says out '^Name: *Beta$' "query prints the name"
says out '^GUID: *[0-9a-f-]\{36\}$' "query prints the GUID"
says out '^Owner: *[0-9]* root (ended)$' "query prints the owner"
says out "^Log file: *$dir/beta.etl\$" "query prints the log file"
says out '^Mode: *0x8000002 circular,independent$' "query prints the mode"
says out '^Maximum size: *3 MB$' "query prints the maximum size"
says out '^Clock: *system$' "query prints the clock"
says out '^Buffer size: *128 KB$' "query prints the buffer size"
says out '^Buffers: *64, [0-9]* of them free; 32 to 64$' \
	"query prints the numbers of buffers"
says out '^Flush timer: *7.000 s$' "query prints the flush timer"
says out '^Lost: *0$' "query prints the losses"
says out '^Provider: .* level=3 any=0x3 all=0x0 ' "query prints the providers"
run "$evnt" query Beta --json
is_json "query --json prints JSON"
keys="id name guid pid uid user bound alive start_time file mode mode_names
	max_file_size clock bytes_written buffers_written buffer_size
	min_buffers max_buffers buffers free_buffers flush_ms thread
	consumers events events_lost buffers_lost real_time_buffers_lost
	lost_no_buffer lost_too_large lost_unreadable
	lost_unwritten lost_blocked rings rings_why ring_events providers"
is "$(json 'keys[]' | sort)" "$(tr -s ' \t' '\n' <<<"$keys" | sort)" \
	"query --json has the keys of the manual"
fails "query of a similar name" "did you mean 'Beta'" \
	query Betta
fails "query of an unknown name" "'evnt sessions' lists" \
	query Zzzzzzzzzz
run "$evnt" query Beta Zzzzzzzzzz
exits 1 "query of a session and an unknown name fails"
says out '^Name: *Beta$' "query with an unknown name prints the other session"

echo "# update"
misuse "update without a name" 'which session' update --flush 1
misuse "update of two sessions" 'one session' update a b --flush 1
misuse "update without a property" 'which property' update Alpha
misuse "update --flush 0" 'seconds' update Alpha --flush 0
misuse "update --buffers 0" 'buffers' update Alpha --buffers 0
misuse "update --real-time maybe" 'on or off' update Alpha --real-time maybe
misuse "update --enable-flags x" '32 bits' update Alpha --enable-flags x
fails "update of an unknown session" 'no session' update Nobody --flush 1
run "$evnt" update Alpha --flush 3
exits 0 "update --flush succeeds"
says_not err . "update --flush prints no error"
is "$(property Alpha flush_ms)" 3000 "update --flush changes the timer"
run "$evnt" update --json Alpha --flush 4 --real-time off
is_json "update --json prints JSON"
is "$(json .flush_ms)" 4000 "update --json contains the new timer"
fails "update to the present file" 'already' update Alpha \
	-o "$dir/alpha.etl"
fails "update --enable-flags" 'cannot change.* enable flags' update Alpha \
	--enable-flags 0x1
run "$evnt" update Alpha -o "$dir/alpha2.etl"
exits 0 "update -o succeeds"
is "$(property Alpha file)" "$dir/alpha2.etl" "update -o changes the file"
run "$evnt" update Alpha --real-time on
exits 0 "update --real-time on succeeds"
says_not err . "update --real-time on prints no error"
is "$(property Alpha mode_names | grep -c real-time)" 1 \
	"update --real-time on changes the mode"
run "$evnt" update Alpha --flush 5
is "$(property Alpha mode_names | grep -c real-time)" 1 \
	"other updates do not change the mode"
run "$evnt" update Alpha --real-time off
is "$(property Alpha mode_names | grep -c real-time)" 0 \
	"update --real-time off changes the mode"
"$evnt" start Live --real-time 2> /dev/null
fails "update --real-time off without a file" 'name one with --output' \
	update Live --real-time off
run "$evnt" update Live --real-time off -o "$dir/live.etl"
exits 0 "update --real-time off -o succeeds"
is "$(property Live file)" "$dir/live.etl" \
	"update --real-time off -o changes the file"
is "$(property Live mode_names | grep -c real-time)" 0 \
	"update --real-time off -o changes the mode"
"$evnt" stop Live 2> /dev/null
run "$evnt" start Kept --buffering --buffers 40
is "$(property Kept buffers)" 40 \
	"--buffering allocates the given number of buffers"
"$evnt" stop Kept 2> /dev/null
"$evnt" start Buffers --buffering 2> /dev/null
fails "update --real-time of a session with --buffering" 'does not go with' \
	update Buffers --real-time on
"$evnt" stop Buffers 2> /dev/null
run "$evnt" update Alpha --buffers 60000
if [ "$status" != 0 ]; then
	says err 'buffers\|memory' "update --buffers is refused by name"
fi

echo "# enable, disable, capture-state"
misuse "enable without a session" 'which session' enable
misuse "enable without a provider" 'which provider' enable Alpha
misuse "enable with wrong keywords" 'keywords' enable Alpha '*A:x'
misuse "enable with a wrong level" 'level' enable Alpha '*A:1:x'
misuse "enable --match-all x" '64 bits' enable Alpha '*A' --match-all x
misuse "enable --timeout soon" 'infinite' enable Alpha '*A' --timeout soon
misuse "enable --source-id x" 'no GUID' enable Alpha '*A' --source-id x
fails "enable for an unknown session" 'no session' enable Nobody '*A'
fails "enable of an unregistered provider" 'no registered' \
	enable Alpha Evntprov-Nobody
run "$evnt" enable Alpha '*Evntprov-Sample:0x7:Error' '*Other::4' \
	--match-all 0x4
exits 0 "enable of two providers succeeds"
says_not err . "enable prints no error"
is "$("$evnt" query --json Alpha | jq -r '.providers[] | select(.level == 2) |
	[.match_any, .match_all] | @csv')" '"0x7","0x4"' \
		"enable sets keywords of both kinds"
is "$("$evnt" query --json Alpha |
	jq -r '.providers[] | select(.level == 4) | .match_any')" \
	0xffffffffffffffff "enable without keywords selects all keywords"
run "$evnt" enable Alpha '*Evntprov-Sample'
is "$("$evnt" query --json Alpha | jq -r '.providers|length')" 2 \
	"enabling a provider again replaces its enablement"
run "$evnt" disable Alpha '*Other'
exits 0 "disable succeeds"
is "$(property Alpha '"providers"|length')" 1 \
	"disable keeps other providers enabled"
run "$evnt" disable Alpha '*Other' '*Nobody'
exits 0 "disable of a provider that is not enabled succeeds"
run "$evnt" capture-state Alpha '*Evntprov-Sample' --timeout infinite
exits 0 "capture-state of an unregistered provider succeeds"
is "$(property Alpha '"providers"|length')" 1 \
	"capture-state enables no provider"
# Whether the sample, which waits to be enabled, has registered
registered() {
	"$evnt" providers --json | grep -q "\"pid\":$1[,}]"
}
wait_for_sample() {
	"$evnt" disable Alpha '*Evntprov-Sample'
	"$evnt" disable Beta '*Evntprov-Sample'
	"$sample" --count 1 --wait 600 2>/dev/null &
	waiting=$!
	eventually registered "$waiting"
}
succeeds "the sample registers" wait_for_sample
run "$evnt" capture-state Alpha Evntprov-Sample --timeout 60000
exits 0 "capture-state --timeout succeeds"
run "$evnt" enable Alpha evntprov-sample --timeout 60000 \
	--source-id '{12345678-90ab-cdef-1234-567890abcdef}'
exits 0 "enable by name with --source-id and --timeout succeeds"
wait "$waiting"
succeeds "the sample registers again" wait_for_sample
suspend "$waiting"
fails "enable --timeout of a suspended process" 'not all processes' \
	enable Alpha '*Evntprov-Sample' --timeout 100
kill -CONT "$waiting"
wait "$waiting"

echo "# start --mode private: sessions in other processes"
run "$evnt" start Inside -o "$dir/inside.etl" -p '*Evntprov-Sample' \
	--mode private --exe evnt-sample
exits 0 "start --mode private --exe succeeds"
"$sample" --count 3 2>/dev/null
run "$evnt" query Inside
exits 0 "query of a private session succeeds"
says out inside.etl "query of a private session prints its file"
run "$evnt" update Inside --flush 2 -o "$dir/inside2.etl"
exits 0 "update of a private session succeeds"
run "$evnt" query Inside
says out inside2.etl "update of a private session changes its file"
"$sample" --count 3 2>/dev/null
fails "update of a property that private sessions do not have" \
	'in other processes' \
	update Inside --real-time on
fails "update of a private session to the present file" 'writes .* already' \
	update Inside -o "$dir/inside2.etl"
fails "start of a private session that runs" \
	'runs already' start Inside -o "$dir/inside.etl" \
	-p '*Evntprov-Sample' --mode private --exe evnt-sample
run "$evnt" stop Inside
exits 0 "stop of a private session succeeds"
says err inside2.etl_PID \
	"stop of a private session prints the pattern of its files"
is "$(find "$dir" -name 'inside.etl_*' | wc -l)" 1 "a participant writes a file"
"$evnt" dump "$dir"/inside.etl_* >"$dir/out"
says out Evntprov-Sample "the file of a participant contains its events"
is "$(find "$dir" -name 'inside2.etl_*' | wc -l)" 1 \
	"a later participant writes its own file"
misuse "start --mode private without a file" 'into which file' \
	start Inside -p '*Evntprov-Sample' --mode private --exe evnt-sample
fails "start --mode private without a filter" 'does not support .*private' \
	start Inside -o "$dir/inside.etl" -p '*Evntprov-Sample' --mode private

echo "# flush and stop"
misuse "flush without a name" 'which session' flush
misuse "stop without a name" 'which session' stop
fails "flush of an unknown session" 'no session' flush Nobody
fails "stop of an unknown session" 'no session' stop Nobody
"$sample" --count 1
run "$evnt" flush Alpha
exits 0 "flush succeeds"
says_not err . "flush prints no error"
says_not out . "flush prints nothing on stdout"
"$evnt" dump "$dir/alpha.etl" "$(property Alpha file)" >"$dir/out"
says out Evntprov-Sample "flush writes the events to the file"
run "$evnt" flush --json Alpha Gamma
is_json "flush --json prints JSON"
is "$(jq -s length "$dir/out")" 2 \
	"flush --json prints an object for each session"
run "$evnt" stop Alpha
exits 0 "stop succeeds"
says err '[1-9][0-9]* events kept, 0 lost; .* has [1-9][0-9]* bytes' \
	"stop reports kept and lost events"
run "$evnt" stop --json Gamma Delta
exits 0 "stop --json of two sessions succeeds"
is_json "stop --json prints JSON"
is "$(jq -s length "$dir/out")" 2 \
	"stop --json prints an object for each session"
is "$(stat -c %s "$dir/gamma.etl")" "$(jq -s '.[0].bytes_written' "$dir/out")" \
	"stop truncates a preallocated file"
run "$evnt" stop Gamma Epsilon
exits 1 "stop of a session and an unknown name fails"
is "$(sessions)" 1 "stop with an unknown name stops the other session"
"$evnt" stop Beta 2>/dev/null

echo "# losses are reported by kind without a request"
run "$evnt" start Lossy -o "$dir/lossy.etl" --buffer-size 4 \
	-p '*Evntprov-Sample'
"$sample" --count 1 2>/dev/null
run "$evnt" sessions
says out '1 (1 too large)' "sessions prints the kind of a loss"
for verb in query flush stop; do
	run "$evnt" "$verb" Lossy
	says err 'LOST 1 events because they were too large.*--buffer-size' \
		"$verb reports a loss without a request"
done
run "$evnt" start Lossy -o "$dir/lossy.etl" --buffer-size 4 \
	-p '*Evntprov-Sample'
"$sample" --count 1 2>/dev/null
run "$evnt" update --json Lossy --flush 1
says err 'LOST 1 events because they were too large' \
	"update reports a loss without a request"
is "$(json '[.events_lost, .lost_too_large, .lost_no_buffer] | @csv')" 1,1,0 \
	"update --json contains the loss"
"$evnt" stop Lossy 2>/dev/null
mkdir "$dir/small"
if mount -t tmpfs -o size=300k none "$dir/small" 2>"$dir/err"; then
	"$evnt" start Full -o "$dir/small/a.etl" -p '*Evntprov-Sample' \
		2>/dev/null
	"$sample" --count 30000 2>/dev/null
	reports_full() {
		"$evnt" sessions 2>&1 >/dev/null |
			grep -q "cannot write '$dir/small/a.etl': No space"
	}
	succeeds "sessions reports that the disk is full" eventually reports_full
	run "$evnt" stop --json Full
	says err 'LOST .* could not be written' \
		"stop reports the loss of a full disk"
	is "$(json '.lost_unwritten > 0 and .log_error != null')" true \
		"stop --json contains the loss of a full disk"
	umount "$dir/small"
fi

echo "# clean"
run "$evnt" clean
exits 0 "clean without abandoned sessions succeeds"
says err 'no session is abandoned' \
	"clean reports that there are no abandoned sessions"
"$evnt" start One -o "$dir/one.etl" 2>/dev/null
"$evnt" start Two -o "$dir/two.etl" 2>/dev/null
"$evnt" record -p '*A' -n Mine -o "$dir/mine.etl" 2>/dev/null </dev/null &
recorder=$!
succeeds "a session with an owner runs" eventually session_runs Mine
run "$evnt" clean
exits 0 "clean without names succeeds"
says out "^One *[0-9]* root (ended) *$dir/one.etl" \
	"clean prints abandoned sessions"
says_not out Mine "clean does not print sessions with an owner"
says err 'write their names, or --all' "clean states how to end them"
is "$(sessions)" 3 "clean without names stops no session"
run "$evnt" clean --json
is_json "clean --json prints JSON"
is "$(jq -s length "$dir/out")" 2 \
	"clean --json prints an object for each session"
run "$evnt" clean --all One
exits 2 "clean --all with a name is misuse"
fails "clean of a session with an owner" 'is not abandoned' clean Mine
fails "clean of an unknown session" 'no session' clean One Nobody
is "$(sessions)" 3 "clean stops no session if it cannot stop all"
run "$evnt" clean two
exits 0 "clean of a session by its name succeeds"
says err "session 'Two' ended" "clean does not prompt in a pipe"
succeeds "clean by name does not stop other sessions" session_runs One
if command -v script >/dev/null; then
	echo n | script -qec "$evnt clean --all" /dev/null >"$dir/out" 2>&1
	says out 'End 1 sessions? \[y/N\]' "clean prompts on a terminal"
	succeeds "clean stops no session after the answer no" session_runs One
	script -qec "$evnt clean --all --yes" /dev/null >"$dir/out" 2>&1 </dev/null
	says_not out 'y/N' "clean --all --yes does not prompt"
	is "$(sessions)" 1 "clean --all --yes stops the session"
else
	ok "terminal # SKIP there is no script(1)"
fi
kill -INT "$recorder"
wait "$recorder"
"$evnt" start One -o "$dir/one.etl" 2>/dev/null
run "$evnt" clean --all --json
exits 0 "clean --all --json succeeds"
is "$(json .name)" One "clean --json prints the stopped session"
is "$(sessions)" 0 "no session is left after clean"

echo "# a session with a full file stops"
# Events may be lost on their way to the file, so write until it is full
run "$evnt" record -n Full -p '*Evntprov-Sample' -o "$dir/full.etl" --max-size 1 \
	-- bash -c "while '$evnt' query Full; do '$sample' --wait 0 --count 5000; done \
		>/dev/null 2>&1"
exits 0 "record --max-size succeeds"
says err 'has reached its size' "record --max-size reports a full file"
"$evnt" start Self -o "$dir/self.etl" --max-size 1 -p '*Evntprov-Sample' \
	2>/dev/null
gone() {
	"$sample" --wait 0 --count 5000 2>/dev/null
	! session_runs "$1"
}
succeeds "a session with a full file stops" eventually gone Self
fails "stop of a session that has stopped" 'no session' stop Self

echo "# rights, and no module"
if command -v setpriv >/dev/null; then
	for verb in start stop query update flush enable disable \
		capture-state clean; do
		args=(One)
		case $verb in
		start) args+=(-o "$dir/one.etl") ;;
		update) args+=(--flush 1) ;;
		enable | disable | capture-state) args+=('*A') ;;
		esac
		run setpriv --reuid 65534 --regid 65534 --clear-groups \
			"$evnt" "$verb" "${args[@]}"
		exits 1 "$verb without rights fails"
		says err 'no permission' \
			"$verb without rights reports the missing permission"
	done
	nobody=(setpriv --reuid 65534 --regid 65534 --clear-groups "$evnt")
	chmod 0666 /dev/evntrace
	run "$evnt" start Roots -o "$dir/roots.etl"
	for verb in stop flush update clean; do
		args=(Roots)
		case $verb in
		update) args+=(--flush 1) ;;
		clean) args+=(--yes) ;;
		esac
		run "${nobody[@]}" "$verb" "${args[@]}"
		exits 1 "$verb of root's session fails"
		says err "it is root's: become that user, or root" \
			"$verb names the owner"
	done
	run "${nobody[@]}" stop Roots
	remedy=$(sed -n "s/.*have root run 'evnt \(.*\)'.*/\1/p" "$dir/err")
	# shellcheck disable=SC2086 # its words
	run "$evnt" ${remedy/USER/65534}
	exits 0 "the suggested command succeeds"
	run "${nobody[@]}" stop Roots
	exits 0 "the suggested command lets a user stop the session"
	# shellcheck disable=SC2086
	set -- $remedy
	"$evnt" access remove "${3:-default}" 2>/dev/null
	"$evnt" stop Roots >/dev/null 2>&1
	chmod 0660 /dev/evntrace
else
	ok "rights # SKIP there is no setpriv(1)"
fi
module=${VM_OUT:-$build}/evntprov.ko
if [ -e "$module" ] && rmmod evntprov 2>/dev/null; then
	fails "sessions without the module" 'modprobe' sessions
	fails "start without the module" 'modprobe' start One -o "$dir/o.etl"
	fails "stop without the module" 'modprobe' stop One
	insmod "$module" autologger=
else
	ok "no module # SKIP its file is not at hand"
fi
finish
