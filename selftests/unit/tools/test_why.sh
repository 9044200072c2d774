#!/bin/bash
# SPDX-License-Identifier: MIT
# evnt why: when the threads of an activity ran, could run and were blocked, on
# what, and what woke them.  log_maker makes the logs from text.
set -u
# shellcheck source=selftests/unit/common/tap.bash
. "$(dirname "$0")/../common/tap.bash"
# shellcheck source=selftests/unit/common/kernel_log.bash
. "$(dirname "$0")/../common/kernel_log.bash"

command -v jq > /dev/null || skip_all "jq is not installed"
[ -x "$evnt" ] || skip_all "$evnt is not built"
maker=$build/unit/log_maker
kernel=0xffffffff80000000
program=0x400000

# Files whose symbols name the addresses of the kernel and of the program: FILE
# FUNCTION...
library() {
	local file=$1 name

	shift
	for name; do
		printf 'void %s(void); void %s(void) { for (;;); }\n' "$name" "$name"
	done | cc -shared -x c - -o "$file"
}

# Address of a function: FILE BASE FUNCTION
at() {
	printf '0x%x' $(($2 + 0x$(nm "$1" | awk -v f="$3" '$3 == f { print $1 }')))
}

in_kernel() {
	at "$dir/kernel" $kernel "$1"
}

in_program() {
	at "$dir/program" $program "$1"
}

# A stack of an event: TIME-OF-THE-EVENT PID TID ADDRESS...
stack() {
	frames "$(($1 + 1))" "$(($1 + log_base))" "${@:2}"
}

# TIME PID TID OPCODE ACTIVITY NAME [FIELD...]
request() {
	echo "event time=$1 pid=$2 tid=$3 op=$4 act=$5 name=$6 ${*:7}"
}

library "$dir/kernel" schedule futex_wait io_schedule hrtimer_wakeup try_to_wake_up
library "$dir/program" compute lock unlock save

# Thread 900 computes, waits for a lock that thread 901 has, and for a disk;
# activity 1 is the longest
begin() {
	process 0 3 900 server
	thread 0 900 901
	image 0 900 $program "$dir/program"
	image 0 0 $kernel "$dir/kernel"
}
{
	echo "buffer cpu=0"
	begin
	switch 1000 900 0
	request 10000 900 900 1 1 Request u32:Number=7
	sample 15000 900 "$(in_program compute)"
	stack 15000 900 900 "$(in_program compute)"
	sample 16000 900 "$(in_program compute)"
	sample 17000 900 "$(in_program save)"
	# 1 ms later it waits, for 100 ms, and is woken 2 ms before it runs
	switch 20000 0 900 5 6
	switch 1040000 900 0
	stack 1040000 900 900 "$(in_kernel schedule)" "$(in_kernel futex_wait)" \
		"$(in_program lock)"
	# Preempted for 3 ms
	switch 1050000 902 900 1 32
	switch 1080000 900 902 5
	stack 1080000 900 900 "$(in_kernel schedule)" "$(in_kernel io_schedule)"
	# 10 ms on a disk, ended by an interrupt of the idle thread
	switch 1090000 0 900 5 2
	ready 1190000 900 1
	stack 1190000 0 0 "$(in_kernel hrtimer_wakeup)"
	switch 1200000 900 0
	stack 1200000 900 900 "$(in_kernel schedule)" "$(in_kernel io_schedule)" \
		"$(in_program save)"
	request 1210000 900 900 2 1 Request
	switch 1220000 0 900 4
	echo "buffer cpu=1"
	switch 20000 901 0
	# It sleeps meanwhile, too
	switch 220000 0 901 5 4
	ready 320000 901 1
	switch 320000 901 0
	ready 1020000 900
	stack 1020000 900 901 "$(in_kernel try_to_wake_up)" "$(in_program unlock)"
	switch 1230000 0 901
} | "$maker" "$dir/slow.etl"
"$evnt" why "$dir/slow.etl" > "$dir/out" 2> "$dir/err"
is $? 0 "an activity is explained"
is "$(cat "$dir/out" "$dir/err")" "\
Request Number=7 took 120.0 ms in server 900: it was blocked for 110.0 ms (lock 100.0 ms, disk 10.0
ms), ran for 4.0 ms, and could run, but got no processor, for 6.0 ms.
The longest of 2 waits: lock (futex_wait), 100.0 ms, until server 900, thread 901 woke it in unlock.
Meanwhile, that thread ran for 90.0 ms, and was blocked for 10.0 ms: sleep.
Of 3 samples, 67 % were in compute.

