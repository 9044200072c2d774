# SPDX-License-Identifier: MIT
# fish completion for evnt(1) and logman(1): the programs print what is possible

function __evnt_complete
	set -l words (commandline -opc)
	set -l word (commandline -ct)
	set -l lines ($words[1] --complete $words[2..-1] "$word" 2>/dev/null)

	switch "$lines[1]"
	case :file
		__fish_complete_path "$word"
	case :etl
		__fish_complete_suffix .etl
	case :folder
		__fish_complete_directories "$word"
	case ':command *'
		set -l first (math (string replace ':command ' '' "$lines[1]") + 2)
		complete -C (string join ' ' -- (string escape -- $words[$first..-1]) "$word")
	case '*'
		printf '%s\n' $lines
	end
end

complete -c evnt -f -a '(__evnt_complete)'
complete -c logman -f -a '(__evnt_complete)'
