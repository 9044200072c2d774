#!/bin/bash
# SPDX-License-Identifier: MIT
# Each rule of doc/security.md names an existing test.
# shellcheck disable=SC2317 # called by their names
set -u

# shellcheck source=selftests/unit/common/tap.bash
. "$(dirname "$0")/../common/tap.bash"

document=$repo/doc/security.md

# The rows of tables whose last column is "test", without the rule below the
# heading
rules() {
	awk -F' *[|] *' '
	!/^\|/ { inside = 0; next }
	$(NF - 1) == "test" { inside = 1; next }
	inside && !/^\| *---/' "$document"
}

# A row ends with `FILE: CASE`, and the file contains that case
names_a_test() {
	local test file

	# shellcheck disable=SC2016 # Markdown's quotes
	test=$(sed -nE 's/.*\| `([^`:]+: [^`]+)` \|$/\1/p' <<< "$1")
	[ "$test" ] || { echo "it ends with no test: $1"; return 1; }
	file=$repo/selftests/${test%%: *}
	[ -f "$file" ] || { echo "there is no $file"; return 1; }
	case $file in
	*.c) grep -qE "^TEST[A-Z_]*\(([a-z_]+, )?${test#*: }[,)]" "$file" ;;
	*) grep -qF "${test#*: }" "$file" ;;
	esac || { echo "$file has no ${test#*: }"; return 1; }
}

found=0
while IFS= read -r rule; do
	check "$(cut -c1-70 <<< "$rule")" names_a_test "$rule"
	found=$((found + 1))
done < <(rules)
check "the document has at least 30 rules: $found" [ "$found" -ge 30 ]
# shellcheck disable=SC2016 # evaluated there
check "a missing test is found" eval '
	! names_a_test "| writer | rule | \`evntprov/abi/abi.c: no_such_case\` |" &&
	! names_a_test "| writer | rule | \`evntprov/abi/no.c: open\` |" &&
	! names_a_test "| writer | rule | |"'
done_testing
