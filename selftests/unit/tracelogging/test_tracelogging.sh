#!/bin/bash
# SPDX-License-Identifier: MIT
# TraceLogging's headers: each macro's bytes in C and C++, with gcc and clang,
# without a warning; code that must not compile; the cost of a disabled event.
set -u
# shellcheck source=selftests/unit/common/tap.bash
. "$(dirname "$0")/../common/tap.bash"

cd "$(dirname "$0")" || exit 1
repo=$(cd ../../.. && pwd)
lib=$build/lib
flags="-Wall -Wextra -Wpedantic -Werror -I$repo/lib/include"
linux=-I$repo/lib/include/compat
link="-L$lib -levntprov -Wl,-rpath,$lib"

# A compiler with its options, a source file that is a test by itself.  In two
# steps, of which a cache of compilers keeps the first.
# shellcheck disable=SC2086
builds_and_runs() {
	local compiler=$1 source=$2

	$compiler $flags -c "$source" -o "$dir/test.o" &&
	$compiler $flags -x none "$dir/test.o" -o "$dir/test" $link &&
	"$dir/test"
}

# Several units, one of which is in a static library
units_run() {
	local compiler=$1 options=$2

	# shellcheck disable=SC2086
	$compiler -std=c11 $options $flags -c unit_c.c -o "$dir/c.o" &&
	${compiler/%clang/clang++} -std=c++17 -x c++ $options $flags \
		-c unit_cc.cc -o "$dir/cc.o" &&
	rm -f "$dir/lib.a" && ar rcs "$dir/lib.a" "$dir/cc.o" &&
	$compiler "$dir/c.o" "$dir/lib.a" -o "$dir/test" $link -lstdc++ &&
	"$dir/test"
}

# The event's metadata is completely in read-only data
schema_is_read_only() {
	# shellcheck disable=SC2086
	$1 -O2 -fPIC $flags -c disabled.c -o "$dir/disabled.o" &&
	objcopy -w -O binary --only-section='.rodata*' "$dir/disabled.o" "$dir/ro" &&
	LC_ALL=C grep -aqP '\x16\x00\x00Disassembled\x00n\x00\x07s\x00\x02' \
		"$dir/ro"
}

# Disabled: the instructions of the function up to its return that load from
# memory, compare, and branch
disabled_costs() {
	# shellcheck disable=SC2086
	$1 -O2 $2 $flags -c disabled.c -o "$dir/disabled.o" &&
	objdump -d --no-show-raw-insn "$dir/disabled.o" |
	awk '/<write_event>:/ { on = 1; next }
	     on && $2 ~ /^(nop|endbr)/ { next }
	     on && $2 ~ /^(cmp|test)/ { compares++ }
	     on && /\(%rip\)/ { loads++ }
	     on && $2 ~ /^j/ { branches++ }
	     on { print }
	     on && branches == 1 && $2 ~ /^j/ { exit }
	     END { exit !(loads == 1 && compares == 1 && branches == 1) }'
}

# Check that wrong code does not compile, with this message
refused() {
	local message=$1 language=$2 code=$3

	cat > "$dir/wrong" <<-END
		#include <${header:-TraceLoggingProvider.h}>
		extern const TraceLoggingHProvider p;
		void f(int n, const long long *q);
		void f(int n, const long long *q) { (void)n; (void)q; $code; }
	END
	# shellcheck disable=SC2086
	gcc -x "$language" $flags $linux -fsyntax-only "$dir/wrong" 2> "$dir/error" &&
		return 1
	cat "$dir/error"
	grep -qE "$message" "$dir/error"
}

for options in "-std=c11" "-std=gnu17 -O2" "-std=c11 -fshort-wchar" \
	       "-std=c11 -fsanitize=address,undefined"; do
	for compiler in gcc clang; do
		check "$compiler $options: events are correct" \
			builds_and_runs "$compiler $options" golden.c
		check "$compiler $options: events of sources for Linux are correct" \
			builds_and_runs "$compiler $options $linux" eventheader.c
	done
done
for options in "-std=c++17" "-std=c++11 -O2" "-std=c++20" \
	       "-std=c++17 -fshort-wchar" \
	       "-std=c++17 -fsanitize=address,undefined"; do
	for compiler in g++ clang++; do
		check "$compiler $options: events are correct" \
			builds_and_runs "$compiler $options -x c++" golden.c
		check "$compiler $options: events of sources for Linux are correct" \
			builds_and_runs "$compiler $options -x c++ $linux" eventheader.c
		check "$compiler $options: activities are correct" \
			builds_and_runs "$compiler $options" activity.cc
	done
done
for compiler in gcc clang; do
	for options in "" "-O2" "-fPIC -O2" "-fshort-wchar"; do
		check "$compiler: units in C and C++ and a library share a provider $options" \
			units_run $compiler "$options"
	done
	check "$compiler: descriptions are read-only data" \
		schema_is_read_only $compiler
	if [ "$(uname -m)" = x86_64 ]; then
		for options in "" "-fPIC"; do
			check "$compiler $options: a disabled event costs one load, comparison, branch" \
				disabled_costs $compiler "$options"
		done
	fi
done

write='TraceLoggingWrite(p, "E", '
for language in c c++; do
	check "$language: a tag of 29 bits is refused" refused "width" $language \
		"${write}TraceLoggingInt32(n, \"n\", \"\", 0x10000000))"
	check "$language: a tag of 29 bits of an event is refused" \
		refused "width" $language \
		"${write}TraceLoggingEventTag(0x10000000))"
	check "$language: a structure of 128 fields is refused" \
		refused "zero|constant" $language \
		"${write}TraceLoggingStruct(128, \"s\"))"
	check "$language: an empty structure is refused" \
		refused "zero|constant" $language \
		"${write}TraceLoggingStruct(0, \"s\"))"
	check "$language: an array of other elements is refused" \
		refused "elements of another size" \
		$language "${write}TraceLoggingInt32Array(q, 1))"
	check "$language: a length that is not constant is refused" \
		refused "constant" \
		$language "${write}TraceLoggingInt64FixedArray(q, n))"
	check "$language: a level that is not constant is refused" \
		refused "constant|narrowing" \
		$language "${write}TraceLoggingLevel(n))"
	check "$language: a level above 255 is refused" \
		refused "256|conversion" \
		$language "${write}TraceLoggingLevel(256))"
	check "$language: a name that is no literal is refused" refused "." \
		$language "${write}TraceLoggingInt32(n, (const char *)q))"
done
header=eventheader/TraceLoggingProvider.h
for language in c c++; do
	check "$language: an array of counted strings is refused" \
		refused "zero|constant" $language \
		"${write}TraceLoggingPackedMetadata(event_field_encoding_string_length16_char16 | event_field_encoding_varray_flag, \"f\"))"
	check "$language: a string of 32 bits without its data is refused" \
		refused "zero|constant" $language \
		"${write}TraceLoggingPackedMetadata(event_field_encoding_zstring_char32, \"f\"))"
done
header=
check "c++: a string of 4-byte wchar_t is refused" refused "deleted" c++ \
	"${write}TraceLoggingValue(L\"x\"))"

done_testing
