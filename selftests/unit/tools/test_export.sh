#!/bin/bash
# SPDX-License-Identifier: MIT
# evnt export --perfetto: the trace's contents for each event, activity and
# loss.  The logs are made from text by log_maker, or are those of Windows in
# $EVNT_DATA/etl; pftrace_check reads the traces.
set -u
# shellcheck source=selftests/unit/common/tap.bash
. "$(dirname "$0")/../common/tap.bash"
# shellcheck source=selftests/unit/common/kernel_log.bash
. "$(dirname "$0")/../common/kernel_log.bash"

here=$repo/selftests/unit/tools
maker=$build/unit/log_maker
checker=$build/unit/pftrace_check
log=$dir/made.etl
out=$dir/out.pftrace
export EVNTPROV_MANIFESTS=$dir/none

make_log() {
	"$maker" "$log" || echo "# $maker failed"
}

# Print the trace of a log: its events, or only the counts
events() {
	"$evnt" export --perfetto -o "$out" "$log" > /dev/null 2> "$dir/err"
	"$checker" --events "$out"
}

numbers() {
	events | tail -1
}

# Time in ticks of the log, track, and kind, without arguments
shape() {
	events | sed -nE '
		/^wrong/p
		/<losses>/d
		s/^1655526400(0*)([0-9]+)00 /\2 /
		T
		s/ \[[^]]*\]( arrows=[0-9]+)?.*/\1/
		s/ (stop|etw)=.*//
		p'
}

# Context switches and wake-ups become tracks of processors and threads
test_schedule() {
	{
		echo "header boot=132999990000000000"
		echo "buffer cpu=0"
		process 0 3 900 server
		thread 0 900 901
		switch 1000 900 0
		switch 2000 901 900 5 6
		ready 3000 900
		switch 4000 900 901 1 32
		switch 5000 0 900 5 2
		ready 6000 901 1
		echo "buffer cpu=1"
		switch 5500 902 0
		switch 7000 0 902 4
	} | make_log
	is "$(events | sed -nE '/^wrong/p; /^[0-9]+00 cpu/p; /^track [0-9]/p')" "\
track 900/900
1000000100000 cpu 0 swapper/0 state 0 > server/900
track 900/901
1000000200000 cpu 0 server/900 state 1 > server/901
1000000300000 cpu 0 901 wakes server/900
1000000400000 cpu 0 server/901 state 0 > server/900
1000000500000 cpu 0 server/900 state 2 > swapper/0
1000000550000 cpu 1 swapper/0 state 0 > ?/902
1000000600000 cpu 0 0 interrupt wakes server/901
1000000700000 cpu 1 ?/902 state 16 > swapper/0" \
		"context switches and wake-ups are those of ftrace"
}

test_golden() {
	make_log << 'END'
header boot=132999990000000000
event time=1000 pid=10 tid=11 cpu=0 op=1 level=4 act=0xa name=Request str:Url=/index u32:Size=5
event time=6000 pid=10 tid=11 op=2 level=4 act=0xa name=Request u32:Result=200
END
	"$evnt" export --perfetto -o "$out" "$log" > "$dir/printed"
	is "$?-$(cat "$dir/printed")" "0-2 events are in $out" \
		"export reports the number of events"
	if command -v protoc > /dev/null; then
		is "$(protoc --decode=perfetto.Trace -I "$repo/tools/perfetto" \
			perfetto.proto < "$out")" \
			"$(sed 1d "$here/pftrace_golden.txt")" \
			"protoc decodes the exported file"
	else
		skip "protoc is not installed"
	fi
	"$evnt" export --perfetto -o - "$log" > "$dir/again"
	is "$(cmp "$out" "$dir/again" 2>&1)" "" \
		"export -o - writes the same to standard output"
	"$evnt" export --perfetto -o "$out" "$log" "$log" > "$dir/printed"
	is "$("$checker" "$out")" \
		"events=4 begins=2 ends=2 instants=0 open=0 arrows=0 losses=0 dropped=0 wrong=0" \
		"export reads two files"
}

