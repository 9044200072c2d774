#!/bin/bash
# SPDX-License-Identifier: MIT
# evnt dump prints a line for people: local time, process, provider, event and
# fields, at most 100 columns of the usual events, and no control characters
# of events reach a terminal.
set -u
# shellcheck source=selftests/unit/common/tap.bash
. "$(dirname "$0")/../common/tap.bash"

export EVNTPROV_MANIFESTS=$dir TZ=EAST-2 LC_ALL=C.UTF-8
unset NO_COLOR
log=$dir/a.etl

# $1: expected lines; $2: what is the same; options of dump follow
shows() {
	is "$("$evnt" dump "${@:3}" "$log" 2>&1)" "$1" "$2"
}

make_log() {
	"$build/unit/log_maker" "$log" || fail "the log is written"
}

typed() {
	script -qec "$*" "$dir/typed" < /dev/null > /dev/null
	sed '/^Script \(started\|done\)/d; s/\r$//' "$dir/typed"
}

make_log << 'END'
image time=900 pid=10 tid=11 base=0x5000 size=0x1000 path=/usr/bin/server
event time=1000 pid=10 tid=11 op=1 level=4 name=Request u32:Number=0 str:Path=/page/33
event time=2009 pid=10 tid=11 op=2 level=4 name=Request u32:Status=200
event time=3000 pid=20 tid=20 level=2 name=Failed i32:Status=-5
event time=4000 pid=20 tid=20 level=3 name=Slow
event time=5000 pid=20 tid=20 op=9 level=5 name=Sent
event time=6000 pid=20 tid=20 op=1 level=4 name=JobStart
event time=7000 pid=9 tid=9 kernel name=Start u32:ProcessId=20 str:ImageFileName=C:\bin\job.exe
event time=8000 pid=20 tid=20 level=4 id=7 op=40 name=Custom
event time=9000 pid=4294967295 tid=4294967295 level=4 id=7
event time=9500 pid=20 tid=20 level=4 id=110 op=10
END
shows '06:26:40.000100  server[10]  Test-Provider  Request ▶  Number=0 Path="/page/33"
06:26:40.000200  server[10]  Test-Provider  Request ■  Status=200
06:26:40.000300  [20]  Test-Provider  Error: Failed  Status=-5
06:26:40.000400  [20]  Test-Provider  Warning: Slow
06:26:40.000500  [20]  Test-Provider  Sent (Send)
06:26:40.000600  [20]  Test-Provider  JobStart
06:26:40.000700  [9]  Test-Provider  Start  ProcessId=20 ImageFileName="C:\\bin\\job.exe"
06:26:40.000800  job.exe[20]  Test-Provider  Custom (opcode 40)
06:26:40.000900  -  00001234-0000-0000-0000-000000000000  event 7
06:26:40.000950  job.exe[20]  00001234-0000-0000-0000-000000000000  event 110 (opcode 10)' \
	"a line has local time, process, provider, event and fields"
LC_ALL=C shows '06:26:40.000100  server[10]  Test-Provider  Request Start  Number=0 Path="/page/33"' \
	"without UTF-8, activities begin and end in words" --limit 1
shows '2022-06-18T04:26:40.0001000Z cpu=0 pid=10 tid=11 Test-Provider name="Request" id=0 version=0 level=Information opcode=Start task=0 keyword=0x0 Number=0 Path="/page/33"' \
	"--format full prints all of the header" --format full --limit 1
is "$("$evnt" dump --json --pid 10,20 "$log" | jq -r '.process // "-"' |
	uniq -c | tr -s ' \n' ' ')" ' 2 server 4 - 2 job.exe ' \
	"JSON has the process where it is known"
is "$("$evnt" dump --json "$log" | jq -r .schema | sort -u)" 1 \
	"JSON has the number of its schema"
is "$("$evnt" dump --format csv --limit 1 "$log" | sed 's/.*,//' |
	tr '\n' ' ')" 'process server ' "the last column of CSV is the process"

