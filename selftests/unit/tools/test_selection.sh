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
	"$evnt" dump "$@" "$dir/tracelogging.etl" > "$dir/printed" 2>&1
	code=$?
	cat "$dir/printed"
	[ $code = 2 ] && grep -qF -e "$want" "$dir/printed"
}

# Check the error for conditions on a field that no event has
lacks() {
	local log=$1 want=$2 where=$3 code

	"$evnt" dump --manifest "$dir/bench.man" --where "$where" \
		"$dir/$log.etl" > "$dir/printed" 2>&1
	code=$?
	cat "$dir/printed"
	[ $code = 1 ] &&
		[ "$(cat "$dir/printed")" = "evnt: no event has a field $want" ]
}

prints() {
	local want=$1

	shift
	"$evnt" dump "$@" "$dir/tracelogging.etl" > "$dir/printed" 2>&1
	cat "$dir/printed"
	grep -qF -e "$want" "$dir/printed"
}

test_of() {
	local log=$1

	check "$log: all events pass without an option" takes "$log" True
	check "$log: -p selects by a provider's name" \
		takes "$log" True -p bench-decoding
	check "$log: -p selects by a provider's id" takes "$log" True \
		-p 6b2f0c1e-9a57-4d55-8f6e-2d3c4b5a6978
	check "$log: -p selects by the id of a name, or by the name" \
		takes "$log" True \
		-p '*Bench-Decoding'
	check "$log: -p of another provider selects nothing" \
		takes "$log" False -p Bench
	check "$log: -p selects by one of two providers" \
		takes "$log" True -p Bench \
		-p Bench-Decoding
	check "$log: -p selects by level" takes "$log" 'n % 7 == 0' \
		-p Bench-Decoding:0:Warning
	check "$log: -p selects by keywords" takes "$log" 'n % 3 == 1' \
		-p Bench-Decoding:2
	check "$log: --level selects by level" \
		takes "$log" 'n % 7 == 0' --level Warning
	check "$log: --level 0 selects all events" takes "$log" True --level 0
	check "$log: --keyword selects by keywords" \
		takes "$log" 'n % 3 != 1' --keyword 0x5
	check "$log: --pid selects by process" takes "$log" True --pid 1,100
	check "$log: --pid of another process selects nothing" \
		takes "$log" False --pid 1-99
	check "$log: --tid selects by thread" \
		takes "$log" 'n % 8 in (1, 3, 4)' \
		--tid 101,103-104
	check "$log: --since accepts seconds from the start" \
		takes "$log" 'n >= 500' --since +0.00065
	check "$log: --since includes its time" takes "$log" 'n >= 10' \
		--since 2022-06-18T04:26:40.0000130Z
	check "$log: --until excludes its time" takes "$log" 'n < 10' \
		--until '2022-06-18 04:26:40.000013'
	check "$log: --since and --until accept times of the day" \
		takes "$log" '10 <= n < 20' \
		--since 04:26:40.000013 --until 04:26:40.000026
	check "$log: --since accepts a day" \
		takes "$log" True --since 2022-06-18 \
		--until 2022-06-19
	check "$log: --since and --until are in local time" \
		in_the_east "$log" '10 <= n < 20' \
		--since '2022-06-18 06:26:40.000013' --until 06:26:40.000026
	check "$log: --since accepts the first day of FILETIME in the east" \
		in_the_east "$log" True --since 1601-01-01
	check "$log: --since and --until with a Z are in UTC" \
		in_the_east "$log" '10 <= n < 20' \
		--since 2022-06-18T04:26:40.000013Z --until 04:26:40.000026Z
	check "$log: --limit ends after a number of selected events" \
		takes "$log" '14 <= n < 35 and n % 7 == 0' \
		--level 3 --since +0.000018 --limit 3
}

# Two hours east of Greenwich
in_the_east() {
	TZ=EAST-2 takes "$@"
}

