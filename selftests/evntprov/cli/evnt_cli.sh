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
exits 0 "--version succeeds"
says out '^evnt [0-9]' "--version prints a version"
for verb in $("$evnt" help all | sed -n "s/^  \([a-z][a-z-]*\) .*/\1/p" | grep -vx help); do
	run "$evnt" "$verb" --help
	exits 0 "$verb --help succeeds"
	says out '^Examples:' "$verb --help has examples"
	cp "$dir/out" "$dir/first"
	run "$evnt" help "$verb"
	succeeds "help $verb prints the same as $verb --help" \
		cmp -s "$dir/out" "$dir/first"
	run "$evnt" "$verb" --frobnicate
	exits 2 "$verb: an unknown option is misuse"
done
run "$evnt" record -o "$dir/a.etl"
exits 2 "record without a provider is misuse"
run "$evnt" record -p '*A'
exits 2 "record without a file is misuse"
run "$evnt" record -p 'A:ff' -o "$dir/a.etl"
exits 2 "record with wrong keywords is misuse"
says err 'keywords' "the message names the keywords"
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
exits 0 "record with the sample succeeds"
says err '12 events kept, 0 lost' "record keeps all events of the sample"
succeeds "record writes its file" test -s "$dir/a.etl"
run "$evnt" record -p '*Evntprov-Sample' -o "$dir/a.etl" --json -- "$sample"
exits 0 "record overwrites an existing file"
says out '"events":12,"events_lost":0,"buffers_lost":0' \
	"record --json prints the counts"
is "$(sessions)" 0 "a finished record leaves no session"
run "$evnt" record -p '*Evntprov-Sample' -o "$dir/a.etl" --buffers 1 \
	-- "$sample"
exits 0 "record with fewer buffers than the minimum succeeds"
says err 'has [0-9]* buffers, not 1: the minimum' \
	"record reports the minimum number of buffers"
run "$evnt" record -p '*Evntprov-Sample' -o "$dir/a.etl" --buffers 200 \
	-- "$sample"
is "$(grep -c "the minimum" "$dir/err")" 0 \
	"record with enough buffers does not mention the minimum"
run "$evnt" record -p '*Evntprov-Sample:1:Warning' -o "$dir/b.etl" \
	-- "$sample"
says err '2 events kept' "keywords and level select events"

echo "# the contents of the log"
run "$evnt" dump --format full "$dir/a.etl"
exits 0 "dump succeeds"
is "$(wc -l <"$dir/out")" 12 "dump prints one line for each event"
is "$(grep -c Evntprov-Sample "$dir/out")" 12 "dump prints the provider's name"
says out 'level=Information opcode=Start task=1 keyword=0x1 activity=.*related=' \
	"dump prints the activity and the related activity"
says out 'text="A string needs no description to be read: ü"' \
	"dump prints a string without a manifest"
says out 'size=0$' "dump prints an event without a payload"
says out 'size=9: 00000000 73746570 00 |....step.|' \
	"dump prints a payload of several blocks"
says out 'size=4000: .* +3936$' "dump truncates a large payload"
says_not err . "dump reports no loss"
run "$evnt" dump --format full --full "$dir/a.etl"
says_not out '+3936' "dump --full prints a whole large payload"
run "$evnt" dump --header "$dir/a.etl"
is "$(wc -l <"$dir/out")" 13 "dump --header prints an additional line"
run "$evnt" dump --json "$dir/a.etl"
exits 0 "dump --json succeeds"
is "$(wc -l <"$dir/out")" 12 "dump --json prints one line for each event"
is "$(grep -c '"provider_name":"Evntprov-Sample"' "$dir/out")" 12 \
	"dump --json contains the provider's name"
id=$(sed -n '1s/.*"provider":"\([^"]*\)".*/\1/p' "$dir/out")
says out '"keyword":"0x1"' "dump --json contains the keyword"
says out '"time":"20[0-9-]*T[0-9:]*\.[0-9]\{7\}Z","filetime":"[0-9]\{18\}","time_ns":"[0-9]\{17\}00"' \
	"dump --json contains the time"
sed 's/.*"filetime":"\([0-9]*\)".*/\1/' "$dir/out" >"$dir/times"
is "$(sort -nc "$dir/times" && echo sorted)" sorted \
	"dump prints events in order of time"
run "$evnt" dump "$dir/a.etl" "$dir/b.etl"
is "$(wc -l <"$dir/out")" 14 "dump prints the events of two files"
run bash -c "set -o pipefail; '$evnt' dump '$dir/a.etl' | head -1"
is "$(wc -l <"$dir/out")" 1 "dump ends when its pipe is closed"
says_not err . "dump into a closed pipe prints no error"
run "$evnt" dump "$dir/none.etl"
exits 1 "dump of a missing file fails"
says err 'none.etl.*No such file' "dump names the missing file"
: >"$dir/empty.etl"
run "$evnt" dump "$dir/empty.etl"
exits 1 "dump of an empty file fails"
run "$evnt" dump "$evnt"
exits 1 "dump of a file that is no log fails"
run bash -c "'$evnt' dump '$dir/a.etl' >/dev/full"
exits 1 "dump onto a full disk fails"
says err 'No space left' "dump onto a full disk gives the reason"

