#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Shared by the scripts that test evnt; to be sourced.  EVNT_BUILD is the build
# folder; $dir is a folder for the script's files.
# shellcheck disable=SC2034 # variables are the scripts'

build=${EVNT_BUILD:-$here/../../../build}
evnt=$build/tools/evnt
sample=$build/tools/evnt-sample
dir=$(mktemp -d /tmp/evnt-cli.XXXXXX)
count=0
failures=0

trap 'rm -rf "$dir"' EXIT

ok() {
	count=$((count + 1))
	echo "ok $count - $1"
}

not_ok() {
	count=$((count + 1))
	failures=$((failures + 1))
	echo "not ok $count - $1"
	sed 's/^/# out: /' "$dir/out" | head -20
	sed 's/^/# err: /' "$dir/err" | head -20
}

# gojq has the same language, and starts in an eighth of the time, which matters
# on an emulated processor
if command -v gojq >/dev/null; then
	jq() {
		gojq "$@"
	}
fi

# Run a command, for the checks of its output and exit status below
run() {
	"$@" >"$dir/out" 2>"$dir/err" </dev/null
	status=$?
}

is() {
	if [ "$1" = "$2" ]; then ok "$3"; else not_ok "$3: '$1' is not '$2'"; fi
}

succeeds() {
	local what=$1

	shift
	if "$@"; then ok "$what"; else not_ok "$what"; fi
}

exits() {
	is "$status" "$1" "$2"
}

says() {
	if grep -qe "$2" "$dir/$1"; then ok "$3"; else not_ok "$3"; fi
}

says_not() {
	if grep -qe "$2" "$dir/$1"; then not_ok "$3"; else ok "$3"; fi
}

# Print a property of a session
property() {
	"$evnt" query --json "$1" | jq -r ".$2"
}

# Check that a usage_error verb fails with this message
misuse() {
	local what=$1 word=$2

	shift 2
	run "$evnt" "$@"
	exits 2 "$what is misuse"
	says err "$word" "$what: the message names the error"
}

# Check that a command fails with this word of the reason
fails() {
	local what=$1 word=$2

	shift 2
	run "$evnt" "$@"
	exits 1 "$what fails"
	says err "$word" "$what: the message gives the reason"
}

sessions() {
	"$evnt" sessions --json | wc -l
}

# Wait for up to a minute until a command succeeds
eventually() {
	for _ in $(seq 600); do
		"$@" && return 0
		sleep 0.1
	done
	return 1
}

session_runs() {
	"$evnt" sessions --json | grep -q "\"name\":\"$1\""
}

# Whether a session has enabled a provider: a verb starts its session before
has_enabled() {
	"$evnt" query --json "$1" 2>/dev/null | jq -e '.providers | length > 0' \
		>/dev/null
}

is_suspended() {
	! cat "/proc/$1/task/"*/stat | sed 's/.*) //' | grep -qv '^T'
}

# Stop a process, and wait until no thread of it runs
suspend() {
	kill -STOP "$1"
	eventually is_suspended "$1"
}

is_json() {
	succeeds "$1" is_parsed
}

is_parsed() {
	jq -s -e "length > 0" "$dir/out" >"$dir/json" 2>"$dir/err"
}

# Apply a filter of jq to the output
json() {
	jq -r "$@" "$dir/out"
}

# End the script
finish() {
	echo "1..$count"
	[ "$failures" = 0 ]
}

if [ ! -x "$evnt" ] || [ ! -x "$sample" ]; then
	echo "1..0 # SKIP $evnt is not built"
	exit 4
fi
if ! command -v jq >/dev/null; then
	echo "1..0 # SKIP no jq, which reads what --json prints"
	exit 4
fi
if [ ! -c /dev/evntrace ]; then
	echo "1..0 # SKIP the module is not loaded"
	exit 4
fi
