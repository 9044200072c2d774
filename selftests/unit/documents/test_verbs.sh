#!/bin/bash
# SPDX-License-Identifier: MIT
# Each verb of evnt, and each of its options, is in its manual page and is
# completed; and the page has no option that --help lacks.
set -u
# shellcheck source=selftests/unit/common/tap.bash
. "$(dirname "$0")/../common/tap.bash"

man=$repo/doc/man

# Check that two lists of words are the same
same() {
	local a b

	a=$(tr ' ' '\n' <<<"$1" | sed '/^$/d' | sort -u)
	b=$(tr ' ' '\n' <<<"$2" | sed '/^$/d' | sort -u)
	is "$a" "$b" "$3"
}

[ -x "$evnt" ] || skip_all "$evnt is not built"

# The options that a verb's help explains: lines that begin with one
help_options() {
	"$evnt" "$1" --help | sed -nE 's/^ +(-[a-z], )?(--[a-z-]+).*/\2/p'
}

page_of() {
	grep -lE "^\.Nm evnt-$1( |\$)" "$man"/*.1 | head -1
}

# Options in the lists of the page of that name
page_options() {
	sed -n '/^\.Sh DESCRIPTION/,$p' "$(page_of "$1")" | grep '^\.It Fl ' |
		grep -oE -- '(^| )-[a-z][a-z-]+' | sed 's/^ */-/'
}

# Options in examples of the page that the verb does not have.  A command ends
# at a pipe or a semicolon, and at "--", behind which it is another program's.
unknown_options() {
	"$repo/selftests/package/extract" "$(page_of "$1")" |
		sed -n 's/^[0-9]*\tline\t//p' | sed -E ':a; /\\$/ { N; s/\\\n//; ta }' |
		grep -oE "(^|[ (])evnt $1 [^|;]*" | sed "s/'[^']*'//g; s/ -- .*//" |
		grep -oE -- ' (-[a-zA-Z]|--[a-z-]+)' | sort -u |
		grep -vxF -f <("$evnt" "$1" --help | grep -oE '^ +-[^<]*' |
			       grep -oE -- '-[a-zA-Z]\b|--[a-z-]+' | sed 's/^/ /')
}

# Possible words of a command line, whose last word is incomplete
possible() {
	"$1" --complete "${@:2}" | cut -f 1
}

bash_options() {
	# shellcheck disable=SC2034 # the completion reads them
	COMP_WORDS=("$evnt" "$1" --)
	COMP_CWORD=2
	_evnt
	printf '%s\n' "${COMPREPLY[@]}" | grep -xE -- '--[a-z-]+'
}

# shellcheck source=tools/completion/evnt.bash
. "$repo/tools/completion/evnt.bash"
verbs=$("$evnt" help all | sed -nE 's/^  ([a-z][a-z-]*) .*/\1/p' | grep -vx help)
named=$(sed -n '/^Its verbs are:/,/^\.El/s/^\.It Cm //p' "$man/evnt.1" |
	tr -d ',')
same "$verbs help" "$named" "evnt(1) lists all verbs"
same "$("$evnt" help)" "$("$evnt" help --help)" "help for help is the overview"
same "$verbs help" "$("$evnt" help | sed -nE '/^All verbs:/,/^$/s/^  [A-Z][a-z]* //p')" \
	"the overview names all verbs"
same "$verbs help --version" "$(possible "$evnt" '')" \
	"all verbs are completed"
# logman's options are Windows'
logman=$build/tools/logman
known=$("$logman" --help | grep -oE '^  -[a-z?]+(, -[a-z]+)*' |
	grep -oE -- '-[a-z]+')
same "$known" "$(sed -n 's/^\.It Fl \([a-z]*\).*/-\1/p' "$man/logman.1")" \
	"logman: the page has all options"
same "$known" "$(possible "$logman" create -)" \
	"logman: all options are completed"
for verb in $verbs; do
	known=$(help_options "$verb")
	same "$known" "$(page_options "$verb")" \
		"$verb: the page has all options"
	same "$known" "$(bash_options "$verb")" \
		"$verb: all options are completed"
	is "$(unknown_options "$verb")" "" \
		"$verb: the page's examples have no other options"
done
same ":file" "$(possible "$evnt" dump --manifest '')" "a file is completed"
same ":etl" "$(possible "$evnt" dump --pid 1 '')" "a log file is completed"
same "perf system cycle" "$(possible "$evnt" record --clock '')" \
	"words of a value are completed"
same ":command 4" "$(possible "$evnt" record -p A -- ls '')" \
	"record completes the arguments of its command"
same "bin bincirc" "$(possible "$logman" create trace A -f '')" \
	"logman: words of a value are completed"

done_testing