make_log << 'END'
event time=1000 pid=20 tid=20 level=4 name=A
loss time=9000 count=518 first=1000 last=2000000 cpu=2 size=4096 mode=0x100 session=stranger reason=blocked
loss time=9000 count=1 first=1000 last=2000 cpu=0 size=4096 mode=0x100 consumers=1 session=stranger reason=blocked
loss time=9000 count=2 first=1000 last=2000 cpu=0 size=65536 reason=blocked
loss time=9000 count=3 first=1000 last=2000 cpu=1 size=65536 reason=no_buffer
loss time=9000 count=4 first=1000 last=2000 cpu=1 size=8192 reason=too_large
loss time=9000 count=5 first=1000 last=2000 cpu=1 size=8192 reason=unreadable
loss time=9000 count=6 first=1000 last=2000 cpu=1 size=8192 session=stranger reason=blocked cut=12
event time=9500 pid=20 tid=20 level=4 name=B
END
losses="LOST 518 events from 06:26:40.000 to 06:26:40.200 on CPU 2: session 'stranger' (4 KB buffers, not being read) had no room
LOST 1 event at 06:26:40.000 on CPU 0: session 'stranger' (4 KB buffers) had no room
LOST 2 events at 06:26:40.000 on CPU 0: another session, which has ended or is not visible, had no room
LOST 3 events at 06:26:40.000 on CPU 1: no buffer was free (64 KB buffers)
LOST 4 events at 06:26:40.000 on CPU 1: they were too large for a buffer (8 KB buffers)
LOST 5 events at 06:26:40.000 on CPU 1: their data vanished while it was read
LOST 6 events at 06:26:40.000 on CPU 1: session 'strange' (8 KB buffers) had no room"
shows "06:26:40.000100  [20]  Test-Provider  A
$losses
06:26:40.000950  [20]  Test-Provider  B" \
	"losses have their number, time, CPU and cause"
is "$("$evnt" dump --where 'Absent == 1' "$log" 2> /dev/null)" "$losses" \
	"losses are printed regardless of a selection"
is "$("$evnt" dump --json "$log" | jq -s length)" 9 \
	"JSON has an object for each loss"
is "$("$evnt" stat "$log" | grep ^LOST)" "$losses" \
	"stat prints the losses"

make_log << 'END'
process time=1 pid=7 name=job
event time=2 pid=7 tid=7 name=A
process time=3 pid=8 name=work.exe windows
event time=4 pid=8 tid=8 name=B
process time=5 pid=7 name=next
event time=6 pid=7 tid=7 name=C
END
shows '06:26:40.000000  job[7]  Test-Provider  A
06:26:40.000000  -  MSNT_SystemTrace  Process (DCStart)  UniqueProcessKey=0x0 ProcessId=0x8 ParentId=0x0 SessionId=0 ExitStatus=259 DirectoryTableBase=0x0 Flags=0x0 UserSID= ImageFileName="work.exe" CommandLine="" PackageFullName="" ApplicationId=""
06:26:40.000000  work.exe[8]  Test-Provider  B
06:26:40.000000  next[7]  Test-Provider  C' \
	"records of the module name processes and are not printed"
is "$("$evnt" dump --images "$log" | grep -c 'ImageFileName="\(job\|next\)"')" 2 \
	"--images prints the records that name processes"
is "$("$evnt" stat --json "$log" | jq .count)" 5 \
	"statistics do not contain the module's records"
"$evnt" export --perfetto -o "$dir/a.pftrace" "$log" 2> "$dir/err"
is "$(strings "$dir/a.pftrace" | grep -cx 'next\|.*work.exe')" 2 \
	"tracks of Perfetto have the names"
digits=0123456789abcdef
digits=$digits$digits$digits$digits
make_log << END
process time=1 pid=7 name=job package=docker-$digits.scope
event time=2 pid=7 tid=7 name=A
process time=3 pid=8 name=web package=nginx.service
event time=4 pid=8 tid=8 name=B
END
shows '06:26:40.000000  job@0123456789ab[7]  Test-Provider  A
06:26:40.000000  web[8]  Test-Provider  B' \
	"the id of a container is behind the name of a process"
is "$("$evnt" dump --json "$log" | jq -r '"\(.process) \(.package)"')" \
	"job docker-$digits.scope
web nginx.service" "JSON has the packages of processes"
is "$("$evnt" stat --json "$log" | jq -c '[.processes[] | .package]')" \
	"[\"docker-$digits.scope\",\"nginx.service\"]" \
	"JSON of statistics has the packages of processes"
