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
	check "$what: the exit status is $want" [ "$status" = "$want" ]
	check "$what: the message has the reason and the remedy" \
		grep -qE -- "$words" "$dir/err"
	check "$what: there is one message" \
		[ "$(grep -c '^evnt: ' "$dir/err")" = 1 ]
}

[ -x "$evnt" ] || skip_all "$evnt is not built"

if [ ! -e /dev/evntrace ]; then
	for command in "sessions" "providers" "query A" "stop A" "flush A" \
		       "start A -o $dir/a.etl" "update A --flush 1" \
		       "snapshot A -o $dir/a.etl" "enable A *B" "disable A *B" \
		       "capture-state A *B" "clean" "access list" "top" \
		       "tail -p *A" "tail A" "record -p *A -o $dir/a.etl"; do
		# shellcheck disable=SC2086 # a verb and its arguments
		says "${command%% *} without the module" 1 \
			"module is not loaded .* 'modprobe evntprov' .*evnt doctor.*record --in-process" \
			"$evnt" $command
		check "${command%% *} without the module creates no file" \
			[ ! -e "$dir/a.etl" ]
	done
fi

says "an unknown verb" 2 "there is no verb 'xyzzy'; 'evnt help' lists" \
	"$evnt" xyzzy
says "a mistyped verb" 2 "there is no verb 'recrod': did you mean 'record'" \
	"$evnt" recrod
run "$evnt"
is "$(awk 'length > 80 || NR > 23' "$dir/err")" "" \
	"the overview fits into 24 lines of 80 columns"
says "a missing log" 1 "none.etl': No such file" \
	"$evnt" dump "$dir/none.etl"
: >"$dir/empty.etl"
says "an empty log" 1 "'.*empty.etl' is empty: no session has written" \
	"$evnt" dump "$dir/empty.etl"
says "a file that is no log" \
	1 "is no event trace log, or its beginning is damaged" \
	"$evnt" dump "$evnt"
says "a folder as a log" 1 "is no regular file" "$evnt" dump "$dir"
says "a provider that is no GUID" 2 "'.1.' is no GUID: one looks like" \
	"$evnt" record -p '{1}' -o "$dir/a.etl"
says "invalid keywords" 2 "write 0x and hexadecimal digits" \
	"$evnt" record -p '*A:ff' -o "$dir/a.etl"
says "an invalid level" 2 "neither 0 to 255 nor Critical" \
	"$evnt" record -p '*A::Loud' -o "$dir/a.etl"
says "an invalid group" 2 "'Samples' is no group: write group:" \
	"$evnt" record -p group:Samples -o "$dir/a.etl"
says "an unknown command of access" \
	2 "takes list, allow, deny or remove, not 'ask'" \
	"$evnt" access ask
says "an unknown right" 2 "'read' is no right: these are query,.*, and all" \
	"$evnt" access allow default root log,read
says "--buffering with a file" \
	2 "--buffering keeps events in memory.*'evnt snapshot'" \
	"$evnt" start A --buffering -o "$dir/a.etl"
says "--all-or-none with its opposite" \
	2 "--all-or-none excludes the mode independent" \
	"$evnt" start A -o "$dir/a.etl" --all-or-none --mode independent
says "a maximum size of less than two buffers" \
	2 "of 1 MB has no room for two buffers" \
	"$evnt" start A -o "$dir/a.etl" --circular 1 --buffer-size 1024
says "an unknown command of autologger" \
	2 "takes list, check or start, not 'stop'" \
	"$evnt" autologger stop
for command in record start update enable sessions query tail dump export merge \
	       activities stat snapshot clean top doctor access autologger; do
	run "$evnt" "$command" --frobnicate
	check "$command with an unknown option refers to its help" \
		grep -qx "Try 'evnt $command --help'." "$dir/err"
	check "$command with an unknown option names the option" \
		grep -q -- "'--frobnicate'" "$dir/err"
done
says "record without a provider" \
	2 "which provider\? write -p SPEC" "$evnt" record \
	-o "$dir/a.etl"

if [ ! -e /dev/evntrace ] && [ -e "$shim" ]; then
	export LD_PRELOAD=$shim
	export SKEW=newer
	run "$evnt" providers
	check "unknown features of the module are no error" [ "$status" = 0 ]
	run "$evnt" doctor
	check "doctor prints unknown features of the module" \
		grep -q "^ok .*features 0x8000000000000001" "$dir/out"
	SKEW=older
	run "$evnt" sessions
	check "sessions works with an older module" [ "$status" = 0 ]
	run "$evnt" top --once --interval 0.1
	check "top works with an older module" [ "$status" = 0 ]
	says "the CPU time of no session" 1 \
		"no session has events of the kernel: 'evnt record --system cpu'" \
		"$evnt" top --cpu --once
	says "an unsupported request to an older module" 1 \
		"cannot list the providers: .*install both from one release" \
		"$evnt" providers
	run "$evnt" doctor
	check "doctor lists the features that an older module lacks" grep -qE \
		"^PROBLEM  *versions .* older than this program, .*: change access lists" \
		"$dir/out"
	check "doctor suggests to upgrade an older module" \
		grep -q -- "-> upgrade the module" "$dir/out"
	check "an older module is a problem" [ "$status" = 1 ]
	unset LD_PRELOAD
fi

done_testing
