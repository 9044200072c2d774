#!/bin/bash
# SPDX-License-Identifier: MIT
# Events of .NET's Common Language Runtime are decoded by the manifest that is
# installed with the tools.  Logs of Windows are in $EVNT_DATA/etl.
set -u
# shellcheck source=selftests/unit/common/tap.bash
. "$(dirname "$0")/../common/tap.bash"

log=$data/etl/net.4.5.2.x86.etl
export EVNTPROV_MANIFESTS=$repo/tdh/manifests

[ -x "$evnt" ] || skip_all "$evnt is not built"
[ -f "$log" ] || skip_all "EVNT_DATA has no log of .NET"

"$evnt" dump --json "$log" 2> "$dir/err" |
	jq -r 'select((.provider_name // "") | startswith("Microsoft-Windows-DotNET")) |
		if has("fields") then "decoded" else "unknown" end' |
	sort | uniq -c > "$dir/counts"
is "$(awk '{ print $1, $2 }' "$dir/counts")" "39302 decoded" \
	"all events of the runtime have fields"
is "$("$evnt" dump --json -p Microsoft-Windows-DotNETRuntime "$log" 2>> "$dir/err" |
	jq -r 'select(.payload) | .id' | wc -l)" 0 \
	"they are decoded to the last byte"
is "$("$evnt" dump --json -p Microsoft-Windows-DotNETRuntime --id 82 \
	--limit 1 "$log" 2>> "$dir/err" |
	jq '.fields | (.Stack | length) == .FrameCount')" true \
	"a stack has all of its addresses"
is "$("$evnt" dump --json -p Microsoft-Windows-DotNETRuntime --id 1 \
	--limit 1 "$log" 2>> "$dir/err" |
	jq -c '[.task_name, .opcode_name, .keyword_names, .fields]')" \
	'["GC","Start",["GC"],{"Count":1,"Depth":0,"Reason":"AllocSmall","Type":"NonConcurrentGC","ClrInstanceID":11}]' \
	"a collection has its reason and type by name"
is "$("$evnt" dump --json -p Microsoft-Windows-Kernel-File "$log" 2>> "$dir/err" |
	jq -r '.task_name, (.fields | length)' | sort | uniq -c | awk '{ print $1, $2 }')" \
	"968 7
968 Create" "the merged log describes events of other providers"
is "$("$evnt" dump --json -p Microsoft-Windows-EventMetadata "$log" 2>> "$dir/err" |
	jq -r '.task_name + " " + .opcode_name' | sort | uniq -c |
	awk '{ print $1, $2, $3 }')" "61 MetaData EventInfo
25 MetaData EventMapInfo" "descriptions in the log have names"
is "$("$evnt" dump --json -p Microsoft-Windows-EventMetadata --limit 1 "$log" \
	2>> "$dir/err" |
	jq -c '[.fields.ProviderGuid, .fields.Id, .fields.Opcode, .fields.Keyword]')" \
	'["{B675EC37-BDB6-4648-BC92-F3FDC74D3CA2}",14,18,"0x4000000000000020"]' \
	"a description names the event that it describes"
is "$("$evnt" stat "$log" 2>> "$dir/err" |
	grep -oE 'GC \(AllocationTick\) +3196|^ +Create +968|DnsServerForInterface' |
	tr -s ' ')" "GC (AllocationTick) 3196
 Create 968
DnsServerForInterface" "stat names events as dump does"
newer=("$data/etl/PerfViewData.etl" "$data/etl/PerfViewData.clrRundown.etl")
is "$("$evnt" dump --json "${newer[@]}" 2>> "$dir/err" |
	jq -r 'select((.provider_name // "") | startswith("Microsoft-Windows-DotNET")) |
		if has("fields") then "decoded" else "unknown" end' |
	sort | uniq -c | awk '{ print $1, $2 }')" "179 decoded" \
	"all events of .NET 8 have fields"
is "$("$evnt" dump --json --id 208 "${newer[@]}" 2>> "$dir/err" |
	jq -c '[.task_name, .opcode_name, .fields.Count, (.fields.Values[0] | keys)]')" \
	'["GC","LOHCompact",1,["TimeCompact","TimePlan","TimeRelocate","TotalRefs","ZeroRefs"]]' \
	"a compaction has the times of each heap"
is "$("$evnt" dump --json --id 280 "${newer[@]}" 2>> "$dir/err" |
	jq -c '[.task_name, .opcode_name, .fields.Flags]')" \
	'["TieredCompilationRundown","SettingsDCStart","QuickJit|QuickJitForLoops|ReadyToRun"]' \
	"settings of the compiler have names"
is "$(cat "$dir/err")" "" "there is no message"
done_testing
