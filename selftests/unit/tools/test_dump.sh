#!/bin/bash
# SPDX-License-Identifier: MIT
# evnt dump prints fields by name, as text and as JSON: of self-describing
# events, and of events with manifests that are given, installed, or found by
# the log.  The logs of Windows are in $EVNT_DATA/etl.
set -u
# shellcheck source=selftests/unit/common/tap.bash
. "$(dirname "$0")/../common/tap.bash"
# shellcheck source=selftests/unit/common/kernel_log.bash
. "$(dirname "$0")/../common/kernel_log.bash"

http=$data/manifests/microsoft+Tx/HTTP_Server.man
export EVNTPROV_MANIFESTS=$dir

# Check the output for a log of Windows, with options
shows() {
	local want=$1 log=$data/etl/$2

	shift 2
	"$evnt" dump --format full "$@" "$log" > "$dir/out" 2> "$dir/err"
	grep -qF -e "$want" "$dir/out"
}

# Of processes, version 3, as Windows describes them, with another task
processes() {
	cat << 'END'
[Guid("{9e814aad-3204-11d2-9a82-006008a86939}")]
class MSNT_SystemTrace : EventTrace {};
[Guid("{3d6fa8d0-fe05-11d0-9dda-00c04fd7ba7c}"), DisplayName("Installed"),
 EventVersion(3)]
class Process : MSNT_SystemTrace {};
[EventType{1, 2, 3, 4}, EventTypeName{"Start", "End", "DCStart", "DCEnd"}]
class Process_TypeGroup1 : Process
{
	[WmiDataId(1), Pointer] uint32 UniqueProcessKey;
	[WmiDataId(2), Format("x")] uint32 ProcessId;
	[WmiDataId(3), Format("x")] uint32 ParentId;
	[WmiDataId(4)] uint32 SessionId;
	[WmiDataId(5)] sint32 ExitStatus;
	[WmiDataId(6), Pointer] uint32 DirectoryTableBase;
	[WmiDataId(7), Extension("Sid")] object UserSID;
	[WmiDataId(8)] string ImageFileName;
	[WmiDataId(9), Format("w")] string CommandLine;
};
END
}

# Messages of WPP, as Windows' tools describe them
messages() {
	cat << 'END'
26465a38-b775-37bf-c9af-1810e91887cd server // SRC=queue.c MJ= MN=
#typev queue_c120 10 "%0entered" //   LEVEL=TRACE_LEVEL_VERBOSE FLAGS=ALL
{
}
6e9068bb-fb21-3430-aec3-b8c36d4eb7a8 server // SRC=irp.c MJ= MN=
#typev irp_c7 13 "%0%10!p! has %14!d! bytes" //   FLAGS=ALL FUNC=Irp::Run
{
irp, ItemPtr -- 10
device, ItemPtr -- 11
Arg, ItemPtr -- 12
Arg, ItemPtr -- 13
Arg, ItemLongLong -- 14
}
END
}