BLOCKED ON          WOKEN BY          RAN, MS   AT, MS       MS
lock (futex_wait)   server 900/901     90.000    1.000  100.000
disk (io_schedule)  interrupt: timer           108.000   10.000" "as sentences and a table"
"$evnt" why --json "$dir/slow.etl" > "$dir/out"
is "$(jq -c '[.number, .name, .fields, .pid, .tid, .process, .duration_ns,
	.running_ns, .runnable_ns, .blocked_ns, .causes, .functions]' "$dir/out")" \
	'[1,"Request",{"Number":7},900,900,"server",120000000,4000000,6000000,110000000,[{"name":"lock","count":1,"duration_ns":100000000},{"name":"disk","count":1,"duration_ns":10000000}],[{"name":"compute","count":2},{"name":"save","count":1}]]' \
	"the object has the sums"
is "$(jq -c '.waits[]' "$dir/out")" \
'{"at_ns":1000000,"duration_ns":100000000,"cause":"lock","function":"futex_wait","reason":6,"tid":900,"stack":["schedule","futex_wait","lock"],"woken_by":{"pid":900,"tid":901,"process":"server","running_ns":90000000,"blocked_ns":10000000,"cause":"sleep","stack":["try_to_wake_up","unlock"]}}
{"at_ns":108000000,"duration_ns":10000000,"cause":"disk","function":"io_schedule","reason":2,"tid":900,"stack":["schedule","io_schedule","save"],"woken_by":{"interrupt":"timer","stack":["hrtimer_wakeup"]}}' \
	"and the waits with their stacks"
is "$("$evnt" why -n 1 "$dir/slow.etl" | tail -n 1)" \
	"and 1 more: --rows prints them" "the table can be shortened"

# Three slow requests of a server: one computes, one waits for a lock whose owner
# writes to a disk, one waits for disks: for its own request, then for one that
# the kernel has issued for it, at last for a thread that has requests under way
{
	echo "buffer cpu=0"
	begin
	process 0 3 30 kworker
	process 0 3 40 jbd2
	switch 1000 900 0
	request 10000 900 900 1 1 Request str:Path=/compute
	sample 15000 900 "$(in_program compute)"
	request 1010000 900 900 2 1 Request
	request 2000000 900 900 1 2 Request str:Path=/lock
	switch 2010000 0 900 5 6
	switch 2910000 900 0
	stack 2910000 900 900 "$(in_kernel schedule)" "$(in_kernel futex_wait)" \
		"$(in_program lock)"
	request 2920000 900 900 2 2 Request
	name_disk 2945000 $((8 << 8)) sdb
	# This one completes before a request
	disk 2950000 900 $((8 << 8)) 100000 4096
	request 3000000 900 900 1 3 Request str:Path=/disk
	# 10 ms, 8 ms of them for two requests at a time, and one that goes on
	switch 3010000 0 900 5 6
	disk 3090000 900 $((8 << 8)) 60000 8192 10
	disk 3110000 900 $((8 << 8)) 70000 4096 10
	ready 3110000 900 1
	switch 3110000 900 0
	# 20 ms, for a request of which the kernel knows that it is one
	switch 3200000 30 900 5 2
	switch 3210000 0 30 5 6
	disk 3400000 30 $((259 << 8 | 1)) 190000
	ready 3400000 900 1
	switch 3400000 900 0
	# 30 ms, of which 20 ms are in a request of the thread that ends it
	switch 3500000 40 900 5 7
	switch 3550000 0 40 5 2
	disk 3750000 40 $((8 << 8)) 200000 16384
	ready 3750000 40 1
	switch 3750000 40 0
	ready 3800000 900
	switch 3800000 900 40
	# 10 ms, of which 2 ms are in a request, is for something else
	switch 3900000 0 900 5 6
	disk 3980000 900 $((8 << 8)) 20000 4096
	ready 4000000 900 1
	switch 4000000 900 0
	disk 4010000 900 $((8 << 8)) 200000 4096
	request 4010000 900 900 2 3 Request
	echo "buffer cpu=1"
	switch 2010000 901 0
	switch 2100000 0 901 5 2
	disk 2700000 901 $((8 << 8)) 500000 4096
	ready 2700000 901 1
	switch 2700000 901 0
	ready 2900000 900
	switch 2950000 0 901
	# Another one has got the number
	name_disk 4020000 $((8 << 8)) sda
} | "$maker" "$dir/server.etl"
"$evnt" why --top 3 "$dir/server.etl" > "$dir/out" 2> "$dir/err"
is "$(sed '/^BLOCKED/,/^$/d' "$dir/out" | cat - "$dir/err")" "\
Request Path=\"/disk\" took 101.0 ms in server 900: it was blocked for 70.0 ms (disk 60.0 ms, unknown
10.0 ms), ran for 31.0 ms, and could run, but got no processor, for 0 ms.
It waited for 3 requests of 28.0 KB to disk sda (8:0), under way for 28.0 ms, and 1 request to disk
259:1, under way for 19.0 ms.
The longest of 4 waits: disk, 30.0 ms, until jbd2 40 woke it. Meanwhile, that thread ran for 10.0
ms, and was blocked for 20.0 ms: disk (1 request of 16.0 KB to disk sda (8:0), under way for 20.0
ms).

