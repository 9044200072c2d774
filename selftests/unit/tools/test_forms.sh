#!/bin/bash
# SPDX-License-Identifier: MIT
# evnt dump prints the same events as text, JSON, CSV and XML: each is valid for
# its usual readers, and has the same values.
set -u
# shellcheck source=selftests/unit/common/tap.bash
. "$(dirname "$0")/../common/tap.bash"

data=$data/etl
export EVNTPROV_MANIFESTS=$dir

dump() {
	"$evnt" dump --manifest "$dir/bench.man" "$@"
}

# Check the result of a query on a log as JSON
json_is() {
	local log=$1 query=$2 want=$3 got

	got=$(dump --format json "$dir/$log.etl" | jq -rs "$query") || return
	[ "$got" = "$want" ] || { echo "'$got' is not '$want'"; return 1; }
}

# Check an XPath expression on a log as XML, where names have no space
xml_is() {
	local log=$1 path=$2 want=$3 got

	got=$(dump --format xml "$dir/$log.etl" |
	      sed 's/ xmlns="[^"]*"//' | xmllint --xpath "$path" -) || return
	[ "$got" = "$want" ] || { echo "'$got' is not '$want'"; return 1; }
}

# Check a value in each row of a log as CSV
csv_is() {
	local log=$1 row=$2 expression=$3 want=$4 got

	got=$(dump --format csv "$dir/$log.etl" | python3 -c '
import csv, json, sys
rows = list(csv.DictReader(sys.stdin))
row = rows[int(sys.argv[1])]
fields = json.loads(row["fields"])
print(eval(sys.argv[2]))' "$row" "$expression") || return
	[ "$got" = "$want" ] || { echo "'$got' is not '$want'"; return 1; }
}

test_forms() {
	local log

	for log in tracelogging manifest; do
		check "$log: JSON has all events" json_is $log length 300
		check "$log: XML has all events" \
			xml_is $log 'count(/Events/Event)' 300
		check "$log: CSV has all events and a header" \
			csv_is $log -1 'len(rows)' 300
		check "$log: JSON has a field" json_is $log \
			'.[8].fields.path' /var/lib/store/8.dat
		check "$log: XML has a field" xml_is $log \
			'string(//Event[9]/EventData/Data[@Name="path"])' \
			/var/lib/store/8.dat
		check "$log: CSV has a field" csv_is $log 8 \
			'fields["path"]' /var/lib/store/8.dat
		check "$log: XML has place and time of an event" xml_is $log \
			'concat(//Event[9]//Execution/@ThreadID, " ", //Event[9]//TimeCreated/@SystemTime, " ", //Event[9]//Provider/@Guid)' \
			'100 2022-06-18T04:26:40.0000104Z {6b2f0c1e-9a57-4d55-8f6e-2d3c4b5a6978}'
		check "$log: CSV has place and time of an event" csv_is $log 8 \
			'row["tid"] + " " + row["time"] + " " + row["provider_name"]' \
			'100 2022-06-18T04:26:40.0000104Z Bench-Decoding'
		check "$log: XML has levels and keywords" xml_is $log \
			'concat(//Event[8]//Level, //Event[8]//Keywords, //Event[8]//RenderingInfo/Level)' \
			30x0000000000000002Warning
	done
	check "XML has the name of a TraceLogging event as its task" \
		xml_is tracelogging 'string(//Event[1]/RenderingInfo/Task)' \
		Request
	check "XML has the message" xml_is manifest \
		'string(//Event[1]/RenderingInfo/Message)' \
		'GET of /var/lib/store/0.dat ended: Refused'
	check "CSV has the message" csv_is manifest 1 'row["message"]' \
		'PUT of /var/lib/store/1.dat ended: Done'
	check "XML has the name of a map's value" xml_is manifest \
		'string(//Event[8]/EventData/Data[@Name="status"])' Refused
}

undescribed() {
	EVNTPROV_MANIFESTS=/nonexistent "$evnt" dump --format "$1" \
		"$dir/manifest.etl"
}

# Events 0 and 7 of a log without any description: their bytes
test_undescribed() {
	check "CSV has an undecoded payload in hexadecimal" \
		grep -q ',,,,,00000000000000000*7f00002f00760061007200' \
		<(undescribed csv)
	check "XML has an undecoded payload in hexadecimal" \
		grep -q '<BinaryEventData>00000000000000000*7f00002f00760061007200' \
		<(undescribed xml)
}

is_xml() {
	"$evnt" dump --format xml "$1" 2> /dev/null | xmllint --noout -
}

is_csv() {
	"$evnt" dump --format csv "$1" 2> /dev/null | python3 -c '
import csv, json, sys
for row in csv.DictReader(sys.stdin, strict=True):
    assert None not in row and None not in row.values(), row
    assert not row["fields"] or type(json.loads(row["fields"])) is dict'
}

is_json() {
	"$evnt" dump --format json "$1" 2> /dev/null | python3 -c '
import json, sys
for line in sys.stdin.buffer:
    event = json.loads(line.decode("utf-8"))
    assert type(event) is dict'
}

same_values() {
	[ "$("$evnt" dump --format json "$1" 2> /dev/null |
	     jq -c '.fields // {}')" = \
	  "$("$evnt" dump --format csv "$1" 2> /dev/null | python3 -c '
import csv, sys
for row in csv.DictReader(sys.stdin):
    print(row["fields"] or "{}")')" ]
}

# All forms are well-formed for logs of Windows
test_logs() {
	local log name

	for log in "$data"/*.etl; do
		name=${log##*/}
		# The largest log has the same events many times
		[ "$name" != net.4.5.2.x86.etl ] || continue
		check "$name: XML is valid" is_xml "$log"
		check "$name: CSV is valid" is_csv "$log"
		check "$name: JSON is valid" is_json "$log"
		check "$name: JSON and CSV have the same values" \
			same_values "$log"
	done
}

test_made() {
	local maker=$build/unit/log_maker cr=$'\r' us=$'\x1f'
	local esc=$'\x1b' csi=$'\xc2\x9b'

	"$maker" "$dir/return.etl" <<< "event time=1 name=A${cr}B str:Text=x"
	check "CSV has a carriage return in quotes" \
		grep -qF "\"A${cr}B\"" <(dump --format csv "$dir/return.etl")
	"$maker" "$dir/control.etl" <<< "event time=1 name=A str:Text=x${us}y"
	check "XML has a replacement for U+001F" xml_is control \
		'string(//Data[@Name="Text"])' $'x\xef\xbf\xbdy'
	"$maker" "$dir/obey.etl" <<< "event time=1 name==A${esc}[1m${csi}B str:Text=-x${csi}y"$'\x7f'
	check "CSV replaces control characters and contains no formula" csv_is \
		obey 0 'ascii(row["name"])' "\"'=A\\ufffd[1m\\ufffdB\""
	check "JSON escapes U+009B and U+007F" grep -qF '"-x\u009by\u007f"' \
		<(dump --json "$dir/obey.etl")
	check "CSV escapes U+009B and U+007F in fields" \
		grep -qF '""-x\u009by\u007f""' \
		<(dump --format csv "$dir/obey.etl")
	"$maker" "$dir/tail.etl" <<< "event time=1 name=A u32:Number=1 tail=3"
	check "JSON has the payload when bytes follow the fields" json_is tail \
		'.[0] | "\(.fields.Number) \(.payload)"' '1 01000000030201'
	check "CSV has the payload when bytes follow the fields" csv_is tail 0 \
		'str(fields["Number"]) + " " + row["payload"]' '1 01000000030201'
	"$maker" "$dir/string.etl" <<< 'event time=1 level=2 string=a,"b<&c'
	check "text has the string of an event" \
		grep -qF ' Error: "a,\"b<&c"' <(dump "$dir/string.etl")
	check "the full form has the string of an event" \
		grep -qF ' text="a,\"b<&c"' <(dump --format full "$dir/string.etl")
	check "JSON has the string of an event" json_is string '.[0].text' 'a,"b<&c'
	check "XML has the string of an event" xml_is string \
		'string(//EventData/Data)' 'a,"b<&c'
	check "CSV has the string of an event as its message" \
		grep -qF ',,"a,""b<&c",,' <(dump --format csv "$dir/string.etl")
	"$evnt" export --perfetto -o "$dir/string.pftrace" "$dir/string.etl" \
		> /dev/null
	check "a Perfetto trace has the string of an event" \
		grep -qaF 'a,"b<&c' "$dir/string.pftrace"
	"$maker" "$dir/early.etl" <<- END
	event time=-16555264000000010 name=A
	event time=-132000000000000000 name=B
	event time=10 name=C
	END
	check "JSON has ns since 1970, or the nearest with 64 bits" json_is early \
		'map(.time_ns) | join(" ")' \
		'-1000 -9223372036854775808 1655526400000001000'
	"$maker" "$dir/seconds.etl" <<- END
	event time=-16555263999999997 name=A
	event time=-16555263999999995 name=B
	event time=-16555263990000000 name=C
	event time=-16555263989999996 name=D
	event time=9999999 name=E
	event time=10000000 name=F
	END
	check "JSON has all forms of the times of a second, and of the next" \
		json_is seconds 'map("\(.time) \(.filetime) \(.time_ns)") | join("\n")' \
		'1970-01-01T00:00:00.0000003Z 116444736000000003 300
1970-01-01T00:00:00.0000005Z 116444736000000005 500
1970-01-01T00:00:01.0000000Z 116444736010000000 1000000000
1970-01-01T00:00:01.0000004Z 116444736010000004 1000000400
2022-06-18T04:26:40.9999999Z 133000000009999999 1655526400999999900
2022-06-18T04:26:41.0000000Z 133000000010000000 1655526401000000000'
	"$maker" "$dir/structs.etl" <<- END
	event time=1 name=A struct:Outer=3 struct:First=1 u32:A=1 struct:Second=1 u32:B=2 u32:C=3
	END
	check "XML has the path of each field of nested structs" xml_is structs \
		'concat(//ComplexData/@Name, " ", //Data[1]/@Name, " ", //Data[2]/@Name, " ", //Data[3]/@Name)' \
		'Outer First.A Second.B C'
	"$maker" "$dir/short.etl" <<- END
	event time=1 name=A struct:Outer=2 u32:A=1 struct:Inner=2 u32:B=2 u32:C=3 cut=2
	END
	check "JSON ends the structs in which the payload ends" json_is short \
		'map([.fields, .payload]) | tojson' \
		'[[{"Outer":{"A":1,"Inner":{"B":2}}},"01000000020000000300"]]'
	check "CSV ends the structs in which the payload ends" csv_is short 0 \
		'row["fields"] + " " + row["payload"]' \
		'{"Outer":{"A":1,"Inner":{"B":2}}} 01000000020000000300'
	check "XML ends the structs in which the payload ends" xml_is short \
		'concat(//Data[1]/@Name, " ", //Data[2]/@Name, " ", //EventPayload)' \
		'A Inner.B 01000000020000000300'
}

# A template with an element UserData defines the XML of its events
test_user_data() {
	cat > "$dir/user.man" <<- 'END'
	<instrumentationManifest xmlns="http://schemas.microsoft.com/win/2004/08/events">
	<instrumentation><events><provider name="User" symbol="User"
	 guid="{00000007-0000-0000-0000-000000000000}"><templates>
	<template tid="t"><data name="a" inType="win:UInt8" count="2"/>
	<data name="s" inType="win:AnsiString"/>
	<UserData><Own xmlns="urn:own"><Name>%2</Name><Each>%1</Each></Own></UserData>
	</template></templates><events><event value="1" symbol="One" template="t"/>
	</events></provider></events></instrumentation></instrumentationManifest>
	END
	"$build/unit/log_maker" "$dir/user.etl" <<- END
	event id=1 provider=7 raw=12a<b
	event id=1 provider=7 raw=1
	END
	dump() {
		"$evnt" dump --manifest "$dir/user.man" "$@"
	}
	check "XML has the element of the template" xml_is user \
		'concat(//Own/Name, " ", //Own/Each[1], " ", //Own/Each[2])' \
		'a<b 49 50'
	check "XML has fields in UserData only" xml_is user \
		'concat(count(//Event/UserData/Own), count(//EventData))' 20
	check "XML has the payload that does not match its template" xml_is user \
		'string(//Event[2]/ProcessingErrorData/EventPayload)' 31
	check "JSON has the fields" json_is user '.[0].fields | tojson' \
		'{"a":[49,50],"s":"a<b"}'
}

fails() {
	local want=$1

	shift
	if "$evnt" dump "$@" > "$dir/printed" 2>&1; then
		return 1
	fi
	cat "$dir/printed"
	grep -qF -e "$want" "$dir/printed"
}

"$build/unit/decode" "$dir" 300
test_forms
test_made
mv "$dir/bench.man" "$dir/kept"
test_undescribed
test_user_data
check "an unknown form is misuse" fails 'none of text, full, json, csv, xml' \
	--format yaml "$dir/manifest.etl"
if [ -d "$data" ]; then
	test_logs
else
	skip "logs of Windows: there is no $data"
fi
done_testing
