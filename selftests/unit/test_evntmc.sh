#!/bin/bash
# SPDX-License-Identifier: MIT
# The manifest compiler: each manifest in $EVNT_DATA/manifests compiles; its header
# does, without a warning, in C and C++, by gcc and clang; a program that writes each
# event with edge values writes just these bytes, and they decode by the manifest.
set -u
# shellcheck source=selftests/unit/tap.bash
. "$(dirname "$0")/tap.bash"

evntmc=$build/tools/evntmc

warnings=(-Wall -Wextra -Wpedantic -Werror)
includes=(-I"$dir" -I"$repo/lib/include" -I"$repo/tdh/include"
	-I"$repo/selftests/unit")

# C and C++, a compiler that may not be there
compiles() {
	local compiler=$1 standard=$2 language=$3 source=$4

	command -v "$compiler" > /dev/null || return 0
	"$compiler" -std="$standard" -x "$language" "${warnings[@]}" \
		"${includes[@]}" -c "$source" -o "$dir/some.o"
}

# Two files of one program, so that what the header defines is shared
runs() {
	local name=$1 manifest=$2

	echo "#include \"$name.h\"" > "$dir/second.c"
	# shellcheck disable=SC2046
	gcc -std=c11 -O1 -fsanitize=address,undefined -DEVNT_TEST_TDH \
		"${warnings[@]}" "${includes[@]}" "$dir/$name.c" \
		"$dir/second.c" "$build/lib/libevnttdh.a" \
		-lm -ldl -pthread \
		-o "$dir/program" && "$dir/program" "$manifest"
}

test_manifest() {
	local manifest=$1 name

	name=$(basename "$manifest")
	name=${name%%.*}
	"$evntmc" -um -h "$dir" -r "$dir" -z "$name" "$manifest" \
		2> "$dir/err" || {
		check "$name: says where and why it is none" \
			grep -qE '^[^:]*:[0-9]+:[0-9]+: error: ' "$dir/err"
		return
	}
	"$build/unit/mc_driver" "$manifest" "$name.h" > "$dir/$name.c"
	check "$name: gcc, C11" compiles gcc c11 c "$dir/$name.c"
	check "$name: gcc, C++17" compiles g++ c++17 c++ "$dir/$name.c"
	check "$name: clang, C11" compiles clang c11 c "$dir/$name.c"
	check "$name: clang, C++17" compiles clang++ c++17 c++ "$dir/$name.c"
	check "$name: writes what it is to, and that decodes" \
		runs "$name" "$manifest"
}

# What is compiled, linked into a program, is found there
test_notes() {
	local name=own

	cat > "$dir/$name.man" <<- 'END'
	<instrumentationManifest xmlns="http://schemas.microsoft.com/win/2004/08/events">
	<instrumentation><events><provider name="Own-Provider" symbol="OwnProvider"
	 guid="{11111111-2222-3333-4444-555566667777}"><events>
	<event value="1" symbol="OwnEvent"/></events></provider></events>
	</instrumentation></instrumentationManifest>
	END
	cat > "$dir/load.c" <<- 'END'
	#include <stdlib.h>
	#include <tdh.h>
	int main(int argc, char **argv)
	{
		static WCHAR path[256];
		GUID id = { 0x11111111, 0x2222, 0x3333,
			    { 0x44, 0x44, 0x55, 0x55, 0x66, 0x66, 0x77, 0x77 } };
		ULONG size = 0;
		for (int i = 0; argc == 2 && argv[1][i]; i++)
			path[i] = (unsigned char)argv[1][i];
		return TdhLoadManifestFromBinary(path) ||
		       TdhEnumerateManifestProviderEvents(&id, NULL, &size) !=
		       ERROR_INSUFFICIENT_BUFFER;
	}
	END
	# shellcheck disable=SC2046
	check "a compiled manifest is found in a program" sh -c "
		'$evntmc' -o '$dir' '$dir/$name.man' &&
		gcc -I'$repo/lib/include' -I'$repo/tdh/include' '$dir/load.c' \
			'$dir/$name.S' '$build/lib/libevnttdh.a' \
			-lm -ldl -pthread \
			-o '$dir/load' && '$dir/load' '$dir/load'"
	check "its files are there" ls "$dir/$name.h" "$dir/${name}TEMP.BIN" \
		"$dir/${name}_MSG00001.bin" "$dir/$name.rc"
	check "-p and -P change names" sh -c "
		'$evntmc' -o '$dir' -z other -p Log -P Own '$dir/$name.man' &&
		grep -q '^#define LogEvent()' '$dir/other.h'"
}

# As programs use what mc.exe makes: CHAR for win:Int8, a value's symbol behind its
# map's
test_names() {
	cat > "$dir/names.man" <<- 'END'
	<instrumentationManifest xmlns="http://schemas.microsoft.com/win/2004/08/events"
	 xmlns:win="http://manifests.microsoft.com/win/2004/08/windows/events">
	<instrumentation><events><provider name="Names" symbol="Names"
	 guid="{11111111-2222-3333-4444-555566667777}"><maps>
	<valueMap name="V" symbol="Map"><map value="3" symbol="Value_3"
	 message="$(string.v)"/></valueMap></maps><templates><template tid="T">
	<data name="c" inType="win:Int8" count="2"/>
	<data name="v" inType="win:UInt8" map="V"/></template></templates><events>
	<event value="1" symbol="Both" template="T"/></events></provider></events>
	</instrumentation><localization><resources culture="en-US"><stringTable>
	<string id="v" value="three"/></stringTable></resources></localization>
	</instrumentationManifest>
	END
	cat > "$dir/names.cc" <<- 'END'
	#include "names.h"
	int main()
	{
		CHAR letters[2] = { 'a', 'b' };
		return EventWriteBoth(letters, MapValue_3) || Value_3 != 3;
	}
	END
	check "CHAR for win:Int8, and symbols of maps" sh -c "
		'$evntmc' -um -o '$dir' '$dir/names.man' &&
		g++ -std=c++17 -Wall -Wextra -Werror -I'$dir' \
			-I'$repo/lib/include' '$dir/names.cc' \
			'$build/lib/libevntprov.a' -pthread -o '$dir/names' &&
		'$dir/names'"
}

fails() {
	local code=$1

	shift
	"$@"
	[ $? = "$code" ]
}

test_misuse() {
	check "no manifest: 2" fails 2 "$evntmc"
	check "two manifests: 2" fails 2 "$evntmc" a b
	check "an unknown option: 2" fails 2 "$evntmc" --none a
	check "an option without value: 2" fails 2 "$evntmc" a -h
	check "a mode that is not there: 2" fails 2 "$evntmc" -km a
	check "a manifest that is not there: 1" fails 1 "$evntmc" "$dir/none"
	check "a folder that is not there: 1" \
		fails 1 "$evntmc" -o "$dir/none" "$dir/own.man"
	check "--help" "$evntmc" --help
	check "--version" "$evntmc" --version
}

test_notes
test_names
test_misuse
if [ -d "$data/manifests" ]; then
	while read -r manifest; do
		test_manifest "$manifest"
	done < <(find "$data/manifests" -name '*.man' -o -name '*.manifest' \
		-o -name '*.manifest.xml' | sort)
else
	skip "there are no manifests"
fi
done_testing