# A file whose clock was set back during the recording
test_clocks() {
	make_log << 'END'
header boot=133000000000000001
event time=1 pid=1 tid=1 name=A
END
	"$evnt" export --perfetto -o "$out" "$log" > "$dir/printed"
	is "$("$checker" --clocks "$out" | head -n 2)" \
'clock 1: 1655526400000000000
clock 6: 1655526400000000000' \
		"a boot time before the start of the log counts as unknown"
}

test_arguments() {
	make_log << 'END'
image time=900 pid=10 tid=11 base=0x5000 size=0x1000 path=/usr/bin/server
image time=901 pid=10 tid=11 base=0x9000 size=0x1000 path=/usr/lib/libc.so
event time=1000 pid=10 tid=11 id=3 version=2 level=5 task=9 name=All u32:U=7 i32:I=-3 f64:F=0.5 bool:B=1 ptr:P=0xdead str:S=text str:H=0x12 stack=0x9010,0x5020,0xffff800000000000
event time=1001 pid=10 tid=11 id=4 act=1 rel=2
END
	is "$(events)" 'track process 10 server
track 10/11
1655526400000100000 10/11 instant All [Test-Provider] U=uint:7 I=int:-3 F=double:0.5 B=bool:1 P=ptr:0xdead S="text" H="0x12" etw={id=uint:3 version=uint:2 level=uint:5 task=uint:9 cpu=uint:0} stack: 0xffff800000000000 > server+0x20 > libc.so+0x10
1655526400000100100 10/11 instant event 4 (Info) [00001234-0000-0000-0000-000000000000] etw={id=uint:4 cpu=uint:0 activity="00000001-0000-0000-0000-000000000000" related="00000002-0000-0000-0000-000000000000"}
lost events=0 buffers=0
events=2 begins=0 ends=0 instants=2 open=0 arrows=0 losses=0 dropped=0 wrong=0' \
		"names, types, processes and call stacks are exported"
}

test_processes() {
	make_log << 'END'
event time=1 pid=4 tid=8 name=A
event time=2 pid=9 tid=9 kernel name=Start u32:ProcessId=4 str:ImageFileName=notepad.exe
event time=3 pid=9 tid=9 kernel name=Start u32:ProcessId=9 str:ImageName=\Device\C\cmd.exe
event time=4 pid=5 tid=9 name=Start u32:ProcessId=5 str:ImageFileName=other
END
	is "$(events | grep 'track process')" 'track process 4 notepad.exe
track process 9 cmd.exe
track process 5 ?' "names of processes are taken from the kernel's events"
	make_log << 'END'
process pid=7 name=recorded
event time=1 pid=7 tid=7 name=A
image time=2 pid=7 tid=7 base=0x1000 size=0x1000 path=/usr/bin/image
event time=3 pid=8 tid=8 kernel name=Start u32:ProcessId=8 str:ImageFileName=cmd.exe
image time=4 pid=8 tid=8 base=0x1000 size=0x1000 path=/usr/bin/image
event time=5 pid=8 tid=8 name=A
image time=6 pid=9 tid=9 base=0x1000 size=0x1000 path=/usr/bin/image
event time=7 pid=9 tid=9 name=A
END
	is "$(events | grep 'track process')" 'track process 7 recorded
track process 8 cmd.exe
track process 9 image' "images name only processes that have no recorded name"
}

