#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# evnt doctor with the module loaded.  Needs root and the module loaded.
set -u

here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=selftests/evntprov/cli/cli.bash
. "$here/cli.bash"

# Check that the doctor exits with $2 and prints $3
finds() {
	run "$evnt" doctor
	exits "$2" "doctor, $1: exit status $2"
	says out "$3" "doctor, $1: the finding is printed"
}

# Check that the doctor prints $2 about the sample with these options
prints() {
	local what=$1 word=$2

	shift 2
	run "$evnt" doctor '*Evntprov-Sample' "$@"
	says out "$word" "$what"
}

is_registered() {
	"$evnt" providers --json | jq -e --argjson pid "$1" \
		'select(.registrations[].pid == $pid)' >/dev/null
}

# Start a process that registers the provider and stays idle: it waits until it
# is enabled, and is then stopped.  $1, $2: options
hold_sample() {
	"$sample" --wait 600 "$@" 2>/dev/null >&2 &
	held=$!
	succeeds "the sample has registered" eventually is_registered "$held"
	suspend "$held"
}

let_go() {
	kill -KILL "$held"
	wait "$held" 2>/dev/null
}

# Run as a user without any group
as_nobody() {
	run setpriv --reuid 65534 --regid 65534 --clear-groups "$@"
}

echo "# no problem"
finds "nothing runs" 0 '^ok  *module  *loaded: version 0'
says out '^ok  *device  */dev/evntprov, .* mode 0666$' \
	"doctor prints the mode of the writers' device"
says out '^ok  *device  */dev/evntrace, .* mode 06[06]0$' \
	"doctor prints the mode of the controllers' device"
says out '^ok  *user  *root may control' "doctor reports that root may control"
says out '^ok  *versions .* has features 0x0; evnt is' \
	"doctor prints the versions"
says out '^ok  *session  *none runs' "doctor reports that no session runs"
says out '^ok  *providers  *0 registrations, 0 enabled' \
	"doctor counts registered providers"
says_not out PROBLEM "doctor prints no problem"
says_not err . "doctor prints no error"
run "$evnt" doctor --json
exits 0 "doctor --json succeeds"
is_json "doctor --json prints JSON"
is "$(json 'select(.check == "versions").features')" 0x0 \
	"doctor --json contains the versions"

echo "# sessions"
"$evnt" start Idle -o "$dir/idle.etl"
finds "a session that has enabled nothing" \
	0 "^note .* 'Idle' has enabled no provider"
says out "-> run 'evnt enable Idle PROVIDER'" \
	"doctor suggests to enable a provider"
"$evnt" enable Idle '*Evntprov-Nobody'
finds "a session of an unregistered provider" \
	0 "^note  *providers .* 'Idle' has enabled"
says out "^ok  *session  *'Idle': 0 events, none lost" \
	"doctor reports a session without losses"
"$evnt" stop Idle 2>"$dir/err"

echo "# a disk that is full"
mkdir "$dir/small"
if mount -t tmpfs -o size=512k none "$dir/small" 2>"$dir/err"; then
	"$evnt" start Full -p '*Evntprov-Sample' -o "$dir/small/a.etl" \
		--flush 1 2>"$dir/err"
	finds "a disk that is nearly full" \
		1 "^PROBLEM  *session .* where 0 MB are left"
	head -c 1M /dev/zero >"$dir/small/fill" 2>/dev/null
	"$sample" --count 100 2>/dev/null >&2
	"$evnt" flush Full 2>"$dir/err"
	finds "a disk that is full" \
		1 "^PROBLEM  *session  *'Full' cannot write .*: No space"
	says out '-> make room there' "doctor suggests to make room on the disk"
	run "$evnt" doctor --json
	is "$(json 'select(.session == "Full" and .state == "problem").check' |
		sort -u)" session "doctor --json names the session of a problem"
	"$evnt" stop Full 2>"$dir/err"
	umount "$dir/small"
fi

echo "# permissions"
modes=$(stat -c %a /dev/evntprov /dev/evntrace)
chmod 0600 /dev/evntprov
finds "a device that writers cannot open" \
	1 '^PROBLEM  *device  */dev/evntprov.*mode 0600: prog'
says out "-> run 'chmod 0666 /dev/evntprov'" \
	"doctor suggests a mode for the writers' device"
chmod 0666 /dev/evntprov /dev/evntrace
finds "a device that everyone may control" \
	1 '^PROBLEM  *device  */dev/evntrace.*everyone may'
chmod 0660 /dev/evntrace
as_nobody "$evnt" doctor
exits 1 "doctor reports a problem of a user without rights"
says out '^PROBLEM  *user  *[a-z0-9]* may not control' \
	"doctor names the user without rights"
