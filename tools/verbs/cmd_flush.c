// SPDX-License-Identifier: MIT
/* evnt flush: makes sessions write the contents of their buffers */
#include <errno.h>
#include <string.h>

#include "tools/common/options.h"
#include "tools/session/losses.h"
#include "tools/session/session_list.h"
#include "tools/session/session_show.h"

static const char about[] =
"Writes all events that sessions have accepted so far to their log files.\n";

static const char notes[] =
"Examples:\n"
"  evnt flush server && evnt dump server.etl\n";

static int flush_one(int device, struct dev_session *session, bool json)
{
	int error = dev_flush(device, session->info.handle, session);

	if (error)
		return explain_act(session, "flush", error);
	if (json)
		json_print(session_object(session));
	report_losses(session);
	return EVNT_DONE;
}

static int run(int argc, char **argv)
{
	return act_on_named(&flush_verb, argc, argv, flush_one);
}

static const struct option_row options[] = {
	OPTION_ROW("json", 0, NULL,
		   "print a JSON object per session; see evnt-sessions(1) for its keys"),
	HELP_ROW,
	{}
};

const struct verb flush_verb = {
	.name = "flush",
	.summary = "write the buffered events of sessions",
	.synopsis = "NAME... [--json]",
	.about = about,
	.options = options,
	.notes = notes,
	.arguments = { "SESSION" },
	.run = run,
};
