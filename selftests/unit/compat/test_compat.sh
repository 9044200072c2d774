#!/bin/bash
# SPDX-License-Identifier: MIT
# Windows' headers: each by itself, in C and C++; features that generated code
# needs; the functions they declare; and that programs which do not request them
# are not affected.
set -u
# shellcheck source=selftests/unit/common/tap.bash
. "$(dirname "$0")/../common/tap.bash"

cd "$(dirname "$0")" || exit 1
repo=$(cd ../../.. && pwd)
lib=$build/lib
include=$repo/lib/include
flags="-Wall -Wextra -Werror -Wno-unknown-pragmas -I$include -isystem $include/compat"
link="-L$lib -levntcompat -levntprov -lpthread -Wl,-rpath,$lib"
wide="-fshort-wchar -D_GLIBCXX_ASSERTIONS -DUNICODE -D_UNICODE"

# A cache of compilers knows a file by its path from the repository
unit=$(mktemp -d "$build/unit.XXXXXX")
trap 'rm -rf "$dir" "$unit"' EXIT

# Compile the standard input in language $1 with a command; a cache of compilers
# keeps objects, but not the result of a check
compiles() {
	cat > "$unit/unit.$1" && (cd "$unit" && "${@:2}" -c "unit.$1" -o unit.o)
}

# In two steps, of which a cache of compilers keeps the first
# shellcheck disable=SC2086
builds_and_runs() {
	$1 $flags -c "$2" -o "$dir/test.o" &&
	$1 $flags -x none "$dir/test.o" -o "$dir/test" $link &&
	"$dir/test" "${@:3}"
}

# All in sequence, as in programs, each one as the first; the C++ library's
# headers that windows.h includes are included once
# shellcheck disable=SC2086
headers_compile() {
	local header known="-DEVNT_CXX_H -DEVNT_WIO_H"

	echo '#include <windows.h>' | compiles "$2" $1 $flags || return 1
	for header in "$include"/compat/*.h; do
		# These are for the inside of a structure, or need TDH
		case ${header##*/} in pshpack1.h | poppack.h | Tdh.h) continue ;; esac
		echo "#include <${header##*/}>" |
			compiles "$2" $1 $flags $known ||
			{ echo "${header##*/}"; return 1; }
	done
}

# The pair of units, each in its own language
# shellcheck disable=SC2086
traps_run() {
	$1 $flags -c traps.c -o "$dir/1.o" &&
	$2 $flags -DSECOND -c traps.c -o "$dir/2.o" &&
	g++ "$dir/1.o" "$dir/2.o" -o "$dir/test" $link && "$dir/test"
}

# shellcheck disable=SC2086
wmain_runs() {
	echo "#include <windows.h>
	$2 { if (sizeof(WCHAR) == 2) exit(7); ${3:-} }" > "$dir/wmain"
	$1 $flags $wide -x "${4:-c++}" "$dir/wmain" -x none -o "$dir/test" $link ||
		return 1
	"$dir/test"
	[ $? = 7 ]
}

# shellcheck disable=SC2086
streams_run() {
	$1 $flags $wide wide_streams.cc -o "$dir/test" $link &&
	"$dir/test" > "$dir/written" &&
	printf '%s\n' $'ab\xe2\x82\xaccnarrow-5' '00abcd 1.5 1--' '(1,-2)' \
		'7...|printed|' | diff - "$dir/written"
}

# mc.exe's code for strings, compiled without -fshort-wchar
# shellcheck disable=SC2086
hint_is_given() {
	printf '%s\n' '#include <windows.h>' '#include <evntprov.h>' \
		'void f(EVENT_DATA_DESCRIPTOR *to, PCWSTR s) {' > "$dir/hint.cc"
	cp "$dir/hint.cc" "$dir/other.cc"
	echo 'EventDataDescCreate(to, s ? s : L"NULL", 2); }' >> "$dir/hint.cc"
	echo '::EventDataDescCreate(to, "a\"ALL", 4);
	EventDataDescCreate(to, s, 4); }' >> "$dir/other.cc"
	$1 $flags -fsyntax-only "$dir/other.cc" &&
	$1 $flags -fshort-wchar -fsyntax-only "$dir/hint.cc" &&
	! $1 $flags -fsyntax-only "$dir/hint.cc" 2> "$dir/error" &&
	grep -q 'error: .*-fshort-wchar is missing' "$dir/error"
}

# main() returns void, which Windows' compiler allows, or int
# shellcheck disable=SC2086
main_runs() {
	local head status

	while IFS=: read -r status head; do
		printf '#include <windows.h>\n%s { exit(%s); }\n' "$head" \
			"$status" |
			$1 $flags -x c++ - -x none -o "$dir/test" $link ||
			return 1
		"$dir/test"
		[ $? = 7 ] || { echo "$head"; return 1; }
	done <<- 'END'
	7:void main()
	7:VOID __cdecl main(VOID)
	7:int main()
	7:extern "C" int main(void)
	6 + argc + !argv[0]:int __cdecl main(int argc, char *argv[])
	END
}