test_logs() {
	check "TraceLogging is decoded as text" shows \
		'name="PrimitiveTypesTest" id=0 version=0 level=Verbose opcode=Info task=0 keyword=0x0 string_type="Mercury" boolean_type=false char_type="M" int16_type=-51 int32_type=-102 uint16_type=51' \
		primitive-types.etl
	check "TraceLogging is decoded as JSON" shows \
		'"fields":{"string_type":"Mercury","boolean_type":false,"char_type":"M","int16_type":-51,"int32_type":-102,"uint16_type":51,"uint32_type":102,"int64_type":"18446744073709551412","uint64_type":204,' \
		primitive-types.etl --json
	check "an unknown process and thread are printed as -1" shows \
		' pid=-1 tid=-1 ' synthetic-alltypes64.etl
	check "a struct of a compressed log is decoded" shows \
		'MySource name="TestEvent" id=3 version=0 level=Verbose opcode=Info task=0 keyword=0x0 a={b="Hello" c="World!"}' \
		SelfDescribingSingleEvent.etl
	check "an array is decoded as JSON" \
		shows '"Raw Script":["G","e","t","-","A","l","i","a","s"]' \
		AMSITrace.etl --json
	check "an event without a manifest is printed as bytes" shows \
		'id=21 version=0 level=Information opcode=28 task=4 keyword=0x8000000000000010 activity=00000100-0000-0003-193d-42fb30bbcb01 size=72: 1020e903' \
		HTTP_Server.etl
	check "an event is decoded by a given manifest" shows \
		'Microsoft-Windows-HttpService id=21 version=0 level=Information opcode=ConnConnect task="HTTP Connection Trace Task" keyword=0x8000000000000010 activity=00000100-0000-0003-193d-42fb30bbcb01 ConnectionObj=0xFFFFFA8003E92010 LocalAddrLength=28 LocalAddr=[2001:4898:0:fff:0:5efe:a78:109d]:80' \
		HTTP_Server.etl --manifest "$http"
	check "maps and names are decoded as JSON" shows \
		'"task_name":"HTTP Logging Trace Task","channel_name":"Microsoft-Windows-HttpService/Trace","message":"Entry has been written to ResponseLogging log file.","keyword_names":["Flagged on all HTTP events dealing with error log activities"],"fields":{"Status":"0x0","Handle":"0xFFFFFFFF80000E28","Type":"ResponseLogging","Group":"Site","Format":"W3C","ResType":"CacheMiss","SiteId":0}' \
		HTTP_Server.etl --manifest "$http" --json
	check "JSON contains the message with its fields" shows \
		'"message":"Parsed request (request pointer 0xFFFFFA8004020530, method 4) with URI http://georgis2:80/helloworld.htm."' \
		HTTP_Server.etl --manifest "$http" --json
	check "text contains the message" shows \
		' message="Parsed request (request pointer 0xFFFFFA8004020530, method 4) with URI http://georgis2:80/helloworld.htm."' \
		HTTP_Server.etl --manifest "$http"
	check "no event of a manifest is printed as bytes" \
		fails 1 grep -q ' size=' <("$evnt" dump --format full --manifest "$http" \
			"$data/etl/HTTP_Server.etl")
	cp "$http" "$dir/some.man"
	check "an event is decoded by an installed manifest" \
		shows 'opcode=ConnConnect' \
		HTTP_Server.etl
	rm "$dir/some.man"
	check "events of Windows' kernel are decoded without a file" shows \
		'MSNT_SystemTrace id=0 version=3 level=Information opcode=Start task=Process keyword=0x0 UniqueProcessKey=0x0 ProcessId=0x6F0 ParentId=0x3DC SessionId=1 ExitStatus=259 DirectoryTableBase=0x0 UserSID=S-1-5-21-753675414-103939432-3550797041-1000 ImageFileName="notepad.exe" CommandLine="\"C:\\Windows\\system32\\notepad.exe\" "' \
		process_data_32_v3.etl
	check "a known provider is selected by its name, without a manifest" \
		shows 'Microsoft-Windows-HttpService id=21' HTTP_Server.etl \
		--provider Microsoft-Windows-HttpService
	processes > "$dir/some.mof"
	check "classic events are decoded by installed classes" shows \
		'MSNT_SystemTrace id=0 version=3 level=Information opcode=Start task=Installed keyword=0x0 UniqueProcessKey=0x0 ProcessId=0x6F0 ParentId=0x3DC SessionId=1 ExitStatus=259 DirectoryTableBase=0x0 UserSID=S-1-5-21-753675414-103939432-3550797041-1000 ImageFileName="notepad.exe" CommandLine="\"C:\\Windows\\system32\\notepad.exe\" "' \
		process_data_32_v3.etl
	rm "$dir/some.mof"
	messages > "$dir/given"
	check "WPP events are decoded by a TMF file" shows \
		'server name="Irp::Run" id=13 version=0 level=Always opcode=Info task=0 keyword=0x0 irp=0xFFFFBE8B8BA29790 device=0xFFFFBE8B8C3F2CE0 Arg3=0x11F1BA364FCE9473 Arg4=0xAABE9CEF00E6B098 Arg5=72 message="0xFFFFBE8B8BA29790 has 72 bytes"' \
		synthetic-wpp.etl --manifest "$dir/given"
	mv "$dir/given" "$dir/server.tmf"
	check "WPP events are decoded by an installed TMF file" shows \
		'server name="queue_c120" id=10 version=0 level=Always opcode=Info task=0 keyword=0x0 message="entered"' \
		synthetic-wpp.etl
	rm "$dir/server.tmf"
	check "an event is decoded by a manifest in the log" shows \
		'PerfView id=11 version=0 level=Information opcode=Info task=SessionParameters keyword=0xf00000000000 sessionName="NT Kernel Logger" sessionFileName="net.4.5.2.x86.kernel.etl" bufferSizeMB=256 circularBuffSizeMB=500' \
		net.4.5.2.x86.etl
}

