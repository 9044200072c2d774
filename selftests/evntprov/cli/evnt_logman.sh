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
	exits 0 "$what"
	says out "$done_text" "$what: says so"
}

# Check that a command fails with a status, Windows' message and ours
refuses() {
	local what=$1 code=$2 text=$3 word=$4

	shift 4
	run "$logman" "$@"
	exits "$code" "$what ends with $code"
	says err '^Error:$' "$what is an error"
	says err "$text" "$what: in Windows' words"
	says err "$word" "$what: says what is wrong"
}

# Print a property of a session from evnt
property() {
	"$evnt" query --json "$1" | jq -r ".$2"
}

incorrect='^The parameter is incorrect\.$'
echo "# arguments"
run "$logman"
says out '^Usage: logman' "without a command: help"
run "$logman" --help
cp "$dir/out" "$dir/first"
for help in '-?' '/?'; do
	run "$logman" query "$help"
	exits 0 "help by $help"
	succeeds "is the same" cmp -s "$dir/out" "$dir/first"
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
is "$(sessions)" 0 "no session runs"

echo "# sessions: -ets"
does "query -ets of none" query -ets
says out '^Data Collector Set                      Type                          Status$' \
	"has logman's heading"
says out '^-\{79\}$' "and rule"
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
says_not err . "is quiet besides"
is "$("$evnt" query --json Quick | jq -r '[.buffer_size, .min_buffers,
	.max_buffers, .flush_ms, .max_file_size, .mode_names, .clock, .file] |
	join(" ")')" "131072 32 64 65000 3 circular system $dir/quick.etl" \
	"each property is as it was asked for"
is "$(property Quick '"providers" | map([.level, .match_any]) | sort | tojson')" \
	'[[0,"0x0"],[2,"0x10"],[3,"0x7"],[4,"0x3"]]' \
	"providers of the file and of -p"
does "query -ets" query -ets
says out '^Quick                                   Trace                         Running$' \
	"lists the session"
does "query NAME -ets" query quick -ets
for line in 'Name: *Quick' 'Status: *Running' "Root Path: *$dir" \
	'Segment Max Size: *3 MB' 'Name: *Quick\\Quick' 'Type: *Trace' \
	"Output Location: *$dir/quick.etl" 'Append: *Off' 'Circular: *On' \
	'Overwrite: *Off' 'Buffer Size: *128' 'Buffers Lost: *0' \
	'Buffers Written: *[0-9]*' 'Events Lost: *0' \
	'Buffer Flush Timer: *65' 'Clock Type: *System' 'File Mode: *File' \
	'Provider Guid: *{12345678-90AB-CDEF-1234-567890ABCDEF}' 'Level: *2' \
	'KeywordsAll: *0x0' 'KeywordsAny: *0x10' 'Properties: *0'; do
	says out "^$line\$" "has '${line%%:*}'"
done
refuses "start of one that runs" 183 'already exists' 'Quick' start Quick \
	-o "$dir/b" -ets
refuses "start into no folder" 3 'cannot find' "$dir/no/b" start b \
	-o "$dir/no/b.etl" -ets
refuses "start with a provider that nobody registered" 144 'Element not' \
	'was not started' start b -p Evntprov-Nobody -o "$dir/b" -ets
refuses "query of none -ets" 2 'Set was not found' "'Nobody'" query Nobody \
	-ets
refuses "stop of none -ets" 2 'Set was not found' "'Nobody'" stop Nobody -ets
refuses "update of none -ets" 2 'Set was not found' "'Nobody'" update Nobody \
	-ft 1 -ets
does "update -ets" update trace Quick -ft 9 -p '*Fourth' 1 --p '*Third' -fd \
	-ets
is "$(property Quick flush_ms)" 9000 "the timer"
is "$(property Quick '"providers" | map(.match_any) | sort | tojson')" \
	'["0x0","0x1","0x10","0x3"]' "the providers"
refuses "update to the file that it has" 87 "$incorrect" Quick update Quick \
	-o "$dir/quick" -ets
"$sample" --count 1 2>/dev/null
does "stop -ets" stop Quick -ets
run "$evnt" dump "$dir/quick.etl"
says out 'Evntprov-Sample' "and the events are there"
cd "$dir" || exit 1
does "create -ets without a file" create trace Plain -y -as -ets
is "$(property Plain file)" "$dir/Plain.etl" "writes one of its name"
does "delete -ets" delete -n Plain -ets
is "$(sessions)" 0 "stops it"
run "$logman" start Live -rt -ets
if [ "$status" = 0 ]; then
	is "$(property Live mode_names)" real-time "-rt"
	"$logman" stop Live -ets >"$dir/out"
else
	exits 50 "-rt is not supported"
fi

