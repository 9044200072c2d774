// SPDX-License-Identifier: MIT
/* evnt access: shows and changes access rights to providers and sessions */
#include <errno.h>
#include <getopt.h>
#include <grp.h>
#include <pwd.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "tools/common/options.h"
#include "tools/common/json.h"
#include "tools/common/process.h"
#include "tools/session/provider_spec.h"
#include "tools/common/table.h"
#include "tools/session/control.h"

static const char about[] =
"Shows or changes the rights to providers and sessions.\n";

static const char notes[] =
"Deny entries override allow entries.  Without a list, owner and admin have all\n"
"rights; everyone may query, log, register, enable and join, and start sessions.\n\n"
"Examples:\n"
"  evnt access allow --only '*My-Provider' @tracing enable\n"
"  evnt access deny default nobody register\n"
"  evnt access remove '*My-Provider'\n";

static const struct {
	const char *name;
	__u32 bit;
} rights[] = {
	{ "query", EVNTRACE_RIGHT_QUERY },
	{ "create-realtime", EVNTRACE_RIGHT_CREATE_REALTIME },
	{ "create-ondisk", EVNTRACE_RIGHT_CREATE_ONDISK },
	{ "enable", EVNTRACE_RIGHT_GUID_ENABLE },
	{ "log", EVNTRACE_RIGHT_LOG_EVENT },
	{ "consume", EVNTRACE_RIGHT_ACCESS_REALTIME },
	{ "register", EVNTRACE_RIGHT_REGISTER_GUIDS },
	{ "join", EVNTRACE_RIGHT_JOIN_GROUP },
};

/* Subjects without a uid or gid */
static const struct {
	const char *name;
	__u32 subject;
} subject_names[] = {
	{ "everyone", EVNTRACE_SUBJECT_EVERYONE },
	{ "owner", EVNTRACE_SUBJECT_OWNER },
	{ "admin", EVNTRACE_SUBJECT_ADMIN },
};

#define WHO_NAMES	(sizeof(subject_names) / sizeof(subject_names[0]))
#define RIGHTS		(sizeof(rights) / sizeof(rights[0]))
#define RIGHTS_TEXT	128
#define WHO_TEXT	64

/* Format a mask of rights: names, and unnamed bits in hexadecimal */
static char *names_text(__u32 mask, char text[RIGHTS_TEXT])
{
	char *to = text;

	*to = '\0';
	for (size_t i = 0; i < RIGHTS; i++) {
		if (mask & rights[i].bit)
			to += sprintf(to, "%s%s", to == text ? "" : ",",
				      rights[i].name);
		mask &= ~rights[i].bit;
	}
	if (mask)
		sprintf(to, "%s0x%x", to == text ? "" : ",", mask);
	return text;
}

static char *rights_text(__u32 mask, char text[RIGHTS_TEXT])
{
	if (mask != EVNTRACE_RIGHTS_ALL)
		return names_text(mask, text);
	snprintf(text, RIGHTS_TEXT, "all");
	return text;
}

static char *subject_text(const struct evntrace_access *e,
			  char text[WHO_TEXT])
{
	struct group *group = NULL;

	if (e->subject == EVNTRACE_SUBJECT_USER)
		return user_name(e->id, text, WHO_TEXT);
	for (size_t i = 0; i < WHO_NAMES; i++) {
		if (e->subject != subject_names[i].subject)
			continue;
		snprintf(text, WHO_TEXT, "%s", subject_names[i].name);
		return text;
	}
	group = getgrgid(e->id);
	if (group)
		snprintf(text, WHO_TEXT, "@%s", group->gr_name);
	else
		snprintf(text, WHO_TEXT, "@%u", e->id);
	return text;
}

static const char *selection(const struct evntrace_access *e)
{
	return e->flags & EVNTRACE_ACCESS_DENY ? "deny" : "allow";
}

static void print_object(const struct evntrace_access *e)
{
	json_object *object = json_object_new_object();
	char subject[WHO_TEXT], text[RIGHTS_TEXT];

	json_add_guid(object, "guid", e->guid.b);
	json_add_text(object, "access", selection(e));
	json_add_text(object, "who", subject_text(e, subject));
	if (e->subject == EVNTRACE_SUBJECT_USER)
		json_add_number(object, "uid", e->id);
	if (e->subject == EVNTRACE_SUBJECT_GROUP)
		json_add_number(object, "gid", e->id);
	json_add_text(object, "rights", rights_text(e->rights, text));
	json_add_mask(object, "mask", e->rights);
	json_print(object);
}

