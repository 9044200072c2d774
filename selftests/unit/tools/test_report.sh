#!/bin/bash
# SPDX-License-Identifier: MIT
# evnt report and evnt export --folded: the data in the page, and the page in a
# headless browser.  The logs are made from text by log_maker, or are those of
# Windows in $EVNT_DATA/etl.
set -u
# shellcheck source=selftests/unit/common/tap.bash
. "$(dirname "$0")/../common/tap.bash"
# shellcheck source=selftests/unit/common/kernel_log.bash
. "$(dirname "$0")/../common/kernel_log.bash"

maker=$build/unit/log_maker
log=$dir/made.etl
page=$dir/out.html
export EVNTPROV_MANIFESTS=$dir/none

make_log() {
	"$maker" "$log" << 'END'
header boot=132999990000000000 events=3 buffers=1
image time=900 pid=10 tid=11 base=0x5000 size=0x1000 path=/usr/bin/server
image time=901 pid=10 tid=11 base=0x9000 size=0x1000 path=/usr/lib/a;b.so
event time=1000 pid=10 tid=11 op=1 level=4 act=0xa name=Request str:Url=/index u32:Size=5
event time=2000 pid=10 tid=11 level=4 name=<script>alert(1)</script> str:Text=</script><!--<script>alert(2)//
event time=2500 pid=10 tid=12 op=1 act=0xb rel=0xa name=Query stack=0x9010,0x5020
event time=2600 pid=10 tid=12 name=Work stack=0x9010,0x5020
event time=2700 pid=10 tid=12 name=Work stack=0x5020
event time=2800 pid=10 tid=12 name=Odd str:Bad=ÿ
event time=3000 pid=10 tid=12 op=2 act=0xb name=Query
buffer lost
event time=6000 pid=10 tid=11 op=2 level=4 act=0xa name=Request u32:Result=200
END
}

# Make hostile bytes of a name's letters: U+2028 and invalid UTF-8
spoil() {
	LC_ALL=C sed -e 's/Odd\x00/\xe2\x80\xa8\x00/' \
		-e 's/<!--/<!\xff-/' "$log" > "$dir/spoilt.etl"
}

# Print a block of the page's data: 0 is JSON, 2 the texts of fields
block() {
	python3 - "$page" "$1" << 'END'
import base64, re, struct, sys, zlib
text = open(sys.argv[1], encoding="utf-8").read()
data = re.search('id="data">([A-Za-z0-9+/=]*)<', text).group(1)
data = zlib.decompress(base64.b64decode(data))
at, blocks = 0, []
while at < len(data):
    size, = struct.unpack_from("<I", data, at)
    blocks.append(data[at + 4:at + 4 + size])
    at += 4 + size
sys.stdout.buffer.write(blocks[int(sys.argv[2])])
END
}

head_of() {
	block 0 | jq -c "$1"
}

test_data() {
	"$evnt" report -o "$page" "$log" > "$dir/printed" 2> "$dir/err"
	is "$?-$(cat "$dir/printed")" "0-8 events are in $page" \
		"report prints the number of events"
	is "$(head_of '[.count, .span, .eventsLost, .buffersLost]')" \
		'[8,5000,3,1]' "the page contains the sums"
	is "$(head_of .losses)" '[5000]' "the page contains the place of a loss"
	is "$(head_of '[.rates[] | .[1:] | add]')" '[8]' \
		"the rates contain all events"
	is "$(head_of '[.activities[] | .[0:3] + .[5:]]')" \
		'[[0,4294967295,"Request",0,5000,0],[1,0,"Query",1500,500,0]]' \
		"the page contains nested activities"
	is "$(head_of '[.processes[0:2], .writers]')" \
		'[[10,"server"],[10,11,10,12]]' "the page contains the writers"
	is "$(head_of .stacks)" \
		'[[0,0,"server+0x20",3],[1,1,"a,b.so+0x10",2]]' \
		"the page contains the folded call stacks"
	is "$(block 2 | head -n 2)" '{"Url":"/index","Size":5}
{"Text":"</script><!--<script>alert(2)//"}' \
		"the page contains the fields"
	is "$(grep -c 'alert(' "$page")" 0 \
		"no string of an event is part of the markup"
	is "$("$evnt" report -o - "$log" | cmp - "$page" 2>&1)" "" \
		"report -o - writes the same to standard output"
}

