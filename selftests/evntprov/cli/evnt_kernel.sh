#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The sample of a provider in the kernel: it is loaded, recorded while it runs,
# and its events are found in the log by the tools.  Needs root, the module
# loaded, and the sample in $VM_OUT.
set -u

here=$(cd "$(dirname "$0")" && pwd)
module=${VM_OUT:-.}/evntprov_sample.ko
if [ ! -r "$module" ]; then
	echo "1..0 # SKIP $module is not at hand"
	exit 4
fi
# shellcheck source=selftests/evntprov/cli/cli.bash
. "$here/cli.bash"

name=Evntprov-Kernel-Sample
id=924e2d78-cd3f-5022-213a-eaa11627d7fd

has_events() {
	[ "$("$evnt" query --json Kernel | jq .events)" -ge "$1" ]
}

# The timer writes once a second, but may be late
has_ticked() {
	for _ in $(seq 12); do
		eventually has_events 3 && return
	done
	return 1
}

# Apply a filter of jq to all events
all() {
	jq -s -r "$@" "$dir/out"
}

echo "# recorded"
run "$evnt" start Kernel -o "$dir/a.etl" -p "*$name"
exits 0 "start, before there is a provider"
run insmod "$module"
exits 0 "the sample is loaded"
run "$evnt" providers --json
is "$(json "select(.name == \"$name\") | .id" | head -1)" "$id" \
	"it is listed by its name and id"
run rmmod evntprov
exits 1 "what it is written for stays loaded"
succeeds "its timer writes events" has_ticked
run rmmod evntprov_sample
exits 0 "the sample is unloaded"
run "$evnt" stop Kernel
exits 0 "stop"

echo "# read"
run "$evnt" dump --json "$dir/a.etl"
exits 0 "dump"
is "$(all 'map(.provider, .provider_name) | unique | join(" ")')" "$id $name" \
	"all events have the provider's id and name"
is "$(all 'first.name')" Hello "the first event"
is "$(all 'first.fields.module')" evntprov_sample "with its string"
is "$(all 'last.name')" Goodbye "the last event"
ticks=$(all 'last.fields.count')
is "$(all '[.[] | select(.name == "Tick") | .fields.count] | join(" ")')" \
	"$(seq -s ' ' "$ticks")" "as many ticks as it has counted, in order"
is "$(all '[.[] | select(.name == "Tick") | .fields.jiffies] |
	. == sort and first > 0')" true "their time goes on"
is "$(all '[.[] | select(.name == "Tick") | "\(.level) \(.keyword)"] | unique |
	join(",")')" "4 0x1" "with its level and keyword"
run "$evnt" dump "$dir/a.etl"
says out "$name.*Hello.*module=\"evntprov_sample\"" "as text, too"

echo "# filtered"
run "$evnt" start Kernel -o "$dir/b.etl" -p "*$name" --event Goodbye
exits 0 "start, with a filter"
insmod "$module"
rmmod evntprov_sample
"$evnt" stop Kernel
run "$evnt" dump --json "$dir/b.etl"
is "$(all '[.[].name] | join(" ")')" Goodbye "what the filter lets through"

finish