echo "# sets"
sets=$XDG_STATE_HOME/evntprov/collectors
does "query of no set" query
refuses "query of none" 2 'Set was not found' "'Nobody'" query Nobody
refuses "start of none" 2 'Set was not found' "'Nobody'" start Nobody
refuses "stop of none" 2 'Set was not found' "'Nobody'" stop Nobody
refuses "delete of none" 2 'Set was not found' "'Nobody'" delete Nobody
refuses "update of none" 2 'Set was not found' "'Nobody'" update Nobody -ft 1
does "create" create trace "My/Set" -p '*Evntprov-Sample' 0x3 5 -o kept -ft 2
is "$(sessions)" 0 "starts nothing"
succeeds "keeps a file" test -s "$sets/my%2fset.json"
cp "$sets/my%2fset.json" "$dir/out"
is_json "which is JSON"
is "$(json .file)" "$dir/kept.etl" "with the whole name of its log"
refuses "create of one that exists" 183 'already exists' 'My/SET' \
	create trace "My/SET"
does "query" query
says out '^My/Set  *Trace  *Stopped$' "shows that it does not run"
does "query NAME" query my/set
says out '^Status: *Stopped$' "neither here"
says out '^KeywordsAny: *0x3$' "and what it is to record"
refuses "stop of one that does not run" 4 'not running' 'My/Set' stop My/Set
does "update" update My/Set -ft 3 --p '*Evntprov-Sample' -p '*Other'
does "query of what is updated" query My/Set
says out '^Buffer Flush Timer: *3$' "the timer"
says_not out 'Evntprov-Sample' "without the provider"
says out '^Name: *Other$' "but with another"
does "update back" update trace My/Set --p '*Other' -p '*Evntprov-Sample'
does "start" start My/Set
is "$(property My/Set flush_ms)" 3000 "with what is kept"
does "query while it runs" query
says out '^My/Set  *Trace  *Running$' "shows that it runs"
refuses "start of one that runs" 170 'already in use' 'runs already' \
	start My/Set
refuses "delete of one that runs" 170 'already in use' 'stop' delete My/Set
"$sample" --count 1 2>/dev/null
does "stop" stop My/Set
run "$evnt" dump "$dir/kept.etl"
says out 'Evntprov-Sample' "and the events are there"
refuses "start over a file" 183 'file already exists' 'kept.etl' start My/Set
does "update -ow" update My/Set -ow
does "start that may overwrite" start My/Set
does "stop again" stop My/Set
does "create with another name of the session" create trace Named -ln Logger \
	-o "$dir/named"
does "start by the set's name" start Named
is "$(property Logger file)" "$dir/named.etl" "the session has its own"
does "query of the set" query Named
says out '^Status: *Running$' "runs"
does "stop by the set's name" stop Named
does "delete" delete Named
does "delete of another" delete My/Set
is "$(find "$sets" -type f | wc -l)" 0 "no file is left"
echo '{"name":' >"$sets/bad.json"
refuses "start of a set whose file is damaged" 13 'failed' 'damaged' start bad
does "query skips it" query
does "delete takes it away" delete bad

echo "# losses are told unasked"
does "start with small buffers" start Lossy -p '*Evntprov-Sample' -bs 4 \
	-o "$dir/lossy" -ets
"$sample" --count 1 2>/dev/null
does "query of it" query Lossy -ets
says out '^Events Lost: *1 (1 too large)$' "in its place"
says err 'LOST 1 events' "and on stderr"
does "query of all" query -ets
says err 'LOST 1 events' "likewise"
does "stop of it" stop Lossy -ets
says err 'LOST 1 events' "likewise"

echo "# providers"
"$sample" --count 1 2>/dev/null &
waiting=$!
registered() {
	"$evnt" providers --json | grep -q "\"pid\":$1[,}]"
}
succeeds "the sample registers" eventually registered "$waiting"
does "query providers" query providers
says out '^Evntprov-Sample                          {0066E892-7B59-51C3-8DB7-9BCE83D5648F}$' \
	"name and GUID"
does "query providers NAME" query providers evntprov-sample
says out "^0x$(printf %08x "$waiting")          .*evnt-sample\$" \
	"who has registered it"
refuses "query providers of none" 144 'Element not' Nobody query providers \
	Nobody
refuses "query providers of a GUID that is none's" 144 'Element not' \
	'no process' query providers '{12345678-90ab-cdef-1234-567890abcdef}'
kill "$waiting"
wait "$waiting" 2>/dev/null
is "$(sessions)" 0 "no session is left"

echo "# rights"
if command -v setpriv >/dev/null; then
	chmod 755 "$dir"
	run setpriv --reuid 65534 --regid 65534 --clear-groups "$logman" \
		start a -o /tmp/a -ets
	exits 1 "start without rights"
	says err 'no permission' "says what is missing"
else
	ok "rights # SKIP there is no setpriv(1)"
fi
finish