Request Path=\"/compute\" took 100.0 ms in server 900: it was blocked for 0 ms, ran for 100.0 ms, and
could run, but got no processor, for 0 ms.
Of 1 samples, 100 % were in compute.

Request Path=\"/lock\" took 92.0 ms in server 900: it was blocked for 89.0 ms (lock 89.0 ms), ran for
2.0 ms, and could run, but got no processor, for 1.0 ms.
The wait: lock (futex_wait), 89.0 ms, until server 900, thread 901 woke it. Meanwhile, that thread
ran for 29.0 ms, and was blocked for 60.0 ms: disk (1 request of 4.0 KB to disk sda (8:0), under way
for 50.0 ms)." \
	"three slow requests are explained"
"$evnt" why --top 3 --json "$dir/server.etl" > "$dir/out"
is "$(jq -c '[.fields.Path, .causes, .disks]' "$dir/out")" \
'["/disk",[{"name":"disk","count":3,"duration_ns":60000000},{"name":"unknown","count":1,"duration_ns":10000000}],[{"disk":"8:0","name":"sda","requests":3,"bytes":28672,"duration_ns":28000000},{"disk":"259:1","requests":1,"bytes":0,"duration_ns":19000000}]]
["/compute",[],null]
["/lock",[{"name":"lock","count":1,"duration_ns":89000000}],null]' \
	"the causes are in the objects"
is "$(jq -c 'select(.fields.Path == "/disk") | .waits[] |
	[.duration_ns, .cause, .disks]' "$dir/out")" \
'[30000000,"disk",[{"disk":"8:0","name":"sda","requests":1,"bytes":16384,"duration_ns":20000000}]]
[20000000,"disk",[{"disk":"259:1","requests":1,"bytes":0,"duration_ns":19000000}]]
[10000000,"disk",[{"disk":"8:0","name":"sda","requests":2,"bytes":12288,"duration_ns":8000000}]]
[10000000,"unknown",null]' \
	"and the disks of each wait"
is "$(jq -c 'select(.fields.Path == "/lock") | .waits[].woken_by |
	[.tid, .cause, .disks]' "$dir/out")" \
	'[901,"disk",[{"disk":"8:0","name":"sda","requests":1,"bytes":4096,"duration_ns":50000000}]]' \
	"the owner of the lock waited for a disk"

# An activity goes from a thread to another one; the other's time counts from its
# first event.  Without stacks, the reason of a wait is all that is known.
{
	echo "buffer cpu=0"
	process 0 3 900 server
	thread 0 900 901
	request 10000 900 900 1 1 Outer
	request 11000 900 900 1 2 Inner
	switch 20000 901 900 5 6
	request 30000 900 901 0 1 Step
	# Woken before it sleeps
	ready 40000 901
	switch 50000 0 901 5 29
	switch 80000 901 0
	request 90000 900 901 2 1 Outer
	request 95000 900 901 2 2 Inner
	request 96000 900 901 1 3 Other
	request 97000 900 901 1 4 Hanging
	request 98000 900 901 2 3 Other
	switch 99000 902 901 1 32
	switch 197000 0 902
} | "$maker" "$dir/two.etl"
is "$("$evnt" why --name Outer "$dir/two.etl")" "\
Outer took 8.0 ms in server 900 and others: it was blocked for 1.0 ms (unknown 1.0 ms), ran for 4.0
ms, and could run, but got no processor, for 3.0 ms.
The wait: unknown, 1.0 ms.

BLOCKED ON  WOKEN BY  RAN, MS  AT, MS     MS
unknown                         1.000  1.000" "an activity has parts in several threads"
is "$("$evnt" why --top 5 --json "$dir/two.etl" | jq -c '[.name, .duration_ns,
	.running_ns, .runnable_ns, .blocked_ns]')" \
'["Hanging",10000000,200000,9800000,0]
["Inner",8400000,900000,0,7500000]
["Outer",8000000,4000000,3000000,1000000]
["Other",200000,200000,0,0]' "the longest comes first, also one that does not end"
is "$("$evnt" why "$dir/two.etl" | head -n 1)" "\
Hanging has not ended after 10.0 ms in server 900, thread 901: it was blocked for 0 ms, ran for" \
	"that is in the text"