fails() {
	local code=$1

	shift
	"$@"
	[ $? = "$code" ]
}

says() {
	"$evnt" dump "${@:2}" > "$dir/out" 2>&1
	[ $? = 1 ] && grep -qF -e "$1" "$dir/out"
}

test_errors() {
	printf '<instrumentationManifest>\n <a>\n' > "$dir/half"
	check "a manifest that is no XML is reported with its position" \
		says "$dir/half:3:1: " --manifest "$dir/half" x.etl
	cat > "$dir/bad" <<- 'END'
	<instrumentationManifest xmlns="http://schemas.microsoft.com/win/2004/08/events">
	<instrumentation><events>
	<provider name="P" guid="{11111111-2222-3333-4444-555566667777}">
	<tasks><task name="T" value="0"/></tasks></provider></events>
	</instrumentation></instrumentationManifest>
	END
	check "an error in a manifest is reported, and the rest is used" \
		says "$dir/bad:4:23: the value of task 'T'" --manifest "$dir/bad" x.etl
	{
		printf 'Microsoft C/C++ MSF 7.00\r\n\032DS\0\0\0'
		head -c 100 /dev/zero
	} > "$dir/empty.pdb"
	check "debug information without messages is reported" \
		says "$dir/empty.pdb: the debug information contains no messages of WPP" \
		--manifest "$dir/empty.pdb" x.etl
	truncate -s 257M "$dir/large.pdb"
	check "a file that is too large is reported with a remedy" \
		says "$dir/large.pdb: the file has more than 256 MiB: take the messages of WPP from it by tracepdb" \
		--manifest "$dir/large.pdb" x.etl
	check "a program without a manifest is reported" \
		says "'/bin/sh' contains no manifest" --manifest /bin/sh x.etl
	check "a missing manifest is reported" \
		says "there is no manifest '$dir/none'" --manifest "$dir/none" x.etl
}

# Numbers of disks are followed by names, as soon as the log contains them
test_disks() {
	{
		echo "buffer cpu=0"
		disk 10 1 $((8 << 8)) 10 4096
		name_disk 20 $((8 << 8)) sda
		disk 30 1 $((8 << 8)) 10 4096 10
		disk 40 1 $((8 << 8)) 10
		disk 50 1 2 10 4096
		name_disk 60 2 ST1000
		disk 70 1 2 10 4096
		# Another one has the number
		name_disk 80 $((8 << 8)) sdb
		disk 90 1 $((8 << 8)) 10 4096
	} | "$build/unit/log_maker" "$dir/disks.etl"
	"$evnt" dump "$dir/disks.etl" > "$dir/out" 2> "$dir/err"
	is "$(sed -n 's/ IrpFlags.*//; s/.*DiskIo  *//p' "$dir/out")" \
"(Write)  DiskNumber=2048 (8:0)
(Read)  DiskNumber=2048 (sda 8:0)
(FlushBuffers)  DiskNumber=2048 (sda 8:0)
(Write)  DiskNumber=2
(Write)  DiskNumber=2 (ST1000)
(Write)  DiskNumber=2048 (sdb 8:0)" "disks have names"
	"$evnt" dump --json "$dir/disks.etl" > "$dir/out"
	is "$(jq -c 'select(.task_name == "DiskIo") |
		[.fields.Disk, .fields.DiskNumber]' "$dir/out" | head -n 2)" \
'[null,2048]
["sda",2048]' "JSON contains the name of a disk"
	"$evnt" dump --format full "$dir/disks.etl" > "$dir/out"
	check "the full form contains it" \
		grep -qF 'DiskNumber=2048 (sdb 8:0)' "$dir/out"
}

test_errors
test_disks
if [ -d "$data/etl" ]; then
	test_logs
else
	skip "there are no logs of Windows"
fi
done_testing
