// SPDX-License-Identifier: MIT
/* evnt doctor: checks the installation and suggests remedies */
#include <getopt.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "tools/doctor/doctor.h"
#include "tools/common/options.h"
#include "tools/common/number.h"
#include "tools/session/control.h"

static const char about[] =
"Checks whether events can be recorded on this system, and suggests remedies:\n"
"checks the module, its devices, this user's permissions, versions, sessions\n"
"and their losses, descriptions of sessions, providers, and rings.\n\n"
"With PROVIDER, a GUID, *NAME, or a registered provider's name: shows for each\n"
"process that has registered it which of its events sessions record, and why\n"
"others are filtered out.\n";

static const char notes[] =
"The exit status is 1 if there is a problem.\n\n"
"Examples:\n"
"  evnt doctor\n"
"  evnt doctor '*My-Server' --level Verbose --keyword 0x10\n"
"  evnt doctor --json | jq -r 'select(.state == \"problem\").text'\n";

/**
 * struct ext_item - request of the user
 * @has_provider: examine a provider
 * @provider: provider to examine
 * @session: session to examine; NULL: all
 * @question: events to examine
 */
struct ext_item {
	bool has_provider;
	struct spec provider;
	const char *session;
	struct question question;
};

static bool may_request(void)
{
	return !access("/dev/evntrace", R_OK | W_OK);
}

/* Examine the module as a controller; return the descriptor, or -1 */
static int examine_module(struct doctor *d)
{
	int device;

	doctor_devices(d);
	/* The check of the devices reports why access is denied */
	if (!may_request())
		return -1;
	device = dev_open();
	if (device < 0) {
		found(&d->f, FINDING_PROBLEM, "versions",
		      "the module cannot be queried");
		return -1;
	}
	doctor_versions(d, device);
	doctor_sessions(d, device);
	doctor_providers(d, device);
	doctor_limits(d, device);
	return device;
}

static void examine_system(struct doctor *d)
{
	int device = -1;

	doctor_module(d);
	doctor_autologgers(d);
	if (!d->is_loaded)
		return;
	if (!*d->root)
		device = examine_module(d);
	doctor_rings(d, device);
	if (device >= 0)
		close(device);
}

static void examine_provider(const struct ext_item *ext_item, struct doctor *d)
{
	int device;

	/* Without access, the reason for that is the finding */
	if (!may_request()) {
		examine_system(d);
		return;
	}
	device = dev_open();
	if (device < 0) {
		d->f.problems++;
		return;
	}
	doctor_provider(d, device, &ext_item->provider, ext_item->session,
			&ext_item->question);
	close(device);
}

/* Parse an event's id or name */
static int take_event(const struct option_value *v)
{
	struct question *q = v->field;
	ULONG id;

	if (parse_count(v->text, 0, UINT16_MAX, &id))
		q->id = id;
	else if (*v->text)
		q->name = v->text;
	else
		return usage_error(v->verb, "--event takes an id, or a name");
	return EVNT_DONE;
}

static int take_level(const struct option_value *v)
{
	struct question *q = v->field;
	UCHAR level;

	if (!spec_level(v->text, &level))
		return usage_error(v->verb, "level '%s' is neither 0 to 255 nor"
				   " Critical, Error, Warning, Information or"
				   " Verbose", v->text);
	q->level = level;
	return EVNT_DONE;
}

static int take_keyword(const struct option_value *v)
{
	struct question *q = v->field;

	if (!parse_number(v->text, strlen(v->text), &q->keyword))
		return usage_error(v->verb, "keywords '%s' are no number of 64"
				   " bits: write 0x and hexadecimal digits, or a"
				   " decimal number", v->text);
	q->has_keyword = true;
	return EVNT_DONE;
}

static int take_arguments(struct ext_item *ext_item, const struct doctor *d,
			  int argc, char **argv)
{
	const struct question *q = &ext_item->question;
	char why[512];

	if (argc > 2)
		return usage_error(&doctor_verb,
				   "doctor takes one provider, and one"
				   " session, not '%s'",
				   argv[2]);
	if (!argc && (q->id >= 0 || q->name || q->level >= 0 || q->has_keyword))
		return usage_error(&doctor_verb,
				   "of which provider is the event?"
				   " write it");
	if (argc && *d->root)
		return usage_error(&doctor_verb,
				   "--root is for a system that is"
				   " not running, which has no providers");
	ext_item->has_provider = argc;
	ext_item->session = argc > 1 ? argv[1] : NULL;
	if (argc &&
	    !spec_provider(argv[0], &ext_item->provider, why, sizeof(why)))
		return usage_error(&doctor_verb, "in '%s': %s", argv[0], why);
	return EVNT_DONE;
}

/**
 * struct doctor_run - a run of the verb
 * @ext_item: request of the user
 * @d: options and state of the checks
 */
struct doctor_run {
	struct ext_item ext_item;
	struct doctor d;
};

static int run(int argc, char **argv)
{
	struct doctor_run run = {
		.ext_item.question = QUESTION_ANY,
		.d.root = "",
	};
	struct findings *f = &run.d.f;
	struct utsname system;
	int error;

	uname(&system);
	run.d.kernel = system.release;
	error = parse_options(&doctor_verb, argc, argv, &run);
	if (!error)
		error = take_arguments(&run.ext_item, &run.d, argc - optind,
				       argv + optind);
	if (error)
		return error;
	if (run.ext_item.has_provider)
		examine_provider(&run.ext_item, &run.d);
	else
		examine_system(&run.d);
	findings_end(f);
	if (!f->json && f->problems)
		printf("\n%u %s\n", f->problems,
		       f->problems == 1 ? "problem" : "problems");
	return end_output(f->problems ? EVNT_FAILED : EVNT_DONE);
}

#define AT(field)	offsetof(struct doctor_run, field)

static const struct option_row options[] = {
	OPTION_ROW("event", 0, "ID|NAME",
		   "only the event with this id, or TraceLogging name",
		   AT(ext_item.question), take_event),
	OPTION_ROW("level", 0, "LEVEL",
		   "only events of this level: a number, or a name like Warning",
		   AT(ext_item.question), take_level, SPEC_LEVELS),
	OPTION_ROW("keyword", 0, "MASK",
		   "only events with these keywords, 0x... or decimal",
		   AT(ext_item.question), take_keyword),
	OPTION_ROW("root", 0, "DIR",
		   "check the system under DIR, which is not running: whether the module"
		   " is installed, and could be loaded", AT(d.root)),
	OPTION_ROW("kernel", 0, "RELEASE",
		   "check for this kernel instead of the running one", AT(d.kernel)),
	OPTION_ROW("json", 0, NULL,
		   "print a JSON object per line; see evnt-doctor(1) for its keys",
		   AT(d.f.json)),
	HELP_ROW,
	{}
};

const struct verb doctor_verb = {
	.name = "doctor",
	.summary = "check the installation and suggest remedies",
	.synopsis = "[--json]\n"
		    "PROVIDER [SESSION] [--event ID|NAME] [--level LEVEL]\n"
		    "            [--keyword MASK] [--json]\n"
		    "--root DIR [--kernel RELEASE] [--json]",
	.about = about,
	.options = options,
	.notes = notes,
	.arguments = { "PROVIDER", "SESSION" },
	.run = run,
};
