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
	is $? 0 "$what: merged"
	events "$@" > "$dir/before"
	events "$out" > "$dir/after"
	is "$(cmp "$dir/before" "$dir/after" 2>&1)" "" "$what: the same events"
	is "$(echo "$json" | jq '.events')" "$(wc -l < "$dir/before")" \
		"$what: so many are told"
	is "$("$evnt" stat --json "$out" | jq -c '[.lost, .not_understood]')" \
		"$("$evnt" stat --json "$@" |
		   jq -c '[.lost, (.not_understood | del(.hidden))]')" \
		"$what: losses are summed"
}

check_errors() {
	"$evnt" merge "$folder/AMSITrace.etl" > /dev/null 2> "$dir/err"
	is $? 2 "no file to make"
	"$evnt" merge -o "$out" > /dev/null 2> "$dir/err"
	is $? 2 "no files to read"
	"$evnt" merge -o "$out" /dev/null > /dev/null 2> "$dir/err"
	is $? 1 "no log file"
	is "$(ls "$dir")" err "nothing is left of it"
	cp "$folder/AMSITrace.etl" "$dir/in.etl"
	"$evnt" merge -o "$dir/in.etl" "$dir/in.etl" > /dev/null 2> "$dir/err"
	is $? 1 "a file into itself"
	is "$(cmp "$folder/AMSITrace.etl" "$dir/in.etl" 2>&1)" "" \
		"it stays as it was"
	rm "$dir/in.etl"
	mkfifo "$dir/pipe"
	"$evnt" merge -o "$dir/pipe" "$folder/AMSITrace.etl" > /dev/null 2> "$dir/err"
	is $? 1 "what is no file is not written to"
	is "$(ls "$dir")" "err
pipe" "it stays"
	rm "$dir/pipe"
	(ulimit -f 100; trap '' XFSZ
	 "$evnt" merge -o "$out" "$folder/HTTP_Server.etl" > /dev/null 2> "$dir/err")
	is $? 1 "there is no room for it"
	is "$(ls "$dir")" err "half a log is not left"
}

command -v jq > /dev/null || skip_all "jq is not installed"
[ -x "$evnt" ] || skip_all "$evnt is not built"
[ -e "$folder/AMSITrace.etl" ] || skip_all "the log files of Windows are not here"

check_errors
for path in "$folder"/*.etl; do
	check_same "${path##*/}" "$path"
done
check_same "all files" "$folder"/*.etl

done_testing
