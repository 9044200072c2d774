#!/bin/bash
# SPDX-License-Identifier: MIT
# evnt merge: its file has the same events as the files it was made from.  The
# files are listed in $EVNT_DATA/etl.
set -u
# shellcheck source=selftests/unit/common/tap.bash
. "$(dirname "$0")/../common/tap.bash"

folder=$data/etl
out=$dir/out.etl

# Processor numbers are wider than in old files, which a flag of each event
# shows
events() {
	"$evnt" dump --json "$@" 2> /dev/null | sed 's/"flags":[0-9]*/"flags"/'
}

check_same() {
	local what=$1 json

	shift
	json=$("$evnt" merge --json -o "$out" "$@" 2> "$dir/err")
	is $? 0 "$what: merge succeeds"
	events "$@" > "$dir/before"
	events "$out" > "$dir/after"
	is "$(cmp "$dir/before" "$dir/after" 2>&1)" "" \
		"$what: merged logs contain the same events"
	is "$(echo "$json" | jq '.events')" "$(wc -l < "$dir/before")" \
		"$what: merge reports the number of events"
	is "$("$evnt" stat --json "$out" | jq -c '[.lost, .not_understood]')" \
		"$("$evnt" stat --json "$@" |
		   jq -c '[.lost, (.not_understood | del(.hidden))]')" \
		"$what: losses are summed"
}

# The packed file is smaller, and contains the same events
check_packed() {
	"$evnt" merge -o "$out" "$folder/net.4.5.2.x86.etl" > /dev/null 2> "$dir/err"
	"$evnt" merge --pack "$1" -o "$dir/packed.etl" "$out" > /dev/null 2> "$dir/err"
	is $? 0 "$1: merge packs a file"
	is "$(cmp <(events "$out") <(events "$dir/packed.etl") 2>&1)" "" \
		"$1: the packed file contains the same events"
	check "$1: the packed file is smaller than a third" \
		[ "$((3 * $(stat -c %s "$dir/packed.etl")))" -lt "$(stat -c %s "$out")" ]
	rm "$dir/packed.etl"
}

check_errors() {
	"$evnt" merge --pack zip -o "$out" "$folder/AMSITrace.etl" > /dev/null 2> "$dir/err"
	is $? 2 "merge by an unknown method is misuse"
	"$evnt" merge "$folder/AMSITrace.etl" > /dev/null 2> "$dir/err"
	is $? 2 "merge without an output file is misuse"
	"$evnt" merge -o "$out" > /dev/null 2> "$dir/err"
	is $? 2 "merge without input files is misuse"
	"$evnt" merge -o "$out" /dev/null > /dev/null 2> "$dir/err"
	is $? 1 "merge of a file that is no log fails"
	is "$(ls "$dir")" err "a failed merge leaves no file"
	cp "$folder/AMSITrace.etl" "$dir/in.etl"
	"$evnt" merge -o "$dir/in.etl" "$dir/in.etl" > /dev/null 2> "$dir/err"
	is $? 1 "merge of a file into itself fails"
	is "$(cmp "$folder/AMSITrace.etl" "$dir/in.etl" 2>&1)" "" \
		"merge of a file into itself does not change it"
	rm "$dir/in.etl"
	mkfifo "$dir/pipe"
	"$evnt" merge -o "$dir/pipe" "$folder/AMSITrace.etl" > /dev/null 2> "$dir/err"
	is $? 1 "merge into a pipe fails"
	is "$(ls "$dir")" "err
pipe" "a failed merge does not remove a pipe"
	rm "$dir/pipe"
	(ulimit -f 100; trap '' XFSZ
	 "$evnt" merge -o "$out" "$folder/HTTP_Server.etl" > /dev/null 2> "$dir/err")
	is $? 1 "merge without free space fails"
	is "$(ls "$dir")" err "merge without free space leaves no file"
}

command -v jq > /dev/null || skip_all "jq is not installed"
[ -x "$evnt" ] || skip_all "$evnt is not built"
[ -e "$folder/AMSITrace.etl" ] || skip_all "the log files of Windows are not here"

check_errors
for path in "$folder"/*.etl; do
	check_same "${path##*/}" "$path"
done
for method in xpress huffman lznt1; do
	check_packed "$method"
done
check_same "all files" "$folder"/*.etl

done_testing
