// SPDX-License-Identifier: MIT
/* evnt stop: ends sessions. */
#include <errno.h>
#include <string.h>

#include "tools/common/options.h"
#include "tools/session/losses.h"
#include "tools/session/session_list.h"
#include "tools/session/session_show.h"

static const char about[] =
"Ends sessions, and reports the numbers of recorded and lost events.  Ending the\n"
"sessions of other users needs root, or a right: see evnt access.\n";

static const char notes[] =
"Examples:\n"
"  evnt stop server\n"
"  evnt stop --json server | jq .events_lost\n";

static int stop_one(int device, struct dev_session *session, bool json)
{
	int error = dev_stop(device, session->info.handle, session);

	if (error == EALREADY)
		return failed("session '%s' is being stopped by another"
			      " process", session->name);
	if (error)
		return explain_act(session, "stop", error);
	if (!json) {
		report_recorded(session);
		return EVNT_DONE;
	}
	json_print(session_object(session));
	report_losses(session);
	return EVNT_DONE;
}

static int run(int argc, char **argv)
{
	return act_on_named(&stop_verb, argc, argv, stop_one);
}

static const struct option_row options[] = {
	OPTION_ROW("json", 0, NULL,
		   "print a JSON object per session; see evnt-sessions(1) for its keys"),
	HELP_ROW,
	{}
};

const struct verb stop_verb = {
	.name = "stop",
	.summary = "end sessions",
	.synopsis = "NAME... [--json]",
	.about = about,
	.options = options,
	.notes = notes,
	.arguments = { "SESSION" },
	.run = run,
};
