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
is "$((all > 0))" 1 "a command is recorded"
is "$(events one.etl)" "$all" "its file can be read"
is "$(record -o one.etl -- "${sample[@]}" 2>&1 >/dev/null)" \
	"evnt: $all events in 'one.etl'" "it is told what came, in a new file"
is "$("$evnt" dump -p "$provider" one.etl | head -1 | grep -c Evntprov-Sample)" \
	1 "events are decoded by what comes with them"

is "$("$evnt" dump --format xml -p "$provider" one.etl |
	grep -o 'KernelTime\|UserTime\|ProcessorTime' | sort -u)" ProcessorTime \
	"XML has the processor's time of its events"
is "$(record -o stack.etl --stack --json -- "${sample[@]}" 2>/dev/null | tail -1 |
	jq '.files[0].events')" "$all" "with call stacks, images are not counted"
is "$("$evnt" dump --json -p "$provider" stack.etl |
	jq -s 'length > 0 and all(.stack[0].function | startswith("EventWrite"))')" \
	true "which begin with the function that was called"
is "$("$evnt" dump --images stack.etl | grep -c Evntprov-Images)" \
	"$("$evnt" dump --images stack.etl | grep Evntprov-Images | sort -u |
		wc -l)" "images are told once"
record -o two.etl -- sh -c "${sample[*]}; ${sample[*]}" >/dev/null 2>&1
is "$(printf '%s\n' two.etl* | wc -l)" 2 "two processes have two files"
is "$(events two.etl_*)" "$all" "the second has its process id"
is "$(record -o two.etl -- sh -c "${sample[*]}; exit 3" 2>&1 >/dev/null |
	grep -c two.etl)" 1 "files of an earlier recording are not told"

record -o three.etl -- sh -c 'exit 3' 2>/dev/null
is $? 3 "the exit status is the command's"
is "$(record -o three.etl -- true 2>&1 | cut -d: -f2)" \
	" nothing was recorded" "that nothing came is told"
is "$(EVNTPROV_LOG=$dir/four.etl EVNTPROV_PROVIDERS="$provider" "${sample[@]}" \
	>/dev/null; events four.etl)" "$all" "the environment alone does it"
is "$(EVNTPROV_LOG=$dir/five.etl EVNTPROV_PROVIDERS="$provider:0:1" "${sample[@]}" \
	>/dev/null; events five.etl)" 0 "a level leaves out what is above it"
is "$(EVNTPROV_LOG=$dir/group.etl EVNTPROV_PROVIDERS="$provider:0:0:0x20" \
	"${sample[@]}" 2>&1 >/dev/null | grep -c PROVIDERS)" 1 "so is a property"
is "$(EVNTPROV_LOG=$dir/six.etl EVNTPROV_LOG_OPTIONS=buffer-size=8,flush=2 \
	EVNTPROV_PROVIDERS="nonsense+$provider" "${sample[@]}" 2>&1 >/dev/null |
	grep -c PROVIDERS)" 1 "a provider that is none is told"
is "$(events six.etl)" "$all" "and others are recorded"
is "$(EVNTPROV_LOG=$dir/seven.etl EVNTPROV_LOG_OPTIONS=colour=8 \
	"${sample[@]}" 2>&1 >/dev/null | grep -c OPTIONS)" 1 "so is an option"
# Check the message for refused options, and whether a file exists
refused() {
	EVNTPROV_LOG=$dir/refused.etl EVNTPROV_LOG_OPTIONS=$1 \
		EVNTPROV_PROVIDERS="$provider" "${sample[@]}" 2>&1 >/dev/null |
		cut -d: -f3
	[ -e "$dir/refused.etl" ] && echo "a file"
}

is "$(refused circular=0)" " circular needs a size" \
	"refused: a circular file without a limit"
is "$(refused circular=4294967296)" " a number is too large" \
	"refused: a number that does not fit"
is "$(refused max-size=99999999999999999999)" " a number is too large" \
	"refused: one that fits into none"
for options in flush= flush flush=1x; do
	is "$(refused $options)" " not NAME=NUMBER[,...]" "refused: $options"
done
is "$(EVNTPROV_LOG=$dir/eight.etl EVNTPROV_LOG_OPTIONS=circular=1 \
	EVNTPROV_PROVIDERS="$provider" "${sample[@]}" >/dev/null; events eight.etl)" \
	"$all" "with a limit it is taken"
is "$(EVNTPROV_LOG=/nowhere/x.etl "${sample[@]}" 2>&1 >/dev/null |
	grep -c nowhere)" 1 "and a file that cannot be made"

is "$(record -o ended.etl --json -- "${sample[@]}" 2>/dev/null | tail -1 |
	jq '.files[0].ended')" true "a file that was ended is one"
truncate -s 98304 counts
# shellcheck disable=SC2016 # it is the command that expands
killed=(env "LD_PRELOAD=$build/unit/guest_provider.so" "GUEST_COUNTS=$dir/counts"
	sh -c 'kill -KILL $$')
is "$("$evnt" record --in-process -p d4a2f7c1-6f0e-4a31-9b7a-6775657374a1 -o killed.etl \
	--json -- "${killed[@]}" 2>/dev/null | tail -1 | jq '.files[0].ended')" false \
	"that of a process that was killed is not"
is "$("$evnt" record --in-process -p d4a2f7c1-6f0e-4a31-9b7a-6775657374a1 -o killed.etl \
	-- "${killed[@]}" 2>&1 >/dev/null | grep -c 'was not ended: more may be lost')" 1 \
	"and that is told"
mkdir folder
is "$(EVNTPROV_LOG=$dir/folder "${sample[@]}" 2>&1 >/dev/null | grep -c folder)-$(
	printf '%s\n' folder*)" 1-folder "nor is one made beside a folder"
is "$(EVNTPROV_LOG=/dev/null "${sample[@]}" 2>&1 >/dev/null | grep -c null)-$(
	printf '%s\n' /dev/null*)" 1-/dev/null "or beside a device"
is "$( (ulimit -f 0; EVNTPROV_LOG=$dir/large.etl "${sample[@]}" 2>&1 >/dev/null; echo $?) |
	grep -v ^evnt-sample | cut -d: -f3-)" " cannot start a session: the file may not be so large
0" "a file that may not grow ends no program, and that is told"

record -o x.etl >/dev/null 2>&1
is $? 2 "refused: without a command"
record -o x.etl --real-time -- true >/dev/null 2>&1
is $? 2 "refused: in real time"
record -o x.etl --id 1 -- true >/dev/null 2>&1
is $? 2 "refused: with filters"
record -p Some-Name -o x.etl -- true >/dev/null 2>&1
is $? 2 "refused: a provider whose id is not known"
record -p 'group:*G' -o x.etl -- true >/dev/null 2>&1
is $? 2 "refused: a group"
done_testing
