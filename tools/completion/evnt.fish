# SPDX-License-Identifier: MIT
# fish completion for evnt(1)

function __evnt_sessions
	evnt sessions --json 2>/dev/null |
		string replace -rf '.*"name":"([^"]*)".*' '$1'
end

function __evnt_providers
	evnt providers 2>/dev/null | sed 1d |
		awk '$2 != "(group)" { print $1; if ($2 != "-") print $2 }'
end

set -l verbs record start stop query update flush snapshot enable disable \
	capture-state sessions clean providers access autologger tail dump stat \
	activities export merge top doctor logman help
set -l no_verb "not __fish_seen_subcommand_from $verbs"
set -l is __fish_seen_subcommand_from

complete -c evnt -n $no_verb -f -a record -d 'record events into a log file'
complete -c evnt -n $no_verb -f -a start -d 'start a session that runs until it is stopped'
complete -c evnt -n $no_verb -f -a stop -d 'end sessions'
complete -c evnt -n $no_verb -f -a query -d 'show all properties of sessions'
complete -c evnt -n $no_verb -f -a update -d 'change properties of a session'
complete -c evnt -n $no_verb -f -a flush -d 'write what sessions have in their buffers'
complete -c evnt -n $no_verb -f -a snapshot -d 'write what a session keeps in memory to a file'
complete -c evnt -n $no_verb -f -a enable -d 'have a session record providers'
complete -c evnt -n $no_verb -f -a disable -d 'have a session record providers no longer'
complete -c evnt -n $no_verb -f -a capture-state -d 'ask providers to write their state'
complete -c evnt -n $no_verb -f -a sessions -d 'list the sessions that run'
complete -c evnt -n $no_verb -f -a clean -d 'end the sessions whose owner has ended'
complete -c evnt -n $no_verb -f -a providers -d 'list registered and enabled providers'
complete -c evnt -n $no_verb -f -a access -d 'say who may do what'
complete -c evnt -n $no_verb -f -a autologger -d 'sessions that start with the module'
complete -c evnt -n $no_verb -f -a tail -d 'print events as they come'
complete -c evnt -n $no_verb -f -a dump -d 'print the events of log files'
complete -c evnt -n $no_verb -f -a stat -d 'say what is in log files, in numbers'
complete -c evnt -n $no_verb -f -a activities -d 'show activities of log files, and how long they took'
complete -c evnt -n $no_verb -f -a export -d 'write log files for other tools, as Perfetto'
complete -c evnt -n $no_verb -f -a merge -d 'make one log file of many'
complete -c evnt -n $no_verb -f -a top -d 'show rates of events and losses, live'
complete -c evnt -n $no_verb -f -a doctor -d 'say whether all is well, and what to do'
complete -c evnt -n $no_verb -f -a logman -d 'understand what scripts write for logman'
complete -c evnt -n $no_verb -f -a help -d 'say more'
complete -c evnt -n $no_verb -l version -d 'print the version'
complete -c evnt -n "$is help" -f -a "$verbs"

complete -c evnt -n "$is record start tail dump export" \
	-s p -l provider -x -a '(__evnt_providers)' -d 'provider, keywords, level'
complete -c evnt -n "$is record start tail update snapshot" \
	-s o -l output -r -d 'log file'
complete -c evnt -n "$is record" \
	-l in-process -d 'without the module: each process records itself'
complete -c evnt -n "$is record tail" \
	-s n -l name -x -d 'name of the session'
complete -c evnt -n "$is record start tail" \
	-l buffer-size -x -d 'size of a buffer in KB'
complete -c evnt -n "$is record start tail" \
	-l min-buffers -x -d 'how many at least'
complete -c evnt -n "$is record start tail" \
	-l max-size -x -d 'the session ends at this size, in MB'
complete -c evnt -n "$is record start tail" \
	-l circular -x -d 'keep the newest events, in so many MB'
complete -c evnt -n "$is record start tail" \
	-l new-file -x -d 'begin another file at this size, in MB'
complete -c evnt -n "$is record start tail" \
	-l append -d 'write behind what the file holds'
complete -c evnt -n "$is record start tail" \
	-l preallocate -d 'take the whole size at once'
complete -c evnt -n "$is record start tail" \
	-l buffering -d 'keep the newest events in memory'
complete -c evnt -n "$is record start tail" \
	-l mode -x -d 'further logging modes'
complete -c evnt -n "$is record start tail" \
	-l clock -x -a 'perf system cycle' -d 'clock of the time stamps'
complete -c evnt -n "$is record start tail" \
	-l real-time -d 'for consumers that read as it runs'
complete -c evnt -n "$is update" \
	-l real-time -x -a 'on off' -d 'for consumers that read as it runs'
complete -c evnt -n "$is record start tail update" \
	-l buffers -x -d 'how many at most'
complete -c evnt -n "$is record start tail update" \
	-l flush -x -d 'write what is not full so often, in seconds'
complete -c evnt -n "$is update" \
	-l next-file -d 'go on in the next file'
complete -c evnt -n "$is update" \
	-l enable-flags -x -d 'of a system logger'
complete -c evnt -n "$is record start tail enable dump export" \
	-l pid -x -a '(__fish_complete_pids)' -d 'of these processes'
complete -c evnt -n "$is record start tail enable" \
	-l exe -x -d 'of processes that run these files'
complete -c evnt -n "$is record start tail enable" \
	-l package -x -d 'of snaps, flatpak applications, units'