# Programs that do not request compatibility
# shellcheck disable=SC2086
nothing_leaks() {
	local header leaked

	echo '#include <windows.h>' |
		gcc -I$include -fsyntax-only -x c - 2> /dev/null && return 1
	for header in evntprov evntrace evntcons evntlinux TraceLoggingProvider; do
		leaked=$(echo "#include <$header.h>" |
			gcc -I$include -E -dM -x c - |
			grep -E '^#define (__stdcall|__int64|_In_|__in|CALLBACK|IN|OUT|CONST|min|max|ARRAYSIZE|DECLSPEC_NOINLINE|__declspec|E_FAIL|CP_UTF8|wcslen)\b')
		[ -z "$leaked" ] || { echo "$header.h: $leaked"; return 1; }
	done
}

# In a time namespace that changes only CLOCK_BOOTTIME
# shellcheck disable=SC2086
counters_sleep() {
	{
		echo '#include <windows.h>'
		echo '#include <time.h>'
		cat <<- 'END'
		static long long units(clockid_t clock)
		{
			struct timespec t;

			clock_gettime(clock, &t);
			return t.tv_sec * 10000000ll + t.tv_nsec / 100;
		}

		int main(void)
		{
			long long before = units(CLOCK_BOOTTIME);
			LARGE_INTEGER n, hz;
			ULONGLONG ms = GetTickCount64();

			QueryPerformanceCounter(&n);
			QueryPerformanceFrequency(&hz);
			if (units(CLOCK_MONOTONIC) + 99999ll * 10000000 > before)
				return 2;
			return hz.QuadPart != 10000000 || n.QuadPart < before ||
			       n.QuadPart > units(CLOCK_BOOTTIME) ||
			       ms < (ULONGLONG)before / 10000 ||
			       ms > (ULONGLONG)n.QuadPart / 10000;
		}
		END
	} | gcc $flags -x c - -x none -o "$dir/counters" $link &&
		unshare --time --boottime 100000 "$dir/counters"
}

# Without the archive, a program with 16-bit wide characters fails to link
# shellcheck disable=SC2086
archive_is_needed() {
	echo '#include <windows.h>
	int main(void) { return (int)wcslen(L"x"); }' > "$dir/need.c"
	gcc -fshort-wchar $flags "$dir/need.c" -o "$dir/need" -L$lib \
		-levntprov 2> "$dir/error" && return 1
	grep -q 'evnt_wide_characters_have_16_bits' "$dir/error" &&
	gcc -fshort-wchar $flags "$dir/need.c" -o "$dir/need" $link &&
	! nm -D "$dir/need" | grep -E ' T (wcslen|wmemcpy|main)$'
}

# The C++ library has variables of these names, in headers included before and
# after; with -fshort-wchar, names of its wide streams are macros
# shellcheck disable=SC2086
old_annotations() {
	local options

	for options in -std=c++14 -std=c++20 -std=c++2b "-std=c++2b $wide"; do
		echo '#include <vector>
		extern "C" {
		#include <windows.h>
		}
		#include <bits/stdc++.h>
		void f(__in int, __out_bcount(4) char *, __deref_out_opt void **);
		bool g() { return std::regex_match("ab", std::regex("a.")); }' |
			compiles c++ $1 $flags $options || return 1
	done
	echo '#include <windows.h>
	#include <netinet/in.h>
	#include <arpa/inet.h>
	void f(__in int n, __out_bcount(n) char *to);' |
		compiles c gcc $flags
}

# Structures are packed by __pragma, whose argument may be a macro
# shellcheck disable=SC2086
pragma_packs() {
	echo '#include <windows.h>
	#define TIGHT push, 1
	__pragma(pack(TIGHT)) struct tight { char c; int n; }; __pragma(pack(pop))
	struct wide { char c; int n; };
	C_ASSERT(sizeof(struct tight) == 5 && sizeof(struct wide) == 8);' |
		compiles "$2" $1 $flags
}

# Members of their structures have names like those of annotations
# shellcheck disable=SC2086
system_headers_compile() {
	printf '#include <%s>\n' windows.h sys/stat.h linux/stat.h linux/fs.h \
		linux/perf_event.h linux/io_uring.h linux/loop.h linux/mqueue.h \
		linux/fsverity.h linux/aio_abi.h link.h envz.h |
		compiles "$2" $1 $flags
}

