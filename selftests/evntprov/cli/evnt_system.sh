#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# evnt records events of the kernel and prints them with the names of their
# fields, as it prints those of Windows' kernel.  Needs root and the module
# loaded.
set -u

here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=selftests/evntprov/cli/cli.bash
. "$here/cli.bash"

log=$dir/system.etl

# Print a field of the events with this opcode that match a condition of jq
field() {
	"$evnt" dump --json --images "$log" | jq -r "select(
		.provider_name == \"MSNT_SystemTrace\" and .opcode == $1 and
		($2)) | .fields.$3"
}

run "$evnt" record --system cpu -o "$log" -- \
	bash -c 'for ((i = 0; i < 20000; i++)); do :; done; exec sleep 0.1'
exits 0 "evnt record takes events of the kernel without a provider"
says err ' events kept, 0 lost' "it prints their number"
is "$(field 1 '.fields.CommandLine == "sleep 0.1"' ImageFileName)" sleep \
	"a process has its name and its command line"
is "$(field 2 '.fields.ImageFileName == "sleep"' ExitStatus | head -n 1)" 0 \
	"and an exit status"
pid=$(field 1 '.fields.CommandLine == "sleep 0.1"' ProcessId)
is "$(field 36 ".fields.NewThreadId == \"$pid\"" NewThreadId | sort -u)" \
	"$pid" "its switches have its id"
is "$(field 32 true StackThread | head -n 1 | grep -c .)" 1 \
	"samples have call stacks"
run "$evnt" stat "$log"
exits 0 "evnt stat counts them"

cpu=$("$evnt" cpu --json "$log")
is "$(jq -c '[.processes[] | select(.name == "bash" and .cpu_ms > 1)] |
	length > 0' <<< "$cpu")" true "evnt cpu finds the time of a process"
is "$(jq -c '[.functions[] | select(.name | startswith("[") | not)] |
	length > 0' <<< "$cpu")" true "and functions of programs"
is "$(jq -c '[.functions[] | select(.name == "[kernel]")]' <<< "$cpu")" "[]" \
	"and those of the kernel that recorded it"
is "$("$evnt" cpu --flame "$log" | grep -c '^bash;' | sed 's/[1-9].*/1/')" 1 \
	"and writes stacks for flame graphs"

run "$evnt" record --system cpu --system-stack none -o "$log" -- true
exits 0 "call stacks can be left out"
is "$(field 32 true StackThread)" "" "then there are none"

run "$evnt" start system-cli --system process -o "$log"
exits 0 "evnt start takes events of the kernel"
run "$evnt" stop system-cli
exits 0 "its session can be stopped"
is "$(field 3 '.fields.ProcessId == "0x1"' ProcessId)" 0x1 \
	"the log has a rundown"

run "$evnt" record --system cpu,disk -o "$log" -- true
exits 2 "a name that does not exist is refused"
finish
