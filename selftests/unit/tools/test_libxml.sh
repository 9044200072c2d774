#!/bin/bash
# SPDX-License-Identifier: MIT
# libxml2 is loaded only when a manifest is read: by evnt, by the compiler, and
# by a program linked with the archive.
set -u
# shellcheck source=selftests/unit/common/tap.bash
. "$(dirname "$0")/../common/tap.bash"

[ -x "$evnt" ] || skip_all "$evnt is not built"
# Ignore manifests of this machine
export EVNTPROV_MANIFESTS=$dir/none
"$build/unit/decode" "$dir" 10 > /dev/null || exit 1
manifest=$dir/bench.man

# Run a command, and list its mapped libraries in $dir/libraries
traced() {
	rm -f "$dir"/trace.*
	LD_DEBUG=files LD_DEBUG_OUTPUT=$dir/trace "$@" > "$dir/out" 2> "$dir/err"
	status=$?
	sed -n 's/.*file=\([^ ]*\).*generating link map.*/\1/p' "$dir"/trace.* \
		> "$dir/libraries"
	return "$status"
}

loads_xml() {
	grep -q '^libxml2\.so' "$dir/libraries"
}

loads_none() {
	! loads_xml
}

# Simulate a system without libxml2: the file found is not a library
mkdir "$dir/broken"
: > "$dir/broken/libxml2.so.2"
: > "$dir/broken/libxml2.so.16"
without_xml() {
	LD_LIBRARY_PATH=$dir/broken:$build/lib "$@" > "$dir/out" 2> "$dir/err"
}

check "evnt --version succeeds" traced "$evnt" --version
check "evnt --version loads libraries" grep -q '^libevnttdh' "$dir/libraries"
check "evnt --version does not load libxml2" loads_none
for form in text json csv xml; do
	check "a log without manifests is printed as $form" \
		traced "$evnt" dump --format "$form" "$dir/tracelogging.etl"
	check "printing $form does not load libxml2" loads_none
done
check "a log is decoded by a manifest" \
	traced "$evnt" dump --format json --manifest "$manifest" "$dir/manifest.etl"
check "reading a manifest loads libxml2" loads_xml
is "$(jq -rs '.[8].fields.path' "$dir/out")" /var/lib/store/8.dat \
	"the manifest names the fields"

without_xml "$evnt" dump "$dir/tracelogging.etl"
is $? 0 "without libxml2 a log without manifests is printed"
without_xml "$evnt" dump --manifest "$manifest" "$dir/manifest.etl"
is $? 1 "without libxml2 a manifest cannot be read"
check "the message names the library and the remedy" grep -q \
	'libxml2, which reads manifests, cannot be loaded (.*): install the package' \
	"$dir/err"
without_xml "$build/tools/evntmc" -h "$dir" -r "$dir" "$manifest"
is $? 1 "without libxml2 the compiler fails"
check "the compiler names the library and the remedy" grep -q \
	'libxml2, which reads manifests, cannot be loaded (.*): install the package' \
	"$dir/err"
done_testing
