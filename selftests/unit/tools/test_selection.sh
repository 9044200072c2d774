#!/bin/bash
# SPDX-License-Identifier: MIT
# evnt dump prints exactly the events that its options select.
#
# The log has 1,000 events.  Event N has thread 100 + N % 8, level 3 if N is a
# multiple of 7, otherwise 4, and keyword 1 << N % 3; it is 1.3 us after the one
# before.
set -u
# shellcheck source=selftests/unit/common/tap.bash
. "$(dirname "$0")/../common/tap.bash"

export EVNTPROV_MANIFESTS=/nonexistent

# Check the ids of printed requests; Python computes the expected ones
takes() {
	local log=$1 want=$2

	shift 2
	"$evnt" dump --manifest "$dir/bench.man" --json "$@" "$dir/$log.etl" |
		jq -r .fields.id > "$dir/got"
	python3 -c "
for n in range(1000):
    if $want:
        print(n)" > "$dir/want"
	diff "$dir/want" "$dir/got"
}

refuses() {
	local want=$1 code

	shift
	"$evnt" dump "$@" "$dir/tracelogging.etl" > "$dir/said" 2>&1
	code=$?
	cat "$dir/said"
	[ $code = 2 ] && grep -qF -e "$want" "$dir/said"
}

tells() {
	local want=$1

	shift
	"$evnt" dump "$@" "$dir/tracelogging.etl" > "$dir/said" 2>&1
	cat "$dir/said"
	grep -qF -e "$want" "$dir/said"
}

test_of() {
	local log=$1

	check "$log: without an option, all" takes "$log" True
	check "$log: of a provider's name" takes "$log" True -p bench-decoding
	check "$log: of its id" takes "$log" True \
		-p 6b2f0c1e-9a57-4d55-8f6e-2d3c4b5a6978
	check "$log: of a name's id, or the name" takes "$log" True \
		-p '*Bench-Decoding'
	check "$log: of another provider" takes "$log" False -p Bench
	check "$log: of one of two" takes "$log" True -p Bench \
		-p Bench-Decoding
	check "$log: of its level" takes "$log" 'n % 7 == 0' \
		-p Bench-Decoding:0:Warning
	check "$log: of its keywords" takes "$log" 'n % 3 == 1' \
		-p Bench-Decoding:2
	check "$log: --level" takes "$log" 'n % 7 == 0' --level Warning
	check "$log: --level 0 is all" takes "$log" True --level 0
	check "$log: --keyword" takes "$log" 'n % 3 != 1' --keyword 0x5
	check "$log: --pid" takes "$log" True --pid 1,100
	check "$log: --pid of none" takes "$log" False --pid 1-99
	check "$log: --tid" takes "$log" 'n % 8 in (1, 3, 4)' \
		--tid 101,103-104
	check "$log: --since seconds" takes "$log" 'n >= 500' --since +0.00065
	check "$log: --since is there" takes "$log" 'n >= 10' \
		--since 2022-06-18T04:26:40.0000130Z
	check "$log: --until is not" takes "$log" 'n < 10' \
		--until '2022-06-18 04:26:40.000013'
	check "$log: times of the day" takes "$log" '10 <= n < 20' \
		--since 04:26:40.000013 --until 04:26:40.000026
	check "$log: a day" takes "$log" True --since 2022-06-18 \
		--until 2022-06-19
	check "$log: --limit" takes "$log" '14 <= n < 35 and n % 7 == 0' \
		--level 3 --since +0.000018 --limit 3
}

test_where() {
	local log=$1

	check "$log: a text that has a part" takes "$log" '"77" in str(n)' \
		--where 'path contains "77"'
	check "$log: a number" takes "$log" 'n < 10' --where 'id < 10'
	check "$log: a range, and a multiple" takes "$log" \
		'100 <= n <= 200 and n % 9 == 0' \
		--where 'id between 100 and 200 and id multiple of 9'
	check "$log: not in a range" takes "$log" 'n < 10 or n > 990' \
		--where 'id not between 10 and 990'
	check "$log: a hexadecimal number" takes "$log" 'n >= 0x3e0' \
		--where 'offset >= 0x7f00003E0000'
	check "$log: a text, whose case does not matter" takes "$log" \
		'n % 3 == 0' --where 'method = get'
	check "$log: not a text" takes "$log" 'n % 3' --where 'method != GET'
	check "$log: one or the other" takes "$log" \
		'n == 3 or n > 20 and n % 3 == 1' --where \
		'id = 3 or (id < 0 or id > 20) and (method = PUT and id >= 0)'
	check "$log: a field that is not there" takes "$log" False \
		--where 'length != 7'
}

# A map has names for numbers; either may be used
test_map() {
	check "a map's name" takes manifest 'n % 7 == 0' \
		--where 'status = refused'
	check "a map's number" takes manifest 'n % 7 == 0' --where 'status = 1'
	check "not a map's number" takes manifest 'n % 7' \
		--where 'status != 1'
}

test_names() {
	check "--event" takes tracelogging True --event Some,request
	check "--not-event" takes tracelogging False --not-event Request
	check "--event of events without names" takes manifest False \
		--event Request
	check "--id" takes manifest 'n % 7' --id 5,1
	check "--id, a range" takes manifest 'n % 7 == 0' --id 2-9
	check "--not-id" takes manifest 'n % 7' --not-id 2-5
}

test_refusals() {
	check "a level that is none" refuses 'neither 0 to 255 nor' --level high
	check "a mask that is none" refuses 'is no mask' --keyword some
	check "a process that is none" refuses 'or ranges like' --pid me
	check "a thread that is none" refuses 'or ranges like' --tid 5-
	check "an id that is none" refuses 'to 65535' --id 65536
	check "ids, and others" refuses 'not both' --id 1 --not-id 2
	check "names, and others" refuses 'once' --event a --not-event b
	check "conditions twice" refuses 'join conditions' --where 'a = 1' \
		--where 'b = 2'
	check "a condition that is none" refuses 'column 6: a value is missing' \
		--where 'id > '
	check "an hour that is none" refuses 'is no time like' --since 24:00
	check "a day that is none" refuses 'is no time like' --until 2022-02-30
	check "a limit of nothing" refuses 'is no number of events' --limit 0
	check "a group" refuses 'events do not contain the groups' -p 'group:*Group'
	check "a provider that is none" refuses '--provider' -p ''
}

"$build/unit/decode" "$dir" 1000
for log in tracelogging manifest; do
	test_of $log
	test_where $log
done
test_map
test_names
test_refusals
check "that nothing was asked for is said" tells \
	'none of 1000 events matches the options' --pid 1
done_testing
