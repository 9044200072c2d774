#!/bin/bash
# SPDX-License-Identifier: MIT
# The manifest compiler: each manifest in $EVNT_DATA/manifests compiles; its
# header compiles without a warning, in C and C++, with gcc and clang; a program
# that writes each event with edge values writes exactly the expected bytes, and
# they decode by the manifest.
set -u
# shellcheck source=selftests/unit/common/tap.bash
. "$(dirname "$0")/../common/tap.bash"

evntmc=$build/tools/evntmc

warnings=(-Wall -Wextra -Wpedantic -Werror)
includes=(-I"$dir" -I"$repo/lib/include" -I"$repo/tdh/include"
	-I"$repo/selftests/unit/tools")

# C and C++, with a compiler that may be missing
compiles() {
	local compiler=$1 standard=$2 language=$3 source=$4

	command -v "$compiler" > /dev/null || return 0
	"$compiler" -std="$standard" -x "$language" "${warnings[@]}" \
		"${includes[@]}" -c "$source" -o "$dir/some.o"
}

# Two files of one program, which share the header's definitions
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
		check "$name: an invalid manifest is reported with its place" \
			grep -qE '^[^:]*:[0-9]+:[0-9]+: error: ' "$dir/err"
		return
	}
	"$build/unit/mc_driver" "$manifest" "$name.h" > "$dir/$name.c"
	check "$name: gcc compiles the code as C11" \
		compiles gcc c11 c "$dir/$name.c"
	check "$name: gcc compiles the code as C++17" \
		compiles g++ c++17 c++ "$dir/$name.c"
	check "$name: clang compiles the code as C11" \
		compiles clang c11 c "$dir/$name.c"
	check "$name: clang compiles the code as C++17" \
		compiles clang++ c++17 c++ "$dir/$name.c"
	check "$name: events are written and decoded" \
		runs "$name" "$manifest"
}

# Fields of each kind: with a count of bytes, a length or a number of elements,
# which the manifest or another field states
test_kinds() {
	cat > "$dir/kinds.man" <<- 'END'
	<instrumentationManifest xmlns="http://schemas.microsoft.com/win/2004/08/events"
	 xmlns:win="http://manifests.microsoft.com/win/2004/08/windows/events">
	<instrumentation><events><provider name="Kinds" symbol="Kinds"
	 guid="{11111111-2222-3333-4444-555566667777}"><templates>
	<template tid="One"><data name="n" inType="win:UInt16"/>
	<data name="sid" inType="win:SID"/>
	<data name="wide" inType="win:CountedUnicodeString"/>
	<data name="ansi" inType="win:CountedAnsiString"/>
	<data name="blob" inType="win:CountedBinary"/>
	<data name="bytes" inType="win:Binary" length="n"/>
	<data name="three" inType="win:Binary" length="3"/>
	<data name="four" inType="win:UnicodeString" length="4"/>
	<data name="part" inType="win:AnsiString" length="n"/>
	<data name="address" inType="win:Pointer"/></template>
	<template tid="Many"><data name="n" inType="win:UInt8"/>
	<data name="sids" inType="win:SID" count="n"/>
	<data name="wides" inType="win:CountedUnicodeString" count="2"/>
	<data name="ansis" inType="win:CountedAnsiString" count="n"/>
	<data name="blobs" inType="win:CountedBinary" count="2"/>
	<data name="texts" inType="win:UnicodeString" count="n"/>
	<data name="parts" inType="win:AnsiString" length="3" count="n"/>
	<data name="numbers" inType="win:UInt32" count="3"/>
	<data name="times" inType="win:FILETIME" count="n"/>
	<struct name="s" count="n"><data name="x" inType="win:UInt8"/>
	<data name="y" inType="win:GUID"/></struct></template></templates><events>
	<event value="1" symbol="One" template="One"/>
	<event value="2" symbol="Many" template="Many"/></events></provider></events>
	</instrumentation></instrumentationManifest>
	END
	test_manifest "$dir/kinds.man"
}

