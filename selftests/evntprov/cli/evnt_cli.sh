#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# evnt for its users: output, exit status, and files.  Needs root and the module
# loaded.  EVNT_BUILD is the build folder.
set -u

here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=selftests/evntprov/cli/cli.bash
. "$here/cli.bash"
id=

echo "# arguments"
run "$evnt"
exits 2 "no verb is misuse"
run "$evnt" frobnicate
exits 2 "an unknown verb is misuse"
run "$evnt" --version
exits 0 "--version"
says out '^evnt [0-9]' "--version prints a version"
for verb in $("$evnt" help | sed -n "s/^  \([a-z][a-z-]*\) .*/\1/p" | grep -vx help); do
	run "$evnt" "$verb" --help
	exits 0 "$verb --help"
	says out '^Examples:' "$verb --help has examples"
	cp "$dir/out" "$dir/first"
	run "$evnt" help "$verb"
	succeeds "help $verb says the same" cmp -s "$dir/out" "$dir/first"
	run "$evnt" "$verb" --frobnicate
	exits 2 "$verb: an unknown option is misuse"
done
run "$evnt" record -o "$dir/a.etl"
exits 2 "record without a provider is misuse"
run "$evnt" record -p '*A'
exits 2 "record without a file is misuse"
run "$evnt" record -p 'A:ff' -o "$dir/a.etl"
exits 2 "record with wrong keywords is misuse"
says err 'keywords' "and says what is wrong"
run "$evnt" record -p '*A' -o "$dir/a.etl" --buffer-size 3
exits 2 "record with a wrong size is misuse"
run "$evnt" record -p '*A' -o "$dir/a.etl" --circular 0
exits 2 "record into a circular file of nothing is misuse"
run "$evnt" record -p '*A' -o "$dir/a.etl" --flush never
exits 2 "record with a wrong flush timer is misuse"
run "$evnt" sessions more
exits 2 "sessions takes no argument"
run "$evnt" dump
exits 2 "dump without a file is misuse"

echo "# a recording"
run "$evnt" record -p '*Evntprov-Sample' -o "$dir/a.etl" -- "$sample"
exits 0 "record with the sample"
says err '12 events kept, 0 lost' "all events are kept"
succeeds "there is a file" test -s "$dir/a.etl"
run "$evnt" record -p '*Evntprov-Sample' -o "$dir/a.etl" --json -- "$sample"
exits 0 "record over a file that exists"
says out '"events":12,"events_lost":0,"buffers_lost":0' "--json says the same"
is "$(sessions)" 0 "no session is left"
run "$evnt" record -p '*Evntprov-Sample' -o "$dir/a.etl" --buffers 1 \
	-- "$sample"
exits 0 "record with fewer buffers than the module has"
says err 'has [0-9]* buffers, not 1: the minimum' "and tells how many there are"
run "$evnt" record -p '*Evntprov-Sample' -o "$dir/a.etl" --buffers 200 \
	-- "$sample"
is "$(grep -c "the minimum" "$dir/err")" 0 "enough buffers are not spoken of"
run "$evnt" record -p '*Evntprov-Sample:1:Warning' -o "$dir/b.etl" \
	-- "$sample"
says err '2 events kept' "keywords and level select events"

echo "# what was recorded"
run "$evnt" dump "$dir/a.etl"
exits 0 "dump"
is "$(wc -l <"$dir/out")" 12 "dump prints a line an event"
is "$(grep -c Evntprov-Sample "$dir/out")" 12 "by the provider's name"
says out 'level=Information opcode=Start task=1 keyword=0x1 activity=.*related=' \
	"activity and related activity"
says out 'text="A string needs no description to be read: ü"' "a string"
says out 'size=0$' "an empty payload"
says out 'size=9: 00000000 73746570 00 |....step.|' "several blocks"
says out 'size=4000: .* +3936$' "a large payload is cut"
says_not err . "nothing is said to be lost"
run "$evnt" dump --full "$dir/a.etl"
says_not out '+3936' "--full does not cut it"
run "$evnt" dump --header "$dir/a.etl"
is "$(wc -l <"$dir/out")" 13 "--header prints one line more"
run "$evnt" dump --json "$dir/a.etl"
exits 0 "dump --json"
is "$(wc -l <"$dir/out")" 12 "dump --json prints a line an event"
is "$(grep -c '"provider_name":"Evntprov-Sample"' "$dir/out")" 12 \
	"provider's name in JSON"
id=$(sed -n '1s/.*"provider":"\([^"]*\)".*/\1/p' "$dir/out")
says out '"keyword":"0x1"' "keyword in JSON"
says out '"time":"20[0-9-]*T[0-9:]*\.[0-9]\{7\}Z","filetime":"[0-9]\{18\}"' \
	"time in JSON"