says out '-> become root' "doctor suggests to become root"
says_not err . "doctor reports missing rights only once"
says_not out '^[a-zA-Z]*  *session' \
	"doctor reports nothing of sessions that the user may not list"
echo "$modes" | { read -r a; read -r b; chmod "$a" /dev/evntprov; chmod "$b" /dev/evntrace; }
finds "restored modes of the devices" 0 '^ok  *user'

echo "# a provider"
prints "doctor reports that no process has registered a provider" \
	'^PROBLEM  *provider  *no process has'
exits 1 "an unregistered provider is a problem"
run "$evnt" doctor Evntprov-Sample
exits 1 "an unknown provider name is a problem"
says out "no registered provider is called 'Evntprov-Sample': write '\*Evntprov" \
	"doctor suggests the syntax of an unregistered name"
hold_sample --group Samples
run "$evnt" doctor Evntprov-Sampel
says out "called 'Evntprov-Sampel': did you mean 'Evntprov-Sample'?" \
	"doctor suggests a similar name"
run "$evnt" doctor '*Evntprov-Sampel'
exits 1 "the id of a mistyped name is a problem"
says out 'no process has registered [0-9a-f-]*, the id of the name Evntprov-Sampel' \
	"doctor reports the name of an unregistered id"
says out "-> the name is similar .* did you mean 'Evntprov-Sample'?" \
	"doctor suggests a name similar to that of the id"
run unshare --user --map-root-user --pid --fork "$evnt" providers
exits 0 "providers in another pid namespace succeeds"
says out ' 0 (elsewhere)' "a process of another pid namespace has no number"
prints "doctor reports that no session has enabled the provider" \
	'^PROBLEM  *session  *no session has enabled it'
exits 1 "a provider without a session is a problem"
says out "-> run 'evnt record -p [0-9a-f-]* -o FILE.etl'" \
	"doctor suggests to record the provider"
prints "doctor counts the registrations of a provider" \
	"^ok  *provider .* Evntprov-Sample has 1 registration"
"$evnt" start A -o "$dir/a.etl" 2>"$dir/err"
prints "doctor reports that a given session has not enabled the provider" \
	"^PROBLEM  *session  *'A' has not enabled it" A
run "$evnt" doctor '*Evntprov-Sample' Nobody
exits 1 "doctor with an unknown session fails"
says err "there is no session 'Nobody'" "doctor names the unknown session"

# Check an explanation.  $1: name; $2: expected text; then options of enable
explains() {
	local what=$1 word=$2

	shift 2
	"$evnt" enable A "$@" 2>"$dir/err" || not_ok "$what: enable"
	prints "doctor explains $what" \
		"process $held (evnt-sample), session 'A'.*: .*$word"
	"$evnt" disable A "$1" 2>"$dir/err"
}

explains "an enablement without filters" \
	'all events are recorded' '*Evntprov-Sample'
explains "a level" 'records only events up to level 3 (Warning)$' \
	'*Evntprov-Sample::Warning'
explains "keywords" 'records only events with a keyword of 0x3, or with none$' \
	'*Evntprov-Sample:0x3'
explains "--match-all" 'a keyword of 0x3 and all of 0x1, or with none$' \
	'*Evntprov-Sample:0x3' --match-all 1
explains "--id" 'only events with the ids 1,3-5$' '*Evntprov-Sample' --id 1,3-5
explains "--not-id" 'only events with other ids than 7$' '*Evntprov-Sample' \
	--not-id 7
explains "--event" \
	'only events called A,B, if of TraceLogging$' '*Evntprov-Sample' \
	--event A,B
explains "a level and ids" \
	'only events up to level 1 (Critical); with the ids 7$' \
	'*Evntprov-Sample::1' --id 7
explains "--exe of another program" \
	'NOTHING is recorded: .* of processes that run other$' \
	'*Evntprov-Sample' --exe other
exits 1 "an enablement for another program is a problem"
says out '-> .evnt enable. without --pid' \
	"doctor suggests to enable without --pid"
explains "--pid of another process" \
	"NOTHING is recorded: .* only those of the processes $$\$" \
	'*Evntprov-Sample' --pid $$
explains "an enabled group" 'all events are recorded' 'group:*Samples'

"$evnt" enable A '*Evntprov-Sample:0x3:Warning' --not-id 7 2>"$dir/err"
prints "doctor reports that an event passes the filters" \
	'the event is recorded$' --event 5 --level 3 \
	--keyword 1
exits 0 "a recorded event is no problem"
prints "doctor reports that an event's level is not enabled" \
	'NOT recorded: its level is 4, and the session takes .* up to 3' \
	--level Information
