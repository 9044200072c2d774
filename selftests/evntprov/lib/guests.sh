#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Unrelated programs with a provider: alone, recorded in process, and recorded by
# the module.  Needs root and the module loaded.
set -u

here=$(cd "$(dirname "$0")" && pwd)
# Installed, they are beside this script
common=$here
[ -e "$common/tap.bash" ] || common=$here/../../unit/common
# shellcheck source=selftests/unit/common/tap.bash
. "$common/tap.bash"
# shellcheck source=selftests/unit/common/guests.bash
. "$common/guests.bash"

# shellcheck disable=SC2034 # for guests.bash
module=1
if [ ! -x "$evnt" ] || [ ! -c /dev/evntrace ]; then
	echo "1..0 # SKIP $evnt is not built, or the module is not loaded"
	exit 4
fi
try_guests "$here/guest_provider.so"
done_testing
