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
	"bench reports that all counts match"
compare "$row" ".instructions + 3"
is $? 1 "a count that is more than 2 % higher fails"
check "the message names the row and both counts" grep -qF \
	"refused-library, 64 bytes, 1 blocks, 1 sessions, 6.1: $was -> $((was + 3))" \
	"$dir/err"
check "the message suggests to correct the code" \
	grep -q 'Mend that .*' "$dir/err"
check "the message suggests to save the counts" \
	grep -q 'scripts/bench --save' "$dir/err"
compare '.case == "eventwrite"' '.instructions * 1.02 | floor'
is $? 0 "counts that are 2 % higher pass"
compare "$row" null
is $? 1 "a missing count fails"
compare "$row" ".instructions - 10"
is $? 0 "a lower count passes"
check "a lower count is printed" \
	grep -q "refused-library.*$was -> $((was - 10))" "$dir/out"
compare '.case | test("^(lttng|user-events|null-ioctl)")' 'if . then 9999 else . end'
is $? 0 "counts of peers pass"
check "counts of peers are printed" \
	grep -q 'lttng-ust-overwrite.*-> 9999' "$dir/out"
done_testing
