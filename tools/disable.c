// SPDX-License-Identifier: MIT
/* evnt disable: has a session record providers no longer. */
#include "provider_control.h"
#include "spec.h"

static const char help[] =
"Usage: evnt disable SESSION SPEC... [OPTION...]\n"
"Has a session record providers no longer.  Keywords and level say nothing here.\n\n"
PROVIDER_CONTROL_HELP
SPEC_HELP
"\nExamples:\n"
"  evnt disable server '*My-Server'\n";

static int run(int argc, char **argv)
{
	return provider_control(&disable_verb, argc, argv,
				EVENT_CONTROL_CODE_DISABLE_PROVIDER);
}

const struct verb disable_verb = {
	.name = "disable",
	.summary = "have a session record providers no longer",
	.help = help,
	.run = run,
};
