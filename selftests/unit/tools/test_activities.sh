#!/bin/bash
# SPDX-License-Identifier: MIT
# evnt activities: which events form an activity, its parent, its properties,
# and which activities are selected. log_maker makes the logs from text.
set -u
# shellcheck source=selftests/unit/common/tap.bash
. "$(dirname "$0")/../common/tap.bash"

maker=$build/unit/log_maker
log=$dir/made.etl
export EVNTPROV_MANIFESTS=$dir

# Make a log from lines of standard input
make_log() {
	"$maker" "$log" || echo "# $maker failed"
}

# Name, indented by depth, status and number of events of each
shape() {
	"$evnt" activities --json "$log" 2> "$dir/err" |
		jq -r '("  " * .depth) + (.name // "?") + " " + .status + " " +
			(.events // 0 | tostring)'
}

names() {
	"$evnt" activities --json "$@" "$log" 2> "$dir/err" |
		jq -rs 'map(.name // "?") | join(" ")'
}

test_lines() {
	make_log << 'END'
header events=7 buffers=1
event time=1000 pid=10 tid=11 op=1 act=0xa name=Request str:Url=/index u32:Size=5
event time=2000 pid=10 tid=11 act=0xa name=Parse
event time=3000 pid=10 tid=12 op=1 act=0xb rel=0xa name=Query str:Sql=select
event time=4000 pid=10 tid=12 act=0xb name=Row
event time=5000 pid=10 tid=12 op=2 act=0xb name=Query u32:Status=0
event time=36000 pid=10 tid=13 op=2 act=0xa name=Request u32:Result=200
event time=37000 pid=20 tid=21 op=1 id=7 task=3 act=0xd
event time=38100 pid=10 tid=11 op=2 act=0xe name=Late
event time=38200 pid=10 tid=11 op=1 act=0xf rel=0xf0 name=Orphan
event time=38300 pid=10 tid=11 op=2 act=0xf name=Orphan
event time=10038400 pid=10 tid=11
END
	is "$("$evnt" activities "$log" 2> "$dir/err")" \
'START                              DURATION  ACTIVITY
2022-06-18T04:26:40.0001000Z       3.500 ms  Request provider=Test-Provider pid=10 tid=11 events=3 result=200 activity=0000000a-0000-0000-0000-000000000000 Url="/index" Size=5
2022-06-18T04:26:40.0003000Z       200.0 us    Query pid=10 tid=12 events=3 result=0 activity=0000000b-0000-0000-0000-000000000000 Sql="select"
2022-06-18T04:26:40.0037000Z       >1.000 s  task 3 provider=00001234-0000-0000-0000-000000000000 pid=20 tid=21 events=1 status="unfinished" activity=0000000d-0000-0000-0000-000000000000
2022-06-18T04:26:40.0038100Z         0.0 us  Late provider=Test-Provider pid=10 tid=11 events=1 status="stopped without start" activity=0000000e-0000-0000-0000-000000000000
                                             ? status="lost" activity=000000f0-0000-0000-0000-000000000000
2022-06-18T04:26:40.0038200Z        10.0 us    Orphan provider=Test-Provider pid=10 tid=11 events=2 activity=0000000f-0000-0000-0000-000000000000' \
		"activities prints a line for each activity"
	is "$(cat "$dir/err")" \
		"evnt: $log: 7 events and 1 buffers were lost in recording" \
		"activities reports losses"
	is "$("$evnt" activities --json "$log" 2> /dev/null | head -1)" \
'{"number":1,"depth":0,"activity":"0000000a-0000-0000-0000-000000000000","provider":"00001234-0000-0000-0000-000000000000","provider_name":"Test-Provider","name":"Request","status":"done","pid":10,"tid":11,"start":"2022-06-18T04:26:40.0001000Z","duration_ns":3500000,"events":3,"stop":"2022-06-18T04:26:40.0036000Z","stop_pid":10,"stop_tid":13,"result":200,"fields":{"Url":"/index","Size":5}}' \
		"activities --json prints an object for each activity"
	is "$("$evnt" activities --json "$log" 2> /dev/null |
		jq -c '[.number, .parent]' | tr '\n' ' ')" \
		"[1,null] [2,1] [3,null] [4,null] [5,null] [6,5] " \
		"activities --json refers to parents by their numbers"
	is "$("$evnt" activities --events --top 1 --pid 10 "$log" 2> /dev/null |
		cut -c46-)" \
'ACTIVITY
Request provider=Test-Provider pid=10 tid=11 events=3 result=200 activity=0000000a-0000-0000-0000-000000000000 Url="/index" Size=5
  +0.0 us Request (Start) Url="/index" Size=5
  +100.0 us Parse
  +3.500 ms Request (Stop) pid=10 tid=13 Result=200
  Query pid=10 tid=12 events=3 result=0 activity=0000000b-0000-0000-0000-000000000000 Sql="select"
    +0.0 us Query (Start) Sql="select"
    +100.0 us Row
    +200.0 us Query (Stop) Status=0' \
		"activities --events prints the events of activities"
	is "$("$evnt" activities --events --json "$log" 2> /dev/null |
		jq -c 'select(.name == "Query").event_list[1]')" \
		'{"time":"2022-06-18T04:26:40.0004000Z","name":"Row","pid":10,"tid":12}' \
		"activities --events --json contains the events of activities"
}

