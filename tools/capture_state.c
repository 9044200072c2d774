// SPDX-License-Identifier: MIT
/* evnt capture-state: asks providers to write their state. */
#include "provider_control.h"
#include "spec.h"

static const char help[] =
"Usage: evnt capture-state SESSION SPEC... [OPTION...]\n"
"Asks providers to write events that tell their state, as far as they can.\n\n"
PROVIDER_CONTROL_HELP
SPEC_HELP
"\nExamples:\n"
"  evnt capture-state server '*My-Server' --timeout 10000\n";

static int run(int argc, char **argv)
{
	return provider_control(&capture_state_verb, argc, argv,
				EVENT_CONTROL_CODE_CAPTURE_STATE);
}

const struct verb capture_state_verb = {
	.name = "capture-state",
	.summary = "ask providers to write their state",
	.help = help,
	.run = run,
};