# A compiled manifest, linked into a program, is found there
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
	check "evntmc writes the given files" \
		ls "$dir/$name.h" "$dir/${name}TEMP.BIN" \
		"$dir/${name}_MSG00001.bin" "$dir/$name.rc"
	check "-p and -P change names" sh -c "
		'$evntmc' -o '$dir' -z other -p Log -P Own '$dir/$name.man' &&
		grep -q '^#define LogEvent()' '$dir/other.h'"
	check "options of Windows' compiler without an effect are accepted" \
		sh -c "
		'$evntmc' -um -b -co -U -o '$dir' -z same '$dir/$name.man' &&
		cmp '$dir/same_MSG00001.bin' '$dir/${name}_MSG00001.bin'"
}

# Names as programs use them with mc.exe: CHAR for win:Int8, a value's symbol
# after its map's
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
	check "win:Int8 is CHAR, and maps have symbols" sh -c "
		'$evntmc' -um -o '$dir' '$dir/names.man' &&
		g++ -std=c++17 -Wall -Wextra -Werror -I'$dir' \
			-I'$repo/lib/include' '$dir/names.cc' \
			'$build/lib/libevntprov.a' -pthread -o '$dir/names' &&
		'$dir/names'"
}

# Check that a header has a line
has_line() {
	grep -qxF -e "$2" "$dir/$1.h"
}

# Names of items without a symbol, of the keywords of channels, and of texts that
# replace Windows' own
test_item_names() {
	cat > "$dir/items.man" <<- 'END'
	<instrumentationManifest xmlns="http://schemas.microsoft.com/win/2004/08/events"
	 xmlns:win="http://manifests.microsoft.com/win/2004/08/windows/events"
	 xmlns:o="urn:other">
	<instrumentation><events><provider name="Items" symbol="Items"
	 guid="{11111111-2222-3333-4444-555566667777}"><channels>
	<importChannel name="System" chid="S"/>
	<channel name="Items/A" chid="A" symbol="AChannel" type="Admin"/></channels>
	<levels><level name="o:Low" value="20"/></levels>
	<tasks><task name="Work" value="5"><opcodes>
	<opcode name="Own" value="30"/></opcodes></task></tasks>
	<opcodes><opcode name="Begin it" value="20"/></opcodes>
	<keywords><keyword name="K" mask="0x10"/></keywords><events>
	<event value="7" version="3" symbol="Seven" level="win:Error" channel="S"
	 opcode="win:Start" message="$(string.seven)"/></events></provider></events>
	</instrumentation><localization><resources culture="en-US"><stringTable>
	<string id="seven" value="seven"/><string id="level.Error" value="Bad"/>
	</stringTable></resources></localization></instrumentationManifest>
	END
	check "names without a symbol compile" \
		"$evntmc" -um -o "$dir" "$dir/items.man"
	check "the header defines a level" \
		has_line items "#define Items_LEVEL_o_Low 0x14"
	check "the header defines a task" \
		has_line items "#define Items_TASK_Work 0x5"
	check "the header defines an opcode" \
		has_line items "#define Items_OPCODE_Begin_it 0x14"
	check "the header defines a keyword" \
		has_line items "#define Items_KEYWORD_K 0x10"
	check "the header defines the keyword of a channel without a symbol" \
		has_line items "#define Items_CHANNEL_S_KEYWORD 0x8000000000000000"
	check "the header defines the keyword of a channel with a symbol" \
		has_line items "#define AChannel_KEYWORD 0x4000000000000000"
	check "the header does not define an opcode of one task" \
		fails 1 grep -q "Items_OPCODE_Own" "$dir/items.h"
	check "a text replaces a text of Windows" \
		has_line items "#define MSG_level_Error 0x50000002L"
	check "the message id of an event of a global channel is the event's id" \
		has_line items "#define MSG_seven 0x00000007L"
	check "the header does not define texts of Windows" \
		fails 1 grep -q "MSG_opcode" "$dir/items.h"
}

