#!/bin/bash
# SPDX-License-Identifier: MIT
# evnt record --in-process: a command is recorded without the module, each
# process of it into a file of its own; and the effect of the environment alone.
set -u
# shellcheck source=selftests/unit/common/tap.bash
. "$(dirname "$0")/../common/tap.bash"

# A process has its session before its providers, so there is no need to wait
sample=("$build/tools/evnt-sample" --wait 0)
provider='*Evntprov-Sample'

[ -x "$evnt" ] || skip_all "$evnt is not built"
[ -e /dev/evntprov ] && skip_all "the module is loaded here"
export LD_LIBRARY_PATH=$build/lib
cd "$dir" || exit 1

record() {
	"$evnt" record --in-process -p "$provider" "$@"
}

# Number of the provider's events in a file
events() {
	"$evnt" dump -p "$provider" --json "$1" | wc -l
}

all=$(record -o one.etl --json -- "${sample[@]}" 2>/dev/null | tail -1 |
	jq '.files[0].events')
is "$((all > 0))" 1 "record --in-process records a command"
is "$(events one.etl)" "$all" "the log of a command can be read"
is "$(record -o one.etl -- "${sample[@]}" 2>&1 >/dev/null)" \
	"evnt: $all events in 'one.etl'" \
		"record prints the number of events of a file that it replaces"
is "$("$evnt" dump -p "$provider" one.etl | head -1 | grep -c Evntprov-Sample)" \
	1 "events are decoded without a manifest"

is "$("$evnt" dump --format xml -p "$provider" one.etl |
	grep -o 'KernelTime\|UserTime\|ProcessorTime' | sort -u)" ProcessorTime \
	"XML has the processor time of events"
is "$(record -o stack.etl --stack --json -- "${sample[@]}" 2>/dev/null | tail -1 |
	jq '.files[0].events')" "$all" \
		"record does not count images of call stacks"
is "$("$evnt" dump --json -p "$provider" stack.etl |
	jq -s 'length > 0 and all(.stack[0].function | startswith("EventWrite"))')" \
	true "call stacks begin with the called function"
is "$("$evnt" dump --images stack.etl | grep -c Evntprov-Images)" \
	"$("$evnt" dump --images stack.etl | grep Evntprov-Images | sort -u |
		wc -l)" "each image is recorded once"
record -o two.etl -- sh -c "${sample[*]}; ${sample[*]}" >/dev/null 2>&1
is "$(printf '%s\n' two.etl* | wc -l)" 2 "two processes have two files"
is "$(events two.etl_*)" "$all" \
	"the file of the second process has its process id"
is "$(record -o two.etl -- sh -c "${sample[*]}; exit 3" 2>&1 >/dev/null |
	grep -c two.etl)" 1 "record does not list files of an earlier recording"

# Names of the processes of the events
names() {
	"$evnt" dump --json -p "$provider" "$@" | jq -r .process | sort -u |
		tr '\n' ' '
}

is "$(names one.etl)" 'evnt-sample ' "each event has the name of its process"
# Its name in $dir differs from the program's
ln "${sample[0]}" other 2>/dev/null || cp "${sample[0]}" other
record -o named.etl -- sh -c "${sample[*]}; exec ./other --wait 0" >/dev/null 2>&1
is "$(names named.etl named.etl_*)" 'evnt-sample other ' \
	"a program that a process executes has its own name"
record -o named.etl --no-process-names -- "${sample[@]}" >/dev/null 2>&1
is "$(names named.etl)" 'null ' "names may be switched off"

record -o three.etl -- sh -c 'exit 3' 2>/dev/null
is $? 3 "record returns the exit status of its command"
is "$(record -o three.etl -- true 2>&1 | cut -d: -f2)" \
	" nothing was recorded" "record reports that nothing was recorded"
# The reason why a recording of the sample ends empty; options, without -p
why_empty() {
	"$evnt" record --in-process "$@" -o three.etl -- "${sample[@]}" 2>&1 |
		sed -n 's/^evnt: nothing was recorded: //p'
}
is "$(why_empty -p '*Evntprov-Sample:0x8000:Critical' | cut -c-64)" \
	"a process has registered the provider, but wrote nothing of the " \
	"record reports that levels and keywords excluded all events"
is "$(why_empty -p '*Evntprov-Simple' | cut -d: -f1)" \
	"no process has registered the provider" \
	"record reports that no process has registered the provider"
is "$(why_empty -p '*Evntprov-Simple' -p '*Evntprov-Sample::1' | cut -d, -f1)" \
	"a process has registered one of the providers" \
	"record reports that a process has registered one of the providers"
is "$(why_empty -p '*Evntprov-Simple' --no-process-names | cut -d, -f1)" \
	"no process has registered the provider" \
	"record without names of processes reports both reasons"