test_selection() {
	make_log << 'END'
event time=1000 pid=10 tid=11 op=1 act=1 name=Outer
event time=2000 pid=20 tid=21 op=1 act=2 rel=1 name=Inner
event time=2100 pid=30 tid=31 op=1 act=3 rel=2 name=Innermost
event time=2200 pid=30 tid=31 op=2 act=3 name=Innermost
event time=5000 pid=20 tid=21 op=2 act=2 name=Inner
event time=6000 pid=10 tid=11 op=2 act=1 name=Outer
event time=7000 pid=10 tid=11 op=1 act=4 id=1 task=1 provider=0x77
event time=27000 pid=10 tid=11 op=2 act=4 id=2 task=1 provider=0x77
event time=28000 pid=10 tid=11 op=1 act=5 name=Short
event time=28100 pid=10 tid=11 op=2 act=5 name=Short
END
	is "$(names)" "Outer Inner Innermost task 1 Short" \
		"activities are printed by time"
	is "$(names --sort start)" "Outer Inner Innermost task 1 Short" \
		"--sort start sorts by time"
	is "$(names --sort duration)" "task 1 Outer Inner Innermost Short" \
		"--sort duration sorts by duration"
	is "$(names --limit 1)" "Outer Inner Innermost" \
		"--limit prints activities with those below them"
	is "$(names --top 1)" "task 1" "--top prints the longest activity"
	is "$(names --min-duration 300us)" "Outer Inner task 1" \
		"--min-duration prints activities of at least that duration"
	is "$(names --min-duration 2ms)" "task 1" \
		"--min-duration accepts several units"
	is "$(names --pid 30)" "Outer Inner Innermost" \
		"--pid prints activities with those above them"
	is "$(names --pid 20-40,50)" "Outer Inner Innermost" \
		"--pid accepts ranges"
	is "$(names -p Test-Provider --pid 10)" "Outer Short" \
		"--provider by name can be combined with --pid"
	is "$(names --provider 00000077-0000-0000-0000-000000000000)" "task 1" \
		"--provider accepts an id"
	is "$(names --activity 00000002-0000-0000-0000-000000000000)" \
		"Inner Innermost" \
			"--activity prints an activity with those below it"
	is "$(names --activity 00000002-0000-0000-0000-000000000000 --pid 10)" \
		"" "--activity prints nothing above the activity"
	is "$(names --activity 00000009-0000-0000-0000-000000000000)" "" \
		"--activity of an unknown id prints nothing"
}