# Several registrations of one provider, each with a context, and macros with an
# activity: register twice, and enable one of them
test_contexts() {
	cat > "$dir/ctx.man" <<- 'END'
	<instrumentationManifest xmlns="http://schemas.microsoft.com/win/2004/08/events"
	 xmlns:win="http://manifests.microsoft.com/win/2004/08/windows/events">
	<instrumentation><events><provider name="Ctx" symbol="CtxProvider"
	 guid="{11111111-2222-3333-4444-555566667777}"><templates><template tid="T">
	<data name="pContext" inType="win:UInt8"/>
	<data name="Activity" inType="win:UInt8"/></template></templates><events>
	<event value="1" symbol="None"/><event value="2" symbol="Two" template="T"/>
	</events></provider></events></instrumentation></instrumentationManifest>
	END
	cat > "$dir/ctx.c" <<- 'END'
	#define MCGEN_ENABLE_FORCONTEXT_CODE_GENERATION
	#define MCGEN_EVENTREGISTER		add
	#define MCGEN_EVENTUNREGISTER		drop
	#define MCGEN_EVENTWRITETRANSFER	put
	#include <evntprov.h>
	static LPCGUID last;
	static unsigned int events;
	static PVOID contexts[2];
	static PENABLECALLBACK callback;
	static inline ULONG add(LPCGUID id, PENABLECALLBACK c, PVOID p, PREGHANDLE h)
	{
		static REGHANDLE next;
		(void)id;
		callback = c;
		contexts[next] = p;
		*h = ++next;
		return 0;
	}
	static inline ULONG drop(REGHANDLE h) { return h == 0; }
	static inline ULONG put(REGHANDLE h, PCEVENT_DESCRIPTOR d, LPCGUID activity,
				LPCGUID related, ULONG n, PEVENT_DATA_DESCRIPTOR p)
	{
		(void)d, (void)related, (void)n, (void)p;
		last = activity;
		events++;
		return (ULONG)h;
	}
	#include "ctx.h"
	int main(void)
	{
		static McGenContext_Ctx one, two;
		static const GUID id = { 1, 2, 3, { 4 } };
		(void)id;
		if (EventRegisterCtx_ForContext(&one) ||
		    EventRegisterByGuidCtx_ForContext(id, &two))
			return 1;
		callback(&id, EVENT_CONTROL_CODE_ENABLE_PROVIDER, 255, 0, 0, 0,
			 contexts[1]);
		if (EventEnabledNone_ForContext(&one) ||
		    !EventEnabledNone_ForContext(&two) || EventEnabledNone())
			return 2;
	#ifdef KM
		if (EventWriteNone(&id) || EventWriteNone_ForContext(&one, &id) ||
		    EventWriteNone_ForContext(&two, &id) != 2 || last != &id)
			return 3;
		if (EventWriteTwo_ForContext(&two, &id, 1, 2) != 2 || last != &id)
			return 3;
	#else
		if (EventWriteNone() || EventWriteNone_ForContext(&one) ||
		    EventWriteNone_ForContext(&two) != 2 || last)
			return 3;
		if (EventWriteTwo_ForContext(&two, 1, 2) != 2 || last)
			return 3;
	#endif
		if (EventWriteTwo_ForContextAssumeEnabled(&one, 1, 2) != 1 ||
		    last || EventWriteTwo_AssumeEnabled(1, 2) || last)
			return 4;
	#ifdef KM
		if (!CtxProvider_EventWriteActivity)
			return 5;
	#else
		if (CtxProvider_EventWriteActivity)
			return 5;
	#endif
		callback(&id, EVENT_CONTROL_CODE_DISABLE_PROVIDER, 0, 0, 0, 0,
			 contexts[1]);
		if (EventEnabledNone_ForContext(&two) || two.Context.Level ||
		    EventWriteNone_ForContext(&two
	#ifdef KM
					      , &id
	#endif
					      ))
			return 6;
		return CtxHandle_ForContext(&two) != 2 ||
		       EventUnregisterCtx_ForContext(&two) || events != 4;
	}
	END
	check "the program can have its own context" sh -c "
		'$evntmc' -um -o '$dir' '$dir/ctx.man' &&
		gcc -std=gnu11 ${warnings[*]} -Wno-pedantic -Wno-unused ${includes[*]} \
			'$dir/ctx.c' -o '$dir/ctx' && '$dir/ctx'"
	check "macros with an activity compile" sh -c "
		'$evntmc' -km -o '$dir' '$dir/ctx.man' &&
		gcc -std=gnu11 -DKM ${warnings[*]} -Wno-pedantic -Wno-unused \
			${includes[*]} '$dir/ctx.c' -o '$dir/ctx' && '$dir/ctx'"
	check "functions with an activity are generated" \
		grep -q 'McTemplateK0uu' "$dir/ctx.h"
}

