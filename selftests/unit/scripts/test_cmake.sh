#!/bin/bash
# SPDX-License-Identifier: MIT
# CMake and pkg-config find an installation in any place, and programs in C and
# C++ are built with only that.
# shellcheck disable=SC2317 # functions are called by their names
set -u

# shellcheck source=selftests/unit/common/tap.bash
. "$(dirname "$0")/../common/tap.bash"
arch=$(gcc -print-multiarch)

# Install like a package: libraries in a folder for the architecture
stage() {
	make --no-print-directory -C "$repo/$1" O="$build" prefix=/usr \
		libdir="/usr/lib/$arch" DESTDIR="$dir/root" install
}

write_project() {
	mkdir "$dir/project"
	# shellcheck disable=SC2016
	sed -n '/^```c hello.c/,/^```$/{/^```/!p}' "$repo/README.md" \
		> "$dir/project/hello.c"
	cat > "$dir/project/activity.cc" <<-'END'
	#include <TraceLoggingProvider.h>
	#include <TraceLoggingActivity.h>
	#include <tdh.h>

	TRACELOGGING_DEFINE_PROVIDER(g_provider, "Test.CMake",
		(0x5bfb1e3d, 0x1f0b, 0x4f0e,
		 0x8b, 0x76, 0x9f, 0x76, 0xac, 0x85, 0x8f, 0xb5));

	int main()
	{
		ULONG size = 0;

		TraceLoggingRegister(g_provider);
		TraceLoggingWrite(g_provider, "Started",
				  TraceLoggingInt32(1, "number"));
		TraceLoggingUnregister(g_provider);
		return TdhEnumerateProviders(nullptr, &size) ==
		       ERROR_INSUFFICIENT_BUFFER ? 0 : 1;
	}
	END
	cat > "$dir/project/windows.cc" <<-'END'
	#include <windows.h>

	int main()
	{
		return sizeof(WCHAR) == sizeof(L'x') && lstrlenW(L"abc") == 3 ? 0 : 1;
	}
	END
	cat > "$dir/project/CMakeLists.txt" <<-'END'
	cmake_minimum_required(VERSION 3.13)
	project(test C CXX)
	find_package(evntprov 0.1 REQUIRED)
	add_executable(hello hello.c)
	target_link_libraries(hello evntprov::evntprov)
	add_executable(activity activity.cc)
	target_link_libraries(activity evntprov::tdh)
	add_executable(windows windows.cc)
	target_link_libraries(windows evntprov::wide)
	END
}

# An installation of another version, or incomplete
refuses() {
	mkdir "$dir/newer"
	printf '%s\n' 'cmake_minimum_required(VERSION 3.13)' 'project(test C)' \
		'find_package(evntprov 99 REQUIRED)' > "$dir/newer/CMakeLists.txt"
	! cmake -S "$dir/newer" -B "$dir/newer/build" \
		-DCMAKE_PREFIX_PATH="$dir/root/usr" &&
	grep -q 'compatible with requested' "$dir/.tap"
}

pkg() {
	PKG_CONFIG_LIBDIR=$dir/root/usr/lib/$arch/pkgconfig \
		PKG_CONFIG_SYSROOT_DIR=$dir/root pkg-config "$@"
}

# shellcheck disable=SC2046
with_pkg_config() {
	cc "$dir/project/hello.c" -o "$dir/hello" $(pkg --cflags --libs evntprov) &&
	LD_LIBRARY_PATH=$dir/root/usr/lib/$arch "$dir/hello" | grep EventWrite
}

command -v cmake > /dev/null || skip_all "there is no cmake"
if ! { stage lib && stage tdh; } > "$dir/.tap" 2>&1; then
	cat "$dir/.tap" >&2
	exit 1
fi
write_project
check "find_package finds the installed libraries" cmake -S "$dir/project" \
	-B "$dir/project/build" -DCMAKE_PREFIX_PATH="$dir/root/usr"
check "programs in C and C++ are built with the package" cmake --build "$dir/project/build"
for program in hello activity windows; do
	check "$program runs" "$dir/project/build/$program"
done
check "a newer version is not found" refuses
check "pkg-config finds the installed libraries" with_pkg_config
done_testing
