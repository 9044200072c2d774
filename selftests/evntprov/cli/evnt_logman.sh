#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# logman: commands of scripts, their output and exit status.  Needs
# root and the module loaded.
set -u

here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=selftests/evntprov/cli/cli.bash
. "$here/cli.bash"
logman=$build/tools/logman
export XDG_STATE_HOME=$dir/state
done_text='^The command completed successfully\.$'

# Check that commands succeed and report that
does() {
	local what=$1

	shift
	run "$logman" "$@"
	exits 0 "$what succeeds"
	says out "$done_text" "$what: completion is reported"
}

# Check that a command fails with a status, Windows' message and ours
refuses() {
	local what=$1 code=$2 text=$3 word=$4

	shift 4
	run "$logman" "$@"
	exits "$code" "$what ends with $code"
	says err '^Error:$' "$what prints an error"
	says err "$text" "$what prints the message of Windows"
	says err "$word" "$what: the message names the error"
}

# Print a property of a session from evnt
property() {
	"$evnt" query --json "$1" | jq -r ".$2"
}

incorrect='^The parameter is incorrect\.$'
echo "# arguments"
run "$logman"
says out '^Usage: logman' "logman without a command prints help"
run "$logman" --help
cp "$dir/out" "$dir/first"
for help in '-?' '/?'; do
	run "$logman" query "$help"
	exits 0 "help by $help succeeds"
	succeeds "help by $help is the same as --help" \
		cmp -s "$dir/out" "$dir/first"
done
refuses "an unknown command" 87 "$incorrect" "'frob'" frob
refuses "an unknown option" 87 "$incorrect" "'-frob'" start a -frob -ets
refuses "no name" 87 "$incorrect" 'which name' start -ets
refuses "two names" 87 "$incorrect" "'b'" start a b -ets
refuses "another collector" 50 'not supported' "'counter'" create counter a
refuses "-bs 3" 87 "$incorrect" "-bs: .*4 to 16384" start a -bs 3 -ets
refuses "-nb 5" 87 "$incorrect" "-nb: two numbers" start a -nb 5 -ets
refuses "-nb 9 5" 87 "$incorrect" "-nb: .* less" start a -nb 9 5 -ets
refuses "-ft 1:2:3:4" 87 "$incorrect" '-ft: ' start a -ft 1:2:3:4 -ets
refuses "-max 0" 87 "$incorrect" '-max: ' start a -max 0 -ets
refuses "-f csv" 87 "$incorrect" 'bin or bincirc' start a -f csv -ets
refuses "-f bincirc without -max" 87 "$incorrect" '-max MB' start a \
	-f bincirc -ets
refuses "-cnf with -f bincirc" 87 "$incorrect" 'exclude each other' start a \
	-f bincirc -max 1 -cnf -ets
refuses "-cnf without %d" 87 "$incorrect" '%d' start a -o "$dir/a" -max 1 \
	-cnf -ets
refuses "-cnf with a time" 50 'not supported' '-cnf' start a -cnf 10 -ets
refuses "-mode frob" 87 "$incorrect" "'frob'" start a -mode frob -ets
refuses "-ct sun" 87 "$incorrect" "'sun'" start a -ct sun -ets
refuses "-p without a provider" 87 "$incorrect" '-p: ' start a -p
refuses "-p with names of keywords" 87 "$incorrect" 'keywords' start a \
	-p '*A' '(one,two)' -ets
refuses "-p with a wrong level" 87 "$incorrect" 'level' start a -p '*A' 1 300 \
	-ets
refuses "-pf of no file" 2 'cannot find the file' 'No such file' start a \
	-pf "$dir/none" -ets
refuses "-o without a file" 87 "$incorrect" '-o: ' start a -o
for option in -s -rf -b -e -m -u -rc -v; do
	refuses "$option" 50 'not supported' "$option: schedules" start a \
		"$option" x -ets
done
is "$(sessions)" 0 "failed commands start no session"

echo "# sessions: -ets"
does "query -ets without sessions" query -ets
says out '^Data Collector Set                      Type                          Status$' \
	"query -ets prints logman's heading"
says out '^-\{79\}$' "query -ets prints a line below the heading"
cat >"$dir/list" <<'END'
# a comment
{0066e892-7b59-51c3-8db7-9bce83d5648f} 0x3 0x4
"*Second Provider" 0x10 win:Error

; another
12345678-90ab-cdef-1234-567890abcdef
END
does "start with everything" START Quick -pf "$dir/list" -p '*Third' 7 3 \
	-o "$dir/quick" -f bincirc -max 3 -bs 128 -nb 32 64 -ft 1:05 \
	-ct system -ETS
