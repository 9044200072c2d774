// SPDX-License-Identifier: MIT
/* evnt enable: has a session record providers. */
#include "filter_options.h"
#include "provider_control.h"
#include "spec.h"

static const char help[] =
"Usage: evnt enable SESSION SPEC... [OPTION...]\n"
"Has a session record providers, registered or not.  Enabling again replaces\n"
"what was set before.\n\n"
PROVIDER_CONTROL_HELP
FILTER_OPTIONS_HELP
MANIFEST_HELP "\n"
SPEC_HELP
"\nExamples:\n"
"  evnt enable server '*My-Server:0x3:Warning' --timeout 10000\n"
"  evnt enable server '*My-Server' --exe serverd --not-id 7,10-20\n"
"  evnt enable server '*My-Server' --where 'Size > 4096 or Name contains \"log\"'\n";

static int run(int argc, char **argv)
{
	return provider_control(&enable_verb, argc, argv,
				EVENT_CONTROL_CODE_ENABLE_PROVIDER);
}

const struct verb enable_verb = {
	.name = "enable",
	.summary = "have a session record providers",
	.help = help,
	.run = run,
};