exits 1 "an event that no session records is a problem"
says out 'PROBLEM .*no session records such an event' \
	"doctor reports that no session records an event"
prints "doctor reports that an event's keywords are not enabled" \
	'NOT recorded: its keywords are 0x4, and' --keyword 4
prints "doctor reports that an event's id is filtered" \
	'NOT recorded: its id is 7, and the session takes other ids' \
	--event 7
prints "doctor names the properties that decide about an event" \
	'recorded if it is one of those with a keyword of 0x3' --level 1
run "$evnt" doctor '*Evntprov-Sample' A --level 5 --json
is "$(json 'select(.check == "events" and .pid).recorded')" none \
	"doctor --json reports that no event is recorded"
"$evnt" disable A '*Evntprov-Sample' 2>"$dir/err"
"$evnt" enable A '*Evntprov-Sample' --event A,B 2>"$dir/err"
prints "doctor reports that an event's name passes the filter" \
	'the event is recorded' --event A
prints "doctor reports that an event's name is filtered" \
	"NOT recorded: it is called 'C', and the session takes A,B" \
	--event C
"$evnt" stop A 2>"$dir/err"

echo "# a secure session"
"$evnt" start S --mode secure -o "$dir/s.etl" -p '*Evntprov-Sample' 2>"$dir/err"
guid=$("$evnt" query S --json | jq -r .guid)
prints "doctor reports that everyone may log to a secure session" \
	'all events are recorded'
"$evnt" access allow --only "$guid" nobody log,query,create-ondisk 2>"$dir/err"
"$evnt" access allow "$guid" root query,create-ondisk 2>"$dir/err"
prints "doctor reports that the provider's user may not log" \
	'NOTHING is recorded: .* no right to log to it'
"$evnt" access allow "$guid" root log 2>"$dir/err"
prints "doctor reports that the provider's user may log" \
	'all events are recorded'
"$evnt" access remove "$guid"
"$evnt" stop S 2>"$dir/err"

echo "# limits"
parameters=/sys/module/evntprov/parameters
registrations=$(cat $parameters/max_user_registrations)
sessions=$(cat $parameters/max_user_sessions)
memory=$(cat $parameters/max_user_session_kb)
finds "the limits of a user" 0 '^ok  *limits  *user 0 has [1-9]'
echo 1 > $parameters/max_user_registrations
finds "a user at the limit of registrations" 0 \
	'^note  *limits  *user 0 has 1 registrations, and max_user_registrations is 1$'
says out "-> end what it does not need; or 'echo NUMBER > $parameters/max_user_reg" \
	"doctor suggests how to raise the limit"
is "$("$evnt" doctor --json | jq 'select(.check == "limits" and .uid == 0).state')" \
	'"note"' "doctor --json names the user at a limit"
echo 32768 > /sys/module/evntprov/parameters/max_user_registrations
finds "a user below the limit of registrations" \
	0 '^ok  *limits  *user 0 has [1-9]'
echo "$registrations" > $parameters/max_user_registrations
chmod 0666 /dev/evntrace
echo 0 > $parameters/max_user_sessions
as_nobody "$evnt" start None --buffering
says err 'as many as max_user_sessions and reserved_sessions of evntprov(4) leave' \
	"start beyond the limit of sessions names the limit"
echo "$sessions" > $parameters/max_user_sessions
echo 1 > $parameters/max_user_session_kb
as_nobody "$evnt" start None --buffering
says err 'more than max_user_session_kb or max_session_kb' \
	"start beyond the limit of memory names the limit"
echo "$memory" > $parameters/max_user_session_kb
chmod "$(echo "$modes" | tail -n 1)" /dev/evntrace

echo "# an empty recording"
# Check that it prints $2 as the reason; then options
empty() {
	local what=$1 word=$2

	shift 2
	run "$evnt" record -o "$dir/e.etl" "$@" -- sleep 0.3
	says err 'nothing was recorded' "record, $what: the recording is empty"
	says err "$word" "record, $what: the reason is given"
}

empty "an idle provider" \
	"process $held (evnt-sample) has registered it, but wrote nothing" \
	-p '*Evntprov-Sample'
empty "a level without events" \
	"wrote nothing, or nothing up to level 1 (Critical)$" \
	-p '*Evntprov-Sample::Critical'
empty "a keyword without events" \
	"or nothing with a keyword of 0x8, or with none$" \
	-p '*Evntprov-Sample:8'
empty "an id without events" \
	"or nothing with the ids 99$" -p '*Evntprov-Sample' --id 99
empty "another program" \
	"has registered it, but the session takes only those of" \
	-p '*Evntprov-Sample' --exe other
empty "an unregistered provider" \
	"no process has registered it: did the program run" \
	-p '*Evntprov-Nobody'
let_go

finish