test_slices() {
	make_log << 'END'
event time=1 pid=1 tid=1 op=1 act=1 name=Outer
event time=2 pid=1 tid=1 op=1 act=2 name=Inner
event time=3 pid=1 tid=1 act=2 name=Step
event time=4 pid=1 tid=1 op=2 act=2 name=Inner
event time=5 pid=1 tid=1 op=2 act=1 name=Outer
END
	is "$(shape)" '1 1/1 begin Outer
2 1/1 begin Inner
3 1/1 instant Step
4 1/1 end Inner
5 1/1 end Outer' "nested activities are on the thread's track"
	make_log << 'END'
event time=1 pid=1 tid=1 op=1 act=1 name=A
event time=2 pid=1 tid=1 op=1 act=2 name=B
event time=3 pid=1 tid=1 op=2 act=1 name=A
event time=4 pid=1 tid=1 op=2 act=2 name=B
END
	is "$(shape)" '1 1/1 begin A
2 <B> begin B
3 1/1 end A
4 <B> end B' "activities that are not nested have their own track"
	make_log << 'END'
event time=1 pid=1 tid=1 op=1 act=1 name=A
event time=2 pid=1 tid=1 op=1 act=2 name=B
event time=3 pid=1 tid=2 op=2 act=1 name=A
event time=4 pid=1 tid=1 op=2 act=2 name=B
event time=5 pid=1 tid=1 op=1 act=3 name=A
event time=6 pid=1 tid=2 op=2 act=3 name=A
event time=7 pid=1 tid=1 op=2 act=9 name=None
END
	is "$(shape)" '1 <A> begin A
2 1/1 begin B
3 <A> end A
4 1/1 end B
5 <A> begin A
6 <A> end A
7 1/1 instant None (Stop)' "an activity that ends on another thread has its own track"
	is "$(events | grep -c 'track <A>')" 1 "a track is used again"
	make_log << 'END'
event time=1 pid=1 tid=1 op=1 act=1 name=A
event time=2 pid=1 tid=1 op=1 act=2 name=A
event time=3 pid=1 tid=1 op=1 act=3 name=B
event time=4 pid=1 tid=1 op=2 act=3 name=B
END
	is "$(shape)" '1 <A> begin A
2 <A> begin A
3 1/1 begin B
4 1/1 end B' "an activity that does not end does not affect others"
	is "$(events | grep -c 'track <A>')" 2 \
		"two simultaneous activities have two tracks"
	awk 'BEGIN {
		for (i = 1; i <= 1200; i++)
			printf "event time=%d tid=1 op=%d act=%d name=A\n", i,
				i <= 600 ? 1 : 2, i <= 600 ? i : 1201 - i
	}' | make_log
	is "$(events | grep -c ' <A> begin')-$(numbers)" \
		"100-events=1200 begins=600 ends=600 instants=0 open=0 arrows=0 losses=0 dropped=0 wrong=0" \
		"deeply nested activities have their own tracks"
	awk 'BEGIN {
		for (i = 1; i <= 1005; i++)
			printf "event time=%d tid=1 op=1 act=%d name=A\n", i, i
	}' | make_log
	is "$(numbers)" \
		"events=1005 begins=1000 ends=0 instants=5 open=1000 arrows=0 losses=0 dropped=0 wrong=0" \
		"1000 activities without an end are exported"
	make_log << 'END'
event time=1 pid=1 tid=1 op=1 id=1 task=1
event time=2 pid=1 tid=1 op=1 id=3 task=2
event time=3 pid=1 tid=1 op=2 id=2 task=1
event time=4 pid=4294967295 tid=4294967295 id=9
END
	is "$(shape)" '1 1/1 begin task 1
2 <task 2> begin task 2 arrows=1
3 1/1 end task 1
4 <no thread> instant event 9 (Info)' "events without ids are assigned by thread"
}

selected() {
	"$evnt" export --perfetto -o "$out" "$@" "$log" > /dev/null 2> "$dir/err"
	"$checker" "$out" | sed 's/ open.* / /'
}

test_selection() {
	make_log << 'END'
event time=1 pid=1 tid=1 op=1 act=1 name=Outer
event time=2 pid=1 tid=1 op=1 act=2 name=Inner u32:Size=3
event time=20000003 pid=2 tid=2 act=2 level=4 provider=0x77 id=9
event time=20000004 pid=1 tid=1 op=2 act=2 name=Inner
event time=20000005 pid=1 tid=1 op=2 act=1 name=Outer
END
	is "$(selected -p Test-Provider)" \
		"events=4 begins=2 ends=2 instants=0 wrong=0" \
			"export --provider selects events"
	is "$(selected --event Outer)" \
		"events=2 begins=1 ends=1 instants=0 wrong=0" \
			"export --event selects events"
	is "$(selected --where 'Size = 3')" \
		"events=1 begins=1 ends=0 instants=0 wrong=0" \
			"export --where selects events"
	is "$(selected --since +1)" \
		"events=3 begins=0 ends=0 instants=3 wrong=0" \
			"export --since selects events"
	is "$(selected --limit 4)" \
		"events=4 begins=2 ends=1 instants=1 wrong=0" \
			"export --limit selects events"
	is "$(selected --id 10)-$(cat "$dir/err")" \
		"events=0 begins=0 ends=0 instants=0 wrong=0-evnt: none of 5 events matches the options" \
		"export without matching events writes an empty trace"
}

