#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# rmmod is refused while anything is in use, and otherwise succeeds at once.
n=0 failed=0
build=${EVNT_BUILD:-$(cd "$(dirname "$0")/../../.." && pwd)}

check() {
	local what=$1

	shift
	n=$((n + 1))
	if "$@" > /dev/null 2>&1; then
		echo "ok $n - $what"
	else
		echo "not ok $n - $what"
		failed=1
	fi
}

# shellcheck disable=SC2317 # called by check
refused() {
	! rmmod evntprov
}

reload() {
	rmmod evntprov && insmod "$module" autologger=
}

# Wait until the starting session has written to its file
wait_for_session() {
	local tries=1000

	until [ -s /tmp/unload.etl ] || [ $((tries--)) = 0 ]; do
		sleep 0.05
	done
}

if [ "$(id -u)" != 0 ] || [ ! -e /dev/evntrace ]; then
	echo "1..0 # SKIP needs root and the module"
	exit 4
fi
module=${VM_OUT:-$build}/evntprov.ko
[ -e "$module" ] || { echo "1..0 # SKIP the module's file is not at hand"; exit 4; }

check "an unused module can be unloaded and loaded again" reload
exec 7<> /dev/evntprov
check "rmmod fails while a program has /dev/evntprov open" refused
exec 7>&-
exec 7<> /dev/evntrace
check "rmmod fails while a program has /dev/evntrace open" refused
exec 7>&-
check "rmmod succeeds after the devices are closed" reload
rm -f /tmp/unload.etl /tmp/unload.fifo
mkfifo /tmp/unload.fifo
"$build/tools/evnt" record -p '*Unload' -o /tmp/unload.etl -- \
	cat /tmp/unload.fifo > /dev/null 2>&1 &
recorder=$!
wait_for_session
check "rmmod fails while a session runs" refused
: > /tmp/unload.fifo
wait $recorder
check "rmmod succeeds after the session has ended" reload
for _ in $(seq 20); do
	reload || failed=1
done
check "the module can be reloaded twenty times in a row" [ $failed = 0 ]
# Under load, writers keep the device open, so rmmod is refused without harm
rm -f /tmp/unload.etl
"$build/tools/evnt" record -p '*Evntprov-Sample' -o /tmp/unload.etl -- \
	"$build/tools/evnt-sample" --count 100000 > /dev/null 2>&1 &
recorder=$!
wait_for_session
for _ in $(seq 20); do
	rmmod evntprov 2> /dev/null && break
	sleep 0.02
done
wait $recorder
check "a recording continues to its end after a failed rmmod" [ $? = 0 ]
[ -e /dev/evntrace ] || insmod "$module" autologger=
check "the module is loaded or can be loaded again" [ -e /dev/evntrace ]
rm -f /tmp/unload.etl /tmp/unload.fifo
echo "1..$n"
exit $failed
