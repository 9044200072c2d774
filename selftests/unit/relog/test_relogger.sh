#!/bin/bash
# SPDX-License-Identifier: MIT
# A C++ program relogs as on Windows; its log is read by evnt and by a reader of its
# own.
set -u
# shellcheck source=selftests/unit/common/tap.bash
. "$(dirname "$0")/../common/tap.bash"

[ -x "$evnt" ] || skip_all "evnt is not built"
command -v jq > /dev/null || skip_all "jq is not installed"
here=$(cd "$(dirname "$0")" && pwd)
include=$repo/lib/include
flags="-Wall -Wextra -Werror -Wno-unknown-pragmas -isystem $include
       -isystem $include/compat -fshort-wchar -D_GLIBCXX_ASSERTIONS"
link="-L$build/lib -levntcompat -levntprov -lpthread -Wl,-rpath,$build/lib"

# In two steps, of which a cache of compilers keeps the first
# shellcheck disable=SC2086
relogs() {
	rm -f "$dir/out.etl"
	$1 $flags -c "$here/relogger.cc" -o "$dir/relogger.o" &&
	$1 "$dir/relogger.o" -o "$dir/relogger" $link &&
	"$dir/relogger" "$dir/in.etl" "$dir/out.etl"
}

"$build/unit/log_maker" "$dir/in.etl" <<- 'END'
process time=500 pid=41 name=program
event time=1000 pid=41 id=1 level=4 name=One u32:Number=5
event time=2000 pid=41 id=2 level=4 name=Two str:Text=lost
event time=3000 pid=41 id=3 level=4 name=Three str:Text=kept stack=0x1000,0x2000
event time=4000 pid=41 id=5 level=4 provider=77 raw=five
END
for compiler in "g++ -std=c++17" "g++ -std=c++20 -O2 -DINITGUID" \
		"clang++ -std=c++17" "clang++ -std=c++20 -O2 -fms-extensions"; do
	check "$compiler: a program relogs" relogs "$compiler"
	is "$("$evnt" dump --json "$dir/out.etl" |
		jq -c '[.process, .id, .level, .fields, (.stack // [] | length)]')" \
		'["program",1,4,{"Number":5},0]
["program",3,1,{"Text":"kept"},2]
["program",5,4,null,0]
[null,77,0,null,0]' "$compiler: evnt reads what it has selected"
done
reader=$data/../tools/etlscan.py
if [ -e "$reader" ] && command -v python3 > /dev/null; then
	check "an independent reader finds nothing wrong" \
		python3 "$reader" "$dir/out.etl"
else
	skip "no independent reader in EVNT_DATA/../tools"
fi

done_testing
