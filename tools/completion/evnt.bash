# SPDX-License-Identifier: MIT
# bash completion for evnt(1)

_evnt_files() {
	compopt -o filenames 2>/dev/null
	mapfile -t COMPREPLY < <(compgen -f -X '!*.[eE][tT][lL]' -- "$1"
				 compgen -d -- "$1")
}

_evnt_words() {
	mapfile -t COMPREPLY < <(compgen -W "$2" -- "$1")
}

# What 'evnt record -p' takes: ids and names of registered providers
_evnt_providers() {
	evnt providers 2>/dev/null | sed 1d |
		awk '{ print $1; if ($2 != "-") print $2 }'
}

_evnt_record() {
	case $2 in
	-p | --provider)
		_evnt_words "$1" "$(_evnt_providers)" ;;
	-o | --output)
		_evnt_files "$1" ;;
	-n | --name | --buffer-size | --buffers | --flush | --circular)
		;;
	*)
		_evnt_words "$1" "-p --provider -o --output -n --name
			--buffer-size --buffers --flush --circular --json
			--help --" ;;
	esac
}

# The command behind -- completes as if it was typed alone
_evnt_command() {
	local i

	for ((i = 2; i < COMP_CWORD; i++)); do
		if [ "${COMP_WORDS[i]}" = -- ]; then
			if declare -F _command_offset >/dev/null; then
				_command_offset $((i + 1))
			fi
			return 0
		fi
	done
	return 1
}

_evnt() {
	local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]}

	COMPREPLY=()
	if [ "$COMP_CWORD" = 1 ]; then
		_evnt_words "$cur" \
			"record dump sessions providers help --version"
		return
	fi
	case ${COMP_WORDS[1]} in
	record)
		_evnt_command || _evnt_record "$cur" "$prev" ;;
	dump)
		case $cur in
		-*) _evnt_words "$cur" "--json --header --full --help" ;;
		*) _evnt_files "$cur" ;;
		esac ;;
	sessions | providers)
		_evnt_words "$cur" "--json --help" ;;
	help)
		_evnt_words "$cur" "record dump sessions providers" ;;
	esac
}

complete -F _evnt evnt