test_flows() {
	make_log << 'END'
event time=1 pid=1 tid=1 op=1 act=1 name=Parent
event time=2 pid=1 tid=2 op=1 act=2 rel=1 name=Child
event time=3 pid=1 tid=2 op=2 act=2 name=Child
event time=4 pid=2 tid=3 op=1 act=3 rel=1 name=Child
event time=5 pid=2 tid=3 op=2 act=3 name=Child
event time=6 pid=1 tid=1 op=1 act=4 rel=1 name=Inside
event time=7 pid=1 tid=1 op=2 act=4 name=Inside
event time=8 pid=1 tid=2 act=1 name=Elsewhere
event time=9 pid=1 tid=2 act=1 name=There
event time=10 pid=1 tid=1 act=1 name=Back
event time=11 pid=1 tid=1 op=2 act=1 name=Parent
END
	is "$(shape)" '1 1/1 begin Parent
2 1/2 begin Child arrows=1
3 1/2 end Child
4 2/3 begin Child arrows=1
5 2/3 end Child
6 1/1 begin Inside
7 1/1 end Inside
8 1/2 instant Elsewhere arrows=1
9 1/2 instant There
10 1/1 instant Back arrows=1
11 1/1 end Parent' "arrows lead to caused activities and events on other tracks"
	awk 'BEGIN {
		print "event time=1 tid=1 op=1 act=1 name=Parent"
		for (i = 2; i <= 101; i++)
			printf "event time=%d tid=2 op=1 act=%d rel=1 name=C\n" \
				"event time=%d tid=2 op=2 act=%d name=C\n",
				2 * i, i, 2 * i + 1, i
		print "event time=999 tid=1 op=2 act=1 name=Parent"
	}' | make_log
	is "$(numbers)" \
		"events=202 begins=101 ends=101 instants=0 open=0 arrows=100 losses=0 dropped=0 wrong=0" \
		"each of 100 caused activities has an arrow"
}

test_losses() {
	make_log << 'END'
header events=7 buffers=2
event time=1 pid=1 tid=1 name=A
buffer lost
event time=2 pid=1 tid=1 name=A
event time=3 pid=1 tid=1 name=A
END
	is "$(events | grep -e lost -e losses | sed 's/ file="[^"]*"//')" \
		'track <losses>
1655526400000000200 <losses> instant lost before here [losses]
1655526400000000300 <losses> instant lost in recording [losses] events=uint:7 buffers=uint:2
lost events=7 buffers=2
events=3 begins=0 ends=0 instants=5 open=0 arrows=0 losses=2 dropped=1 wrong=0' \
		"losses are exported with their place and number"
	is "$(cat "$dir/err")" \
		"evnt: $log: 7 events and 2 buffers were lost in recording" \
		"export reports losses"
	make_log << 'END'
event time=1 pid=1 tid=1 name=A
buffer lost_buffer
event time=2 pid=1 tid=1 name=A
END
	is "$(events | grep 'lost before here')" \
		'1655526400000000200 <losses> instant lost before here [losses]' \
		"a lost buffer is shown at its place"
	: | make_log
	is "$(numbers)" \
		"events=0 begins=0 ends=0 instants=0 open=0 arrows=0 losses=0 dropped=0 wrong=0" \
		"a log without events is exported"
}

# Starts and stops of few ids and threads, in any order
test_any_order() {
	local seed

	for seed in 1 2 3 4; do
		awk -v seed="$seed" 'BEGIN {
			srand(seed)
			for (i = 1; i <= 500; i++) {
				op = int(rand() * 3)
				act = int(rand() * 12)
				rel = rand() < 0.3 ? int(rand() * 14) : 0
				what = "id=1 task=" int(rand() * 3)
				if (rand() < 0.5)
					what = "name=N" int(rand() * 3)
				printf "event time=%d pid=1 tid=%d op=%d " \
					"act=%d rel=%d %s\n", i,
					1 + int(rand() * 4), op, act, rel, what
			}
		}' | make_log
		"$evnt" export --perfetto -o "$out" "$log" > /dev/null
		is "$("$checker" "$out" | sed 's/ .* / /')" \
			"events=500 wrong=0" \
				"events in any order are exported, $seed"
		is "$("$evnt" activities --events --json "$log" |
			jq -s 'map(.event_list // [] | length) | add')" \
			"$("$evnt" activities --json "$log" |
			   jq -s 'map(.events // 0) | add')" \
			"activities counts its events correctly, $seed"
	done
}

