# SPDX-License-Identifier: MIT
# bash completion for evnt(1) and logman(1)

_evnt_files() {
	compopt -o filenames 2>/dev/null
	mapfile -t COMPREPLY < <(compgen -f -X '!*.[eE][tT][lL]' -- "$1"
				 compgen -d -- "$1")
}

_evnt_words() {
	mapfile -t COMPREPLY < <(compgen -W "$2" -- "$1")
}

# What takes a provider: ids and names of registered providers
_evnt_providers() {
	evnt providers 2>/dev/null | sed 1d |
		awk '$2 != "(group)" { print $1; if ($2 != "-") print $2 }'
}

# Names may hold spaces
_evnt_sessions() {
	local IFS=$'\n'

	compopt -o filenames 2>/dev/null
	mapfile -t COMPREPLY < <(compgen -W "$(evnt sessions --json 2>/dev/null |
		sed -n 's/.*"name":"\([^"]*\)".*/\1/p')" -- "$1")
}

# What each verb that starts a session has
_evnt_session_options="-p --provider -o --output --buffer-size --buffers
	--min-buffers --flush --max-size --circular --new-file --append
	--preallocate --real-time --buffering --mode --clock --json --help"
_evnt_modes="sequential circular append new-file preallocate secure real-time
	buffering kbytes global-sequence local-sequence paged-memory independent
	no-per-processor-buffering persist-on-hybrid-shutdown
	stop-on-hybrid-shutdown"

# What each verb that enables providers has
_evnt_selection_options="-p --provider --level --keyword --pid --tid --id --not-id
	--event --not-event --where --since --until --limit"
_evnt_filter_options="--pid --exe --package --app --id --not-id --event
	--not-event --where --manifest --stack"

# What an option of any verb takes; false if it takes nothing
_evnt_value() {
	case $2 in
	-p | --provider)
		_evnt_words "$1" "$(_evnt_providers)" ;;
	-o | --output)
		_evnt_files "$1" ;;
	--mode)
		_evnt_words "$1" "$_evnt_modes" ;;
	--clock)
		_evnt_words "$1" "perf system cycle" ;;
	--timeout)
		_evnt_words "$1" "infinite" ;;
	--format)
		_evnt_words "$1" "text json csv xml" ;;
	--level)
		_evnt_words "$1" "Critical Error Warning Information Verbose" ;;
	--pid)
		_evnt_words "$1" "$(ps -eo pid= 2>/dev/null)" ;;
	--manifest)
		_evnt_manifest "$1" ;;
	-n | --name | --buffer-size | --buffers | --min-buffers | --flush | \
	--max-size | --circular | --new-file | --match-all | --source-id | \
	--enable-flags | --exe | --package | --app | --id | --not-id | \
	--event | --not-event | --where | --keyword | --tid | --since | \
	--until | --limit)
		;;
	*)
		return 1 ;;
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

_evnt_record() {
	_evnt_command || _evnt_value "$1" "$2" ||
		_evnt_words "$1" "$_evnt_session_options $_evnt_filter_options -n --name
			--in-process --"
}

_evnt_manifest() {
	compopt -o filenames 2>/dev/null
	mapfile -t COMPREPLY < <(compgen -f -- "$1")
}

_evnt_tail() {
	_evnt_value "$1" "$2" || _evnt_named "$1" "$2" \
		"$_evnt_session_options $_evnt_filter_options -n --name
		--format --header --full --images --no-symbols"
}

_evnt_dump() {
	_evnt_value "$1" "$2" && return
	case $1 in
	-*) _evnt_words "$1" "$_evnt_selection_options --format --json
		--manifest --header --full --images --no-symbols --help" ;;
	*) _evnt_files "$1" ;;
	esac
}

_evnt_start() {
	_evnt_value "$1" "$2" ||
		_evnt_words "$1" "$_evnt_session_options $_evnt_filter_options"
}

# $3: options; what is none is a session's name
_evnt_named() {
	case $1 in
	-*) _evnt_words "$1" "$3" ;;
	*) _evnt_sessions "$1" ;;
	esac
}

_evnt_update() {
	if [ "$2" = --real-time ]; then
		_evnt_words "$1" "on off"
	else
		_evnt_value "$1" "$2" || _evnt_named "$1" "$2" "-o --output
			--next-file --flush --buffers --real-time
			--enable-flags --json --help"
	fi
}

# enable, disable, capture-state: a session, then providers.  $3: options
_evnt_control() {
	_evnt_value "$1" "$2" && return
	case $1 in
	-*) _evnt_words "$1" "--match-all --timeout --source-id --help $3" ;;
	*)
		if [ "$COMP_CWORD" = 2 ]; then
			_evnt_sessions "$1"
		else
			_evnt_words "$1" "$(_evnt_providers)"
		fi ;;
	esac
}

_evnt_access() {
	case $2 in
	allow | deny | remove | --only)
		_evnt_words "$1" "--only default $(_evnt_providers)" ;;
	*)
		_evnt_words "$1" "list allow deny remove --only --json
			--help" ;;
	esac
}

_evnt_verbs="record start stop query update flush snapshot enable disable
	capture-state sessions clean providers access autologger tail dump stat
	activities export merge top doctor logman"

