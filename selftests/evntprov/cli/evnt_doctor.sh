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
	exits "$2" "$1: how it ends"
	says out "$3" "$1: what it says"
}

# Check that the doctor prints $2 about the sample with these options
tells() {
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
	"$sample" "$@" 2>/dev/null >&2 &
	held=$!
	succeeds "the sample has registered" eventually is_registered "$held"
	kill -STOP "$held"
}

let_go() {
	kill -KILL "$held"
	wait "$held" 2>/dev/null
}

# Run as a user without any group
as_nobody() {
	run setpriv --reuid 65534 --regid 65534 --clear-groups "$@"
}

echo "# all is well"
finds "nothing runs" 0 '^ok  *module  *loaded: version 0'
says out '^ok  *device  */dev/evntprov, .* mode 0666$' "who may write"
says out '^ok  *device  */dev/evntrace, .* mode 06[06]0$' "who may control"
says out '^ok  *user  *root may control' "the user may"
says out '^ok  *versions .* version 1, with features 0x0; evnt is' "versions"
says out '^ok  *session  *none runs' "sessions"
says out '^ok  *providers  *0 registrations, 0 enabled' "providers"
says_not out PROBLEM "no problem"
says_not err . "nothing is wrong"
run "$evnt" doctor --json
exits 0 "--json"
is_json "--json prints JSON"
is "$(json 'select(.check == "versions").module_interface')" 1 \
	"--json has the versions"

echo "# sessions"
"$evnt" start Idle -o "$dir/idle.etl"
finds "one that enables nothing" 0 "^note .* 'Idle' has enabled no provider"
says out "-> run 'evnt enable Idle PROVIDER'" "and what to do"
"$evnt" enable Idle '*Evntprov-Nobody'
finds "one of what nobody registers" 0 "^note  *providers .* 'Idle' has enabled"
says out "^ok  *session  *'Idle': 0 events, none lost" "the session is well"
"$evnt" stop Idle 2>"$dir/err"

echo "# a disk that is full"
mkdir "$dir/small"
if mount -t tmpfs -o size=512k none "$dir/small" 2>"$dir/err"; then
	"$evnt" start Full -p '*Evntprov-Sample' -o "$dir/small/a.etl" \
		--flush 1 2>"$dir/err"
	finds "hardly any room" 1 "^PROBLEM  *session .* where 0 MB are left"
	head -c 1M /dev/zero >"$dir/small/fill" 2>/dev/null
	"$sample" --count 100 2>/dev/null >&2
	"$evnt" flush Full 2>"$dir/err"
	finds "no room" 1 "^PROBLEM  *session  *'Full' cannot write .*: No space"
	says out '-> make room there' "and what to do"
	run "$evnt" doctor --json
	is "$(json 'select(.session == "Full" and .state == "problem").check' |
		sort -u)" session "--json names the session"
	"$evnt" stop Full 2>"$dir/err"
	umount "$dir/small"
fi

echo "# permissions"
modes=$(stat -c %a /dev/evntprov /dev/evntrace)
chmod 0600 /dev/evntprov
finds "writers shut out" 1 '^PROBLEM  *device  */dev/evntprov.*mode 0600: prog'
says out "-> run 'chmod 0666 /dev/evntprov'" "and what to do"
chmod 0666 /dev/evntprov /dev/evntrace
finds "controllers let in" 1 '^PROBLEM  *device  */dev/evntrace.*everyone may'
chmod 0660 /dev/evntrace
as_nobody "$evnt" doctor
exits 1 "somebody else: a problem"
says out '^PROBLEM  *user  *[a-z0-9]* may not control' "and which"
says out '-> become root' "and what to do"
says_not err . "told once"
says_not out '^[a-zA-Z]*  *session' "nothing is said of what cannot be seen"
echo "$modes" | { read -r a; read -r b; chmod "$a" /dev/evntprov; chmod "$b" /dev/evntrace; }
finds "all is as it was" 0 '^ok  *user'

echo "# a provider"
tells "nobody has registered it" '^PROBLEM  *provider  *no process has'
exits 1 "which is a problem"
run "$evnt" doctor Evntprov-Sample
exits 1 "nobody is called so: a problem"
says out "no registered provider is called 'Evntprov-Sample': write '\*Evntprov" \
	"and what to write"
hold_sample --group Samples
run "$evnt" doctor Evntprov-Sampel
says out "called 'Evntprov-Sampel': did you mean 'Evntprov-Sample'?" \
	"a name that is nearly right"
run unshare --user --map-root-user --pid --fork "$evnt" providers
exits 0 "from another pid namespace"
says out ' 0 (elsewhere)' "a process of another one has no number there"
tells "no session" '^PROBLEM  *session  *no session has enabled it'
exits 1 "which is a problem, too"
says out "-> run 'evnt record -p [0-9a-f-]* -o FILE.etl'" "and what to do"
tells "the provider" "^ok  *provider .* Evntprov-Sample has 1 registration"
"$evnt" start A -o "$dir/a.etl" 2>"$dir/err"
tells "a session that has not" "^PROBLEM  *session  *'A' has not enabled it" A
run "$evnt" doctor '*Evntprov-Sample' Nobody
exits 1 "no such session"
says err "there is no session 'Nobody'" "and what there is"

# $1: name; $2: expected verdict; then options of enable
judged() {
	local what=$1 word=$2

	shift 2
	"$evnt" enable A "$@" 2>"$dir/err" || not_ok "$what: enable"
	tells "$what" "process $held (evnt-sample), session 'A'.*: .*$word"
	"$evnt" disable A "$1" 2>"$dir/err"
}

judged "all" 'all events are recorded' '*Evntprov-Sample'
judged "a level" 'records only events up to level 3 (Warning)$' \
	'*Evntprov-Sample::Warning'
