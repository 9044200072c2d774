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
	<instrumentation><events><provider name="$1" symbol="Told"
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

make_manifest Told-One
make_manifest Told-Two
link Told-One 00112233

make_log << END
event time=1000 pid=10 id=1
manifest time=2000 provider=0x1234 build=00112233 path=$program
event time=3000 pid=10 id=1
END
is "$(names)" "? Told-One
0" "from where it is told on"
is "$("$evnt" dump "$log" | wc -l)" 2 "which is not printed"
is "$("$evnt" dump --images "$log" | wc -l)" 3 "unless that is asked for"
for mode in 0x2 0x8 0x400; do
	make_log <<- END
	header mode=$mode
	event time=1000 pid=10 id=1
	manifest time=2000 provider=0x1234 build=00112233 path=$program
	END
	is "$(names)" "Told-One
0" "before it is told, of a log of mode $mode"
done
make_log << END
header mode=2
event time=1000 pid=10 id=1 op=1 act=1
event time=2000 pid=10 id=1 op=2 act=1
manifest time=3000 provider=0x1234 build=00112233 path=$program
END
is "$("$evnt" activities --json "$log" | jq -r .provider_name)" Told-One \
	"activities, too"

make_log << END
manifest time=1000 provider=0x1234 build=00112233 path=$program
event time=2000 pid=10 id=1
manifest time=3000 provider=0x1234 build=00112233 path=$program
END
is "$(names --manifest "$dir/Told-Two.man")" "Told-Two
0" "one that is given counts"
EVNTPROV_MANIFESTS=$dir/system
mkdir "$EVNTPROV_MANIFESTS"
cp "$dir/Told-Two.man" "$EVNTPROV_MANIFESTS"
is "$(names)" "Told-One
0" "one that is installed does not"
link Told-One 00112244
is "$(names)" "Told-Two
0" "but in the place of another build"
EVNTPROV_MANIFESTS=$dir/none
is "$(names)" "?
1" "another build is not used"
is "$(says "$program is another build than the one that was recorded")" 1 \
	"which is told once"
rm "$program"
is "$(names)" "?
1" "nor what is gone"
is "$(says "no manifest from $program: there is no such file")" 1 "likewise"
mkfifo "$program"
is "$(names)" "?
1" "nor a pipe, which is not waited for"
rm "$program"
is "$(names --manifest "$dir/Told-Two.man")" "Told-Two
0" "nothing is told where there is another"

if [ -e "$build/babeltrace/babeltrace-plugin-evntprov.so" ] &&
	command -v babeltrace2 > /dev/null; then
	link Told-One 00112233
	is "$(BABELTRACE_PLUGIN_PATH=$build/babeltrace babeltrace2 "$log" \
		2> /dev/null | grep -c 'Told-One')" 1 "babeltrace2, too"
fi

make_log << END
manifest time=1000 provider=0x1234 build=00112233 path=program
manifest time=1000 provider=0x1235 build=00112233 path=$dir
event time=2000 pid=10 id=1
END
cd "$dir" || exit 1
link Told-One 00112233
is "$(names)" "?
1" "a path that is not absolute, and a folder"
make_log << END
manifest time=1000 provider=0x1235 build=00112233 path=$program
event time=2000 pid=10 id=1
event time=3000 pid=10 id=1 provider=0x1235
END
is "$(names)" "? ?
1" "a program that has another provider's"

done_testing