test_folded() {
	is "$("$evnt" export --folded -o - "$log")" 'server+0x20 1
server+0x20;a,b.so+0x10 2' "export --folded counts call stacks"
}

test_errors() {
	"$evnt" report "$log" > "$dir/printed" 2> "$dir/err"
	is "$?-$(grep -c 'write -o FILE' "$dir/err")" 2-1 \
		"report without an output fails"
	"$evnt" report -o "$page" > "$dir/printed" 2> "$dir/err"
	is "$?-$(grep -c 'which file' "$dir/err")" 2-1 \
		"report without an input fails"
	"$evnt" report -o "$log" "$log" > "$dir/printed" 2> "$dir/err"
	is "$?-$(grep -c 'one of the files to read' "$dir/err")" 1-1 \
		"report does not replace its input"
	"$evnt" report -o "$dir/new.html" "$dir/missing" > "$dir/printed" 2>&1
	is "$?-$(find "$dir" -name 'new.html*')" 1- \
		"a failed report leaves no file"
	"$evnt" report -o - "$log" > /dev/full 2> "$dir/err"
	is $? 1 "report to a full standard output fails"
}

# Print the page's elements after its program has run, with the search $1
browse() {
	timeout 150 chromium --headless=new --no-sandbox --disable-gpu \
		--user-data-dir="$dir/profile" --enable-logging=stderr \
		--virtual-time-budget=5000 --dump-dom "file://$page#$1" \
		2> "$dir/browser"
}

