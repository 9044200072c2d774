#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Check by strace that EventEnabled makes no system call, and that a write to a
# provider that is not enabled does not enter the kernel.
here=$(dirname "$0")

command -v strace > /dev/null || { echo "1..0 # SKIP strace is missing"; exit 4; }
[ -e /dev/evntprov ] || { echo "1..0 # SKIP the module is not loaded"; exit 4; }

# Everything between the two markers, which are calls that nothing else makes
between() {
	strace -f -o /tmp/syscalls.log "$here/disabled" || return 1
	awk '/getppid/ { inside = !inside; next } inside' /tmp/syscalls.log
}

calls=$(between) || { echo "not ok 1 the program failed"; exit 1; }
markers=$(grep -c getppid /tmp/syscalls.log)
failed=0
if [ "$markers" = 2 ]; then
	echo "ok 1 - the program ran under strace"
else
	echo "not ok 1 - the program ran under strace"
	failed=1
fi
if [ -z "$calls" ]; then
	echo "ok 2 - a million disabled checks and writes make no system call"
else
	echo "# $calls" | head -n 5
	echo "not ok 2 - a million disabled checks and writes make no system call"
	failed=1
fi
if grep -q 'ioctl(.*0xe7, 0x3' /tmp/syscalls.log; then
	echo "not ok 3 - no write entered the kernel"
	failed=1
else
	echo "ok 3 - no write entered the kernel"
fi
echo "1..3"
exit $failed