says_not err . "start prints no error"
is "$("$evnt" query --json Quick | jq -r '[.buffer_size, .min_buffers,
	.max_buffers, .flush_ms, .max_file_size, .mode_names, .clock, .file] |
	join(" ")')" "131072 32 64 65000 3 circular system $dir/quick.etl" \
	"start sets each given property"
is "$(property Quick '"providers" | map([.level, .match_any]) | sort | tojson')" \
	'[[0,"0x0"],[2,"0x10"],[3,"0x7"],[4,"0x3"]]' \
	"start enables the providers of the file and of -p"
does "query -ets" query -ets
says out '^Quick                                   Trace                         Running$' \
	"query -ets lists the session"
does "query NAME -ets" query quick -ets
for line in 'Name: *Quick' 'Status: *Running' "Root Path: *$dir" \
	'Segment Max Size: *3 MB' 'Name: *Quick\\Quick' 'Type: *Trace' \
	"Output Location: *$dir/quick.etl" 'Append: *Off' 'Circular: *On' \
	'Overwrite: *Off' 'Buffer Size: *128' 'Buffers Lost: *0' \
	'Buffers Written: *[0-9]*' 'Events Lost: *0' \
	'Buffer Flush Timer: *65' 'Clock Type: *System' 'File Mode: *File' \
	'Provider Guid: *{12345678-90AB-CDEF-1234-567890ABCDEF}' 'Level: *2' \
	'KeywordsAll: *0x0' 'KeywordsAny: *0x10' 'Properties: *0'; do
	says out "^$line\$" "query NAME -ets prints '${line%%:*}'"
done
refuses "start of a running session" 183 'already exists' 'Quick' start Quick \
	-o "$dir/b" -ets
refuses "start into a missing folder" 3 'cannot find' "$dir/no/b" start b \
	-o "$dir/no/b.etl" -ets
refuses "start with an unregistered provider" 144 'Element not' \
	'was not started' start b -p Evntprov-Nobody -o "$dir/b" -ets
refuses "query -ets of an unknown session" \
	2 'Set was not found' "'Nobody'" query Nobody \
	-ets
refuses "stop -ets of an unknown session" \
	2 'Set was not found' "'Nobody'" stop Nobody -ets
refuses "update -ets of an unknown session" \
	2 'Set was not found' "'Nobody'" update Nobody \
	-ft 1 -ets
does "update -ets" update trace Quick -ft 9 -p '*Fourth' 1 --p '*Third' -fd \
	-ets
is "$(property Quick flush_ms)" 9000 "update -ets changes the timer"
is "$(property Quick '"providers" | map(.match_any) | sort | tojson')" \
	'["0x0","0x1","0x10","0x3"]' "update -ets changes the providers"
refuses "update to the present file" 87 "$incorrect" Quick update Quick \
	-o "$dir/quick" -ets
"$sample" --count 1 2>/dev/null
does "stop -ets" stop Quick -ets
run "$evnt" dump "$dir/quick.etl"
says out 'Evntprov-Sample' "the log contains events"
for verb in start query update stop; do
	options=
	[ $verb = start ] && options="-o $dir/kind"
	# shellcheck disable=SC2086 # words
	does "$verb trace NAME -ets" $verb Trace Kind $options -ets
done
does "start -ets of a session with the name of the kind" start trace \
	-o "$dir/kind" -ets
does "stop -ets of a session with the name of the kind" stop trace -ets
cd "$dir" || exit 1
does "create -ets without a file" create trace Plain -y -as -ets
is "$(property Plain file)" "$dir/Plain.etl" \
	"create -ets without -o writes a file with the session's name"
does "delete -ets" delete -n Plain -ets
is "$(sessions)" 0 "delete -ets stops the session"
run "$logman" start Live -rt -ets
if [ "$status" = 0 ]; then
	is "$(property Live mode_names)" real-time \
		"-rt starts a session in real-time mode"
	"$logman" stop Live -ets >"$dir/out"
else
	exits 50 "-rt is not supported"
fi

echo "# sets"
sets=$XDG_STATE_HOME/evntprov/collectors
does "query without sets" query
refuses "query of an unknown set" 2 'Set was not found' "'Nobody'" query Nobody
refuses "start of an unknown set" 2 'Set was not found' "'Nobody'" start Nobody
refuses "stop of an unknown set" 2 'Set was not found' "'Nobody'" stop Nobody
refuses "delete of an unknown set" \
	2 'Set was not found' "'Nobody'" delete Nobody
refuses "update of an unknown set" \
	2 'Set was not found' "'Nobody'" update Nobody -ft 1
