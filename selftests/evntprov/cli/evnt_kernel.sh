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

echo "# a recording"
run "$evnt" start Kernel -o "$dir/a.etl" -p "*$name"
exits 0 "start before the provider exists succeeds"
run insmod "$module"
exits 0 "the sample can be loaded"
run "$evnt" providers --json
is "$(json "select(.name == \"$name\") | .id" | head -1)" "$id" \
	"providers lists the sample by its name and id"
run rmmod evntprov
exits 1 "the module stays loaded while the sample uses it"
succeeds "the sample's timer writes events" has_ticked
run rmmod evntprov_sample
exits 0 "the sample can be unloaded"
run "$evnt" stop Kernel
exits 0 "stop succeeds"

echo "# decoded events"
run "$evnt" dump --json "$dir/a.etl"
exits 0 "dump succeeds"
is "$(all 'map(.provider, .provider_name) | unique | join(" ")')" "$id $name" \
	"all events have the provider's id and name"
is "$(all 'first.name')" Hello "the first event is that of loading"
is "$(all 'first.fields.module')" evntprov_sample \
	"the first event contains its string"
is "$(all 'last.name')" Goodbye "the last event is that of unloading"
ticks=$(all 'last.fields.count')
is "$(all '[.[] | select(.name == "Tick") | .fields.count] | join(" ")')" \
	"$(seq -s ' ' "$ticks")" \
		"the log contains each event of the timer, in order"
is "$(all '[.[] | select(.name == "Tick") | .fields.jiffies] |
	. == sort and first > 0')" true \
		"the times of the timer's events increase"
is "$(all '[.[] | select(.name == "Tick") | "\(.level) \(.keyword)"] | unique |
	join(",")')" "4 0x1" "the timer's events have their level and keyword"
run "$evnt" dump "$dir/a.etl"
says out "$name.*Hello.*module=\"evntprov_sample\"" \
	"dump prints the sample's events as text"

echo "# filters"
run "$evnt" start Kernel -o "$dir/b.etl" -p "*$name" --event Goodbye
exits 0 "start with a filter succeeds"
insmod "$module"
rmmod evntprov_sample
"$evnt" stop Kernel
run "$evnt" dump --json "$dir/b.etl"
is "$(all '[.[].name] | join(" ")')" Goodbye \
	"the log contains only events that pass the filter"

finish