sed 's/.*"filetime":"\([0-9]*\)".*/\1/' "$dir/out" >"$dir/times"
is "$(sort -nc "$dir/times" && echo sorted)" sorted "events come by time"
run "$evnt" dump "$dir/a.etl" "$dir/b.etl"
is "$(wc -l <"$dir/out")" 14 "dump of two files"
run bash -c "set -o pipefail; '$evnt' dump '$dir/a.etl' | head -1"
is "$(wc -l <"$dir/out")" 1 "dump into a pipe that closes"
says_not err . "is quiet"
run "$evnt" dump "$dir/none.etl"
exits 1 "dump of no file"
says err 'none.etl.*No such file' "says which"
: >"$dir/empty.etl"
run "$evnt" dump "$dir/empty.etl"
exits 1 "dump of an empty file"
run "$evnt" dump "$evnt"
exits 1 "dump of what is no log"
run bash -c "'$evnt' dump '$dir/a.etl' >/dev/full"
exits 1 "dump onto a full disk fails"
says err 'No space left' "and says why"

echo "# a recording that stays empty says why"
run "$evnt" record -p '*Evntprov-Nobody' -o "$dir/c.etl" -- true
exits 0 "record of nobody"
says err 'no process was seen to register' "says that nobody registered"
run "$evnt" record -p '*Evntprov-Sample:0x1000:c' -o "$dir/c.etl" \
	-- "$sample"
says err 'nothing was recorded' "nothing of that keyword"

echo "# the command's end is ours"
run "$evnt" record -p '*A' -o "$dir/c.etl" -- bash -c 'exit 7'
exits 7 "exit status"
run "$evnt" record -p '*A' -o "$dir/c.etl" -- bash -c 'kill -TERM $$'
exits 143 "signal"
run "$evnt" record -p '*A' -o "$dir/c.etl" -- "$dir/nothing"
exits 127 "no such command"
says err 'cannot run' "says so"
run "$evnt" record -p '*A' -o "$dir/c.etl" -- "$dir"
exits 126 "no command"
run "$evnt" record -p '*A' -o "$dir/c.etl" -- bash -c 'echo out; echo >&2 err'
is "$(cat "$dir/out")" out "its output is untouched"
is "$(sessions)" 0 "no session is left"

echo "# what cannot be recorded"
run "$evnt" record -p Evntprov-Nobody -o "$dir/c.etl" -- true
exits 1 "a name that nobody registered"
says err "write '\*Evntprov-Nobody'" "says what to write"
run "$evnt" record -p '*A' -o "$dir/no/c.etl" -- true
exits 1 "no such directory"
run "$evnt" record -p '*A' -o /dev/null -- true
exits 1 "no regular file"

echo "# until a signal, and what the lists show meanwhile"
"$evnt" record -p "*Evntprov-Sample:0x3:4" -n "Cli Test" \
	-o "$dir/d.etl" >"$dir/record.out" 2>"$dir/record.err" </dev/null &
recorder=$!
succeeds "the session runs" eventually session_runs "Cli Test"
run "$evnt" sessions
exits 0 "sessions"
says out "Cli Test *$recorder root evnt (bound)" "sessions tells name and owner"
says out "$dir/d.etl" "and the file"
run "$evnt" sessions --json
is_json "sessions --json"
is "$(json '[.pid, .uid, .user, .bound, .alive, .command] | @csv')" \
	"$recorder,0,\"root\",true,true,\"evnt\"" "tells who owns it"
run "$evnt" providers
exits 0 "providers"
says out "^$id .* Cli Test" "providers tells who enabled"
run "$evnt" providers --json
says out '"registrations":\[\],"sessions":\[{"id":[0-9]*,"name":"Cli Test","level":4,"match_any":"0x3"' \
	"providers --json"
run "$evnt" record -p '*A' -n "CLI TEST" -o "$dir/e.etl" -- true
exits 1 "a second session of that name"
says err 'choose another name' "says what to do"
run "$evnt" record -p '*A' -o "$dir/d.etl" -- true
exits 1 "a second session into that file"
"$sample" --count 1
kill -INT "$recorder"
wait "$recorder"
is $? 0 "SIGINT ends the recording"
cp "$dir/record.out" "$dir/out"
cp "$dir/record.err" "$dir/err"
says err '5 events kept, 0 lost' "and the events are there"
run "$evnt" dump "$dir/d.etl"
exits 0 "the file can be read"
"$evnt" record -p '*A' -n Cli-Killed -o "$dir/f.etl" 2>/dev/null </dev/null &
recorder=$!
eventually session_runs Cli-Killed
kill -KILL "$recorder"
wait "$recorder" 2>/dev/null
is "$(eventually bash -c "[ \$('$evnt' sessions --json | wc -l) = 0 ]"; echo $?)" \
	0 "a killed recorder leaves no session"
