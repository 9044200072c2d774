#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# A classic provider from end to end: recorded by evnt, put together again by a
# consumer, decoded by its description in MOF.
# Needs root and the module loaded.
set -u

here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=selftests/evntprov/cli.bash
. "$here/cli.bash"

server='{6d3c4b5a-0c1e-4d55-8f6e-2d3c4b5a6978}'

cat >"$dir/server.mof" <<'END'
[Guid("{6d3c4b5a-0c1e-4d55-8f6e-2d3c4b5a6978}")]
class Server : EventTrace {};

[Guid("{7b2f0c1e-9a57-4d55-8f6e-2d3c4b5a6978}"), DisplayName("Request"),
 EventVersion(1)]
class Request : Server {};
[EventType{1, 2}, EventTypeName{"Start", "End"}]
class Request_Instance : Request { [WmiDataId(1)] uint32 Number; };
[EventType(10), EventTypeName("Url")]
class Request_Url : Request
{
	[WmiDataId(1)] uint32 Number;
	[WmiDataId(2)] string Url;
};

[Guid("{7b2f0c1f-9a57-4d55-8f6e-2d3c4b5a6978}"), DisplayName("Part"),
 EventVersion(1)]
class Part : Server {};
[EventType{1, 2}, EventTypeName{"Start", "End"}]
class Part_Instance : Part { [WmiDataId(1)] uint32 Number; };
END

run "$evnt" record -p "$server" -o "$dir/a.etl" -- "$here/classic_program"
exits 0 "record"
says err "^evnt: 28 events kept, 0 lost" "28 events are kept"
run "$here/classic_program" "$dir/a.etl"
exits 0 "the consumer succeeds"
is "$(cat "$dir/out")" "request 100: 0 1 2
request 101: 0 1 2
request 102: 0 1 2
urls 3 messages 1 others 0" "requests are put together again"

run "$evnt" dump --manifest "$dir/server.mof" "$dir/a.etl"
exits 0 "dump"
is "$(grep -c 'opcode=Start task=Request .*Number=10[012]$' "$dir/out")" 3 \
	"dump: requests"
is "$(grep -c 'opcode=End task=Part .*Number=[012]$' "$dir/out")" 9 \
	"dump: parts"
is "$(grep -c 'opcode=Url .*Number=10[012] Url="/index.html"$' "$dir/out")" 3 \
	"dump: fields"

run "$evnt" stat --json "$dir/a.etl"
exits 0 "stat"
for kind in FULL INST MESSAGE; do
	says out "$kind" "stat: $kind"
done

finish
