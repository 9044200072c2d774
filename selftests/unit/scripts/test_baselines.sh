#!/bin/bash
# SPDX-License-Identifier: MIT
# scripts/baselines compares a decoded log with a baseline of PerfView's tests.
set -u
# shellcheck source=selftests/unit/common/tap.bash
. "$(dirname "$0")/../common/tap.bash"

[ -x "$evnt" ] || skip_all "$evnt is not built"
[ -x "$build/unit/log_maker" ] || skip_all "log_maker is not built"
inputs=$dir/sources/perfview/src/TraceEvent/TraceEvent.Tests/inputs

compare() {
	EVNT_BUILD=$build EVNT_SOURCES=$dir/sources \
		"$repo/scripts/baselines" "$@" 2> "$dir/err"
	echo $?
}

# A baseline of two events, with the size and the number of the first one
baseline() {
	cat << END
EVENT 0.000: Test-Provider/Sizes PID=7; TID=8; PName=; ProceNum=1; DataLen=9; Size=$1; Path=C:\\a; Total=5;
EVENT 0.100: Test-Provider/Names PID=7; TID=8; PName=; ProceNum=1; DataLen=9; Name=abcdefghijklmnopqrst...;
COUNT Test-Provider/Sizes:$2
END
}

is "$(compare)" 2 "a folder with PerfView's tests is needed"
mkdir -p "$inputs"
"$build/unit/log_maker" "$dir/small.etl" << 'END'
header
event time=0 pid=7 tid=8 cpu=1 name=Sizes u32:Size=4096 str:Path=\Device\a
event time=1000 pid=7 tid=8 cpu=1 name=Names str:Name=abcdefghijklmnopqrstuvwxyz
END
(cd "$dir" && python3 -m zipfile -c "$inputs/small.etl.zip" small.etl)
baseline 4,096 1 > "$inputs/small.baseline.txt"
is "$(compare)" "small: 2 of 2 events; 1 of 1 types; 4 fields: 2 equal, 1 in another form, 1 of PerfView alone
0" "equal values, another form and a field of PerfView alone are counted"
baseline 4,095 2 > "$inputs/small.baseline.txt"
is "$(compare small)" "small: 2 of 2 events; 0 of 1 types; 4 fields: 1 equal, 1 in another form, 1 of PerfView alone
  Test-Provider/Sizes: Size is 4096, not 4,095
  Test-Provider/Sizes: 1 events, not 2
1" "another value and another number of events are differences"
sed -i 's/^EVENT 0.100/EVENT 7.100/' "$inputs/small.baseline.txt"
is "$(compare small | grep -o 'missing: EVENT 7.100: Test-Provider/Names')" \
	"missing: EVENT 7.100: Test-Provider/Names" \
	"an event at another time is missing"
is "$(compare other)" "other: no log
0" "a log that is missing is skipped"
done_testing
