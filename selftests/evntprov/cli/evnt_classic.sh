#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# A classic provider from end to end: recorded by evnt, put together again by a
# consumer, decoded by its description in MOF. Needs root and the module loaded.
set -u

here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=selftests/evntprov/cli/cli.bash
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
exits 0 "record of a classic provider succeeds"
says err "^evnt: 28 events kept, 0 lost" \
	"record keeps the events of a classic provider"
run "$here/classic_program" "$dir/a.etl"
exits 0 "the consumer of a classic log succeeds"
is "$(cat "$dir/out")" "request 100: 0 1 2
request 101: 0 1 2
request 102: 0 1 2
urls 3 messages 1 others 0" "a consumer assembles requests from instance events"

# The same by an independent reader: it finds the records, and their contents
# are where the format requires
cat >"$dir/rebuild.py" <<'END'
import importlib.util, struct, sys, uuid

spec = importlib.util.spec_from_file_location("reader", sys.argv[1])
reader = importlib.util.module_from_spec(spec)
spec.loader.exec_module(reader)
PART = uuid.UUID("7b2f0c1f-9a57-4d55-8f6e-2d3c4b5a6978")
REQUEST = uuid.UUID("7b2f0c1e-9a57-4d55-8f6e-2d3c4b5a6978")
requests, parts, ended = {}, {}, set()
for b in reader.bufs(open(sys.argv[2], "rb").read()):
    for at, kind, size, header in reader.events(b, b.off - 0x48):
        if not kind.startswith("INST"):
            continue
        record = b.data[at:at + size]
        own = uuid.UUID(bytes_le=record[0x18:0x28])
        instance, parent = struct.unpack_from("<II", record, 0x30)
        of = uuid.UUID(bytes_le=record[0x38:0x48])
        number, = struct.unpack_from("<I", record, 0x48)
        if record[4] == 2:
            ended.add((own, instance))
        elif own == REQUEST:
            requests[instance] = number
        elif own == PART and of == REQUEST:
            parts.setdefault(parent, []).append((instance, number))
for instance, number in sorted(requests.items()):
    own = sorted(parts[instance])
    whole = (REQUEST, instance) in ended and \
        all((PART, i) in ended for i, n in own)
    print("request %u:" % number, *[n for i, n in own],
          *[] if whole else ["?"])
END
reader=${EVNT_DATA:-/nonexistent}/../tools/etlscan.py
if [ -e "$reader" ] && command -v python3 >/dev/null; then
	run python3 "$dir/rebuild.py" "$reader" "$dir/a.etl"
	is "$(cat "$dir/out")" "request 100: 0 1 2
request 101: 0 1 2
request 102: 0 1 2" \
	"an independent reader assembles requests from instance events"
else
	ok "an independent reader # SKIP none is in EVNT_DATA's folder"
fi

run "$evnt" dump --format full --manifest "$dir/server.mof" \
	"$dir/a.etl"
exits 0 "dump of a classic log succeeds"
is "$(grep -c 'opcode=Start task=Request .*Number=10[012]$' "$dir/out")" 3 \
	"dump decodes requests"
is "$(grep -c 'opcode=End task=Part .*Number=[012]$' "$dir/out")" 9 \
	"dump decodes parts of requests"
is "$(grep -c 'opcode=Url .*Number=10[012] Url="/index.html"$' "$dir/out")" 3 \
	"dump decodes fields of classic events"

run "$evnt" stat --json "$dir/a.etl"
exits 0 "stat of a classic log succeeds"
for kind in FULL INST MESSAGE; do
	says out "$kind" "stat counts records of kind $kind"
done

# Registered until the pipe is closed
mkfifo "$dir/pipe"
"$here/classic_program" - <"$dir/pipe" &
pid=$!
exec 3>"$dir/pipe"
mine='select(.id == "6d3c4b5a-0c1e-4d55-8f6e-2d3c4b5a6978").registrations[]'
for _ in $(seq 600); do
	run "$evnt" providers --json
	[ "$(jq -r "$mine.pid" "$dir/out")" != "$pid" ] || break
	sleep 0.1
done
is "$(jq -r "$mine.classic" "$dir/out")" true \
	"providers --json shows that a registration is classic"
run "$evnt" providers
says out "6d3c4b5a.* $pid (classic_program, classic)" \
	"providers shows that a registration is classic"
exec 3>&-
wait "$pid"
is "$?" 0 "the classic provider ends with its pipe"

finish