# Names are written again from time to time, if there are many
test_many_names() {
	awk 'BEGIN {
		for (i = 1; i <= 51000; i++)
			printf "event time=%d tid=1 name=N%d\n", i, i
	}' | make_log
	"$evnt" export --perfetto -o "$out" "$log" > /dev/null
	is "$("$checker" "$out")" \
		"events=51000 begins=0 ends=0 instants=51000 open=0 arrows=0 losses=0 dropped=0 wrong=0" \
		"a log with more names than are cached is exported"
}

test_errors() {
	echo 'event time=1 tid=1 name=A' | make_log
	rm -f "$out"
	"$evnt" export -o "$out" "$log" > /dev/null 2> "$dir/err"
	is "$?-$(head -1 "$dir/err")" \
		"2-evnt: in which format? write --perfetto or --folded" \
			"export without a format is misuse"
	"$evnt" export --perfetto "$log" > /dev/null 2> "$dir/err"
	is $? 2 "export without an output file is misuse"
	"$evnt" export --perfetto -o "$out" > /dev/null 2> "$dir/err"
	is $? 2 "export without an input file is misuse"
	"$evnt" export --perfetto -o "$log" "$log" > /dev/null 2> "$dir/err"
	is "$?-$("$evnt" dump "$log" | wc -l)" 1-1 \
		"export of a file into itself fails"
	"$evnt" export --perfetto -o "$dir" "$log" > /dev/null 2> "$dir/err"
	is $? 1 "export into a folder fails"
	mkfifo "$dir/pipe"
	timeout 60 cat "$dir/pipe" > "$dir/read" &
	"$evnt" export --perfetto -o "$dir/pipe" "$log" > "$dir/printed"
	status=$?
	wait $!
	"$evnt" export --perfetto -o - "$log" > "$dir/again"
	check "export writes directly into a pipe" cmp "$dir/read" "$dir/again"
	is "$status-$(cat "$dir/printed")" "0-1 events are in $dir/pipe" \
		"export into a pipe reports the number of events"
	"$evnt" export --perfetto -o "$dir/none/x" "$log" > /dev/null 2> "$dir/err"
	is $? 1 "export into a missing folder fails"
	echo before > "$out"
	"$evnt" export --perfetto -o "$out" /dev/null > /dev/null 2> "$dir/err"
	is "$?-$(cat "$out")" 1-before \
		"export of a file that is no log keeps the existing output"
	awk 'BEGIN { for (i = 1; i < 5000; i++)
		printf "event time=%d tid=1 name=A\n", i }' | make_log
	rm -f "$dir/small"*
	for kib in $(seq 4000 100 8000); do
		(ulimit -v "$kib"
		 "$evnt" export --perfetto -o "$dir/small" "$log") 2>&1
	done | grep -c 'out of memory$' > "$dir/failures"
	check "some exports have too little memory" \
		[ "$(cat "$dir/failures")" -gt 0 ]
	is "$(find "$dir" -name 'small?*')" "" \
		"export leaves no file when memory runs out"
	(ulimit -f 100; trap '' XFSZ
	 "$evnt" export --perfetto -o "$out" "$log" > /dev/null 2> "$dir/err")
	is "$?-$(cat "$out")" 1-before \
		"export without free space keeps the existing output"
	is "$(find "$dir" -name 'out.pftrace.*')" "" \
		"export without free space leaves no temporary file"
	(trap - EXIT
	 exec "$evnt" export --perfetto -o "$out" "$log" > /dev/null 2>&1) &
	# Kill it once it has begun, unless it has ended before
	until [ -n "$(find "$dir" -name 'out.pftrace.*')" ] ||
	      ! kill -0 $! 2> /dev/null; do
		:
	done
	kill $! 2> /dev/null
	wait $!
	is "$(find "$dir" -name 'out.pftrace.*')" "" \
		"a killed export leaves no temporary file"
	${CC:-cc} -shared -fPIC -o "$dir/shim.so" -x c - << 'END'
	#define _GNU_SOURCE
	#include <dlfcn.h>
	#include <signal.h>

	int mkostemp(char *pattern, int flags)
	{
		int (*next)(char *, int) = dlsym(RTLD_NEXT, "mkostemp");
		int fd = next(pattern, flags);

		raise(SIGTERM);
		return fd;
	}