static int print_entries(const struct evntrace_access *e, size_t count,
			 bool json)
{
	static const struct evntprov_guid default_id = EVNTRACE_ACCESS_DEFAULT;
	char id[GUID_TEXT], subject[WHO_TEXT], text[RIGHTS_TEXT];
	struct table table = { .columns = 4 };

	if (!json)
		table_add(&table, (const char *[]){
			"ID", "ACCESS", "WHO", "RIGHTS"
		});
	for (; count; count--, e++) {
		if (json) {
			print_object(e);
			continue;
		}
		format_guid(e->guid.b, id);
		if (!memcmp(&e->guid, &default_id, sizeof(default_id)))
			snprintf(id, sizeof(id), "default");
		table_add(&table, (const char *[]){
			id, selection(e), subject_text(e, subject),
			rights_text(e->rights, text),
		});
	}
	table_print(&table);
	return end_output(EVNT_DONE);
}

/* Parse a numeric uid or gid; UINT32_MAX is reserved */
static bool parse_number(const char *text, __u32 *id)
{
	char *end;
	unsigned long n;

	errno = 0;
	n = strtoul(text, &end, 10);
	*id = n;
	return *text >= '0' && *text <= '9' && !*end && !errno && n < UINT32_MAX;
}

static bool parse_who(const char *text, struct evntrace_access *arg)
{
	const struct passwd *user;
	const struct group *group;

	for (size_t i = 0; i < WHO_NAMES; i++) {
		if (strcmp(text, subject_names[i].name) != 0)
			continue;
		arg->subject = subject_names[i].subject;
		return true;
	}
	if (*text == '@') {
		arg->subject = EVNTRACE_SUBJECT_GROUP;
		group = getgrnam(text + 1);
		if (!group)
			return parse_number(text + 1, &arg->id);
		arg->id = group->gr_gid;
		return true;
	}
	arg->subject = EVNTRACE_SUBJECT_USER;
	user = getpwnam(text);
	if (!user)
		return parse_number(text, &arg->id);
	arg->id = user->pw_uid;
	return true;
}

static __u32 right_of(const char *name, size_t len)
{
	if (len == 3 && !strncmp(name, "all", 3))
		return EVNTRACE_RIGHTS_ALL;
	for (size_t i = 0; i < RIGHTS; i++) {
		if (strlen(rights[i].name) == len &&
		    !strncmp(rights[i].name, name, len))
			return rights[i].bit;
	}
	return 0;
}

/* Parse a comma-separated list of rights */
static int parse_rights(const char *text, __u32 *mask)
{
	char names[RIGHTS_TEXT];
	__u32 bit, all = 0;
	size_t len;

	for (;; text++) {
		len = strcspn(text, ",");
		bit = right_of(text, len);
		if (!bit)
			break;
		*mask |= bit;
		text += len;
		if (!*text)
			return EVNT_DONE;
	}
	for (size_t i = 0; i < RIGHTS; i++)
		all |= rights[i].bit;
	return usage_error(&access_verb, "'%.*s' is no right: these are %s, and"
			   " all", (int)len, text, names_text(all, names));
}

static int change_access(struct evntrace_access *arg)
{
	int device = dev_open(), exit_code = EVNT_DONE;

	if (device < 0)
		return EVNT_FAILED;
	arg->size = sizeof(*arg);
	if (!ioctl(device, EVNTRACE_IOC_SET_ACCESS, arg))
		exit_code = EVNT_DONE;
	else if (errno == EPERM)
		exit_code = failed("only root may change access rights:"
				   " become root, as with sudo");
	else if (errno == EUSERS)
		exit_code = failed("the maximum number of entries or lists is"
				   " reached: remove some");
	else
		exit_code = failed("cannot change access rights: %s",
				   dev_error(errno));
	close(device);
	return exit_code;
}

/**
 * struct options - options of the verb
 * @only: allow: replace all entries
 * @json: list: print JSON
 */
struct options {
	bool only;
	bool json;
};

static int run_list(char **argv, const struct options *options)
{
	int device = dev_open(), error, exit_code;
	size_t count;
	void *e;

	(void)argv;
	if (device < 0)
		return EVNT_FAILED;
	error = dev_list(device, EVNTRACE_LIST_ACCESS,
			 sizeof(struct evntrace_access), &e, &count);
	if (error)
		exit_code = failed("cannot list the access rights: %s",
				   dev_error(error));
	else
		exit_code = print_entries(e, count, options->json);
	free(e);
	close(device);
	return exit_code;
}

