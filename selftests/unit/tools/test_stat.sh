#!/bin/bash
# SPDX-License-Identifier: MIT
# evnt stat: its numbers for each log file of Windows in $EVNT_DATA/etl match
# the list of them, number by number.
set -u
# shellcheck source=selftests/unit/common/tap.bash
. "$(dirname "$0")/../common/tap.bash"

folder=$data/etl
index=$folder/INDEX.md

# A column of the list; the file's name is the second
column() {
	awk -F '|' -v file=" $1 " -v n="$2" '$2 == file { print $n }' "$index"
}

# Compare with the mapping as Python prints it
mapping() {
	column "$1" "$2" | tr "'" '"' | jq -cS .
}

stat_of() {
	jq -cS "$1" "$dir/json"
}

# Each byte of the buffers is in a record, or padding, or known to be unused
accounted() {
	jq '.buffers.bytes == .buffers.count * 72 + .padding + .unused +
		([.record_bytes[]] | add) +
		([.not_understood | del(.items, .records)[].bytes] | add // 0)' \
		"$dir/json"
}

check_file() {
	local file=$1 buffers packed

	"$evnt" stat --json "$folder/$file" > "$dir/json" 2> "$dir/err"
	is $? 0 "$file: stat succeeds"
	is "$(stat_of .records)" "$(mapping "$file" 8)" \
		"$file: records are counted by kind"
	is "$(stat_of .extended)" "$(mapping "$file" 9)" \
		"$file: extended items are counted"
	buffers=$(column "$file" 5 | sed 's/.* x \([0-9]*\).*/\1/')
	packed=$(column "$file" 5 | sed -n 's/.*(\([0-9]*\) compressed).*/\1/p')
	is "$(stat_of '[.buffers.count, .packed.count]')" \
		"[$buffers,${packed:-0}]" \
		"$file: buffers and packed buffers are counted"
	is "$(stat_of '[.providers[].count] | add')" \
		"$(stat_of '[.records[]] | add')" \
		"$file: each record is an event of a provider"
	is "$(accounted)" true "$file: each byte is accounted for"
	case $file in
	# Its first buffer still has records that were moved to the second
	SelfDescribing*) is "$(stat_of .not_understood)" \
		'{"hidden":{"bytes":80,"count":1}}' "$file: hidden data is counted" ;;
	*) is "$(stat_of .not_understood)" '{}' "$file: all records are understood" ;;
	esac
}

check_losses() {
	"$evnt" stat "$folder/AMSITrace.etl" > "$dir/out" 2>&1
	is "$(grep -c 'Lost in recording: 3 events, 0 buffers' "$dir/out")" 1 \
		"stat reports losses"
}

# Providers and events without a manifest or metadata
check_known_names() {
	"$evnt" stat "$folder/process_data_32_v3.etl" > "$dir/out"
	is "$(grep -c '^MSNT_SystemTrace .*all  *8 ' "$dir/out")" 1 \
		"stat names the provider of Windows' kernel"
	is "$(grep -c '^  *Process (DCStart)  *3 ' "$dir/out")" 1 \
		"stat names the types of events of Windows' kernel"
	"$evnt" stat --json "$folder/HTTP_Server.etl" > "$dir/json"
	is "$(stat_of '[.providers[].provider_name]')" \
		'["MSNT_SystemTrace","Microsoft-Windows-HttpService"]' \
		"stat names known providers"
}

# For several files it prints the sum
check_sum() {
	"$evnt" stat --json "$folder"/{AMSITrace,HTTP_Server}.etl > "$dir/json"
	is "$(stat_of '[.files, .records.EVENT64, .lost.events]')" \
		'[2,2060,3]' \
		"stat sums several files"
}

# Processes have their last names, which are no events; others have none
check_processes() {
	"$build/unit/log_maker" "$dir/processes.etl" <<-'END'
	process time=1 pid=7 name=job
	event time=1000 pid=7 tid=7 name=A
	event time=2000 pid=9 tid=9 name=A
	process time=2001 pid=7 name=next
	event time=3000 pid=7 tid=8 name=B
	END
	"$evnt" stat --json "$dir/processes.etl" > "$dir/json"
	is "$(stat_of '[.processes[] | [.pid, .process, .count]]')" \
		'[[7,"next",2],[9,null,1]]' "stat counts events by process"
	is "$("$evnt" stat "$dir/processes.etl" |
		awk '/^PROCESS /,/^$/ { printf "%s %s,", $1, $2 }')" \
		'PROCESS COUNT,next[7] 2,[9] 1, ,' "stat prints the names of processes"
}

# Events of one name are distinguished, and their numbers aligned
check_names() {
	"$build/unit/log_maker" "$dir/names.etl" <<-'END'
		event time=1000 name=Request op=1
		event time=2000 name=Request op=2
		event time=3000 name=Request op=2
		event time=4000 name=Single op=1
		event time=5000 name=Twice op=1 version=0
		event time=6000 name=Twice op=1 version=1
	END
	"$evnt" stat "$dir/names.etl" > "$dir/out" 2>&1
	is "$(sed -n 's/^  *\([A-Z][^.]*[A-Za-z01]\)  *\([0-9]\)  .*/\1=\2/p' \
		"$dir/out" | sort | paste -sd ,)" \
		"EventTrace=1,Request Start=1,Request Stop=2,Single=1,Twice 0 v0 Start=1,Twice 0 v1 Start=1" \
		"stat distinguishes events of one name by what differs"
	is "$(grep -o 'COUNT *BYTES *PER S *FIRST, S *LAST, S$' "$dir/out" |
		wc -l)" 2 "headings of stat end where the numbers end"
	is "$(sed '/^$/d; 1d' "$dir/out" | sed '/^PROCESS/,$d' |
		awk '{ print length }' | sort -u | wc -l)" 1 \
		"numbers of stat are right-aligned"
}

# The header has the sums; a buffer has a flag, but no number
check_made_losses() {
	"$build/unit/log_maker" "$dir/lost.etl" <<-'END'
		header events=3 buffers=1
		event time=1000 name=A
		buffer lost
		event time=2000 name=A
		buffer lost
		event time=3000 name=A
		buffer lost_buffer
		event time=4000 name=A
	END
	is "$("$evnt" stat "$dir/lost.etl" | grep -i lost)" \
		"Lost in recording: 3 events, 1 buffers
Buffers flagged: 2 after lost events, 1 after lost buffers" \
		"stat reports what is lost, and where"
	is "$("$evnt" stat --json "$dir/lost.etl" | jq -c .lost)" \
		'{"events":3,"buffers":1,"buffers_after_lost_events":2,"buffers_after_lost_buffers":1}' \
		"stat --json has the same numbers"
}

command -v jq > /dev/null || skip_all "jq is not installed"
[ -x "$evnt" ] || skip_all "$evnt is not built"
"$evnt" stat /dev/null > /dev/null 2> "$dir/err"
is $? 1 "stat of a file that is no log fails"
is "$(grep -c "'/dev/null' is no regular file" "$dir/err")" 1 \
	"stat gives the reason for the failure"
"$evnt" stat > /dev/null 2>&1
is $? 2 "stat without a file is misuse"
if [ -x "$build/unit/log_maker" ]; then
	check_names
	check_processes
	check_made_losses
else
	skip "log_maker is not built"
fi
if [ -e "$index" ]; then
	for path in "$folder"/*.etl; do
		check_file "${path##*/}"
	done
	check_losses
	check_known_names
	check_sum
else
	skip "the log files of Windows are not here"
fi

done_testing