END
	{
		(trap - EXIT
		 LD_PRELOAD=$dir/shim.so exec "$evnt" export --perfetto \
			-o "$out" "$log")
	} > "$dir/printed" 2>&1
	is "$?-$(find "$dir" -name 'out.pftrace.*')" 143- \
		"a signal after the temporary file's creation removes it"
	"$evnt" export --perfetto -o - "$log" > /dev/full 2> "$dir/err"
	is $? 1 "export to a full standard output fails"
	(umask 027; rm "$out"
	 "$evnt" export --perfetto -o "$out" "$log" > /dev/null)
	is "$(stat -c %a "$out")" 640 "export respects the umask"
	if command -v script > /dev/null; then
		script -qec "$evnt export --perfetto -o - $log; echo code \$?" \
			"$dir/typed" < /dev/null > /dev/null
		is "$(grep -c 'not written to a terminal\|code 1' "$dir/typed")" \
			2 "export to a terminal fails"
	else
		skip "script is not installed"
	fi
}

check_log() {
	local file=$1 counts want

	want=$("$evnt" dump --json "$file" 2> /dev/null | wc -l)
	"$evnt" export --perfetto -o "$out" "$file" > /dev/null 2> "$dir/err"
	counts=$("$checker" "$out" | tail -1)
	is "${counts%% *} ${counts##* }" "events=$want wrong=0" \
		"${file##*/}: all events are exported without an error"
}

# The payload ends inside a struct in a struct
test_short() {
	make_log <<< 'event time=1 name=A struct:Outer=2 u32:A=1 struct:Inner=2 u32:B=2 u32:C=3 cut=2'
	is "$(events | sed -n 's/.*\(Outer=.*\) etw=.*/\1/p')" \
		'Outer={A=uint:1 Inner={B=uint:2}} payload="01000000020000000300"' \
		"structs in which the payload ends keep their names"
}

test_logs() {
	local file

	for file in "$data"/etl/*.etl; do
		[ "${file##*/}" = net.4.5.2.x86.etl ] || check_log "$file"
	done
	log=$data/etl/AMSITrace.etl
	is "$(events | grep -m1 -o 'Raw Script=\[[^]]*\]')" \
		'Raw Script=["G" "e" "t" "-" "A" "l" "i" "a" "s"]' \
			"an array is exported"
	log=$data/etl/SelfDescribingSingleEvent.etl
	is "$(events | grep -o ' a={[^}]*}')" ' a={b="Hello" c="World!"}' \
		"a struct is exported"
}

command -v jq > /dev/null || skip_all "jq is not installed"
[ -x "$evnt" ] || skip_all "$evnt is not built"
[ -x "$maker" ] || skip_all "$maker is not built"

test_golden
test_schedule
test_short
test_clocks
test_arguments
test_processes
test_slices
test_selection
test_flows
test_losses
test_any_order
test_many_names
test_errors
if [ -d "$data/etl" ]; then
	test_logs
else
	skip "the log files of Windows are not here"
fi

done_testing
