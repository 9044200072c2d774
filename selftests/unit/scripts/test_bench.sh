#!/bin/bash
# SPDX-License-Identifier: MIT
# The benchmark fails if an event costs more instructions than in the baseline,
# and for no other reason.
set -u
# shellcheck source=selftests/unit/common/tap.bash
. "$(dirname "$0")/../common/tap.bash"

command -v jq > /dev/null || skip_all "no jq"
baseline=$repo/selftests/bench/baseline.json
row='.case == "refused-library" and .kernel == "6.1"'
was=$(jq ".[] | select($row) | .instructions" "$baseline")

# Compare the baseline with itself, after a filter of jq has changed some rows:
# a condition, and the new count
compare() {
	jq "map(if $1 then .instructions = ($2) else . end)" "$baseline" \
		> "$dir/rows" || return
	EVNT_BUILD=$dir/build "$repo/scripts/bench" --compare "$dir/rows" \
		> "$dir/out" 2> "$dir/err"
}

compare "$row" .instructions
is $? 0 "the baseline passes"
is "$(cat "$dir/out")" "All as selftests/bench/baseline.json says." \
	"it is as the baseline says"
compare "$row" ".instructions + 3"
is $? 1 "a count that is more than 2 % higher fails"
check "the row and both counts are named" grep -qF \
	"refused-library, 64 bytes, 1 blocks, 1 sessions, 6.1: $was -> $((was + 3))" \
	"$dir/err"
check "so is the remedy" grep -q 'Mend that .*' "$dir/err"
check "or the other one" grep -q 'scripts/bench --save' "$dir/err"
compare '.case == "eventwrite"' '.instructions * 1.02 | floor'
is $? 0 "counts that are 2 % higher pass"
compare "$row" null
is $? 1 "a count that is missing fails"
compare "$row" ".instructions - 10"
is $? 0 "a count that is lower passes"
check "and is named" grep -q "refused-library.*$was -> $((was - 10))" "$dir/out"
compare '.case | test("^(lttng|user-events|null-ioctl)")' 'if . then 9999 else . end'
is $? 0 "counts of peers pass"
check "and are named" grep -q 'lttng-ust-overwrite.*-> 9999' "$dir/out"
done_testing
