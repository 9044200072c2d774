#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# evnt doctor where the module is loaded.  Needs root and the module loaded.
set -u

here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=selftests/evntprov/cli.bash
. "$here/cli.bash"

# The doctor ends with $2, and says $3
finds() {
	run "$evnt" doctor
	exits "$2" "$1: how it ends"
	says out "$3" "$1: what it says"
}

# As a user without any group
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

finish