static int take_id(const char *text, struct evntrace_access *arg)
{
	static const struct evntprov_guid default_id = EVNTRACE_ACCESS_DEFAULT;
	struct spec_list specs = { NULL, 0 };
	char why[256];
	bool done;

	if (!strcmp(text, "default")) {
		arg->guid = default_id;
		return EVNT_DONE;
	}
	done = spec_parse(&specs, text, why, sizeof(why)) &&
	       specs.count == 1 && !specs.specs->lookup;
	if (done)
		memcpy(&arg->guid, &specs.specs->id, sizeof(arg->guid));
	spec_free(&specs);
	if (done)
		return EVNT_DONE;
	return usage_error(&access_verb, "'%s' is no GUID, *NAME or default",
			   text);
}

static int run_remove(char **argv, const struct options *options)
{
	struct evntrace_access arg = { .operation = EVNTRACE_ACCESS_REMOVE };

	(void)options;
	return take_id(argv[0], &arg) ?: change_access(&arg);
}

/* Parse the arguments ID, WHO and RIGHTS and change the access entry */
static int run_entry(char **argv, struct evntrace_access *arg)
{
	int error = take_id(argv[0], arg);

	if (error)
		return error;
	if (!parse_who(argv[1], arg))
		return usage_error(&access_verb,
				   "there is no user or @GROUP '%s'", argv[1]);
	return parse_rights(argv[2], &arg->rights) ?: change_access(arg);
}

static int run_allow(char **argv, const struct options *options)
{
	struct evntrace_access arg = {
		.operation = options->only ? EVNTRACE_ACCESS_SET :
					     EVNTRACE_ACCESS_ADD,
	};

	return run_entry(argv, &arg);
}

static int run_deny(char **argv, const struct options *options)
{
	struct evntrace_access arg = {
		.flags = EVNTRACE_ACCESS_DENY,
		.operation = EVNTRACE_ACCESS_ADD,
	};

	(void)options;
	return run_entry(argv, &arg);
}

static const struct command {
	const char *name;
	const char *takes;
	int arguments;
	int (*run)(char **argv, const struct options *options);
} commands[] = {
	{ "list", "no argument", 0, run_list },
	{ "allow", "ID, WHO, RIGHTS", 3, run_allow },
	{ "deny", "ID, WHO, RIGHTS", 3, run_deny },
	{ "remove", "one ID", 1, run_remove },
};

static int run(int argc, char **argv)
{
	struct options options = { .only = false };
	const struct command *command = NULL;
	int error = parse_options(&access_verb, argc, argv, &options);

	if (error)
		return error;
	argv += optind;
	if (!*argv)
		return usage_error(&access_verb,
				   "list, allow, deny or remove?");
	for (size_t i = 0; i < sizeof(commands) / sizeof(*commands); i++) {
		if (!strcmp(*argv, commands[i].name))
			command = &commands[i];
	}
	if (!command)
		return usage_error(&access_verb, "access takes list, allow,"
				   " deny or remove, not '%s'", *argv);
	if (argc - optind != command->arguments + 1)
		return usage_error(&access_verb, "%s takes %s", command->name,
				   command->takes);
	if (options.only && command->run != run_allow)
		return usage_error(&access_verb, "--only goes with allow");
	if (options.json && command->run != run_list)
		return usage_error(&access_verb, "--json goes with list");
	return command->run(argv + 1, &options);
}

#define AT(field)	offsetof(struct options, field)

static const struct option_row rows[] = {
	{ .value = "ID",
	  .text = "the GUID of a provider or a session; *NAME, whose hash is"
		  " the GUID; or default: all without a list of their own" },
	{ .value = "WHO",
	  .text = "a user; a group, after @; owner, the user that started the"
		  " session; admin, callers with CAP_SYS_ADMIN; or everyone" },
	{ .value = "RIGHT",
	  .text = "for a session: query, create-ondisk, create-realtime,"
		  " consume, log; for a provider: register, enable; for a"
		  " group: join, enable; or all" },
	OPTION_ROW("only", 0, NULL, "replace all existing entries", AT(only)),
	OPTION_ROW("json", 0, NULL,
		   "print a JSON object per line; see evnt-access(1) for its keys",
		   AT(json)),
	HELP_ROW,
	{}
};

const struct verb access_verb = {
	.name = "access",
	.summary = "show or change access rights",
	.synopsis = "list [--json]\n"
		    "allow [--only] ID WHO RIGHT[,RIGHT...]\n"
		    "deny ID WHO RIGHT[,RIGHT...]\n"
		    "remove ID",
	.about = about,
	.options = rows,
	.notes = notes,
	.arguments = { "list allow deny remove", "default PROVIDER" },
	.run = run,
};
