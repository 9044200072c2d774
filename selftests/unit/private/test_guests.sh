#!/bin/bash
# SPDX-License-Identifier: MIT
# Unrelated programs with a provider, alone and recorded in process; guests.sh
# has them recorded by the module, too.
set -u
# shellcheck source=selftests/unit/common/tap.bash
. "$(dirname "$0")/../common/tap.bash"
# shellcheck source=selftests/unit/common/guests.bash
. "$(dirname "$0")/../common/guests.bash"

preload=$build/unit/guest_provider.so module=

[ -x "$evnt" ] || skip_all "$evnt is not built"
[ -e "$preload" ] || skip_all "$preload is not built"
[ -e /dev/evntprov ] && skip_all "the module is loaded here"
try_guests "$preload"
done_testing
