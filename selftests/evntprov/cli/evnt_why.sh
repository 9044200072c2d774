#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# evnt why explains three slow requests of the example server: one computes, one
# waits for a lock, one for a disk.  Needs root and the module loaded.
set -u

here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=selftests/evntprov/cli/cli.bash
. "$here/cli.bash"

log=$dir/why.etl
# A disk whose contents are a file in memory
truncate -s 1M "$dir/disk"
disk=$(losetup --find --show "$dir/disk")
trap 'losetup -d "$disk"; rm -rf "$dir"' EXIT

record_slow() {
	run "$evnt" record -p '*Example-Server' --system cpu,disk \
		--system-stack profile,switch,ready --buffer-size 1024 \
		--buffers 64 -o "$log" -- "$here/server" slow "$disk"
	"$evnt" why --top 3 --json "$log" > "$dir/why.json"
}

# Apply a filter to the explanation of a request
why() {
	jq -c "select(.fields.Path == \"/$1\") | $2" "$dir/why.json"
}

has_sample() {
	why compute '[.functions[].name] | index("compute") != null'
}

# Emulated processors lose ticks, on a busy host maybe all of a request's
for _ in $(seq 20); do
	record_slow
	[ "$(has_sample)" != true ] || break
done
exits 0 "the slow requests are recorded"
says err ' 0 lost' "without a loss"
is "$(jq -r .name "$dir/why.json" | xargs)" \
	"Request Request Request" "evnt why explains three requests"
is "$(why compute '.running_ns > 50000000')" true \
	"one of them ran for the time that it computed"
is "$(has_sample)" true "in that function"
lock='[.waits[] | select(.cause == "lock")][0]'
is "$(why lock "$lock.duration_ns > 50000000")" true "one waited for a lock"
is "$(why lock "$lock.function | startswith(\"futex\") or startswith(\"__futex\")")" \
	true "in a function of the kernel"
is "$(why lock ".pid == $lock.woken_by.pid and .tid != $lock.woken_by.tid")" true \
	"until another thread of the server woke it"
is "$(why lock "$lock.woken_by.running_ns > 50000000")" true \
	"which ran meanwhile"
is "$(why disk '[.causes[] | select(.name == "disk")][0].count > 0')" true \
	"one waited for the disk"
is "$(why disk '[.waits[] | select(.cause == "disk" and .woken_by and .function)] |
	length > 0')" true "until it was woken"
number=$(< "/sys/block/${disk##*/}/dev")
is "$(why disk "[.disks[] | select(.disk == \"$number\")][0] |
	.requests > 0 and .duration_ns > 0")" true \
	"whose requests were under way meanwhile"
"$evnt" why --top 3 "$log" > "$dir/out" 2> "$dir/err"
is "$(grep -c '^Request Path="/[a-z]*" took [0-9.]* ms in server ' "$dir/out")" 3 \
	"the text has a sentence for each"
is "$(awk 'length > 100' "$dir/out")" "" "no line is longer than 100 columns"
finish
