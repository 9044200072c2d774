# SPDX-License-Identifier: MIT
# fish completion for evnt(1)

set -l verbs record dump sessions providers help
set -l no_verb "not __fish_seen_subcommand_from $verbs"

complete -c evnt -n $no_verb -f -a record -d 'record events into a log file'
complete -c evnt -n $no_verb -f -a dump -d 'print the events of log files'
complete -c evnt -n $no_verb -f -a sessions -d 'list the sessions that run'
complete -c evnt -n $no_verb -f -a providers -d 'list providers'
complete -c evnt -n $no_verb -f -a help -d 'say more'
complete -c evnt -n $no_verb -l version -d 'print the version'

complete -c evnt -n '__fish_seen_subcommand_from help' -f \
	-a 'record dump sessions providers'
complete -c evnt -n '__fish_seen_subcommand_from record' \
	-s p -l provider -x -d 'provider, keywords, level'
complete -c evnt -n '__fish_seen_subcommand_from record' \
	-s o -l output -r -d 'log file'
complete -c evnt -n '__fish_seen_subcommand_from record' \
	-s n -l name -x -d 'name of the session'
complete -c evnt -n '__fish_seen_subcommand_from record' \
	-l buffer-size -x -d 'size of a buffer in KB'
complete -c evnt -n '__fish_seen_subcommand_from record' \
	-l buffers -x -d 'how many at most'
complete -c evnt -n '__fish_seen_subcommand_from record' \
	-l flush -x -d 'write what is not full so often, in seconds'
complete -c evnt -n '__fish_seen_subcommand_from record' \
	-l circular -x -d 'keep the newest events, in so many MB'
complete -c evnt -n '__fish_seen_subcommand_from dump' \
	-l header -d 'print header events'
complete -c evnt -n '__fish_seen_subcommand_from dump' \
	-l full -d 'print long payloads whole'
complete -c evnt -n '__fish_seen_subcommand_from record dump sessions providers' \
	-l json -d 'print JSON'
complete -c evnt -n '__fish_seen_subcommand_from record dump sessions providers' \
	-s h -l help -d 'print help'
