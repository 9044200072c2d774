#!/bin/bash
# SPDX-License-Identifier: MIT
# The verbs of evnt that read long files show their progress on a terminal, and
# nowhere else.  The log is one of Windows in $EVNT_DATA/etl, repeated to make
# it long.
set -u
# shellcheck source=selftests/unit/common/tap.bash
. "$(dirname "$0")/../common/tap.bash"

log=$data/etl/net.4.5.2.x86.etl

# Run on a terminal, with redirections as by a shell
on_terminal() {
	script -qec "$*" "$dir/typed" < /dev/null > /dev/null
	tr '\r' '\n' < "$dir/typed" | grep -qE '[0-9]+ of [0-9]+ buffers, [0-9]+ %'
}

# Use one log, or 2, 4, ..., 32, until it takes long enough for a message
reports_progress() {
	local command=$1 into=$2 n begin

	files=$log
	for n in 1 2 4 8 16 32; do
		begin=${EPOCHREALTIME/[.,]}
		on_terminal "$command $files $into" && return 0
		took=$(((${EPOCHREALTIME/[.,]} - begin) / 1000))
		[ "$n" = 32 ] || files="$files $files"
	done
	echo "32 logs take $took ms"
	[ "$took" -ge 1000 ] || return 77
	return 1
}

silent_in_a_pipe() {
	# shellcheck disable=SC2086 # They are options and files, many of each
	$1 $files 2>&1 > "$dir/printed" | cat > "$dir/typed"
	! grep -q buffers, "$dir/typed"
}

command -v script > /dev/null || skip_all "script is not installed"
[ -x "$evnt" ] || skip_all "$evnt is not built"
[ -e "$log" ] || skip_all "the log files of Windows are not here"

for command in "$evnt dump --json" "$evnt stat --json" \
	       "$evnt merge -o $dir/out.etl" "$evnt activities" \
	       "$evnt export --perfetto -o $dir/out.pftrace"; do
	verb=${command#"$evnt "}
	check "${verb%% *} shows its progress on a terminal" \
		reports_progress "$command" \
		"> $dir/printed"
	check "${verb%% *} does not show its progress in a pipe" \
		silent_in_a_pipe "$command"
done

done_testing