does "create" create trace "My/Set" -p '*Evntprov-Sample' 0x3 5 -o kept -ft 2
is "$(sessions)" 0 "create starts no session"
succeeds "create writes a file" test -s "$sets/my%2fset.json"
cp "$sets/my%2fset.json" "$dir/out"
is_json "create writes JSON"
is "$(json .file)" "$dir/kept.etl" "create stores the absolute path of the log"
refuses "create of an existing set" 183 'already exists' 'My/SET' \
	create trace "My/SET"
does "query" query
says out '^My/Set  *Trace  *Stopped$' "query shows that a set is stopped"
does "query NAME" query my/set
says out '^Status: *Stopped$' "query NAME shows that a set is stopped"
says out '^KeywordsAny: *0x3$' "query NAME shows the keywords of a provider"
refuses "stop of a stopped set" 4 'not running' 'My/Set' stop My/Set
does "update" update My/Set -ft 3 --p '*Evntprov-Sample' -p '*Other'
does "query of an updated set" query My/Set
says out '^Buffer Flush Timer: *3$' "update changes the timer of a set"
says_not out 'Evntprov-Sample' "update --p removes a provider of a set"
says out '^Name: *Other$' "update -p adds a provider to a set"
does "update of the providers of a set" \
	update trace My/Set --p '*Other' -p '*Evntprov-Sample'
does "start" start My/Set
is "$(property My/Set flush_ms)" 3000 "start uses the properties of the set"
does "query of a running set" query
says out '^My/Set  *Trace  *Running$' "query shows that a set is running"
refuses "start of a running set" 170 'already in use' 'runs already' \
	start My/Set
refuses "delete of a running set" 170 'already in use' 'stop' delete My/Set
"$sample" --count 1 2>/dev/null
does "stop" stop My/Set
run "$evnt" dump "$dir/kept.etl"
says out 'Evntprov-Sample' "the log of a set contains events"
refuses "start over an existing file" \
	183 'file already exists' 'kept.etl' start My/Set
does "update -ow" update My/Set -ow
does "start after update -ow" start My/Set
does "stop of an overwritten log" stop My/Set
does "create with -ln" create trace Named -ln Logger \
	-o "$dir/named"
does "start by the set's name" start Named
is "$(property Logger file)" "$dir/named.etl" \
	"the session of a set has the name of -ln"
does "query of a set with -ln" query Named
says out '^Status: *Running$' "query shows that a set with -ln is running"
does "stop by the set's name" stop Named
does "delete" delete Named
does "delete of another set" delete My/Set
is "$(find "$sets" -type f | wc -l)" 0 "delete removes the set's file"
echo '{"name":' >"$sets/bad.json"
refuses "start of a damaged set" 13 'failed' 'damaged' start bad
does "query with a damaged set" query
does "delete of a damaged set" delete bad

echo "# losses are reported without a request"
does "start with small buffers" start Lossy -p '*Evntprov-Sample' -bs 4 \
	-o "$dir/lossy" -ets
"$sample" --count 1 2>/dev/null
does "query NAME with a loss" query Lossy -ets
says out '^Events Lost: *1 (1 too large)$' \
	"query NAME prints the number of lost events"
says err 'LOST 1 events' "query NAME reports a loss on stderr"
does "query of all sessions with a loss" query -ets
says err 'LOST 1 events' "query of all sessions reports a loss on stderr"
does "stop with a loss" stop Lossy -ets
says err 'LOST 1 events' "stop reports a loss on stderr"

echo "# providers"
"$sample" --count 1 --wait 600 2>/dev/null &
waiting=$!
registered() {
	"$evnt" providers --json | grep -q "\"pid\":$1[,}]"
}
succeeds "the sample registers" eventually registered "$waiting"
does "query providers" query providers
says out '^Evntprov-Sample                          {0066E892-7B59-51C3-8DB7-9BCE83D5648F}$' \
	"query providers prints name and GUID"
does "query providers NAME" query providers evntprov-sample
says out "^0x$(printf %08x "$waiting")          .*evnt-sample\$" \
	"query providers NAME prints the registered process"
refuses "query providers of an unknown name" \
	144 'Element not' Nobody query providers \
	Nobody
refuses "query providers of an unregistered GUID" 144 'Element not' \
	'no process' query providers '{12345678-90ab-cdef-1234-567890abcdef}'
kill "$waiting"
wait "$waiting" 2>/dev/null
is "$(sessions)" 0 "no session is left"

echo "# rights"
if command -v setpriv >/dev/null; then
	chmod 755 "$dir"
	run setpriv --reuid 65534 --regid 65534 --clear-groups "$logman" \
		start a -o /tmp/a -ets
	exits 1 "start without rights fails"
	says err 'no permission' \
		"start without rights reports the missing permission"
else
	ok "rights # SKIP there is no setpriv(1)"
fi
finish
