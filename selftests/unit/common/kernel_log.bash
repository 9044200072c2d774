# shellcheck shell=bash
# SPDX-License-Identifier: MIT
# Events of the kernel as lines for log_maker, shared by the scripts about them;
# to be sourced.  Times are in ticks of 100 ns.

# Time stamp of the beginning of a log
log_base=1000

# A process, whose start, a thread and an image are recorded by an event of type
# 1 (start), 3 or 4 (rundown): TIME TYPE PID NAME
process() {
	local t=$2

	echo "system hook=0x030$t version=4 time=$1 u64=$3 u32=$3 u32=1 u32=0" \
		"u32=0x103 u64=0 u32=0 u32=0 ansi=$4 wide= wide= wide="
	echo "system hook=0x050$t version=3 time=$1 u32=$3 u32=$3"
	echo "system hook=0x14$([ "$t" = 1 ] && echo 0a || echo "0$t") version=3" \
		"time=$1 u64=0x400000 u64=0x10000 u32=$3 u32=0 u32=0 u32=0" \
		"u64=0 u64=0 u64=0 wide=/nowhere/$4"
}

# TIME PID TID
thread() {
	echo "system hook=0x0503 version=3 time=$1 u32=$2 u32=$3"
}

# An image that a process has mapped: TIME PID BASE FILE
image() {
	echo "system hook=0x1403 version=3 time=$1 u64=$3 u64=0x100000 u32=$2" \
		"u32=0 u32=0 u32=0 u64=0 u64=0 u64=0 wide=$4"
}

# State of the old thread: 1, ready; 4, terminated; 5, waiting (default)
# TIME NEW OLD [STATE [REASON]]
switch() {
	echo "system hook=0x0524 version=4 time=$1 u32=$2 u32=$3" \
		"u32=0 u32=$((${5:-0} | ${4:-5} << 16)) u64=0"
}

# A thread can run again: TIME TID [1, by an interrupt]
ready() {
	echo "system hook=0x0532 version=2 time=$1 u32=$2" \
		"u32=$((1 | ${3:-0} << 16))"
}

# TIME TID ADDRESS
sample() {
	echo "system hook=0x0f2e version=2 time=$1 u64=$3 u32=$2 u32=1"
}

# A disk has a name: TIME DISK NAME
name_disk() {
	echo "system hook=0x0b0b version=2 time=$1 u32=$2 u32=512 u32=1 u32=1" \
		"u64=2048 zeros=16 wide=$3 zeros=$((510 - 2 * ${#3} + 16))"
}

# A completed request to a disk, without a size a flush:
# TIME TID DISK ELAPSED [SIZE [10, read; 11, write (default)]]
disk() {
	if [ "${5:-}" ]; then
		echo "system hook=$((0x0100 + ${6:-11})) version=3 time=$1" \
			"u32=$3 u32=0 u32=$5 u32=0 u64=4096 u64=0 u64=1" \
			"u64=$4 u32=$2"
	else
		echo "system hook=0x010e version=3 time=$1 u32=$3 u32=0 u64=$4" \
			"u64=2 u32=$2"
	fi
}

# A stack: TIME STAMP PID TID ADDRESS...
frames() {
	local head="time=$1 u64=$2 u32=$3 u32=$4"

	shift 4
	echo "system hook=0x1820 version=2 $head ${*/#/u64=}"
}
