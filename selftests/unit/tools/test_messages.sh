#!/bin/bash
# SPDX-License-Identifier: MIT
# evnt's messages for each obstacle: the error, and what to do about it.  There
# is no module here; a preloaded library simulates one of another version.
set -u

# shellcheck source=selftests/unit/common/tap.bash
. "$(dirname "$0")/../common/tap.bash"
# shellcheck disable=SC2154 # set by tap.bash
shim=$build/unit/skew_shim.so

run() {
	"$@" >"$dir/out" 2>"$dir/err" </dev/null
	status=$?
}

# Check that it exits with $2, and prints $3 on stderr, in one line
says() {
	local what=$1 want=$2 words=$3

	shift 3
	run "$@"
	check "$what: ends with $want" [ "$status" = "$want" ]
	check "$what: says what is wrong, and what to do" \
		grep -qE -- "$words" "$dir/err"
	check "$what: says it once" [ "$(grep -c '^evnt: ' "$dir/err")" = 1 ]
}

[ -x "$evnt" ] || skip_all "$evnt is not built"

if [ ! -e /dev/evntrace ]; then
	for command in "sessions" "providers" "query A" "stop A" "flush A" \
		       "start A -o $dir/a.etl" "update A --flush 1" \
		       "snapshot A -o $dir/a.etl" "enable A *B" "disable A *B" \
		       "capture-state A *B" "clean" "access list" "top" \
		       "tail -p *A" "tail A" "record -p *A -o $dir/a.etl"; do
		# shellcheck disable=SC2086 # a verb and its arguments
		says "without the module: ${command%% *}" 1 \
			"module is not loaded .* 'modprobe evntprov' .*evnt doctor" \
			"$evnt" $command
		check "${command%% *} makes no file" [ ! -e "$dir/a.etl" ]
	done
fi

says "no such verb" 2 "there is no verb 'recrod'; 'evnt help' lists" \
	"$evnt" recrod
says "a log that is not there" 1 "none.etl': No such file" \
	"$evnt" dump "$dir/none.etl"
: >"$dir/empty.etl"
says "a log that is empty" 1 "'.*empty.etl' is empty: no session has written" \
	"$evnt" dump "$dir/empty.etl"
says "what is no log" 1 "is no event trace log, or its beginning is damaged" \
	"$evnt" dump "$evnt"
says "a folder" 1 "is no regular file" "$evnt" dump "$dir"
says "a provider that is none" 2 "'.1.' is no GUID: one looks like" \
	"$evnt" record -p '{1}' -o "$dir/a.etl"
says "keywords that are none" 2 "write 0x and hexadecimal digits" \
	"$evnt" record -p '*A:ff' -o "$dir/a.etl"
says "a level that is none" 2 "neither 0 to 255 nor Critical" \
	"$evnt" record -p '*A::Loud' -o "$dir/a.etl"
says "a group that is none" 2 "'Samples' is no group: write group:" \
	"$evnt" record -p group:Samples -o "$dir/a.etl"
says "what access does not do" 2 "takes list, allow, deny or remove, not 'ask'" \
	"$evnt" access ask
says "a right that is none" 2 "'read' is no right: these are query,.*, and all" \
	"$evnt" access allow default root log,read
says "memory and a file" 2 "--buffering keeps events in memory.*'evnt snapshot'" \
	"$evnt" start A --buffering -o "$dir/a.etl"
says "a file of less than two buffers" 2 "of 1 MB has no room for two buffers" \
	"$evnt" start A -o "$dir/a.etl" --circular 1 --buffer-size 1024
says "what autologger does not do" 2 "takes list, check or start, not 'stop'" \
	"$evnt" autologger stop
for command in record start update enable sessions query tail dump export merge \
	       activities stat snapshot clean top doctor access autologger; do
	run "$evnt" "$command" --frobnicate
	check "$command: an option that there is not: where help is" \
		grep -qx "Try 'evnt $command --help'." "$dir/err"
	check "$command: and which" grep -q -- "'--frobnicate'" "$dir/err"
done
says "no provider" 2 "which provider\? write -p SPEC" "$evnt" record \
	-o "$dir/a.etl"

if [ ! -e /dev/evntrace ] && [ -e "$shim" ]; then
	export LD_PRELOAD=$shim
	export SKEW=2
	says "a newer interface" 1 "version 2 .* this program version 1: upgrade this" \
		"$evnt" sessions
	SKEW=0
	says "an older interface" 1 "version 0 .* version 1: upgrade the module" \
		"$evnt" sessions
	SKEW=newer
	run "$evnt" providers
	check "features that are unknown here: it goes on" [ "$status" = 0 ]
	run "$evnt" doctor
	check "and the doctor tells them" \
		grep -q "^ok .*features 0x8000000000000001" "$dir/out"
	SKEW=older
	run "$evnt" sessions
	check "an older module: what it knows goes on" [ "$status" = 0 ]
	run "$evnt" top --once --interval 0.1
	check "rates without CPUs" [ "$status" = 0 ]
	says "an older module: what it does not know" 1 \
		"cannot list the providers: .*install both from one release" \
		"$evnt" providers
	run "$evnt" doctor
	check "the doctor says what it cannot do" grep -qE \
		"^PROBLEM  *versions .* older than this program, .*: count by CPU" \
		"$dir/out"
	check "and what to upgrade" grep -q -- "-> upgrade the module" "$dir/out"
	check "which is a problem" [ "$status" = 1 ]
	unset LD_PRELOAD
fi

done_testing
