#!/bin/bash
# SPDX-License-Identifier: MIT
# The examples build against what is installed, and run where nobody listens.
# Speaks TAP.
set -u
repo=$(cd "$(dirname "$0")/../.." && pwd)
build=${EVNT_BUILD:-$repo/build}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
n=0

ok() {
	n=$((n + 1))
	echo "ok $n - $1"
}

check() {
	local name=$1

	shift
	if "$@" > "$work/out" 2>&1; then
		ok "$name"
	else
		n=$((n + 1))
		echo "not ok $n - $name"
		sed 's/^/# /' "$work/out"
	fi
}

make --no-print-directory -s -C "$repo" O="$build" install DESTDIR="$work/root" \
	> "$work/out" 2>&1 || { cat "$work/out"; exit 1; }
cp -r "$repo/examples" "$work/examples"
cd "$work/examples" || exit 1
pc=$(dirname "$(find "$work/root" -name evntprov.pc)")
lib=$(dirname "$(find "$work/root" -name libevntprov.so.1)")
export PKG_CONFIG_PATH=$pc LD_LIBRARY_PATH=$lib
export PKG_CONFIG="pkg-config --define-variable=prefix=${lib%/lib} \
	--define-variable=libdir=$lib"

check "examples: C and C++ build without a warning" \
	make all CFLAGS="-O2 -g -Wall -Wextra -Werror -fno-omit-frame-pointer"
check "examples: server" ./server 5
check "examples: requests" ./requests
check "examples: provider.py" ./provider.py
./count "$work/none.etl" > "$work/said" 2>&1
check "examples: count says that there is no file" \
	grep -q "is no log file" "$work/said"
if command -v rustc > /dev/null; then
	check "examples: Rust builds" make provider-rs
	check "examples: provider.rs" ./provider-rs
else
	for name in "Rust builds" "provider.rs"; do
		ok "examples: $name # SKIP no rustc"
	done
fi
echo "1..$n"