# What Windows' compiler accepts, and what no table of messages can contain
test_problems() {
	cat > "$dir/twins.man" <<- 'END'
	<instrumentationManifest xmlns="http://schemas.microsoft.com/win/2004/08/events">
	<instrumentation><events><provider name="One" symbol="One"
	 guid="{11111111-2222-3333-4444-555566667777}"><namedQueries><patternMaps>
	<patternMap name="Sites" format="regex"><map name="com" value=".com$"/>
	</patternMap></patternMaps></namedQueries><events>
	<event value="1" symbol="Same"/></events></provider>
	<provider name="Two" symbol="Two"
	 guid="{21111111-2222-3333-4444-555566667777}"><events>
	<event value="3" symbol="Same"/><event value="4" symbol="Other"/></events>
	</provider></events></instrumentation></instrumentationManifest>
	END
	check "two providers may have an event of the same name" \
		sh -c "'$evntmc' -o '$dir' '$dir/twins.man' 2> '$dir/err'"
	check "a warning contains its line" grep -qF \
		"twins.man:9:1: warning: provider 'One' has an event 'Same' too" \
		"$dir/err"
	echo '#include "twins.h"' > "$dir/twins.c"
	echo 'int main(void) { return EventWriteSame() || EventWriteOther(); }' \
		>> "$dir/twins.c"
	check "the header defines the first event of a name" \
		compiles gcc c11 c \
		"$dir/twins.c"
	check "named queries are compiled" grep -qF QTAB "$dir/twinsTEMP.BIN"
	sed 's/ format="regex"//' "$dir/twins.man" > "$dir/query.man"
	"$evntmc" -o "$dir" "$dir/query.man" 2> "$dir/err"
	check "a named query without its format is an error" grep -qF \
		"query.man:4:1: error: <patternMap> lacks its attribute 'format'" \
		"$dir/err"
	{
		sed '/<string /,$d' "$dir/names.man"
		printf '<string id="v" value="'
		printf '%040000d' 0
		printf '"/>\n</stringTable></resources></localization></instrumentationManifest>\n'
	} > "$dir/long.man"
	"$evntmc" -o "$dir" "$dir/long.man" 2> "$dir/err"
	check "a text that is too long is an error" [ $? = 1 ]
	check "the error of a text that is too long contains its line" \
		grep -qE \
		"long.man:[0-9]+:1: error: the text 'v' is longer than" "$dir/err"
}

fails() {
	local code=$1

	shift
	"$@"
	[ $? = "$code" ]
}

test_misuse() {
	check "no manifest is misuse" fails 2 "$evntmc"
	check "two manifests are misuse" fails 2 "$evntmc" a b
	check "an unknown option is misuse" fails 2 "$evntmc" --none a
	check "an option without its value is misuse" fails 2 "$evntmc" a -h
	check "an unsupported mode is misuse" fails 2 "$evntmc" -cs a
	check "a missing manifest is an error" fails 1 "$evntmc" "$dir/none"
	check "a missing folder is an error" \
		fails 1 "$evntmc" -o "$dir/none" "$dir/own.man"
	check "--help succeeds" "$evntmc" --help
	check "--version succeeds" "$evntmc" --version
}

test_kinds
test_notes
test_names
test_item_names
test_contexts
test_problems
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
