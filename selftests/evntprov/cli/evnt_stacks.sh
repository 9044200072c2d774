#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Call stacks are printed with names of functions and lines after the program
# has ended: in text and in JSON, as far as names exist, and only if the file is
# the one that was recorded.  Needs root and the module loaded.
set -u

here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=selftests/evntprov/cli/cli.bash
. "$here/cli.bash"

program=$dir/program
cp "$here/stack_program" "$program"

record() {
	run "$evnt" record -p '*Evntprov-Stacks' -o "$dir/a.etl" "$@" \
		-- "$program"
}

# Number of the source line with this comment
line() {
	grep -n "/\\* $1 \\*/" "$here/stack_program.c" | cut -d: -f1
}

echo "# text"
record --stack
exits 0 "record --stack succeeds"
run "$evnt" dump "$dir/a.etl"
exits 0 "dump succeeds"
for function in stack_innermost:innermost stack_middle:middle main:main; do
	says out "^	${function%:*}+0x[0-9a-f]* (.*stack_program.c:$(line \
		"${function#*:}"))\$" \
			"dump prints ${function%:*} with the line of its call"
done
is "$(grep -n 'stack_innermost+\|stack_middle+\|main+' "$dir/out" |
	sed 's/^[0-9]*:	//; s/+.*//' | head -3 | tr '\n' ' ')" \
	"stack_innermost stack_middle main " \
		"dump prints the innermost function first"
says out "^	EventWrite+0x" "dump prints the library's function"
says_not out Evntprov-Images "dump prints no image events"
is "$(wc -c <"$dir/err")" 0 "dump prints no error"

echo "# as JSON"
run "$evnt" dump --json "$dir/a.etl"
exits 0 "dump --json succeeds"
is "$(jq -r '.stack[] | select(.function == "stack_middle") |
	"\(.module) \(.line) \(.file | sub(".*/"; ""))"' "$dir/out")" \
	"$program $(line middle) stack_program.c" \
		"dump --json contains module, file and line"
is "$(jq '[.stack[] | select(.function == "stack_middle") |
	.offset > 0 and (.address | test("^0x[0-9a-f]+$")) and
	(.module_offset | test("^0x[0-9a-f]+$"))] | all' "$dir/out")" true \
	"dump --json contains address and offsets"

echo "# without symbols"
run "$evnt" dump --no-symbols "$dir/a.etl"
says out "^	program+0x[0-9a-f]*\$" \
	"dump --no-symbols prints file and offset"
says_not out stack_middle "dump --no-symbols prints no function names"
run "$evnt" dump --format full --images "$dir/a.etl"
says out "Evntprov-Images name=\"Image\".*Base=0x.* Offset=0x.*FileName=\"$program\"" \
	"dump --images prints the fields of image events"

echo "# filters"
record --stack --id 1
exits 0 "record --stack --id succeeds"
run "$evnt" dump "$dir/a.etl"
says out "^	stack_middle+0x" "a filter by id keeps image events"
record --id 1
run "$evnt" dump --images "$dir/a.etl"
says_not out Evntprov-Images "a log without --stack contains no image events"

echo "# other files"
record --stack
strip "$program"
run "$evnt" dump "$dir/a.etl"
says out "^	program+0x[0-9a-f]*\$" \
	"a stripped program: dump prints file and offset"
says_not out "stack_middle\|_init+\|_start+" \
	"a stripped program: dump prints no wrong names"
is "$(wc -c <"$dir/err")" 0 "a stripped program is the same build"
objcopy --remove-section .note.gnu.build-id "$here/stack_program" "$program"
run "$evnt" dump "$dir/a.etl"
says out "^	program+0x[0-9a-f]*\$" \
	"another build: dump prints file and offset"
says_not out stack_middle "another build: dump prints no function names"
is "$(grep -c "program is another build" "$dir/err")" 1 \
	"another build is reported once"
rm "$program"
run "$evnt" dump "$dir/a.etl"
exits 0 "dump without the program succeeds"
says out "^	program+0x[0-9a-f]*\$" \
	"a missing program: dump prints its name and offset"

finish