# Headers of the kernel and of the C library
no_system_header_has() {
	local folder

	folder=$(echo '#include <linux/fs.h>' | gcc -E -x c - |
		sed -n 's,.*"\(.*\)/linux/fs\.h".*,\1,p;T;q')
	sed -n 's/^#define \(__[a-zA-Z0-9_]*\).*/\1/p' "$include/compat/"*sal*.h \
		> "$dir/names"
	[ "$(wc -l < "$dir/names")" -gt 100 ] &&
		! grep -rowFf "$dir/names" "$folder/linux" "$folder/asm-generic" \
			"$folder"/*-linux-gnu/{asm,bits,sys}
}

for compiler in gcc clang; do
	check "$compiler: __pragma packs structures in C" \
		pragma_packs "$compiler -std=c11" c
	check "$compiler: __pragma packs structures in C++" \
		pragma_packs "${compiler/%cc/++} -std=c++17" c++
	check "$compiler: headers of the system compile after windows.h in C" \
		system_headers_compile "$compiler -std=gnu11" c
	check "$compiler: headers of the system compile after windows.h in C++" \
		system_headers_compile "${compiler/%cc/++} -std=gnu++17" c++
done
if echo '#include <format>' | compiles c++ clang++ -std=c++20 -stdlib=libc++ \
		2> /dev/null; then
	check "clang's own C++ library compiles after windows.h" \
		system_headers_compile "clang++ -std=gnu++20 -stdlib=libc++" c++
else
	skip "clang has no C++ library of its own"
fi
check "no annotation has a name that headers of the system use" \
	no_system_header_has
for compiler in gcc clang; do
	for options in "" "-fshort-wchar"; do
		check "$compiler $options: each header compiles alone in C" \
			headers_compile "$compiler -std=c11 $options" c
		check "$compiler $options: each header compiles alone in C++" \
			headers_compile "${compiler/%cc/++} -std=c++17 $options" c++
	done
done
for c in "gcc -std=c11" "gcc -std=gnu99" "clang -std=gnu11"; do
	for cplusplus in "g++ -std=c++17 -x c++" "clang++ -std=c++17 -x c++"; do
		for options in "" "-O2" "-fshort-wchar" "-fshort-wchar -O2"; do
			check "code has traps: $c, $cplusplus, $options" \
				traps_run "$c $options" "$cplusplus $options"
		done
	done
done
check "code generated as C has traps" traps_run "gcc -std=c11" "clang -std=c11"
check "code generated as C++ has traps" \
	traps_run "g++ -x c++ -std=c++17" "clang++ -x c++ -std=c++17"
for compiler in "gcc -std=c11" "clang -std=c11" "g++ -std=c++17 -x c++" \
		"clang++ -std=c++17 -x c++"; do
	for options in "" "$wide" "$wide -O2 -D_FORTIFY_SOURCE=0"; do
		check "functions work: $compiler $options" \
			builds_and_runs "$compiler $options" functions.c
		check "objects work: $compiler $options" \
			builds_and_runs "$compiler $options" objects.c
		check "the C library works: $compiler $options" \
			builds_and_runs \
			"$compiler $options" crt.c "a b" 'c"d\e' "" '\\"' x
	done
done
check "strings of the C++ library work" builds_and_runs \
	"g++ -std=c++17 $wide" wide_strings.cc $'\xe2\x82\xac'
check "optimized code works" builds_and_runs \
	"g++ -std=c++17 -O2 $wide" wide_strings.cc $'\xe2\x82\xac'
check "code compiled by clang works" builds_and_runs \
	"clang++ -std=c++17 -O1 $wide" wide_strings.cc $'\xe2\x82\xac'
check "g++: wide streams work" streams_run "g++ -std=c++17"
check "clang++: wide streams work" streams_run "clang++ -std=c++14 -O2"
check "int wmain(int, wchar_t **) runs" wmain_runs g++ \
	"int wmain(int, wchar_t **)" "return 0;"
check "void wmain(void) runs" wmain_runs g++ "void wmain(void)"
check "int wmain(int, const wchar_t **) runs" wmain_runs clang++ \
	"int wmain(int, const wchar_t *[])" "return 0;"
check "wmain in C runs" wmain_runs gcc "int wmain(int n, wchar_t **v)" \
	"return n + !v;" c
check "g++: L\"\" without -fshort-wchar gets a hint" \
	hint_is_given "g++ -std=c++17"
check "clang++: L\"\" without -fshort-wchar gets a hint" \
	hint_is_given "clang++ -std=c++14"
check "g++: main() may be void or int" main_runs g++
check "clang++: main() may be void or int" main_runs clang++
if unshare --time --boottime 100000 true 2> /dev/null; then
	check "performance counter and tick count include suspend" \
		counters_sleep
else
	skip "no time namespace can be had"
fi
check "programs without compatibility headers get no names of Windows" \
	nothing_leaks
check "the linker names the missing archive, and its names are not exported" \
	archive_is_needed
for compiler in g++ clang++; do
	check "$compiler: annotations of the first generation compile" \
		old_annotations $compiler
done

done_testing