test_rules() {
	make_log << 'END'
event time=1 tid=1 op=1 act=1 name=First
event time=2 tid=1 op=2 act=1 name=First
event time=3 tid=1 act=1 name=Behind
event time=4 tid=1 op=1 act=1 name=Second
event time=5 tid=1 op=2 act=1 name=Second
END
	is "$(shape)" 'First done 3
Second done 2' "an id that is used again is another activity"
	make_log << 'END'
event time=1 tid=1 op=1 act=1 id=1 task=1
event time=2 tid=1 op=1 act=1 id=3 task=2
event time=3 tid=1 act=1 id=5
event time=4 tid=1 op=2 act=1 id=2 task=1
event time=5 tid=1 op=2 act=1 id=4 task=2
END
	is "$(shape)" 'task 1 done 2
  task 2 done 3' \
	"a start with an open id is an inner activity, and stops match tasks"
	make_log << 'END'
event time=1 tid=1 op=1 act=1 name=Work
event time=2 tid=1 op=2 act=1 name=ActivityStoppedAutomatically
END
	is "$(shape)" 'Work done 2' \
		"a stop of another name ends the provider's activity"
	make_log << 'END'
event time=1 tid=1 op=1 act=1 id=1 task=1
event time=2 tid=1 op=2 act=1 id=4 task=2
END
	is "$(shape)" 'task 1 unfinished 1
  task 2 stopped without start 1' "a stop with a task ends no activity of another task"
	make_log << 'END'
event time=1000 tid=1 op=1 act=1 name=Work
event time=2000 tid=1 op=2 act=1 name=Work
event time=9000 tid=1 act=1 name=Behind
event time=10000 tid=1 op=2 act=2 name=Late
event time=90000 tid=1 act=2 name=Behind
END
	is "$("$evnt" activities --json "$log" |
		jq -r '.name + " " + (.stop // "-")')" \
'Work 2022-06-18T04:26:40.0002000Z
Late 2022-06-18T04:26:40.0010000Z' \
	"an event after the stop does not change the end"
	make_log << 'END'
event time=1 tid=1 act=1 name=Before
event time=2 tid=1 op=1 act=1 name=Work
event time=3 tid=1 op=2 act=1 name=Work
event time=4 tid=1 act=2 name=Plain
END
	is "$(shape)" 'Work done 3
Plain no start, no stop 1' "events without a start have their own line"
	make_log << 'END'
event time=1 tid=1 op=1 act=1 rel=2 name=A
event time=2 tid=1 op=1 act=2 rel=3 name=B
event time=3 tid=1 op=1 act=3 rel=1 name=C
event time=4 tid=1 op=1 act=4 rel=4 name=Self
END
	is "$(shape)" 'C unfinished 1
  B unfinished 1
    A unfinished 1
Self unfinished 1' "activities that are related in a circle are all printed"
	make_log << 'END'
event time=1 tid=1 op=1 id=1 task=1
event time=2 tid=1 op=1 id=3 task=2
event time=3 tid=1 op=1 id=5 task=3
event time=4 tid=2 id=9
event time=5 tid=1 op=2 id=4 task=2
event time=6 tid=1 id=9
event time=7 tid=1 op=2 id=2 task=1
event time=8 tid=1 id=9
event time=9 tid=1 op=2 id=2 task=1
END
	is "$(shape)" 'task 1 done 3
  task 2 done 2
    task 3 unfinished 1
task 1 stopped without start 1' "activities without ids are matched by thread"
	make_log << 'END'
event time=1 pid=5 tid=1 op=1 act=0x11 net name=A
event time=2 pid=5 tid=1 op=1 act=0x2011 net rel=0x11 name=B
event time=3 pid=5 tid=1 op=1 act=0x05c011 net name=C
event time=4 pid=5 tid=1 op=1 act=0x11 name=D
END
	is "$("$evnt" activities --json "$log" |
		jq -r '.name + " " + (.path // "-")' | tr '\n' ' ')" \
		"A //1/1 C //1/1/5 D - B //1/1/2 " \
			"ids of .NET are printed as paths"
}