is "$("$evnt" stat "$log" | grep -o 'job@0123456789ab\[7\]')" \
	"job@0123456789ab[7]" "statistics have the id of a container"
"$evnt" export --perfetto -o "$dir/a.pftrace" "$log" 2> "$dir/err"
is "$(strings "$dir/a.pftrace" | grep -c 'job@0123456789ab')" 1 \
	"tracks of Perfetto have the id of a container"

make_log << 'END'
event time=1 pid=1 tid=1 name=A stack=0x10
END
is "$("$evnt" dump --json "$log" | jq -c .extended)" null \
	"JSON omits the raw extended items"
is "$("$evnt" dump --json --full "$log" | jq -c '[.extended[].type]')" \
	'[6,12,11]' "JSON has the raw extended items on request"

make_log << 'END'
event time=627199999999 pid=1 tid=1 name=A
event time=627200000000 pid=1 tid=1 name=B
event time=1491200000000 pid=1 tid=1 name=C
END
shows '23:51:59.999999  [1]  Test-Provider  A
23:52:00.000000  [1]  Test-Provider  B
2022-06-19 23:52:00.000000  [1]  Test-Provider  C' \
	"lines of other days than the first have the date"

make_log << 'END'
event time=1 pid=9 tid=9 windows id=1 name=Start u32:ProcessId=20 str:ImageName=\a.exe
event time=2 pid=20 tid=20 windows id=5 name=Load u32:ProcessId=20 str:ImageName=\b.dll
event time=3 pid=20 tid=20 name=A
END
is "$("$evnt" dump --json "$log" | jq -r '.process // "-"' | tail -n 1)" a.exe \
	"an image that a process loads does not name the process"

zeros=$(printf '%0254d' 0)
make_log << END
event time=1 pid=9 tid=9 kernel name=Start u32:ProcessId=20 str:ImageFileName=${zeros}é
event time=2 pid=20 tid=20 name=A
END
is "$("$evnt" dump "$log" | sed -n '2s/^[^ ]*  //p')" \
	"${zeros}[20]  Test-Provider  A" "a long name ends after a whole character"

make_log << END
event time=1 pid=1 tid=1 id=7 raw=$(printf '%060d' 0)
event time=2 pid=1 tid=1 id=7 raw=$(printf '%061d' 0)
END
is "$("$evnt" dump "$log" | sed 's/.*  //')" "\"$(printf '%060d' 0)\"
\"$(printf '%060d' 0)…\"" "a payload of more than 60 characters is marked"

esc=$'\e' bel=$'\a' csi=$'\xc2\x9b'
make_log << END
event time=1 pid=1 tid=1 name=${esc}[31mRed str:Text${esc}=a${esc}]0;title${bel}${csi}31m
END
"$evnt" dump "$log" > "$dir/out"
is "$(tr -d '[:print:]\n' < "$dir/out" | od -An -c)" "" \
	"control characters of events are not printed"
is "$(sed 's/.*Provider  //' "$dir/out")" \
	'\x1b[31mRed  Text\x1b="a\x1b]0;title\x07\x9b31m"' \
	"control characters of events are printed as numbers"

make_log << 'END'
event time=1 pid=1 tid=1 level=1 name=A
event time=2 pid=1 tid=1 level=2 name=B
event time=3 pid=1 tid=1 level=3 name=C
event time=4 pid=1 tid=1 level=4 name=D
event time=5 pid=1 tid=1 level=5 name=E
event time=6 pid=1 tid=1 name=F
END
colours() {
	typed "$evnt dump $log" | grep . | cat -v | sed 's/[0-9:.]*  \[1\].*  //'
}
export TERM=xterm
is "$(colours | tr '\n' ' ')" \
	'^[[31mCritical: A^[[0m ^[[31mError: B^[[0m ^[[33mWarning: C^[[0m D ^[[2mE^[[0m F ' \
	"lines on a terminal have the colour of their level"
is "$(NO_COLOR=1 colours | tr '\n' ' ')" 'Critical: A Error: B Warning: C D E F ' \
	"NO_COLOR is honoured"
is "$(TERM=dumb colours | tr '\n' ' ')" 'Critical: A Error: B Warning: C D E F ' \
	"a terminal without colours gets none"
is "$("$evnt" dump "$log" | grep -c "$esc")" 0 "a file gets no colours"

done_testing