test_where() {
	local log=$1

	check "$log: --where contains matches a part of a text" \
		takes "$log" '"77" in str(n)' \
		--where 'path contains "77"'
	check "$log: --where not contains matches other texts" \
		takes "$log" '"77" not in str(n)' \
		--where 'path not contains "77"'
	check "$log: --where compares numbers" \
		takes "$log" 'n < 10' --where 'id < 10'
	check "$log: --where has ranges and multiples" takes "$log" \
		'100 <= n <= 200 and n % 9 == 0' \
		--where 'id between 100 and 200 and id multiple of 9'
	check "$log: --where has negated ranges" \
		takes "$log" 'n < 10 or n > 990' \
		--where 'id not between 10 and 990'
	check "$log: --where accepts hexadecimal numbers" \
		takes "$log" 'n >= 0x3e0' \
		--where 'offset >= 0x7f00003E0000'
	check "$log: --where ignores the case of texts" takes "$log" \
		'n % 3 == 0' --where 'method = get'
	check "$log: --where has negated texts" \
		takes "$log" 'n % 3' --where 'method != GET'
	check "$log: --where has or" takes "$log" \
		'n == 3 or n > 20 and n % 3 == 1' --where \
		'id = 3 or (id < 0 or id > 20) and (method = PUT and id >= 0)'
	check "$log: --where with an absent field is an error" lacks "$log" \
		"'length': 'evnt dump' without --where prints the fields" \
		'length != 7'
	check "$log: --where suggests a field with a similar name" \
		lacks "$log" "'methd': did you mean 'method'?" 'methd = get'
	check "$log: --where may have an absent field in an alternative" \
		takes "$log" 'n == 3' --where 'id = 3 or methd = get'
}

# A map has names for numbers; either may be used
test_map() {
	check "--where accepts the name of a map's value" \
		takes manifest 'n % 7 == 0' \
		--where 'status = refused'
	check "--where accepts the number of a map's value" \
		takes manifest 'n % 7 == 0' --where 'status = 1'
	check "--where has negated numbers of a map's value" \
		takes manifest 'n % 7' \
		--where 'status != 1'
}

# A field inside of structures has their names in front
test_structs() {
	"$build/unit/log_maker" "$dir/structs.etl" <<- END
	event time=1 name=A struct:Outer=2 u32:id=1 struct:Inner=1 u32:B=2
	event time=2 name=A struct:Outer=2 u32:id=2 struct:Inner=1 u32:B=7
	END
	is "$("$evnt" dump --json --where 'Outer.Inner.B = 7' "$dir/structs.etl" |
		jq -c .fields.Outer)" '{"id":2,"Inner":{"B":7}}' \
		"--where selects by a field in structures"
	check "--where needs the names of the structures" \
		lacks structs "'B': 'evnt dump' without --where prints the fields" \
		'B = 7'
}

test_names() {
	check "--event selects by name" \
		takes tracelogging True --event Some,request
	check "--not-event excludes by name" \
		takes tracelogging False --not-event Request
	check "--event selects no events without names" takes manifest False \
		--event Request
	check "--id selects by id" takes manifest 'n % 7' --id 5,1
	check "--id accepts a range" takes manifest 'n % 7 == 0' --id 2-9
	check "--not-id excludes a range" takes manifest 'n % 7' --not-id 2-5
}

test_refusals() {
	check "an invalid level is misuse" \
		refuses 'neither 0 to 255 nor' --level high
	check "an invalid mask is misuse" refuses 'is no mask' --keyword some
	check "an invalid process is misuse" refuses 'or ranges like' --pid me
	check "an invalid thread is misuse" refuses 'or ranges like' --tid 5-
	check "an invalid id is misuse" refuses 'to 65535' --id 65536
	check "--id with --not-id is misuse" \
		refuses 'not both' --id 1 --not-id 2
	check "--event with --not-event is misuse" \
		refuses 'once' --event a --not-event b
	check "--where twice is misuse" \
		refuses 'join conditions' --where 'a = 1' \
		--where 'b = 2'
	check "an invalid condition is misuse" \
		refuses 'column 6: a value is missing' \
		--where 'id > '
	check "an invalid hour is misuse" \
		refuses 'is no time like' --since 24:00
	check "an invalid day is misuse" \
		refuses 'is no time like' --until 2022-02-30
	check "--limit 0 is misuse" refuses 'is no number of events' --limit 0
	check "a group is misuse" \
		refuses 'events do not contain the groups' -p 'group:*Group'
	check "an empty provider is misuse" refuses '--provider' -p ''
}

"$build/unit/decode" "$dir" 1000
for log in tracelogging manifest; do
	test_of $log
	test_where $log
done
test_map
test_structs
test_names
test_refusals
check "a selection without events is reported" prints \
	'none of 1000 events matches the options' --pid 1
done_testing