complete -c evnt -n "$is record start tail enable" \
	-l app -x -d 'of applications of snaps'
complete -c evnt -n "$is record start tail enable dump export" \
	-l id -x -d 'with these ids'
complete -c evnt -n "$is record start tail enable dump export" \
	-l not-id -x -d 'without these ids'
complete -c evnt -n "$is record start tail enable dump export" \
	-l event -x -d 'events of these names'
complete -c evnt -n "$is record start tail enable dump export" \
	-l not-event -x -d 'of other names'
complete -c evnt -n "$is record start tail enable dump export" \
	-l where -x -d 'conditions on fields'
complete -c evnt -n "$is record start enable" \
	-l manifest -r -d 'says which fields there are'
complete -c evnt -n "$is record start tail enable" \
	-l stack -d 'with call stacks'
complete -c evnt -n "$is enable disable capture-state" \
	-l match-all -x -d 'keywords that all are needed'
complete -c evnt -n "$is enable disable capture-state" \
	-l timeout -x -a 'infinite' -d 'wait for callbacks, in ms'
complete -c evnt -n "$is enable disable capture-state" \
	-l source-id -x -d 'told to callbacks'
complete -c evnt -n "$is clean" \
	-s n -l dry-run -d 'show them only'
complete -c evnt -n "$is clean" \
	-s y -l yes -d 'do not ask'
complete -c evnt -n "$is dump export" \
	-l level -x -a 'Critical Error Warning Information Verbose' -d 'up to this level'
complete -c evnt -n "$is dump export" \
	-l keyword -x -d 'with any of these keywords'
complete -c evnt -n "$is dump export" \
	-l tid -x -d 'of these threads'
complete -c evnt -n "$is dump export" \
	-l since -x -d 'from this time on'
complete -c evnt -n "$is dump export" \
	-l until -x -d 'before this time'
complete -c evnt -n "$is dump export" \
	-l limit -x -d 'so many'
complete -c evnt -n "$is dump tail" \
	-l format -x -a 'text json csv xml' -d 'how events are printed'
complete -c evnt -n "$is dump tail" \
	-l header -d 'print header events'
complete -c evnt -n "$is dump tail" \
	-l manifest -r -d 'read a manifest'
complete -c evnt -n "$is dump tail" \
	-l full -d 'print long payloads whole'
complete -c evnt -n "$is dump tail" \
	-l images -d 'print what processes have mapped'
complete -c evnt -n "$is dump tail" \
	-l no-symbols -d 'do not name functions'
complete -c evnt -n "$is record start stop query update flush snapshot tail sessions clean providers access autologger dump stat activities merge top doctor" \
	-l json -d 'print JSON'
complete -c evnt -n "$is record start stop query update flush snapshot tail enable disable capture-state sessions clean providers access autologger dump stat activities export merge top doctor logman" \
	-s h -l help -d 'print help'

complete -c evnt -n "$is stop query flush snapshot tail clean update top" -f \
	-a '(__evnt_sessions)'
complete -c evnt -n "$is enable disable capture-state" -f \
	-a '(__evnt_sessions; __evnt_providers)'
complete -c evnt -n "$is access" -l only -d 'nobody else'
complete -c evnt -n "$is access" -f -a 'list allow deny remove'
complete -c evnt -n "$is merge" \
	-s o -l output -r -d 'file to make'
complete -c evnt -n "$is activities" -l activity -x -d 'this one alone'
complete -c evnt -n "$is activities" \
	-s p -l provider -x -a '(__evnt_providers)' -d 'that this provider has begun'
complete -c evnt -n "$is activities" \
	-l pid -x -a '(__fish_complete_pids)' -d 'that this process has begun'
complete -c evnt -n "$is activities" -l min-duration -x -d 'that took so long'
complete -c evnt -n "$is activities" \
	-l sort -x -a 'start duration' -d 'in which order'
complete -c evnt -n "$is activities" -l limit -x -d 'so many at the top'
complete -c evnt -n "$is activities" -l top -x -d 'the longest'
complete -c evnt -n "$is activities" -l events -d 'show their events'
complete -c evnt -n "$is activities export" \
	-l manifest -r -d 'read a manifest'
complete -c evnt -n "$is export" -l perfetto -d 'for the UI of Perfetto'
complete -c evnt -n "$is export" -s o -l output -r -d 'file to make'
complete -c evnt -n "$is export" -l no-symbols -d 'do not name functions'
complete -c evnt -n "$is autologger" -f -a 'list check start'
complete -c evnt -n "$is autologger" -l folder -r -d 'where descriptions are'
complete -c evnt -n "$is top" -l interval -x -d 'how often, in seconds'
complete -c evnt -n "$is top" -l count -x -d 'end after so many'
complete -c evnt -n "$is top" -l once -d 'end after one'
complete -c evnt -n "$is doctor" -f \
	-a '(__evnt_providers; __evnt_sessions)'
complete -c evnt -n "$is doctor" -l event -x -d 'asks for the event of this id or name'
complete -c evnt -n "$is doctor" \
	-l level -x -a 'Critical Error Warning Information Verbose' -d 'of this level'
complete -c evnt -n "$is doctor" -l keyword -x -d 'with these keywords'
complete -c evnt -n "$is doctor" -l root -r -d 'files of a system'
complete -c evnt -n "$is doctor" \
	-l kernel -x -a '(ls /lib/modules)' -d 'instead of the one that runs'
complete -c evnt -n "$is logman" \
	-a 'create query start stop delete update'