test_browser() {
	local dom

	command -v chromium > /dev/null || {
		skip "chromium is not installed"
		return
	}
	spoil
	"$evnt" report -o "$page" "$dir/spoilt.etl" > "$dir/printed" 2>&1
	dom=$(browse "")
	is "$(grep -c CONSOLE "$dir/browser")" 0 \
		"the browser's console has no message"
	is "$(grep -o '<dt>[^<]*</dt><dd[^>]*>[^<]*' <<< "$dom" |
		sed 's/<[^>]*>/ /g;s/  */ /g')" ' events 8
 duration 500 µs
 events per second 16,000
 providers 1
 threads 2
 lost events 3
 lost buffers 1' "the page shows the sums"
	is "$(grep -o 'class="lossMark"' <<< "$dom" | wc -l)" 1 \
		"the page marks the loss"
	is "$(grep -o 'title="[QR][^"]*"' <<< "$dom")" \
'title="Request, process 10, thread 11, at 0 s"
title="Query, process 10, thread 12, at 150 µs"' \
		"the page shows the activities"
	is "$(grep -o 'title="[^"]*stacks"' <<< "$dom")" \
'title="all: 3 of 3 stacks"
title="server+0x20: 3 of 3 stacks"
title="a,b.so+0x10: 2 of 3 stacks"' "the page shows the flame graph"
	is "$(grep -o '<span>&lt;script&gt;alert(1)&lt;/script&gt;</span>' \
		<<< "$dom" | wc -l)-$(grep -c 'alert([12])</script>' \
		<<< "$dom")" 1-0 "hostile strings are text"
	is "$(grep -o '<span>\\u2028' <<< "$dom" | wc -l)" 1 \
		"a line separator is shown as its code"
	dom=$(browse WORK)
	is "$(grep -o 'role="status">[^<]*events' <<< "$dom")-$(grep -o \
		'class="row "' <<< "$dom" | wc -l)" \
		'role="status">2 of 8 events-2' "a search finds events"
	dom=$(browse '%2Findex')
	is "$(grep -o 'role="status">[^<]*events' <<< "$dom")" \
		'role="status">1 of 8 events' "a search finds fields"
}

# Context switches: tracks of processors, then of threads
test_schedule() {
	local dom

	{
		echo "buffer cpu=0"
		process 0 3 900 server
		thread 0 900 901
		switch 0 900 0
		switch 0 950 900
		switch 0 900 950
		process 0 3 950 late
		switch 100000 950 900
		switch 101000 900 950
		switch 120000 901 900
		switch 180000 0 901
		echo "buffer cpu=1"
		switch 239000 902 0
		switch 240000 0 902
	} | "$maker" "$dir/switch.etl"
	"$evnt" report -o "$page" "$dir/switch.etl" > "$dir/printed" 2>&1
	is "$(head_of '.schedule[] | [.[0:2][], (.[2:] | length, add)]')" \
'["processor 0",180000,240,18000]
["processor 1",1000,240,100]
["server 900 / 900",119000,240,11900]
["server 900 / 901",60000,240,6000]
["late 950 / 950",1000,240,100]
["unknown / 902",1000,240,100]' "processors and threads have tracks"
	is "$(head_of '.schedule[3][2:] | [index(100), rindex(100)]')" '[120,179]' \
		"at the time at which they ran"
	command -v chromium > /dev/null || {
		skip "chromium is not installed"
		return
	}
	dom=$(browse "")
	is "$(grep -o 'title="[^"]* ran for [^"]*"' <<< "$dom")" \
'title="processor 0 ran for 18 ms"
title="processor 1 ran for 100 µs"
title="server 900 / 900 ran for 11.9 ms"
title="server 900 / 901 ran for 6 ms"
title="late 950 / 950 ran for 100 µs"
title="unknown / 902 ran for 100 µs"' "the page shows the tracks"
}

# Samples: a flame graph of their stacks below their processes
test_samples() {
	local dom

	{
		echo "buffer cpu=0"
		process 0 3 100 worker
		sample 10000 100 0x400010
		frames 10001 10000 100 100 0x400010 0x500000
		sample 20000 100 0xffffffff81000000
		sample 30000 0 0xffffffff81000000
	} | "$maker" "$dir/sample.etl"
	"$evnt" report -o "$page" "$dir/sample.etl" > "$dir/printed" 2>&1
	is "$(head_of '[.sampleCount, .stackCount, .samples]')" \
'[2,0,[[0,0,"worker",2],[1,1,"[unknown]",1],[2,2,"[worker]",1],[3,1,"[kernel]",1]]]' \
		"the page contains the stacks of samples"
	# A circular log has the names at its end only
	{
		echo "buffer cpu=0"
		sample 10000 100 0x400010
		sample 15000 100 0x400010
		switch 20000 0 100
		process 30000 4 100 worker
	} | "$maker" "$dir/end.etl"
	"$evnt" report -o "$dir/end.html" "$dir/end.etl" > "$dir/printed" 2>&1
	is "$(page=$dir/end.html head_of '[.count, .samples, .schedule[1][0]]')" \
'[6,[[0,0,"worker",2],[1,1,"[worker]",2]],"worker 100 / 100"]' \
		"what existed at the end names earlier samples"
	command -v chromium > /dev/null || {
		skip "chromium is not installed"
		return
	}
	dom=$(browse "")
	is "$(grep -o 'title="[^"]* samples"' <<< "$dom")" \
'title="all: 2 of 2 samples"
title="worker: 2 of 2 samples"
title="[unknown]: 1 of 2 samples"
title="[worker]: 1 of 2 samples"
title="[kernel]: 1 of 2 samples"' "the page shows where the CPU time went"
	is "$(grep -o '<section id="[a-z]*Part" hidden' <<< "$dom")" \
'<section id="schedulePart" hidden
<section id="stackPart" hidden' "parts without data are hidden"
}

test_logs() {
	local file want

	for file in "$data"/etl/*.etl; do
		want=$("$evnt" dump --json "$file" 2> /dev/null | wc -l)
		"$evnt" report -o "$page" "$file" > /dev/null 2>&1
		is "$(head_of .count)-$(head_of '[.rates[] | .[1:] | add] |
			add // 0')" "$want-$want" \
			"${file##*/}: the page contains all events"
	done
}

command -v jq > /dev/null || skip_all "jq is not installed"
command -v python3 > /dev/null || skip_all "python3 is not installed"
[ -x "$evnt" ] || skip_all "$evnt is not built"
[ -x "$maker" ] || skip_all "$maker is not built"

make_log
test_data
test_folded
test_errors
test_browser
test_schedule
test_samples
if [ -d "$data/etl" ]; then
	test_logs
else
	skip "EVNT_DATA is not set"
fi
done_testing
