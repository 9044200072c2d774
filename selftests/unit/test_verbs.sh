#!/bin/bash
# SPDX-License-Identifier: MIT
# Each verb of evnt, and each of its options, is in its manual page and in the
# completions of three shells; and these have none that --help does not know.
set -u
# shellcheck source=selftests/unit/tap.bash
. "$(dirname "$0")/tap.bash"

man=$repo/doc/man
completion=$repo/tools/completion

# Two lists of words that should be the same
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

# What the page of that name has in its lists of options
page_options() {
	local page

	page=$(grep -lE "^\.Nm evnt-$1( |\$)" "$man"/*.1 | head -1)
	sed -n '/^\.Sh DESCRIPTION/,$p' "$page" | grep '^\.It Fl ' |
		grep -oE -- '(^| )-[a-z][a-z-]+' | sed 's/^ */-/'
}

# What bash completes to the words of a command line, the last of them begun
completed() {
	# shellcheck disable=SC2034 # the completion reads them
	COMP_WORDS=("$@")
	COMP_CWORD=$(($# - 1))
	_evnt
	printf '%s\n' "${COMPREPLY[@]}"
}

bash_options() {
	completed evnt "$1" -- | grep -xE -- '--[a-z-]+'
}

# The part of the script that is the verb's, and the lists that it shares
zsh_options() {
	local list

	sed -nE "/^([a-z|-]+\|)?$1(\|[a-z|-]+)?\)\$/,/;;/p" \
		"$completion/_evnt" >"$tmp"
	for list in session control selection filter; do
		if grep -qF "\$${list}_options" "$tmp"; then
			sed -n "/^${list}_options=/,/^)/p" \
				"$completion/_evnt" >>"$tmp"
		fi
	done
	grep -oE -- "--[a-z][a-z-]+" "$tmp"
}

fish_options() {
	sed -e ':a' -e '/\\$/N; s/\\\n//; ta' "$completion/evnt.fish" |
		grep -E "is [a-z -]*\\b$1(\"| [a-z])" |
		grep -oE -- '-l [a-z-]+' | sed 's/-l /--/'
}

# shellcheck source=tools/completion/evnt.bash
. "$completion/evnt.bash"
tmp=$(mktemp)
trap 'rm -f "$tmp"' EXIT
verbs=$("$evnt" help | sed -nE 's/^  ([a-z][a-z-]*) .*/\1/p' | grep -vx help)
named=$(sed -n '/^Its verbs are:/,/^\.El/s/^\.It Cm //p' "$man/evnt.1" |
	tr -d ',')
same "$verbs help" "$named" "evnt(1) has the verbs"
same "$("$evnt" help)" "$("$evnt" help --help)" "help for help is all of it"
same "$verbs help --version" "$(completed evnt '')" "bash completes the verbs"
same "$verbs help" "$(sed -nE "/^verbs=/,/^\)/s/^\t'([a-z-]+):.*/\1/p" \
	"$completion/_evnt")" "zsh completes the verbs"
same "$verbs help" "$(sed -nE 's/.*no_verb -f -a ([a-z-]+) .*/\1/p' \
	"$completion/evnt.fish")" "fish completes the verbs"
# logman's options are Windows'
known=$("$evnt" logman --help | grep -oE '^  -[a-z?]+(, -[a-z]+)*' |
	grep -oE -- '-[a-z]+')
same "$known" "$(sed -n 's/^\.It Fl \([a-z]*\).*/-\1/p' "$man/logman.1")" \
	"logman: its page has its options"
same "$known" "$(completed evnt logman create -
	completed evnt logman update -)" "logman: bash has its options"
for verb in $verbs; do
	[ "$verb" != logman ] || continue
	known=$(help_options "$verb")
	same "$known" "$(page_options "$verb")" "$verb: its page has its options"
	same "$known" "$(bash_options "$verb")" "$verb: bash has its options"
	same "$known" "$(zsh_options "$verb")" "$verb: zsh has its options"
	same "$known" "$(fish_options "$verb")" "$verb: fish has its options"
done

done_testing