echo "# the reason for an empty recording is reported"
run "$evnt" record -p '*Evntprov-Nobody' -o "$dir/c.etl" -- true
exits 0 "record of an unregistered provider succeeds"
says err 'no process has registered it: did the program run' \
	"record reports that no process registered the provider"
run "$evnt" record -p '*Evntprov-Sample:0x1000:c' -o "$dir/c.etl" \
	-- "$sample"
says err 'nothing was recorded' \
	"record reports that no event with the keyword was recorded"
run "$evnt" record -p '*Evntprov-Nobody' -o "$dir/c.etl" --require-events -- true
exits 3 "record --require-events fails without an event"
run "$evnt" record -p '*Evntprov-Sample' -o "$dir/c.etl" --require-events \
	-- "$sample"
exits 0 "record --require-events succeeds with events"

echo "# a recording ends in time"
run "$evnt" record -p '*A' -o "$dir/c.etl" --duration 1
exits 0 "record --duration ends without a command"
run "$evnt" record -p '*A' -o "$dir/c.etl" --duration 1 -- sleep 1000
exits 0 "record --duration ends a command that goes on for longer"
run "$evnt" record -p '*A' -o "$dir/c.etl" --duration 0 -- true
exits 2 "record for no time is misuse"

echo "# the exit status is the command's"
run "$evnt" record -p '*A' -o "$dir/c.etl" -- bash -c 'exit 7'
exits 7 "record returns the exit status of its command"
run "$evnt" record -p '*A' -o "$dir/c.etl" -- bash -c 'kill -TERM $$'
exits 143 "record returns the signal of its command"
run "$evnt" record -p '*A' -o "$dir/c.etl" -- "$dir/nothing"
exits 127 "record of a missing command fails"
says err 'cannot run' "record reports that it cannot run the command"
run "$evnt" record -p '*A' -o "$dir/c.etl" -- "$dir"
exits 126 "record of a folder as a command fails"
run "$evnt" record -p '*A' -o "$dir/c.etl" -- bash -c 'echo out; echo >&2 err'
is "$(cat "$dir/out")" out "record does not change the command's output"
is "$(sessions)" 0 "a finished record of a command leaves no session"

echo "# recordings that fail"
run "$evnt" record -p Evntprov-Nobody -o "$dir/c.etl" -- true
exits 1 "record of a name without a registered provider fails"
says err "write '\*Evntprov-Nobody'" \
	"record suggests the syntax of an unregistered name"
run "$evnt" record -p '*A' -o "$dir/no/c.etl" -- true
exits 1 "record into a missing folder fails"
run "$evnt" record -p '*A' -o /dev/null -- true
exits 1 "record into a device fails"

echo "# lists during a recording that ends by a signal"
"$evnt" record -p "*Evntprov-Sample:0x3:4" -n "Cli Test" \
	-o "$dir/d.etl" >"$dir/record.out" 2>"$dir/record.err" </dev/null &
recorder=$!
succeeds "the session of a recording runs" eventually session_runs "Cli Test"
eventually has_enabled "Cli Test"
run "$evnt" sessions
exits 0 "sessions succeeds"
says out "Cli Test *$recorder root evnt (bound)" \
	"sessions prints name and owner"
says out "$dir/d.etl" "sessions prints the log file"
run "$evnt" sessions --json
is_json "sessions --json"
is "$(json '[.pid, .uid, .user, .bound, .alive, .command] | @csv')" \
	"$recorder,0,\"root\",true,true,\"evnt\"" \
		"sessions --json contains the owner"
run "$evnt" providers
exits 0 "providers succeeds"
says out "^$id .* Cli Test" \
	"providers prints the session that has enabled a provider"
run "$evnt" providers --json
says out '"registrations":\[\],"sessions":\[{"id":[0-9]*,"name":"Cli Test","level":4,"match_any":"0x3"' \
	"providers --json contains the session that has enabled a provider"
run "$evnt" record -p '*A' -n "CLI TEST" -o "$dir/e.etl" -- true
exits 1 "a second session of a name fails"
says err 'choose another name' "record suggests another name"
run "$evnt" record -p '*A' -o "$dir/d.etl" -- true
exits 1 "a second session into a file fails"
"$sample" --count 1
kill -INT "$recorder"
wait "$recorder"
is $? 0 "SIGINT ends the recording"
cp "$dir/record.out" "$dir/out"
cp "$dir/record.err" "$dir/err"
says err '5 events kept, 0 lost' "an interrupted recording keeps its events"
run "$evnt" dump "$dir/d.etl"
exits 0 "the file of an interrupted recording can be read"
"$evnt" record -p '*A' -n Cli-Killed -o "$dir/f.etl" 2>/dev/null </dev/null &
recorder=$!
eventually session_runs Cli-Killed
kill -KILL "$recorder"
wait "$recorder" 2>/dev/null
is "$(eventually bash -c "[ \$('$evnt' sessions --json | wc -l) = 0 ]"; echo $?)" \
	0 "a killed recorder leaves no session"
