// SPDX-License-Identifier: MIT
/* evnt flush: has sessions write what their buffers hold. */
#include <errno.h>
#include <string.h>

#include "losses.h"
#include "session_list.h"
#include "session_show.h"

static const char help[] =
"Usage: evnt flush NAME... [--json]\n"
"Writes all events that sessions have accepted so far to their log files.\n\n"
"  --json     one object of JSON for each; see evnt-sessions(1) for its keys\n"
"  -h, --help print this\n\n"
"Examples:\n"
"  evnt flush server && evnt dump server.etl\n";

static int flush_one(int door, struct door_session *session, bool json)
{
	int error = door_flush(door, session->info.handle, session);

	if (error)
		return explain_act(session, "flush", error);
	if (json)
		json_print(session_object(session));
	tell_losses(session);
	return EVNT_DONE;
}

static int run(int argc, char **argv)
{
	return act_on_named(&flush_verb, argc, argv, flush_one);
}

const struct verb flush_verb = {
	.name = "flush",
	.summary = "write what sessions have in their buffers",
	.help = help,
	.run = run,
};
