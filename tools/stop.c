// SPDX-License-Identifier: MIT
/* evnt stop: ends sessions. */
#include <errno.h>
#include <string.h>

#include "losses.h"
#include "session_list.h"
#include "session_show.h"

static const char help[] =
"Usage: evnt stop NAME... [--json]\n"
"Ends sessions, and says what became of their events.  Those of other users\n"
"take root, or a right: see evnt access.\n\n"
"  --json     one object of JSON for each; see evnt-sessions(1) for its keys\n"
"  -h, --help print this\n\n"
"Examples:\n"
"  evnt stop server\n"
"  evnt stop --json server | jq .events_lost\n";

static int stop_one(int door, struct door_session *session, bool json)
{
	int error = door_stop(door, session->info.handle, session);

	if (error == EALREADY)
		return failed("session '%s' is being stopped by somebody else",
			      session->name);
	if (error)
		return explain_act(session, "stop", error);
	if (!json) {
		tell_recorded(session);
		return EVNT_DONE;
	}
	json_print(session_object(session));
	tell_losses(session);
	return EVNT_DONE;
}

static int run(int argc, char **argv)
{
	return act_on_named(&stop_verb, argc, argv, stop_one);
}

const struct verb stop_verb = {
	.name = "stop",
	.summary = "end sessions",
	.help = help,
	.run = run,
};
