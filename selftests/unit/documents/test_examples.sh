#!/bin/bash
# SPDX-License-Identifier: MIT
# The examples build with the installed files, and run without a session.
# Prints TAP.
set -u
# shellcheck source=selftests/unit/common/tap.bash
. "$(dirname "$0")/../common/tap.bash"

make --no-print-directory -s -C "$repo" O="$build" install DESTDIR="$dir/root" \
	> "$dir/out" 2>&1 || { cat "$dir/out"; exit 1; }
cp -r "$repo/examples" "$dir/examples"
cd "$dir/examples" || exit 1
pc=$(dirname "$(find "$dir/root" -name evntprov.pc)")
lib=$(dirname "$(find "$dir/root" -name libevntprov.so.1)")
export PKG_CONFIG_PATH=$pc LD_LIBRARY_PATH=$lib
export PKG_CONFIG="pkg-config --define-variable=prefix=${lib%/lib} \
	--define-variable=libdir=$lib"

check "examples: C and C++ build without a warning" \
	make all CFLAGS="-O2 -g -Wall -Wextra -Werror -fno-omit-frame-pointer"
check "examples: server runs" ./server 5
check "examples: server answers slowly" ./server slow "$dir/page"
check "examples: requests runs" ./requests
check "examples: provider.py runs" ./provider.py
# The program's events, each on a line of at most 100 columns
fits() {
	local program=${2##*/}

	LC_ALL=C.UTF-8 "$evnt" tail --in-process -p "$1" -- "${@:2}" \
		> "$dir/printed" 2> "$dir/err"
	check "examples: $program writes events" [ -s "$dir/printed" ]
	is "$(LC_ALL=C.UTF-8 awk 'length > 100' "$dir/printed")" "" \
		"examples: no event of $program is longer than 100 columns"
}

fits '*Example-Server' ./server 100
fits '*Example-Server' ./server slow "$dir/page"
fits '*Example-Requests' ./requests
fits '*Example-Python' ./provider.py
./count "$dir/none.etl" > "$dir/printed" 2>&1
check "examples: count reports a missing file" \
	grep -q "is no log file" "$dir/printed"
if command -v rustc > /dev/null; then
	check "examples: Rust builds" make provider-rs
	check "examples: provider.rs runs" ./provider-rs
	fits '*Example-Rust' ./provider-rs
else
	for name in "Rust builds" "provider.rs"; do
		skip "examples: $name: no rustc"
	done
fi
done_testing
