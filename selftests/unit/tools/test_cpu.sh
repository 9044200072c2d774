#!/bin/bash
# SPDX-License-Identifier: MIT
# evnt cpu: CPU time by process, thread and function, from context switches or
# from samples; names from the beginning and the end of a log.  log_maker makes
# the logs from text.
set -u
# shellcheck source=selftests/unit/common/tap.bash
. "$(dirname "$0")/../common/tap.bash"
# shellcheck source=selftests/unit/common/kernel_log.bash
. "$(dirname "$0")/../common/kernel_log.bash"

maker=$build/unit/log_maker

# The time on a processor before its first switch is its old thread's, and after
# its last one its new thread's; the idle thread's time is not used
{
	echo "buffer cpu=0"
	process 0 3 100 worker
	thread 0 100 101
	process 0 3 200 shell
	switch 100000 101 100
	switch 150000 0 101
	switch 190000 200 0
	echo "buffer cpu=1"
	switch 50000 0 200
	switch 170000 999 0
	sample 200000 999 0x1234
} | "$maker" "$dir/switch.etl"
"$evnt" cpu "$dir/switch.etl" > "$dir/out" 2> "$dir/err"
is $? 0 "context switches are enough"
is "$(cat "$dir/out" "$dir/err")" "\
0.020 s on 2 processors, used for 0.024 s (60.0 %), 5 context switches,\
 1 samples, one every 1 ms

PROCESS     THREAD  CPU, MS     %  SAMPLES
worker 100     all     15.0  62.5        0
               100     10.0  41.7        0
               101      5.0  20.8        0
shell 200      200      6.0  25.0        0
unknown        999      3.0  12.5        1

FUNCTION   SELF, %  TOTAL, %  SAMPLES
[unknown]    100.0     100.0        1" "each thread has its time"
is "$("$evnt" cpu --json "$dir/switch.etl" | jq -c '
	[.duration_ms, .processors, .switches, .samples, .cpu_ms,
	 (.processes[] | [.pid, .name, .cpu_ms, (.threads | length)])]')" \
	'[20,2,5,1,24,[100,"worker",15,2],[200,"shell",6,1],[null,null,3,1]]' \
	"the object has the same"

# Without switches, each sample stands for the recorded interval
{
	echo "buffer cpu=0"
	echo "system hook=0x0f49 version=3 time=0 u32=0 u32=20000 u32=20000 wide=Timer"
	process 1 3 100 worker
	sample 10000 100 0xffffffff81000000
	frames 10001 10000 100 100 0xffffffff81000000 0xffffffff81000100 \
		0x400010 0x400020
	sample 20000 100 0x400011
	frames 20001 20000 100 100 0x400011 0x500000
	# The stack of another event, and one in two parts
	frames 20002 15000 100 100 0x400020
	sample 30000 100 0xffffffff81000000
	frames 30001 30000 100 100 0xffffffff81000000
	frames 30002 30000 100 100 0x400020
	# After an execve(), the id is another program's
	process 35000 1 100 other
	sample 40000 100 0x400010
	sample 50000 0 0xffffffff81000000
} | "$maker" "$dir/sample.etl"
"$evnt" cpu "$dir/sample.etl" > "$dir/out" 2> "$dir/err"
is "$(cat "$dir/out" "$dir/err")" "\
0.005 s on 1 processor, used for 0.008 s (160.0 %), 4 samples, one every 2 ms

PROCESS     THREAD  CPU, MS     %  SAMPLES
worker 100     100      6.0  75.0        3
other 100      100      2.0  25.0        1

FUNCTION   SELF, %  TOTAL, %  SAMPLES
[kernel]      50.0      50.0        2
[worker]      25.0      75.0        1
[other]       25.0      25.0        1
[unknown]      0.0      25.0        0" "samples are counted with their stacks"
is "$("$evnt" cpu --flame "$dir/sample.etl" | sort)" "\
other;[other] 1
worker;[unknown];[worker] 1
worker;[worker];[kernel] 1
worker;[worker];[worker];[kernel];[kernel] 1" "stacks are folded"
is "$("$evnt" cpu -n 1 "$dir/sample.etl" | grep more)" "\
and 1 more: --rows prints them
and 3 more: --rows prints them" "tables can be shortened"

# A circular log has the names at its end only
{
	echo "buffer cpu=0"
	sample 10000 100 0x400010
	process 20000 4 100 worker
} | "$maker" "$dir/end.etl"
is "$("$evnt" cpu --flame "$dir/end.etl")" "worker;[worker] 1" \
	"what existed at the end names earlier samples"

# Threads of which nothing else is known
{
	echo "buffer cpu=0"
	for ((i = 1; i <= 300; i++)); do
		switch $((i * 10)) $((i + 1)) $i
	done
} | "$maker" "$dir/unknown.etl"
is "$("$evnt" cpu --json "$dir/unknown.etl" | jq -c '[.cpu_ms, .switches,
	(.processes[0].threads | length)]')" '[0.299,300,299]' \
	"any number of threads may be unknown"

# Each id is taken over by another program
{
	for ((i = 1; i <= 300; i++)); do
		((i % 50 == 1)) && echo "buffer cpu=0"
		process 0 3 $((1000 + i)) before
		process 10000 1 $((1000 + i)) after
		sample 20000 $((1000 + i)) 0x400010
	done
} | "$maker" "$dir/reused.etl"
is "$("$evnt" cpu --json "$dir/reused.etl" | jq -c '[.samples,
	([.processes[] | select(.samples == 1) | .name] | unique),
	([.processes[] | select(.samples == 1) | .pid] | unique | length)]')" \
	'[300,["after"],300]' "an id may have several owners"

# A name of a thread of the kernel is no path
{
	echo "buffer cpu=0"
	process 0 3 30 kworker/1:0
	switch 10000 0 30
} | "$maker" "$dir/kworker.etl"
is "$("$evnt" cpu --json "$dir/kworker.etl" | jq -r '.processes[].name')" \
	kworker/1:0 "threads of the kernel have their whole name"

echo "event id=1" | "$maker" "$dir/none.etl"
"$evnt" cpu "$dir/none.etl" > "$dir/out" 2> "$dir/err"
is $? 1 "a log without such events is an error"
is "$(cat "$dir/err")" "evnt: no context switches and no samples:\
 'evnt record --system cpu' records them" "that is explained"
"$evnt" cpu --flame --json "$dir/end.etl" > "$dir/out" 2> "$dir/err"
is $? 2 "--flame and --json exclude each other"

# Cut and damaged events are no danger
for len in 0 4 8 12 16 20; do
	for hook in 0x0301 0x0303 0x0501 0x0524 0x0f2e 0x0f49 0x1403 0x1820; do
		echo "buffer cpu=0"
		echo -n "system hook=$hook version=3 time=1"
		for ((i = 0; i < len; i += 4)); do
			echo -n " u32=0xffffffff"
		done
		echo
	done
done | "$maker" "$dir/cut.etl"
"$evnt" cpu "$dir/cut.etl" > "$dir/out" 2> "$dir/err"
is $? 0 "events that are cut are read"
done_testing
