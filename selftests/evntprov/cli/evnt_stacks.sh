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

echo "# as text"
record --stack
exits 0 "record --stack"
run "$evnt" dump "$dir/a.etl"
exits 0 "dump"
for function in stack_innermost:innermost stack_middle:middle main:main; do
	says out "^	${function%:*}+0x[0-9a-f]* (.*stack_program.c:$(line \
		"${function#*:}"))\$" "${function%:*} with the line of its call"
done
is "$(grep -n 'stack_innermost+\|stack_middle+\|main+' "$dir/out" |
	sed 's/^[0-9]*:	//; s/+.*//' | head -3 | tr '\n' ' ')" \
	"stack_innermost stack_middle main " "innermost first"
says out "^	EventWrite+0x" "the library's function"
says_not out Evntprov-Images "images are not printed"
is "$(wc -c <"$dir/err")" 0 "nothing is told"

echo "# as JSON"
run "$evnt" dump --json "$dir/a.etl"
exits 0 "dump --json"
is "$(jq -r '.stack[] | select(.function == "stack_middle") |
	"\(.module) \(.line) \(.file | sub(".*/"; ""))"' "$dir/out")" \
	"$program $(line middle) stack_program.c" "module, file and line"
is "$(jq '[.stack[] | select(.function == "stack_middle") |
	.offset > 0 and (.address | test("^0x[0-9a-f]+$")) and
	(.module_offset | test("^0x[0-9a-f]+$"))] | all' "$dir/out")" true \
	"address and offsets"

echo "# without"
run "$evnt" dump --no-symbols "$dir/a.etl"
says out "^	program+0x[0-9a-f]*\$" "--no-symbols: file and offset"
says_not out stack_middle "--no-symbols: no names"
run "$evnt" dump --images "$dir/a.etl"
says out "Evntprov-Images name=\"Image\".*Base=0x.* Offset=0x.*FileName=\"$program\"" \
	"--images: with their fields"

echo "# filters"
record --stack --id 1
exits 0 "record --stack --id"
run "$evnt" dump "$dir/a.etl"
says out "^	stack_middle+0x" "filters by id keep the images"
record --id 1
run "$evnt" dump --images "$dir/a.etl"
says_not out Image "no images without --stack"

echo "# other files"
record --stack
strip "$program"
run "$evnt" dump "$dir/a.etl"
says out "^	program+0x[0-9a-f]*\$" "stripped: file and offset"
says_not out "stack_middle\|_init+\|_start+" "stripped: no wrong names"
is "$(wc -c <"$dir/err")" 0 "stripped: the build is the same"
objcopy --remove-section .note.gnu.build-id "$here/stack_program" "$program"
run "$evnt" dump "$dir/a.etl"
says out "^	program+0x[0-9a-f]*\$" "another build: file and offset"
says_not out stack_middle "another build: no names"
is "$(grep -c "program is another build" "$dir/err")" 1 \
	"another build: told once"
rm "$program"
run "$evnt" dump "$dir/a.etl"
exits 0 "without the file"
says out "^	program+0x[0-9a-f]*\$" "without the file: its name and offset"

finish