is "$("$evnt" why --json --activity 00000003-0000-0000-0000-000000000000 \
	"$dir/two.etl" | jq -r .name)" Other "an activity is selected by its id"

# Without wake-ups, it cannot be known when the thread could run again
{
	echo "buffer cpu=0"
	request 10000 900 900 1 1 Request
	switch 20000 0 900 5 27
	switch 50000 900 0
	request 60000 900 900 2 1 Request
} | "$maker" "$dir/no_ready.etl"
is "$("$evnt" why "$dir/no_ready.etl")" "\
Request took 5.0 ms in process 900: it was blocked for 3.0 ms (lock of the kernel 3.0 ms), ran for
2.0 ms, and could run, but got no processor, for 0 ms. Without wake-ups in the log, the latter
belongs to the former.
The wait: lock of the kernel, 3.0 ms.

BLOCKED ON          WOKEN BY  RAN, MS  AT, MS     MS
lock of the kernel                      1.000  3.000" "a log may have no wake-ups"

request 1 900 900 1 1 Request | "$maker" "$dir/none.etl"
"$evnt" why "$dir/none.etl" > "$dir/out" 2> "$dir/err"
is "$? $(cat "$dir/err")" "1 evnt: no context switches: 'evnt record --system cpu\
 --system-stack profile,switch,ready' records them" \
	"a log without context switches is an error"
"$evnt" why --name Other "$dir/none.etl" > "$dir/out" 2> "$dir/err"
is "$? $(cat "$dir/err")" "1 evnt: the log has no such activity: 'evnt activities'\
 lists them" "and one without the activity"
"$evnt" why --activity 7 "$dir/none.etl" > "$dir/out" 2> "$dir/err"
is $? 2 "an activity that is no GUID is misuse"

# A thread that has just begun, with an id that another one had, wakes another one
{
	echo "buffer cpu=0"
	process 0 3 900 server
	request 10000 900 900 1 1 Request
	switch 20000 901 900 5 6
	process 30000 1 901 other
	ready 40000 900
	echo "buffer cpu=1"
	switch 50000 900 0
	request 60000 900 900 2 1 Request
} | "$maker" "$dir/reused.etl"
is "$("$evnt" why --json "$dir/reused.etl" | jq -c '.waits[0].woken_by')" \
	'{"pid":901,"tid":901,"process":"other","running_ns":0,"blocked_ns":0}' \
	"a thread without context switches may wake another one"

# Names of any length fit in 100 columns
long=$(printf 'x%.0s' {1..250})
{
	echo "buffer cpu=0"
	process 0 3 900 "$long"
	process 0 3 901 "$long"
	request 10000 900 900 1 1 Request
	switch 20000 901 900 5 6
	ready 40000 900
	switch 50000 900 901
	request 60000 900 900 2 1 Request
} | "$maker" "$dir/long.etl"
is "$("$evnt" why "$dir/long.etl" | tail -n 2 | awk '{ print length <= 100 }')" \
	"1
1" "a table has at most 100 columns"

# A stack of a sample in two parts, the first of which has one address, and one
# that is cut within its first address
{
	echo "buffer cpu=0"
	begin
	request 10000 900 900 1 1 Request
	switch 15000 900 0
	sample 20000 900 "$(in_program compute)"
	stack 20000 900 900 "$(in_program compute)"
	stack 20000 900 900 "$(in_program lock)" "$(in_program unlock)"
	sample 30000 900 "$(in_program save)"
	echo "$(frames 30001 $((30000 + log_base)) 900 900) u32=0"
	request 40000 900 900 2 1 Request
} | "$maker" "$dir/parts.etl"
"$evnt" why --json "$dir/parts.etl" > "$dir/out" 2> "$dir/err"
is "$? $(jq -c .functions "$dir/out")" \
	'0 [{"name":"compute","count":1},{"name":"save","count":1}]' \
	"a stack may have parts, or be cut"

# Cut and damaged events are no danger
{
	echo "buffer cpu=0"
	request 0 4294967295 4294967295 1 1 Request
	for len in 0 4 8 12 16 20; do
		for hook in 0x0301 0x0501 0x0524 0x0532 0x0f2e 0x1403 0x1820; do
			echo -n "system hook=$hook version=3 time=1"
			for ((i = 0; i < len; i += 4)); do
				echo -n " u32=0xffffffff"
			done
			echo
		done
	done
} | "$maker" "$dir/cut.etl"
"$evnt" why "$dir/cut.etl" > "$dir/out" 2> "$dir/err"
is $? 0 "events that are cut are read"
done_testing