judged "keywords" 'records only events with a keyword of 0x3, or with none$' \
	'*Evntprov-Sample:0x3'
judged "all of the keywords" 'a keyword of 0x3 and all of 0x1, or with none$' \
	'*Evntprov-Sample:0x3' --match-all 1
judged "ids" 'only events with the ids 1,3-5$' '*Evntprov-Sample' --id 1,3-5
judged "other ids" 'only events with other ids than 7$' '*Evntprov-Sample' \
	--not-id 7
judged "names" 'only events called A,B, if of TraceLogging$' '*Evntprov-Sample' \
	--event A,B
judged "two" 'only events up to level 1 (Critical); with the ids 7$' \
	'*Evntprov-Sample::1' --id 7
judged "another program" 'NOTHING is recorded: .* of processes that run other$' \
	'*Evntprov-Sample' --exe other
exits 1 "which is a problem"
says out '-> .evnt enable. without --pid' "and what to do"
judged "another process" "NOTHING is recorded: .* only those of the processes $$\$" \
	'*Evntprov-Sample' --pid $$
judged "its group" 'all events are recorded' 'group:*Samples'

"$evnt" enable A '*Evntprov-Sample:0x3:Warning' --not-id 7 2>"$dir/err"
tells "an event that passes" 'the event is recorded$' --event 5 --level 3 \
	--keyword 1
exits 0 "which is no problem"
tells "its level" 'NOT recorded: its level is 4, and the session takes .* up to 3' \
	--level Information
exits 1 "which is one"
says out 'PROBLEM .*no session records such an event' "as nobody records it"
tells "its keyword" 'NOT recorded: its keywords are 0x4, and' --keyword 4
tells "its id" 'NOT recorded: its id is 7, and the session takes other ids' \
	--event 7
tells "the rest" 'recorded if it is one of those with a keyword of 0x3' --level 1
run "$evnt" doctor '*Evntprov-Sample' A --level 5 --json
is "$(json 'select(.check == "events" and .pid).recorded')" none "--json"
"$evnt" disable A '*Evntprov-Sample' 2>"$dir/err"
"$evnt" enable A '*Evntprov-Sample' --event A,B 2>"$dir/err"
tells "a name" 'the event is recorded' --event A
tells "another" "NOT recorded: it is called 'C', and the session takes A,B" \
	--event C
"$evnt" stop A 2>"$dir/err"

echo "# a secure session"
"$evnt" start S --mode secure -o "$dir/s.etl" -p '*Evntprov-Sample' 2>"$dir/err"
guid=$("$evnt" query S --json | jq -r .guid)
tells "everyone may" 'all events are recorded'
"$evnt" access allow --only "$guid" nobody log,query,create-ondisk 2>"$dir/err"
"$evnt" access allow "$guid" root query,create-ondisk 2>"$dir/err"
tells "others may" 'NOTHING is recorded: .* no right to log to it'
"$evnt" access allow "$guid" root log 2>"$dir/err"
tells "who has registered it may" 'all events are recorded'
"$evnt" access remove "$guid"
"$evnt" stop S 2>"$dir/err"

echo "# limits"
parameters=/sys/module/evntprov/parameters
registrations=$(cat $parameters/max_user_registrations)
sessions=$(cat $parameters/max_user_sessions)
memory=$(cat $parameters/max_user_session_kb)
finds "what users have" 0 '^ok  *limits  *user 0 has [1-9]'
echo 1 > $parameters/max_user_registrations
finds "all that one may have" 0 \
	'^note  *limits  *user 0 has 1 registrations, and max_user_registrations is 1$'
says out "-> end what it does not need; or 'echo NUMBER > $parameters/max_user_reg" \
	"and what to do"
is "$("$evnt" doctor --json | jq 'select(.check == "limits" and .uid == 0).state')" \
	'"note"' "--json names the user"
echo 32768 > /sys/module/evntprov/parameters/max_user_registrations
finds "more than that" 0 '^ok  *limits  *user 0 has [1-9]'
echo "$registrations" > $parameters/max_user_registrations
chmod 0666 /dev/evntrace
echo 0 > $parameters/max_user_sessions
as_nobody "$evnt" start None --buffering
says err 'as many as max_user_sessions and reserved_sessions of evntprov(4) leave' \
	"no session more: which limit"
echo "$sessions" > $parameters/max_user_sessions
echo 1 > $parameters/max_user_session_kb
as_nobody "$evnt" start None --buffering
says err 'more than max_user_session_kb or max_session_kb' \
	"no memory more: which limit"
echo "$memory" > $parameters/max_user_session_kb
chmod "$(echo "$modes" | tail -n 1)" /dev/evntrace

echo "# a recording that stays empty"
# Check that it prints $2 as the reason; then options
empty() {
	local what=$1 word=$2

	shift 2
	run "$evnt" record -o "$dir/e.etl" "$@" -- sleep 0.3
	says err 'nothing was recorded' "$what"
	says err "$word" "$what: why"
}

empty "nothing was written" "process $held (evnt-sample) has registered it, but wrote nothing" \
	-p '*Evntprov-Sample'
empty "of that level" "wrote nothing, or nothing up to level 1 (Critical)$" \
	-p '*Evntprov-Sample::Critical'
empty "with that keyword" "or nothing with a keyword of 0x8, or with none$" \
	-p '*Evntprov-Sample:8'
empty "with that id" "or nothing with the ids 99$" -p '*Evntprov-Sample' --id 99
empty "of that program" "has registered it, but the session takes only those of" \
	-p '*Evntprov-Sample' --exe other
empty "by nobody" "no process was seen to register it: did the program run" \
	-p '*Evntprov-Nobody'
let_go

finish