run "$evnt" dump "$dir/f.etl"
exits 0 "the file of a killed recorder can be read"

echo "# a registered provider by its name"
"$evnt" record -p '*Evntprov-Sample' -o "$dir/g.etl" 2>/dev/null \
	-- bash -c "echo >'$dir/begun'; exec sleep 600" </dev/null &
recorder=$!
succeeds "the recorded command runs" eventually [ -e "$dir/begun" ]
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
	"providers prints a registration's name and process"
run "$evnt" record -p evntprov-SAMPLE -o "$dir/h.etl" -- \
	bash -c "while kill -0 $waiting 2>/dev/null; do sleep 0.1; done"
exits 0 "record by the name of a registered provider"
says err '12 events kept' "record by a registered name keeps the events"
wait "$waiting"

echo "# a circular file"
run "$evnt" record -p '*Evntprov-Sample' -o "$dir/k.etl" --circular 1 \
	--flush 1 -- "$sample" --count 30000
exits 0 "record into a circular file"
says err '[0-9] events written, [0-9]* lost; .*newest [1-9][0-9]* of [1-9][0-9]* buffers: older' \
	"record reports that older buffers were overwritten"
is "$(stat -c %s "$dir/k.etl")" 1048576 "a circular file has its maximum size"
run "$evnt" dump --json "$dir/k.etl"
exits 0 "dump reads a circular file"

echo "# losses are reported"
run "$evnt" record -p '*Evntprov-Sample' -o "$dir/i.etl" --buffer-size 4 \
	-- "$sample"
exits 0 "a recording with a loss succeeds"
says err '11 events kept, 1 lost' "an event too large for the buffers is lost"
says err 'LOST .* larger --buffer-size' "record suggests larger buffers"
run "$evnt" dump "$dir/i.etl"
is "$(grep -vc '^LOST ' "$dir/out")" 11 "a loss does not affect other events"
says err '1 events and 0 buffers were lost' \
	"dump reports a loss without a request"
mkdir "$dir/small"
if mount -t tmpfs -o size=300k none "$dir/small" 2>"$dir/err"; then
	run "$evnt" record -p '*Evntprov-Sample' -o "$dir/small/j.etl" \
		-- "$sample" --count 30000
	exits 1 "a recording onto a full disk fails"
	says err 'No space left' "record onto a full disk gives the reason"
	says_not err ' 0 lost' "record onto a full disk reports lost events"
	run "$evnt" dump "$dir/small/j.etl"
	exits 0 "the log of a full disk can be read"
	says err 'buffers were lost' "dump reports the losses of a full disk"
	umount "$dir/small"
fi

echo "# access rights"
run "$evnt" access allow --only '*Cli-Access' daemon register,enable
exits 0 "access allow --only succeeds"
run "$evnt" access deny '*Cli-Access' @daemon log
exits 0 "access deny succeeds"
run "$evnt" access list
exits 0 "access list succeeds"
says out '^[0-9a-f-]*  allow  *daemon  *enable,register$' \
	"access list prints an allowed user"
is "$(sed -n '2s/.*deny  *\(.*\)/\1/p' "$dir/out")" "@daemon  log" \
	"access list prints denied groups first"
run "$evnt" access list --json
says out "\"access\":\"allow\",\"who\":\"daemon\",\"uid\":$(id -u daemon),.*\"0x880\"" \
	"access list --json contains an allowed user"
run "$evnt" record -p '*Cli-Access' -o "$dir/l.etl" -- true
exits 1 "record without the right to enable fails"
run "$evnt" access remove '*Cli-Access'
exits 0 "access remove succeeds"
run "$evnt" access list
is "$(wc -l <"$dir/out")" 1 "access remove removes all entries of a provider"
run "$evnt" access allow default nobody frobnicate
exits 2 "access: an unknown right is misuse"
run "$evnt" access allow default no-such-user log
exits 2 "access: an unknown user is misuse"
run "$evnt" access allow somewhere nobody log
exits 2 "access: a name that is no provider is misuse"
run "$evnt" access deny default nobody
exits 2 "access: too few arguments are misuse"

echo "# rights"
if command -v setpriv >/dev/null; then
	run setpriv --reuid 65534 --regid 65534 --clear-groups \
		"$evnt" sessions
	exits 1 "sessions without rights fails"
	says err 'no permission' "sessions reports the missing permission"
fi

finish
