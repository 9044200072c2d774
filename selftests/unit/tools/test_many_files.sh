#!/bin/bash
# SPDX-License-Identifier: MIT
# Verbs read more log files at a time than ProcessTrace() takes, in order of
# time, and refuse too many.  log_maker makes the logs from text.
set -u
# shellcheck source=selftests/unit/common/tap.bash
. "$(dirname "$0")/../common/tap.bash"

maker=$build/unit/log_maker
files=200

command -v jq > /dev/null || skip_all "jq is not installed"
[ -x "$evnt" ] || skip_all "$evnt is not built"
[ -x "$maker" ] || skip_all "$maker is not built"

mkdir "$dir/logs"
for ((i = 0; i < files; i++)); do
	# The events of all files take turns
	for ((event = 0; event < 3; event++)); do
		echo "event time=$((1000 + event * files + i)) pid=$i" \
			"name=Turn u32:Number=$((event * files + i))"
	done | "$maker" "$dir/logs/$i.etl"
done
logs=("$dir"/logs/*.etl)
seq 0 $((3 * files - 1)) > "$dir/want"

# Check that the numbers of all events are in order
in_order() {
	"$evnt" dump --json "$@" | jq '.fields.Number // empty' > "$dir/got"
	cmp "$dir/want" "$dir/got" 2>&1
}

is "$(in_order "${logs[@]}")" "" "dump prints the events of 200 files by time"
is "$("$evnt" merge --json -o "$dir/all.etl" "${logs[@]}" |
	jq -c '[.files, .events]')" "[200,600]" "merge reads 200 files"
is "$(in_order "$dir/all.etl")" "" "merge writes the events of 200 files by time"
is "$("$evnt" stat --json "${logs[@]}" | jq .files)" 200 "stat reads 200 files"
is "$("$evnt" export --perfetto -o "$dir/out" "${logs[@]}" | cut -d' ' -f1-2)" \
	"600 events" "export reads 200 files"
is "$("$evnt" report -o "$dir/out" "${logs[@]}" | cut -d' ' -f1-2)" \
	"600 events" "report reads 200 files"
mapfile -t many < <(yes "${logs[0]}" | head -n 1001)
for verb in dump stat "merge -o $dir/out"; do
	# shellcheck disable=SC2086 # words
	"$evnt" $verb "${many[@]}" > "$dir/got" 2> "$dir/err"
	is "$? $(grep -c 'at most 1000 files' "$dir/err")" "2 1" \
		"${verb%% *} refuses 1001 files"
done
(ulimit -n 64; "$evnt" dump "${logs[@]}" > "$dir/got" 2> "$dir/err")
is "$? $(grep -ci 'too many open files' "$dir/err")" "1 1" \
	"dump reports a lack of descriptors"

done_testing
