#!/bin/bash
# SPDX-License-Identifier: MIT
# Everything that a user can call has a manual page, and pages are well-formed.
set -u
# shellcheck source=selftests/unit/common/tap.bash
. "$(dirname "$0")/../common/tap.bash"

man=$repo/doc/man

# $2: section.  A page may have several names, all of which are installed
is_named() {
	cat "$man"/*."$2" | sed -n '/^\.Sh NAME/,/^\.Nd/p' |
		grep -qE "^\.Nm $1( |\$)"
}

is_clean() {
	[ -z "$(groff -mdoc -Tutf8 -ww -z "$1" 2>&1)" ]
}

refers_to_pages() {
	local name section

	sed -n 's/^\.Xr \([^ ]*\) \([0-9]\).*/\1 \2/p' "$1" |
	while read -r name section; do
		[ -e "$man/$name.$section" ] || [ "$section" = 2 ] || {
			echo "# ${1##*/}: there is no $name.$section"
			exit 1
		}
	done
}

while read -r symbol; do
	check "$symbol has a page" is_named "$symbol" 3
done < <(sed -n 's/^\t\([A-Za-z0-9]*\);$/\1/p' "$repo"/{lib/libevntprov,tdh/libevnttdh}.map)
while read -r verb; do
	check "evnt $verb has a page" is_named "(evnt-$verb|$verb)" 1
done < <(sed -n 's/^	\.name = "\(.*\)",$/\1/p' "$repo"/tools/*/*.c)
for page in "$man"/*.[1-9]; do
	check "${page##*/} refers to pages that exist" refers_to_pages "$page"
	check "${page##*/} is well-formed" is_clean "$page"
done


# Thread, signal and cancellation safety: a row for each function, and no others
is "$(sed -n -E 's/^\.It Fn ([A-Za-z0-9]+)( Ta (yes|no)){3}$/\1/p' "$man/libevntprov.3")" \
	"$(sed -n 's/^\t\([A-Za-z0-9]*\);$/\1/p' "$repo/lib/libevntprov.map")" \
	"libevntprov.3 has the attributes of each function"

done_testing
