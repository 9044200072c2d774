#!/bin/bash
# SPDX-License-Identifier: MIT
# evnt dump and activities, and babeltrace2, decode by the manifests in the
# programs that a log names: as long as these exist and are unchanged, and
# wherever in the log they are named.
set -u
# shellcheck source=selftests/unit/common/tap.bash
. "$(dirname "$0")/../common/tap.bash"

maker=$build/unit/log_maker
log=$dir/made.etl
program=$dir/program
export EVNTPROV_MANIFESTS=$dir/none

# Make a manifest with a name, and an object with it in notes
make_manifest() {
	cat > "$dir/$1.man" <<- END
	<instrumentationManifest xmlns="http://schemas.microsoft.com/win/2004/08/events">
	<instrumentation><events><provider name="$1" symbol="Manifest"
	 guid="{00001234-0000-0000-0000-000000000000}"><events>
	<event value="1" symbol="Event"/></events></provider></events>
	</instrumentation></instrumentationManifest>
	END
	"$build/tools/evntmc" -o "$dir" "$dir/$1.man"
}

# Link the program, with the given build id
link() {
	gcc -nostdlib -shared -Wl,--build-id="0x$2" "$dir/$1.S" -o "$program"
}

make_log() {
	"$maker" "$log"
}

# Providers' names in the order of events, and the number of notes
names() {
	"$evnt" dump --json "$@" "$log" 2> "$dir/err" |
		jq -rs 'map(.provider_name // "?") | join(" ")'
	wc -l < "$dir/err"
}

says() {
	grep -cF "$1" "$dir/err"
}

make_manifest Manifest-One
make_manifest Manifest-Two
link Manifest-One 00112233

make_log << END
event time=1000 pid=10 id=1
manifest time=2000 provider=0x1234 build=00112233 path=$program
event time=3000 pid=10 id=1
END
is "$(names)" "? Manifest-One
0" "events after the announcement are decoded"
is "$("$evnt" dump "$log" | wc -l)" 2 \
	"the announcement of a manifest is not printed"
is "$("$evnt" dump --images "$log" | wc -l)" 3 \
	"--images prints the announcement of a manifest"
for mode in 0x2 0x8 0x400; do
	make_log <<- END
	header mode=$mode
	event time=1000 pid=10 id=1
	manifest time=2000 provider=0x1234 build=00112233 path=$program
	END
	is "$(names)" "Manifest-One
0" "a log of mode $mode: events before the announcement are decoded"
done
make_log << END
header mode=2
event time=1000 pid=10 id=1 op=1 act=1
event time=2000 pid=10 id=1 op=2 act=1
manifest time=3000 provider=0x1234 build=00112233 path=$program
END
is "$("$evnt" activities --json "$log" | jq -r .provider_name)" Manifest-One \
	"activities uses the announced manifest"

make_log << END
manifest time=1000 provider=0x1234 build=00112233 path=$program
event time=2000 pid=10 id=1
manifest time=3000 provider=0x1234 build=00112233 path=$program
END
is "$(names --manifest "$dir/Manifest-Two.man")" "Manifest-Two
0" "a given manifest precedes the announced one"
is "$(names --manifest "$dir/Manifest-TwoTEMP.BIN")" "Manifest-Two
0" "a given manifest may be compiled"
EVNTPROV_MANIFESTS=$dir/system
mkdir "$EVNTPROV_MANIFESTS"
cp "$dir/Manifest-Two.man" "$EVNTPROV_MANIFESTS"
is "$(names)" "Manifest-One
0" "the announced manifest precedes an installed one"
link Manifest-One 00112244
is "$(names)" "Manifest-Two
0" "an installed manifest replaces the one of another build"
EVNTPROV_MANIFESTS=$dir/none
is "$(names)" "?
1" "the manifest of another build is not used"
is "$(says "$program is another build than the one that was recorded")" 1 \
	"another build is reported once"
rm "$program"
is "$(names)" "?
1" "the manifest of a missing program is not used"
is "$(says "no manifest from $program: there is no such file")" 1 \
	"a missing program is reported once"
mkfifo "$program"
is "$(names)" "?
1" "a pipe is neither used nor waited for"
rm "$program"
is "$(names --manifest "$dir/Manifest-Two.man")" "Manifest-Two
0" "nothing is reported with a given manifest"

if [ -e "$build/babeltrace/babeltrace-plugin-evntprov.so" ] &&
	command -v babeltrace2 > /dev/null; then
	link Manifest-One 00112233
	is "$(BABELTRACE_PLUGIN_PATH=$build/babeltrace babeltrace2 "$log" \
		2> /dev/null | grep -c 'Manifest-One')" 1 "babeltrace2 uses the announced manifest"
fi

make_log << END
manifest time=1000 provider=0x1234 build=00112233 path=program
manifest time=1000 provider=0x1235 build=00112233 path=$dir
event time=2000 pid=10 id=1
END
cd "$dir" || exit 1
link Manifest-One 00112233
is "$(names)" "?
1" "neither a relative path nor a folder is used"
make_log << END
manifest time=1000 provider=0x1235 build=00112233 path=$program
event time=2000 pid=10 id=1
event time=3000 pid=10 id=1 provider=0x1235
END
is "$(names)" "? ?
1" "a manifest of another provider is not used"

done_testing
