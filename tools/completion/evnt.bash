# SPDX-License-Identifier: MIT
# bash completion for evnt(1) and logman(1): the programs print what is possible

_evnt() {
	local word=${COMP_WORDS[COMP_CWORD]} line
	local -a lines

	COMPREPLY=()
	mapfile -t lines < <("${COMP_WORDS[0]}" --complete \
		"${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
	case ${lines[0]-} in
	:file)
		compopt -o filenames 2>/dev/null
		mapfile -t COMPREPLY < <(compgen -f -- "$word") ;;
	:etl)
		compopt -o filenames 2>/dev/null
		mapfile -t COMPREPLY < <(
			compgen -f -X '!*.[eE][tT][lL]' -- "$word"
			compgen -d -- "$word") ;;
	:folder)
		compopt -o filenames 2>/dev/null
		mapfile -t COMPREPLY < <(compgen -d -- "$word") ;;
	:command*)
		if declare -F _command_offset >/dev/null; then
			_command_offset $((${lines[0]#:command } + 1))
		fi ;;
	*)
		for line in "${lines[@]%%$'\t'*}"; do
			[[ $line == "$word"* ]] || continue
			# Names may contain blanks
			printf -v line %q "$line"
			COMPREPLY+=("$line")
		done ;;
	esac
}

complete -F _evnt evnt logman
