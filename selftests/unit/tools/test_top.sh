#!/bin/bash
# SPDX-License-Identifier: MIT
# evnt top --cpu: CPU time since the last update, from a log file that grows,
# whose buffers are not in order of time.  log_maker makes the log from text,
# top_driver reads it as evnt top does.
set -u
# shellcheck source=selftests/unit/common/tap.bash
. "$(dirname "$0")/../common/tap.bash"
# shellcheck source=selftests/unit/common/kernel_log.bash
. "$(dirname "$0")/../common/kernel_log.bash"

# Ids of threads that no system has, so that none of them runs now
one=90000001 two=90000002
{
	echo "buffer cpu=0"
	process 0 3 $one worker
	process 0 3 $two shell
	switch 10000 $one 0
	switch 30000 $two $one
	# Another processor's buffer, with earlier events
	echo "buffer cpu=1"
	switch 5000 90000003 0
	switch 25000 0 90000003
	echo "buffer cpu=0"
	switch 60000 $one $two
	sample 65000 $one 0x400010
	sample 66000 $one 0x400010
	echo "buffer cpu=0"
	switch 80000 0 $one
	switch 90000 $$ 0
	switch 95000 0 $$
} | "$build/unit/log_maker" "$dir/top.etl"

# The header is a buffer, too
"$build/unit/top_driver" "$dir/top.etl" 2 3 4 5 5 > "$dir/out" 2> "$dir/err"
is $? 0 "the log is read"
is "$(cat "$dir/err")" "" "without errors"
updates=$(jq -c '[.switches, .samples,
	(.processes[] | [.pid, .name, .cpu_ms])]' "$dir/out")
is "$(sed -n 1p <<< "$updates")" "[2,0,[$one,\"worker\",2]]" \
	"an update has what a thread ran until its switch"
is "$(sed -n 2p <<< "$updates")" '[2,0,[null,null,2]]' \
	"the next one has only newer switches, in any order of processors"
is "$(sed -n 3p <<< "$updates")" \
	"[1,2,[$two,\"shell\",3],[$one,\"worker\",0]]" \
	"a thread that has run since an earlier update has all of its time"
is "$(sed -n 4p <<< "$updates")" \
	"[3,0,[$one,\"worker\",2],[$$,\"$(< /proc/$$/comm)\",0.5]]" \
	"a process without a start or rundown that runs now has its name"
is "$(sed -n 5p <<< "$updates")" '[0,0]' "without events nothing has run"
is "$(sed -n 3p "$dir/out" | jq -c '[.duration_ms, .cpu_ms,
	(.functions[] | [.name, .self])]')" '[3.6,3,["[worker]",2]]' \
	"the duration is that of the interval, and functions are its own"

TOP_TEXT=1 "$build/unit/top_driver" "$dir/top.etl" 4 | sed '1s/.*  //' > "$dir/out"
is "$(cat "$dir/out")" "\
0.007 s on 2 processors, used for 0.007 s (53.0 %), 5 context switches,\
 2 samples, one every 1 ms

PROCESS            THREAD  CPU, MS     %  SAMPLES
shell 90000002   90000002      3.0  42.9        0
worker 90000001  90000001      2.0  28.6        2
unknown          90000003      2.0  28.6        0

FUNCTION  SELF, %  TOTAL, %  SAMPLES
[worker]    100.0     100.0        2" "the screen has the tables"

# Processes that end are forgotten.  This shell, which runs, keeps its name and
# image, although it is idle meanwhile; an id that is used again has no image.
{
	echo "buffer cpu=0"
	process 0 3 $$ shell
	awk -v first=$one -v process="$(process TIME 1 PID NAME)" \
		-v sample="$(sample TIME PID 0x400010)" 'BEGIN {
		for (i = 0; i < 6000; i++) {
			if (i % 100 == 0)
				print "buffer cpu=0"
			event = process "\n" sample
			gsub("TIME", 1000 + i, event)
			gsub("PID", first + i, event)
			gsub("NAME", "ended" i, event)
			print event
		}
	}'
	echo "buffer cpu=0"
	process 400000 3 $one another | head -n 2
	sample 400000 $$ 0x400010
	sample 400001 $one 0x400010
} | "$build/unit/log_maker" "$dir/many.etl"
mapfile -t updates < <(seq 2 63)
TOP_COUNT=1 "$build/unit/top_driver" "$dir/many.etl" "${updates[@]}" > "$dir/out"
is "$(wc -l < "$dir/out") $(awk '$1 > most { most = $1 } $2 > most { most = $2 }
	END { print most < 5000 }' "$dir/out")" "62 1" \
	"processes that have ended are forgotten, and so are their threads"
"$build/unit/top_driver" "$dir/many.etl" "${updates[@]}" | tail -n 1 > "$dir/out"
is "$(jq -c '[.processes[] | [.pid, .name]], [.functions[].name]' "$dir/out")" \
	"[[$$,\"shell\"],[$one,\"another\"]]
[\"[shell]\",\"[unknown]\"]" \
	"those that run are not, nor are their images"
done_testing