is "$(why_empty -p '*Evntprov-Sample')" "" "record with events reports no reason"
record -o three.etl --require-events -- true 2>/dev/null
is $? 3 "record --require-events fails if nothing was recorded"
record -o three.etl --require-events -- sh -c 'exit 3' 2>/dev/null
is $? 3 "a failed command takes precedence over --require-events"
record -o three.etl --require-events -- "${sample[@]}" 2>/dev/null
is $? 0 "record --require-events succeeds with events"
# Record a command with --duration, and for longer on a machine where it has not
# come to its sleep by then; print the exit status and the number of events
record_for() {
	local want=$1 seconds result

	shift
	for seconds in 1 8 60; do
		record -o three.etl --duration "$seconds" -- "$@" 2>/dev/null
		result="$? $(events three.etl 2>/dev/null)"
		[ "$result" != "$want" ] || break
	done
	echo "$result"
}

is "$(record_for "0 $all" sh -c "${sample[*]}; exec sleep 1000")" "0 $all" \
	"record --duration ends a command that goes on for longer"
is "$(record_for "4 0" bash -c 'trap "kill \$!; exit 4" TERM; sleep 1000 & wait')" \
	"4 0" "a command may handle the signal of --duration"
record -o three.etl --duration 1000 -- "${sample[@]}" 2>/dev/null
is "$? $(events three.etl)" "0 $all" \
	"record --duration does not wait for a command that has ended"
is "$(record -o three.etl --duration 0 -- true 2>&1 | head -1 |
	grep -c duration)" 1 "record refuses a duration of 0"
is "$(EVNTPROV_LOG=$dir/four.etl EVNTPROV_PROVIDERS="$provider" "${sample[@]}" \
	>/dev/null; events four.etl)" "$all" \
		"the environment enables recording without record"
is "$(EVNTPROV_LOG=$dir/five.etl EVNTPROV_PROVIDERS="$provider:0:1" "${sample[@]}" \
	>/dev/null; events five.etl)" 0 \
		"a level excludes events of higher levels"
is "$(EVNTPROV_LOG=$dir/group.etl EVNTPROV_PROVIDERS="$provider:0:0:0x20" \
	"${sample[@]}" 2>&1 >/dev/null | grep -c PROVIDERS)" 1 \
		"an unsupported property of a provider is reported"
is "$(EVNTPROV_LOG=$dir/six.etl EVNTPROV_LOG_OPTIONS=buffer-size=8,flush=2 \
	EVNTPROV_PROVIDERS="nonsense+$provider" "${sample[@]}" 2>&1 >/dev/null |
	grep -c PROVIDERS)" 1 "an invalid provider is reported"
is "$(events six.etl)" "$all" "an invalid provider does not prevent others"
is "$(EVNTPROV_LOG=$dir/seven.etl EVNTPROV_LOG_OPTIONS=colour=8 \
	"${sample[@]}" 2>&1 >/dev/null | grep -c OPTIONS)" 1 \
		"an unknown option is reported"
# Check the message for refused options, and whether a file exists
refused() {
	EVNTPROV_LOG=$dir/refused.etl EVNTPROV_LOG_OPTIONS=$1 \
		EVNTPROV_PROVIDERS="$provider" "${sample[@]}" 2>&1 >/dev/null |
		cut -d: -f3
	[ -e "$dir/refused.etl" ] && echo "a file"
}

is "$(refused circular=0)" " circular needs a size" \
	"circular without a size is refused"
is "$(refused circular=4294967296)" " a number is too large" \
	"a number that is too large is refused"
is "$(refused max-size=99999999999999999999)" " a number is too large" \
	"a number of more than 64 bits is refused"
for options in flush= flush flush=1x; do
	is "$(refused $options)" " not NAME=NUMBER[,...]" \
		"the option $options is refused"
done
options=buffer-size=16,buffers=8,min-buffers=4,clock=2,max-size=3
is "$(EVNTPROV_LOG=$dir/options.etl EVNTPROV_LOG_OPTIONS=$options \
	EVNTPROV_PROVIDERS="$provider" "${sample[@]}" >/dev/null
	"$evnt" dump --header --json options.etl | head -1 |
		jq -c '.fields | [.BufferSize, .MaxFileSize, .LogFileMode, .ReservedFlags]')" \
	'[16384,3,"0x801","0x2"]' "the header of a log has the options"
is "$(EVNTPROV_LOG=$dir/eight.etl EVNTPROV_LOG_OPTIONS=circular=1 \
	EVNTPROV_PROVIDERS="$provider" "${sample[@]}" >/dev/null; events eight.etl)" \
	"$all" "a circular file with a size is accepted"
