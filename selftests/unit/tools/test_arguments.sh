#!/bin/bash
# SPDX-License-Identifier: MIT
# The tools refuse arguments that do not go together: with one message, which
# names the mistake, and without an effect.  Values that no verb accepts, and
# obstacles, are in test_messages.sh.
set -u
# shellcheck source=selftests/unit/common/tap.bash
. "$(dirname "$0")/../common/tap.bash"
[ -x "$evnt" ] || skip_all "$evnt is not built"
mkdir "$dir/here" && cd "$dir/here" || exit 1

# Check a command's status, its only message, and that it has made no file
refuses() {
	local status=$1 message=$2

	shift 2
	"$build/tools/$1" "${@:2}" > "$dir/out" 2> "$dir/err" < /dev/null
	is "$? $(grep -cE "^($1: |Error:$)" "$dir/err") $(grep -cE -- "$message" "$dir/err") $(
		cat "$dir/out"; ls)" "$status 1 1 " "$1 ${*:2}: $message"
}

# The command, words separated by spaces, and a part of its message
while IFS='|' read -r command message; do
	read -ra words <<< "$command"
	refuses 2 "$message" "${words[@]}"
done << 'END'
evnt dump|which file\? write its name
evnt merge -o a.etl|which file\? write its name
evnt export --perfetto a.etl|which output file\? write -o FILE
evnt export --perfetto -o a.pftrace|which file\? write its name
evnt report -o a.html|which file\? write its name
evnt dump --keyword x a.etl|--keyword 'x' is no mask: 0x\.\.\. or a decimal number
evnt dump --id 1 --not-id 2 a.etl|write --id or --not-id, not both
evnt dump --event a --not-event b a.etl|write one of --event and --not-event, once
evnt dump --event a --event b a.etl|write one of --event and --not-event, once
evnt activities --min-duration x a.etl|'x' is no time: write 10ms, 1\.5s, 200us, 2min
evnt activities --sort size a.etl|--sort is 'start' or 'duration', not 'size'
evnt start|which name should the session have\?
evnt start a b|one name is enough, but 'b' follows
evnt start a --max-size 1|into which file\? write -o FILE
evnt start a --append --circular 8 -o a.etl|--append excludes --circular, --new-file and --real-time
evnt start a --append --new-file 8 -o a%d.etl|--append excludes --circular, --new-file and --real-time
evnt update|which session\? write its name
evnt update a b|one session at a time, but 'b' follows
evnt update a|which property\? write --flush or another option
evnt update a --real-time maybe|--real-time is on or off, not 'maybe'
evnt snapshot|which session\? write its name
evnt snapshot a b|one session at a time, but 'b' follows
evnt query|which session\? write its name
evnt stop|which session\? write its name
evnt flush|which session\? write its name
evnt enable|for which session\? write its name
evnt enable a|which provider\? write it behind the session's name
evnt enable a *A --pid 1,x|--pid '1,x' is not 1 to 8 numbers of processes, joined by commas
evnt enable a *A --pid 1,2,3,4,5,6,7,8,9|--pid '1,2,3,4,5,6,7,8,9' is not 1 to 8 numbers
evnt enable a *A --id 1 --not-id 2|write --id or --not-id, not both
evnt enable a *A --event a --not-event b|write one of --event and --not-event, once
evnt enable a *A --exe a --exe b|write it once: several names are joined by ';', as 'a;b'
evnt enable a *A --where Size|in --where, column 5: a relation is missing here
evnt record --in-process --real-time -p *A -o a.etl -- true|of the modes, --circular alone goes with --in-process
evnt record --in-process -p *A --exe a -o a.etl -- true|the only filter for --in-process is --stack
evnt record --in-process -p A -o a.etl -- true|which provider is 'A'\? write \*NAME or GUID
evnt tail|which events\? write a SESSION, or -p SPEC
evnt access allow|allow takes ID, WHO, RIGHTS
evnt access allow a everyone all|'a' is no GUID, \*NAME or default
evnt access list --only|--only goes with allow
evnt access allow --json *A everyone all|--json goes with list
evnt doctor a b c|doctor takes one provider, and one session, not 'c'
evntmc|which manifest\? write its name
evntmc a.man b.man|one manifest at a time, not also 'b\.man'
evntmc a.man -z|'-z' needs a value
END

# logman has the status and the texts of Windows'
export XDG_STATE_HOME=$dir/here
while IFS='|' read -r status command message; do
	read -ra words <<< "$command"
	refuses "$status" "$message" logman "${words[@]}"
done << 'END'
87|frobnicate|there is no command 'frobnicate': 'logman -\?' lists them
87|start|which name\? write it behind the command
87|start a b|unexpected argument 'b': only one name is needed
87|create trace a -x|there is no option '-x': 'logman -\?' lists them
87|create trace a -p|-p: a provider is needed
87|create trace a -p *A x|-p: keywords are a number, not 'x'
87|create trace a -max 0 -o a.etl|-max: a size of 1 to 1000000 MB is needed, not '0'
87|create trace a -f bincirc -o a.etl|how large should the file be\? write -max MB
87|create trace a -f text|-f: the format is bin or bincirc, not 'text'
87|create trace a -ct sun|-ct: the clock is perf, system or cycle, not 'sun'
87|create trace a -mode x|-mode: modes are names joined by commas, or a number, not 'x'
87|create trace a -bs 3|-bs: a size of 4 to 16384 KB is needed, not '3'
87|create trace a -nb 1|-nb: two numbers from 1 to 65536 are needed
50|create trace a -rf 1|-rf: schedules, other computers and users, and versions of files are not supported
50|create trace a -cnf 1|-cnf: a new file begins at a size, not at a time
50|create counter a|create 'counter': 'trace' is the only kind of collector here
END

# Values that Windows' scripts write for nothing
export XDG_STATE_HOME=$dir/state
accepts() {
	check "logman $*" "$build/tools/logman" "$@"
}
accepts create trace empty -p "*A" "" "" -o empty.etl
accepts create trace level -p "*A" "" 4 -o level.etl
accepts create trace size -p "*A" -cnf 0 -max 10 -o 'size%d.etl'
accepts create trace reset -p "*A" --v --rc --r --u --cnf -o reset.etl
accepts create trace all -p "*A" 0xffffffffffffffff 0xff -nb 16 16 -bs 1024 \
	-mode Circular -f bincirc -max 4096 -ow -o all.etl
is "$(jq -c '.providers[] | [.level, .keywords]' \
	"$dir/state/evntprov/collectors/level.json")" '[4,"0x0"]' \
	"logman: an empty text stands for all keywords"

# Obstacles to the output, which are found at the end
"$evnt" help > /dev/full 2> "$dir/err"
is "$? $(cat "$dir/err")" \
	"1 evnt: cannot write the output: No space left on device" \
	"help for a full device reports it"
"$build/unit/log_maker" "$dir/a.etl" <<< "event id=1 name=A"
refuses 1 "cannot create 'none/a\.pftrace': No such file" \
	evnt export --perfetto -o none/a.pftrace "$dir/a.etl"
refuses 1 "cannot create 'none/b\.etl': No such file" \
	evnt merge -o none/b.etl "$dir/a.etl"
refuses 1 "cannot read the manifest '/'" evnt dump --manifest / "$dir/a.etl"
done_testing
