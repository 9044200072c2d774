#!/bin/bash
# SPDX-License-Identifier: MIT
# scripts/mutate, on a tree with one function and its tests.
#
# shellcheck disable=SC2317 # functions are called by their names
set -uo pipefail
# shellcheck source=selftests/unit/common/tap.bash
. "$(dirname "$0")/../common/tap.bash"

for needed in git python3; do
	command -v "$needed" > /dev/null || skip_all "$needed is not installed"
done
tree=$dir/tree
lists=$tree/selftests/mutants
unit=$tree/selftests/unit/subject
mkdir -p "$lists" "$unit"

cat > "$tree/sum.c" <<'END'
int sum(int a, int b)
{
	return a + b;
}
END
# A test prints as many cases as the function has
for test in 1,2,3 2,2,4 2,2,5; do
	IFS=, read -r a b result <<< "$test"
	cat > "$unit/test_${a}_${b}_$result.c" <<-END
	#include <stdio.h>

	int sum(int a, int b);

	int main(void)
	{
		int ok = sum($a, $b) == $result;

		printf("%sok 1 - $a and $b make $result\n", ok ? "" : "not ");
		return !ok;
	}
	END
done
cat > "$unit/test_skipped.c" <<'END'
#include <stdio.h>

int main(void)
{
	puts("1..0 # SKIP here");
	return 0;
}
END
cat > "$unit/../Makefile" <<'END'
$(O)/unit/%: subject/%.c ../../sum.c
	@mkdir -p $(@D)
	$(CC) $^ -o $@
END

# A bug: its name, the test, the text, the text with the bug
bug() {
	printf '[%s]\nwhy: of a test\nfile: sum.c\ntest: %s\n<<<\n%s\n===\n%s\n>>>\n\n' "$@"
}

mutate() {
	"$repo/scripts/mutate" --tree "$tree" --jobs 2 "$@" \
		> "$dir/out" 2> "$dir/err"
}

# Check that a run with these options succeeds, or fails, and prints such a line
prints() {
	local succeeds=$1 pattern=$2 status=0

	shift 2
	mutate "$@" || status=$?
	[ "$((status == 0))" = "$succeeds" ] && grep -qE "$pattern" "$dir/out"
}

git -C "$tree" init -q
git -C "$tree" add -A
cp -r "$tree" "$dir/before"

{
	bug product test_1_2_3 'a + b' 'a * b'
	bug first_test_passes 'test_2_2_4 test_1_2_3' 'a + b' 'a * b'
	bug without_result test_1_2_3 '{
	return a + b;' '{
	int r = a + b;
	return r - 1;'
} > "$lists/good"
check "a bug that a test notices is killed by it" \
	prints 1 '^ok [0-9] - product: killed by test_1_2_3 .*: 1 and 2 make 3$' product
check "the next test is tried when the first one passes" \
	prints 1 '^ok [0-9] - first_test_passes: killed by test_1_2_3 ' first_test_passes
check "a run with all bugs killed succeeds" prints 1 '^1\.\.4$'
check "the output has a line for each bug and one for the lists" \
	test "$(grep -c '^ok ' "$dir/out")" = 4
mutate --sample 1
cp "$dir/out" "$dir/sample"
mutate --sample 1
is "$(sed 's/(.*//' "$dir/out")" "$(sed 's/(.*//' "$dir/sample")" \
	"a sample is the same each time"

bug survivor test_2_2_4 'a + b' 'a * b' > "$lists/survivor"
check "a bug that no test notices fails the run" \
	prints 0 '^not ok [0-9] - survivor: survived test_2_2_4 ' survivor
check "an area is run alone" prints 0 '^1\.\.2$' --area survivor

bug broken test_1_2_3 'a + b' 'a +' > "$lists/survivor"
check "a bug that does not compile kills nothing" \
	prints 0 '^not ok [0-9] - broken: the bug does not compile' broken

bug wrong_test test_2_2_5 'a + b' 'a - b' > "$lists/survivor"
check "a test that fails without a bug kills nothing" \
	prints 0 '^not ok [0-9] - wrong_test: test_2_2_5 fails without a bug' wrong_test

bug skipped test_skipped 'a + b' 'a - b' > "$lists/survivor"
check "a bug with skipped tests is skipped" \
	prints 1 '^ok [0-9] - skipped # SKIP' skipped

bug absent test_1_2_3 'a - b' 'a + b' > "$lists/survivor"
check "a text that the file does not have is an error with its name" \
	prints 0 '^# .*survivor:1: absent: its text occurs 0 times in sum.c' product
bug twice test_1_2_3 a c > "$lists/survivor"
check "a text that the file has twice is an error with its name" \
	prints 0 '^# .*twice: its text occurs 2 times in sum.c' product
bug untested test_of_nothing 'a + b' 'a - b' > "$lists/survivor"
check "a test that is not there is an error with its name" \
	prints 0 "^# .*untested: no test 'test_of_nothing'" product
bug product test_1_2_3 'a + b' 'a - b' > "$lists/survivor"
check "two bugs of one name are an error" \
	prints 0 '^# .*product: the name is that of .*good:1' product
rm "$lists/survivor"

check "a bug that is unknown is refused" test "$(mutate no_such_bug; echo $?)" = 1
rm -rf "$tree/build" "$lists/good"
check "the tree itself is never changed" diff -r "$dir/before" "$tree"

# Each of the model's macros WITHOUT_X has a bug model_without_x in the code
model_in_code() {
	local name status=0

	while read -r name; do
		grep -qE "^\[model_${name,,}(_in_[a-z]+)?\]" "$repo/selftests/mutants/core" || {
			echo "no bug is like the model's $name"
			status=1
		}
	done < <(grep -oE 'WITHOUT_[A-Z_]*[A-Z]' "$repo/selftests/model/buffer.pml" | sort -u)
	return "$status"
}
check "each fault of the model is a bug of the code, too" model_in_code
done_testing