is "$(EVNTPROV_LOG=/nowhere/x.etl "${sample[@]}" 2>&1 >/dev/null |
	grep -c nowhere)" 1 "a file that cannot be created is reported"

is "$(record -o ended.etl --json -- "${sample[@]}" 2>/dev/null | tail -1 |
	jq '.files[0].ended')" true \
		"the file of a process that has ended is complete"
truncate -s 98304 counts
# shellcheck disable=SC2016 # it is the command that expands
killed=(env "LD_PRELOAD=$build/unit/guest_provider.so" "GUEST_COUNTS=$dir/counts"
	sh -c 'kill -KILL $$')
is "$("$evnt" record --in-process -p d4a2f7c1-6f0e-4a31-9b7a-6775657374a1 -o killed.etl \
	--json -- "${killed[@]}" 2>/dev/null | tail -1 | jq '.files[0].ended')" false \
	"the file of a killed process is incomplete"
is "$("$evnt" record --in-process -p d4a2f7c1-6f0e-4a31-9b7a-6775657374a1 -o killed.etl \
	-- "${killed[@]}" 2>&1 >/dev/null | grep -c 'was not ended: more may be lost')" 1 \
	"an incomplete file is reported"
mkdir folder
is "$(EVNTPROV_LOG=$dir/folder "${sample[@]}" 2>&1 >/dev/null | grep -c folder)-$(
	printf '%s\n' folder*)" 1-folder "no file is created beside a folder"
is "$(EVNTPROV_LOG=/dev/null "${sample[@]}" 2>&1 >/dev/null | grep -c null)-$(
	printf '%s\n' /dev/null*)" 1-/dev/null \
		"no file is created beside a device"
is "$( (ulimit -f 0; EVNTPROV_LOG=$dir/large.etl "${sample[@]}" 2>&1 >/dev/null; echo $?) |
	grep -v ^evnt-sample | cut -d: -f3-)" " cannot start a session: the file may not be so large
0" "the limit of a file's size is reported and kills no program"

# evnt tail: nothing is printed but its events, and no file stays
tail() {
	"$evnt" tail --in-process -p "$provider" "$@"
}

mkdir tmp
export TMPDIR=$dir/tmp
is "$(tail --json -- "${sample[@]}" 2>err | wc -l)-$(cat err)" \
	"$all-evnt: $all events of 1 process printed, 0 lost" \
	"tail --in-process prints the events of a command"
is "$(tail --json -- sh -c "${sample[*]}; ${sample[*]}" 2>/dev/null | wc -l)" \
	$((2 * all)) "tail --in-process prints the events of all processes"
tail -- sh -c "${sample[*]}; exit 3" >/dev/null 2>&1
is $? 3 "tail --in-process exits with the status of its command"
# While the command runs: its end would take a minute
is "$(tail --json --until 3 -- sh -c "${sample[*]}; exec sleep 60" 2>/dev/null |
	jq -s '.[-1].id')" 3 "tail --in-process ends with the event of --until"
is "$(tail --on 3 --run 'echo ran' -- "${sample[@]}" 2>/dev/null | grep -cx ran)" 1 \
	"tail --in-process runs the command of --on"
is "$(tail -- sh -c "${sample[*]}; exec sleep 60" 2>/dev/null | head -n 1 |
	grep -c Evntprov-Sample)" 1 "tail --in-process ends with the reader of its output"
is "$(tail --duration 1 -- sleep 60 2>&1 >/dev/null)-$?" \
	"evnt: nothing was recorded: no process has registered a provider with libevntprov-0" \
	"tail --in-process ends after --duration"
tail -o kept.etl -- "${sample[@]}" >/dev/null 2>&1
is "$(events kept.etl)" "$all" "tail --in-process -o keeps the log"
is "$(ls tmp)" "" "tail --in-process removes its files"
tail >/dev/null 2>&1
is $? 2 "tail --in-process without a command is misuse"
unset TMPDIR

record -o x.etl >/dev/null 2>&1
is $? 2 "record --in-process without a command is misuse"
record -o x.etl --real-time -- true >/dev/null 2>&1
is $? 2 "record --in-process with --real-time is misuse"
record -o x.etl --all-or-none -- true >/dev/null 2>&1
is $? 2 "record --in-process with --all-or-none is misuse"
record -o x.etl --id 1 -- true >/dev/null 2>&1
is $? 2 "record --in-process with filters is misuse"
record -p Some-Name -o x.etl -- true >/dev/null 2>&1
is $? 2 "record --in-process of a provider with an unknown id is misuse"
record -p 'group:*G' -o x.etl -- true >/dev/null 2>&1
is $? 2 "record --in-process of a group is misuse"
done_testing