run "$evnt" dump "$dir/f.etl"
exits 0 "and a file that can be read"

echo "# a registered provider by its name"
"$evnt" record -p '*Evntprov-Sample' -o "$dir/g.etl" 2>/dev/null \
	-- bash -c "echo >'$dir/begun'; exec sleep 600" </dev/null &
recorder=$!
succeeds "the command runs" eventually [ -e "$dir/begun" ]
kill "$recorder"
wait "$recorder" 2>/dev/null
is $? 143 "SIGTERM goes to the command"
"$sample" --wait 60 2>/dev/null &
waiting=$!
registers() {
	"$evnt" providers | grep -q "  $waiting (evnt-sample)"
}
succeeds "the sample registers" eventually registers
run "$evnt" providers
says out "^$id  Evntprov-Sample  $waiting (evnt-sample)  -" \
	"providers tells name and process"
run "$evnt" record -p evntprov-SAMPLE -o "$dir/h.etl" -- \
	bash -c "while kill -0 $waiting 2>/dev/null; do sleep 0.1; done"
exits 0 "record by the name of a registered provider"
says err '12 events kept' "whose events come"
wait "$waiting"

echo "# a file that goes round"
run "$evnt" record -p '*Evntprov-Sample' -o "$dir/k.etl" --circular 1 \
	--flush 1 -- "$sample" --count 30000
exits 0 "record into a circular file"
is "$(stat -c %s "$dir/k.etl")" 1048576 "it has its length"
run "$evnt" dump --json "$dir/k.etl"
exits 0 "dump reads it"

echo "# losses are told"
run "$evnt" record -p '*Evntprov-Sample' -o "$dir/i.etl" --buffer-size 4 \
	-- "$sample"
exits 0 "a recording with a loss is none that failed"
says err '11 events kept, 1 lost' "an event too large for the buffers is lost"
says err 'LOST .* larger --buffer-size' "says what to do"
run "$evnt" dump "$dir/i.etl"
is "$(wc -l <"$dir/out")" 11 "the others are there"
says err '1 events and 0 buffers were lost' "dump tells the loss unasked"
mkdir "$dir/small"
if mount -t tmpfs -o size=300k none "$dir/small" 2>"$dir/err"; then
	run "$evnt" record -p '*Evntprov-Sample' -o "$dir/small/j.etl" \
		-- "$sample" --count 30000
	exits 1 "a recording onto a full disk fails"
	says err 'No space left' "says why"
	says_not err ' 0 lost' "says that events were lost"
	run "$evnt" dump "$dir/small/j.etl"
	exits 0 "what fitted can be read"
	says err 'buffers were lost' "and tells the loss"
	umount "$dir/small"
fi

echo "# who may do what"
run "$evnt" access allow --only '*Cli-Access' daemon register,enable
exits 0 "access allow --only"
run "$evnt" access deny '*Cli-Access' @daemon log
exits 0 "access deny"
run "$evnt" access list
exits 0 "access list"
says out '^[0-9a-f-]*  allow  *daemon  *enable,register$' "tells who is allowed"
is "$(sed -n '2s/.*deny  *\(.*\)/\1/p' "$dir/out")" "@daemon  log" \
	"and first who is denied"
run "$evnt" access list --json
says out "\"access\":\"allow\",\"who\":\"daemon\",\"uid\":$(id -u daemon),.*\"0x880\"" \
	"access list --json"
run "$evnt" record -p '*Cli-Access' -o "$dir/l.etl" -- true
exits 1 "who may not enable a provider does not record it"
run "$evnt" access remove '*Cli-Access'
exits 0 "access remove"
run "$evnt" access list
is "$(wc -l <"$dir/out")" 1 "leaves nothing"
run "$evnt" access allow default nobody frobnicate
exits 2 "access: an unknown right is misuse"
run "$evnt" access allow default no-such-user log
exits 2 "access: an unknown user is misuse"
run "$evnt" access allow somewhere nobody log
exits 2 "access: what is no id is misuse"
run "$evnt" access deny default nobody
exits 2 "access: too few arguments are misuse"

echo "# rights"
if command -v setpriv >/dev/null; then
	run setpriv --reuid 65534 --regid 65534 --clear-groups \
		"$evnt" sessions
	exits 1 "sessions without rights"
	says err 'no permission' "says what is missing"
fi

finish
