#!/bin/bash
# SPDX-License-Identifier: MIT
# evnt autologger check: each error in a description, with its place and
# message.
set -u
# shellcheck source=selftests/unit/common/tap.bash
. "$(dirname "$0")/../common/tap.bash"

result() {
	if [ "$1" = 0 ]; then
		pass "$2"
	else
		fail "$2" < "$dir/err"
	fi
}

# Write a description, line by line
describe() {
	printf '%s\n' "$@" > "$dir/a.conf"
	"$evnt" autologger check --folder "$dir" > "$dir/out" 2> "$dir/err"
	status=$?
}

good='Guid = {5a0c0b9e-7a41-4d1c-8a55-2f6a2c7d0001}
Start = 1'

# Check the message for a good description plus this: a line number, and the
# text
refuses() {
	local line=$1 text=$2

	shift 2
	describe "$good" "$@"
	grep -qF "$dir/a.conf${line:+:$line}: $text" "$dir/err" &&
		[ "$status" = 1 ]
	result $? "$text"
}

accepts() {
	local what=$1

	shift
	describe "$good" "$@"
	[ "$status" = 0 ] && [ ! -s "$dir/err" ]
	result $? "$what"
}

[ -x "$evnt" ] || skip_all "$evnt is not built"

accepts "no more than what has to be there"
accepts "blanks, comments, and keys in any case" "" "# a comment" "; another" \
	"  buffersize=0x10  " "FLUSHTIMER =	1"
accepts "all keys of a session" "FileName = /tmp/x.etl" "FileMax = 16" \
	"LogFileMode = sequential" "BufferSize = 64" "MinimumBuffers = 4" \
	"MaximumBuffers = 8" "FlushTimer = 1" "MaxFileSize = 0" "ClockType = 2"
accepts "all keys of a provider" "[{00000000-1111-2222-3333-444444444444}]" \
	"Enabled = 1" "EnableLevel = 255" "MatchAnyKeyword = 0xffffffffffffffff" \
	"MatchAllKeyword = 1" "EnableProperty = 0x10" "[*Name]" "EnableFlags = 3"
refuses 3 "there is no key 'Frobnicate' here" "Frobnicate = 1"
refuses 3 "there is no key 'Enabled' here" "Enabled = 1"
refuses 4 "there is no key 'Start' here" "[*Name]" "Start = 1"
refuses 3 "'words' is neither 'Key = value' nor '[provider]'" "words"
refuses 3 "Start was given before" "Start = 0"
refuses 4 "BufferSize was given before" "BufferSize = 4" "buffersize = 4"
refuses 3 "BufferSize: 'big' is no number from 0 to 16384" "BufferSize = big"
refuses 3 "BufferSize: '16385' is no number" "BufferSize = 16385"
refuses 3 "BufferSize: '-1' is no number" "BufferSize = -1"
refuses 3 "BufferSize: '' is no number" "BufferSize ="
refuses 3 "FlushTimer: '1s' is no number" "FlushTimer = 1s"
refuses 3 "FileMax: '17' is no number from 0 to 16" "FileMax = 17"
refuses 3 "ClockType: '4' is no number" "ClockType = 4"
refuses 3 "FileName: 'x.etl' is no path from /" "FileName = x.etl"
refuses 3 "FileName: '' is no path from /" "FileName ="
refuses 3 "FileName: '/" "FileName = /$(printf '%01024d' 0)"
refuses 3 "LogFileMode: 'odd' is no mode, nor a number" "LogFileMode = odd"
refuses 3 "Status is not supported here" "Status = 0"
refuses 3 "Boot is not supported here" "Boot = 1"
refuses 3 "DisableRealtimePersistence is not supported here" \
	"DisableRealtimePersistence = 1"
refuses 3 "FileCounter is not supported here" "FileCounter = 1"
refuses 3 "']' is missing after '[*Name'" "[*Name"
refuses 3 "'Name' is neither a GUID nor *NAME" "[Name]"
refuses 3 "'' is neither a GUID nor *NAME" "[]"
refuses 3 "'*Name:1' is neither a GUID nor *NAME" "[*Name:1]"
refuses 4 "this provider has a section already, in line 3" "[*Name]" "[*NAME]"
refuses 4 "EnableLevel: '256' is no number from 0 to 255" "[*Name]" \
	"EnableLevel = 256"
refuses 4 "EnableFlags: '0x100000000' is no number" "[*Name]" \
	"EnableFlags = 0x100000000"
refuses 4 "Enabled: '2' is no number from 0 to 1" "[*Name]" "Enabled = 2"
refuses "" "LogFileMode: such sessions have no EVENT_TRACE_FILE_MODE_NEWFILE" \
	"LogFileMode = 8"
refuses "" "LogFileMode: EVENT_TRACE_NONSTOPPABLE_MODE is not supported" \
	"LogFileMode = 0x40"
refuses "" "BufferSize is missing: EVENT_TRACE_FILE_MODE_APPEND" \
	"LogFileMode = 4"
refuses "" "MaximumBuffers is less than MinimumBuffers" "MinimumBuffers = 9" \
	"MaximumBuffers = 8"
good="Start = 1"
refuses "" "Guid is missing"
refuses 2 "Guid: '*Name' is no GUID" "Guid = *Name"
refuses 2 "Guid: '{5a0c0b9e}' is no GUID" "Guid = {5a0c0b9e}"
good="Guid = 5a0c0b9e-7a41-4d1c-8a55-2f6a2c7d0001"
refuses "" "Start is missing"

"$evnt" autologger check /no/where.conf > "$dir/out" 2> "$dir/err"
[ $? = 1 ] && grep -q '^evnt: /no/where.conf: cannot open: No such' "$dir/err"
result $? "a missing file is misuse"
"$evnt" autologger check --folder /no/where > "$dir/out" 2> "$dir/err"
result $? "a missing folder contains no errors"
printf '%s\nStart = 0\n' "$good" > "$dir/a.conf"
cp "$dir/a.conf" "$dir/not-one"
"$evnt" autologger list --folder "$dir" --json > "$dir/out" 2> "$dir/err"
[ "$(jq -r '[.name, .start, .errors, .file] | @tsv' "$dir/out")" = \
	"$(printf 'a\t0\t0\t/var/log/evntprov/a.etl')" ]
result $? "list --json prints the descriptions"
for words in "" "frobnicate" "list more" "--frobnicate"; do
	# shellcheck disable=SC2086 # several words
	"$evnt" autologger $words > "$dir/out" 2> "$dir/err"
	[ $? = 2 ]
	result $? "autologger $words is misuse"
done

done_testing