_evnt_activities() {
	case $2 in
	--sort)
		_evnt_words "$1" "start duration"
		return ;;
	--activity | --min-duration | --limit | --top)
		return ;;
	esac
	_evnt_value "$1" "$2" && return
	case $1 in
	-*) _evnt_words "$1" "--json --activity -p --provider --pid --min-duration
		--sort --limit --top --events --manifest --help" ;;
	*) _evnt_files "$1" ;;
	esac
}

_evnt_export() {
	case $2 in
	-o | --output)
		_evnt_manifest "$1"
		return ;;
	esac
	_evnt_value "$1" "$2" && return
	case $1 in
	-*) _evnt_words "$1" "$_evnt_selection_options --perfetto -o --output
		--manifest --no-symbols --help" ;;
	*) _evnt_files "$1" ;;
	esac
}

_evnt_doctor() {
	case $2 in
	--root)
		mapfile -t COMPREPLY < <(compgen -d -- "$1") ;;
	--kernel)
		_evnt_words "$1" "$(ls /lib/modules 2>/dev/null)" ;;
	--event | --keyword)
		;;
	*)
		_evnt_value "$1" "$2" && return
		case $1 in
		-*) _evnt_words "$1" "--event --level --keyword --root --kernel
			--json --help" ;;
		*)
			if [ "$COMP_CWORD" = 2 ]; then
				_evnt_words "$1" "$(_evnt_providers)"
			else
				_evnt_sessions "$1"
			fi ;;
		esac ;;
	esac
}

_evnt() {
	local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]}

	COMPREPLY=()
	if [ "$COMP_CWORD" = 1 ]; then
		_evnt_words "$cur" "$_evnt_verbs help --version"
		return
	fi
	case ${COMP_WORDS[1]} in
	record)
		_evnt_record "$cur" "$prev" ;;
	start)
		_evnt_start "$cur" "$prev" ;;
	stop | query | flush)
		_evnt_named "$cur" "$prev" "--json --help" ;;
	update)
		_evnt_update "$cur" "$prev" ;;
	snapshot)
		_evnt_value "$cur" "$prev" ||
			_evnt_named "$cur" "$prev" "-o --output --json --help" ;;
	tail)
		_evnt_tail "$cur" "$prev" ;;
	enable)
		_evnt_control "$cur" "$prev" "$_evnt_filter_options" ;;
	disable | capture-state)
		_evnt_control "$cur" "$prev" "" ;;
	clean)
		_evnt_named "$cur" "$prev" "-n --dry-run -y --yes --json
			--help" ;;
	sessions | providers)
		_evnt_words "$cur" "--json --help" ;;
	dump)
		_evnt_dump "$cur" "$prev" ;;
	top)
		case $prev in
		--interval | --count) ;;
		*) _evnt_named "$cur" "$prev" "--interval --count --once --json
			--help" ;;
		esac ;;
	doctor)
		_evnt_doctor "$cur" "$prev" ;;
	merge)
		case $cur in
		-*) _evnt_words "$cur" "-o --output --json --help" ;;
		*) _evnt_files "$cur" ;;
		esac ;;
	stat)
		case $cur in
		-*) _evnt_words "$cur" "--json --help" ;;
		*) _evnt_files "$cur" ;;
		esac ;;
	activities)
		_evnt_activities "$cur" "$prev" ;;
	export)
		_evnt_export "$cur" "$prev" ;;
	access)
		_evnt_access "$cur" "$prev" ;;
	autologger)
		case $prev in
		autologger)
			_evnt_words "$cur" "list check start --folder --json
				--help" ;;
		--folder)
			mapfile -t COMPREPLY < <(compgen -d -- "$cur") ;;
		*) _evnt_words "$cur" "--folder --json --help" ;;
		esac ;;
	logman)
		_evnt_logman "$cur" "$prev" 2 ;;
	help)
		_evnt_words "$cur" "$_evnt_verbs" ;;
	esac
}

# $3: where its command stands
_evnt_logman() {
	local command=${COMP_WORDS[$3]}

	case $2 in
	-o | -pf) _evnt_files "$1"; return ;;
	-p) _evnt_words "$1" "$(_evnt_providers)"; return ;;
	-f) _evnt_words "$1" "bin bincirc"; return ;;
	-ct) _evnt_words "$1" "perf system cycle"; return ;;
	-mode) _evnt_words "$1" "$_evnt_modes"; return ;;
	esac
	if [ "$COMP_CWORD" = "$3" ]; then
		_evnt_words "$1" "create query start stop delete update"
	elif [ "${1:0:1}" != - ]; then
		case $command in
		create) _evnt_words "$1" trace ;;
		query) _evnt_words "$1" "providers $(_evnt_sets)" ;;
		update) _evnt_words "$1" "trace $(_evnt_sets)" ;;
		*) _evnt_words "$1" "$(_evnt_sets)" ;;
		esac
	else
		case $command in
		create | update | start)
			_evnt_words "$1" "-n -o -p -pf -f -mode -bs -nb -ft -max
				-ct -cnf -rt -fd -a -ow -ln -y -ets -as" ;;
		*)
			_evnt_words "$1" "-n -ets -as -y" ;;
		esac
	fi
}

# Data collector sets, and sessions
_evnt_sets() {
	{ evnt logman query; evnt logman query -ets; } 2>/dev/null |
		awk '/ Trace / { print $1 }'
}

_logman() {
	COMPREPLY=()
	_evnt_logman "${COMP_WORDS[COMP_CWORD]}" \
		"${COMP_WORDS[COMP_CWORD - 1]}" 1
}

complete -F _evnt evnt
complete -F _logman logman