# Fields are cut off behind 120 bytes, but inside no character
test_long() {
	local text

	text=$(printf 'ä%.0s' {1..60})
	make_log << END
event time=0 pid=5 tid=1 op=1 act=0x11 net name=A str:Of=$text
event time=1212000000 pid=5 tid=1 op=2 act=0x11 net name=A
END
	is "$("$evnt" activities "$log" | tail -1 | sed 's/^[^ ]* *//')" \
		"2 min 1.2 s  A provider=Test-Provider pid=5 tid=1 events=2 activity=00000011-0000-0000-0000-0000be999d59 path=//1/1 Of=\"${text:0:56}..." \
		"activities prints minutes, paths, and the beginning of long fields"
	make_log << END
event time=0 pid=5 tid=1 op=1 act=0x11 name=A str:S=$text
END
	is "$("$evnt" activities "$log" | sed -n 's/.* S=//p')" \
		"\"${text:0:56}..." "activities cuts no character in two"
}

# Many activities, nested and side by side
test_many() {
	awk 'BEGIN {
		for (i = 1; i <= 5000; i++)
			printf "event time=%d tid=1 op=1 act=%d rel=%d name=N\n",
				i, i + 1, i
		for (; i <= 25000; i += 2)
			printf "event time=%d tid=1 op=1 act=%d name=M\n" \
				"event time=%d tid=1 op=2 act=%d name=M\n",
				i, i + 20000, i + 1, i + 20000
	}' | make_log
	is "$(shape | awk '{ print $1, $2 }' | sort | uniq -c | xargs)" \
		"1 ? lost 10000 M done 5000 N unfinished" \
			"a log may contain 5000 nested activities"
	is "$("$evnt" activities "$log" | tail -n +2 | awk '{ print length($0) }' |
		sort -n | tail -1 | awk '{ print $1 < 300 }')" 1 \
		"a deeply nested activity has less than 300 columns"
}

test_errors() {
	local arguments

	for arguments in "" "--sort size" "--limit 0" "--top x" "--pid none" \
			 "--min-duration 10" "--min-duration ms" \
			 "--min-duration 0x1s" "--min-duration 1e30s" \
			 "--activity 1" "--provider {1" "--what"; do
		# shellcheck disable=SC2086 # they are words
		"$evnt" activities $arguments > /dev/null 2> "$dir/err"
		is $? 2 "wrong arguments '$arguments' are misuse"
	done
	"$evnt" activities /dev/null > /dev/null 2> "$dir/err"
	is $? 1 "activities of a file that is no log fails"
	: | make_log
	is "$("$evnt" activities --json "$log")" "" \
		"activities of a log without events prints nothing"
}

test_logs() {
	is "$("$evnt" activities --provider PerfView --json \
		"$data/etl/net.4.5.2.x86.etl" |
		jq -c 'select(.name == "Tracing") | [.status, .events, .path]')" \
		'["done",124,null]' \
		"activities uses the names of a manifest in the log"
	is "$("$evnt" activities --json "$data/etl/HTTP_Server.etl" |
		jq -s '[.[].events] | add')" \
		"$("$evnt" dump --json "$data/etl/HTTP_Server.etl" |
		   jq -s '[.[].activity | select(.)] | length')" \
		"each event with an id belongs to an activity"
}

command -v jq > /dev/null || skip_all "jq is not installed"
[ -x "$evnt" ] || skip_all "$evnt is not built"
[ -x "$maker" ] || skip_all "$maker is not built"

test_lines
test_selection
test_rules
test_long
test_many
test_errors
if [ -d "$data/etl" ]; then
	test_logs
else
	skip "the log files of Windows are not here"
fi

done_testing
