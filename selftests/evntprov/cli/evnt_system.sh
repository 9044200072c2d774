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

# Whether process $1 used the CPU in an interval
has_used_cpu() {
	jq -se "any(.[].processes[]; .pid == $1 and .cpu_ms > 100)" \
		"$dir/top" > /dev/null 2>&1
}

record_cpu() {
	run "$evnt" record --system cpu -o "$log" -- bash -c \
		'for ((i = 0; i < 20000; i++)); do :; done; exec sleep 0.1'
	cpu=$("$evnt" cpu --json "$log")
	flame=$("$evnt" cpu --flame "$log")
}

# Whether there is a function of a program, and a stack of the one that computed
has_samples() {
	[ "$(jq -c '[.functions[] | select(.name | startswith("[") | not)] |
		length > 0' <<< "$cpu")" = true ] && grep -q '^bash;' <<< "$flame"
}

# Addresses of the kernel without a symbol
unknown_functions() {
	jq -c '[.functions[] | select(.name == "[kernel]")]' <<< "$cpu"
}

# Emulated processors lose ticks, on a busy host maybe all of the program's.  Rarely, one
# address is of code that the kernel had only for a time.
for _ in $(seq 20); do
	record_cpu
	if has_samples && [ "$(unknown_functions)" = "[]" ]; then
		break
	fi
done
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

is "$(jq -c '[.processes[] | select(.name == "bash" and .cpu_ms > 1)] |
	length > 0' <<< "$cpu")" true "evnt cpu finds the time of a process"
succeeds "and functions of programs, and stacks for flame graphs" has_samples
is "$(unknown_functions)" "[]" \
	"and those of the kernel that recorded it"

run "$evnt" record --system cpu --system-stack none -o "$log" -- true
exits 0 "call stacks can be left out"
is "$(field 32 true StackThread)" "" "then there are none"

run "$evnt" start system-cli --system process -o "$log"
exits 0 "evnt start takes events of the kernel"
run "$evnt" stop system-cli
exits 0 "its session can be stopped"
is "$(field 3 '.fields.ProcessId == "0x1"' ProcessId)" 0x1 \
	"the log has a rundown"

run "$evnt" record --system cpu,disks -o "$log" -- true
exits 2 "a name that does not exist is refused"
says err "disk-io, disk-init, or disk for both" "and the names are listed"

run "$evnt" record --system syscall,interrupt,dpc,fault,hard-fault -o "$log" -- true
exits 0 "evnt record takes system calls, interrupts, softirqs and faults"
is "$(field 51 true SysCallAddress | cut -c 1-14 | sort -u | tail -n 1)" \
	0xFFFFFFFFFFFF "a system call is named by its number"
is "$(field 11 true VirtualAddress | head -n 1 | cut -c 1-2)" 0x \
	"a page fault has its address"

run "$evnt" record --system net -o "$log" -- \
	bash -c 'echo hello > /dev/udp/127.0.0.1/9'
exits 0 "evnt record takes TCP and UDP"
is "$(field 10 '.fields.dport == 9' size)" 6 "a datagram has its port and its size"

echo "# disks"
truncate -s 1M "$dir/disk"
disk=$(losetup --find --show "$dir/disk")
run "$evnt" record --system disk -o "$log" -- \
	dd if="$disk" of=/dev/null iflag=direct bs=16k skip=3 count=1
losetup -d "$disk"
exits 0 "evnt record takes requests to disks"
is "$(field 10 '.fields.ByteOffset == 49152' TransferSize)" 16384 \
	"a read has its place and its size"

echo "# evnt top --cpu"
cp "$(command -v bash)" "$dir/busy"
for how in "--real-time" "-o $log"; do
	# shellcheck disable=SC2086
	run "$evnt" start Cpu --system cpu --flush 1 $how
	"$dir/busy" -c 'while :; do :; done' &
	busy=$!
	"$evnt" top --cpu --json --interval 0.5 Cpu > "$dir/top" \
		2> "$dir/top_err" < /dev/null &
	top=$!
	succeeds "top --cpu finds a busy process ($how)" eventually \
		has_used_cpu "$busy"
	kill "$busy"
	wait "$busy" 2> /dev/null
	run "$evnt" stop Cpu
	wait "$top"
	is $? 0 "and ends with the session ($how)"
done
finish
