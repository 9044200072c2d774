#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The events of a provider whose manifest is in its own file are decoded without
# any option: of a program, of one without a dynamic linker, of a library; also
# in a circular log, in the next file, and live; and not when the file has been
# removed or replaced.  Needs root and the module loaded.
set -u

here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=selftests/evntprov/cli/cli.bash
. "$here/cli.bash"
export EVNTPROV_MANIFESTS=/nonexistent

# By its id, as its name is unknown before
provider=2f3c9a1e-6c61-4f0c-9a57-30a4f1c3b7d2
program=$dir/program

# Record a program, and dump its events
record() {
	run "$evnt" record -p "$provider" -o "$dir/a.etl" -- "$@"
	exits 0 "record succeeds"
	run "$evnt" dump --format full "$dir/a.etl"
	exits 0 "dump succeeds"
}

answer() {
	echo "Evntprov-Test-Manifest.*id=7 .*Answer=42 From=\"$1\""
}

# $1: source; $2: name
decodes() {
	says out "$(answer "$1")" "$2: the event is decoded"
	is "$(wc -l <"$dir/out")" 1 "$2: dump prints one event"
	is "$(wc -c <"$dir/err")" 0 "$2: dump prints no error"
}

# Start a program that has registered, and writes on request
start_waiting() {
	coproc waiting { exec "$here/manifest_program" wait; }
	read -r _ <&"${waiting[0]}"
	# shellcheck disable=SC2154 # coproc does
	writer=$waiting_PID
}

let_write() {
	echo >&"${waiting[1]}"
	wait "$writer"
}

echo "# places of manifests"
cp "$here/manifest_program" "$program"
record "$program"
decodes program "a manifest in a program"
run "$evnt" dump --json "$dir/a.etl"
is "$(json .message)" "program answers 42" "the event's message is decoded"
run "$evnt" dump --format full --images "$dir/a.etl"
says out "Evntprov-Images name=\"Manifest\".*Provider={${provider^^}}.*FileName=\"$program\"" \
	"dump --images prints the event that announces a manifest"
is "$(grep -c Evntprov-Images "$dir/out")" 1 "a manifest is announced once"
strip "$program"
run "$evnt" dump --format full "$dir/a.etl"
decodes program "a manifest in a stripped program"
record "$here/manifest_static"
decodes program "a manifest in a static program"
record "$here/manifest_bare" "$here/manifest_library.so"
decodes library "a manifest in a loaded library"
record "$here/manifest_bare"
says out "$provider id=7 .*size=12: " \
	"an event without a manifest is printed as bytes"

echo "# times of the announcement"
"$evnt" start Later -o "$dir/later.etl" 2>/dev/null
start_waiting
# The program writes by enable bits that the callback sets
"$evnt" enable --timeout infinite Later "$provider" 2>/dev/null
let_write
"$evnt" stop Later 2>/dev/null
run "$evnt" dump --format full "$dir/later.etl"
decodes waiting "a provider enabled after its registration"
"$evnt" start Live --real-time -p "$provider" 2>/dev/null
start_waiting
"$evnt" tail --format full Live >"$dir/out" 2>"$dir/tail" </dev/null &
tailer=$!
consumes() {
	[ "$("$evnt" query --json Live | jq -r .consumers)" = 1 ]
}
succeeds "tail consumes the session" eventually consumes
let_write
"$evnt" stop Live 2>/dev/null
wait "$tailer"
: >"$dir/err"
decodes waiting "tail of a running session"

echo "# logs without the beginning"
"$evnt" start Series -o "$dir/%d.etl" --new-file 16 -p "$provider" 2>/dev/null
start_waiting
"$evnt" update --next-file Series 2>/dev/null
has_two_events() {
	[ "$("$evnt" query --json Series | jq -r .events)" = 2 ]
}
succeeds "the manifest is announced again in the next file" \
	eventually has_two_events
let_write
"$evnt" stop Series 2>/dev/null
run "$evnt" dump --format full "$dir/2.etl"
decodes waiting "the next file of a series"

echo "# missing and replaced files"
cp "$here/manifest_program" "$program"
record "$program"
objcopy --remove-section .note.gnu.build-id "$here/manifest_program" "$program"
run "$evnt" dump --format full "$dir/a.etl"
exits 0 "dump with another build of the program succeeds"
says out "$provider id=7 " "events of another build are printed as bytes"
is "$(grep -c "$program is another build" "$dir/err")" 1 \
	"another build is reported once"
rm "$program"
mkfifo "$program"
run timeout 60 "$evnt" dump --format full "$dir/a.etl"
exits 0 "dump with a pipe as the program succeeds"
says out "$provider id=7 " \
	"events of a program replaced by a pipe are printed as bytes"
rm "$program"
run "$evnt" dump --format full "$dir/a.etl"
exits 0 "dump without the program succeeds"
says out "$provider id=7 " "events of a missing program are printed as bytes"
says err "no manifest from $program: there is no such file" \
	"a missing program is reported"
run "$evnt" dump --format full --manifest "$here/manifest_program.man" "$dir/a.etl"
decodes program "a missing program, with --manifest"

finish
