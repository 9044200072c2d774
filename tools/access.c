// SPDX-License-Identifier: MIT
/* evnt access: who may do what with a provider or a session. */
#include <errno.h>
#include <getopt.h>
#include <grp.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "evnt.h"
#include "json.h"
#include "process.h"
#include "spec.h"
#include "table.h"
#include "trace_door.h"

static const char help[] =
"Usage: evnt access list [--json]\n"
"       evnt access allow [--only] ID WHO RIGHT[,RIGHT...]\n"
"       evnt access deny ID WHO RIGHT[,RIGHT...]\n"
"       evnt access remove ID\n"
"Says who may do what with a provider or a session, or changes it.\n\n"
"  ID         the GUID of a provider or a session; *NAME, whose hash is the\n"
"             GUID; or default: for all that have no list of their own\n"
"  WHO        a user; a group, after @; owner, the user that started the\n"
"             session; admin, callers with CAP_SYS_ADMIN; or everyone\n"
"  RIGHT      of a session: query, create-ondisk, create-realtime, consume,\n"
"             log; of a provider: register, enable; of a group: join,\n"
"             enable; or all\n"
"  --only     nobody else: replace what was allowed and denied\n"
"  --json     one object of JSON a line; see evnt-access(1) for its keys\n"
"  -h, --help print this\n\n"
"Who is denied something may not do it, whatever allows it.  Where there is no\n"
"list, owner and admin may do all; everyone may query, log, register, enable\n"
"and join, and start sessions of his own.\n\n"
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

/* Those that have no number */
static const struct {
	const char *name;
	__u32 who;
} who_names[] = {
	{ "everyone", EVNTRACE_WHO_EVERYONE },
	{ "owner", EVNTRACE_WHO_OWNER },
	{ "admin", EVNTRACE_WHO_ADMIN },
};

#define WHO_NAMES	(sizeof(who_names) / sizeof(who_names[0]))
#define RIGHTS		(sizeof(rights) / sizeof(rights[0]))
#define RIGHTS_TEXT	128
#define WHO_TEXT	64

/* What has a name here, and in hex what has none */
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

static char *who_text(const struct evntrace_access_entry *e,
		      char text[WHO_TEXT])
{
	struct group *group = NULL;

	if (e->who == EVNTRACE_WHO_USER)
		return user_name(e->id, text, WHO_TEXT);
	for (size_t i = 0; i < WHO_NAMES; i++) {
		if (e->who != who_names[i].who)
			continue;
		snprintf(text, WHO_TEXT, "%s", who_names[i].name);
		return text;
	}
	group = getgrgid(e->id);
	if (group)
		snprintf(text, WHO_TEXT, "@%s", group->gr_name);
	else
		snprintf(text, WHO_TEXT, "@%u", e->id);
	return text;
}

static char *id_text(const struct evntrace_access_entry *e,
		     char text[GUID_TEXT])
{
	static const struct evntprov_guid default_id = EVNTRACE_ACCESS_DEFAULT;

	format_guid(e->guid.b, text);
	if (!memcmp(&e->guid, &default_id, sizeof(default_id)))
		snprintf(text, GUID_TEXT, "default");
	return text;
}

static const char *verdict(const struct evntrace_access_entry *e)
{
	return e->flags & EVNTRACE_ACCESS_DENY ? "deny" : "allow";
}

static void print_object(const struct evntrace_access_entry *e)
{
	json_object *object = json_object_new_object();
	char who[WHO_TEXT], text[RIGHTS_TEXT];

	json_add_guid(object, "guid", e->guid.b);
	json_add_text(object, "access", verdict(e));
	json_add_text(object, "who", who_text(e, who));
	if (e->who == EVNTRACE_WHO_USER)
		json_add_number(object, "uid", e->id);
	if (e->who == EVNTRACE_WHO_GROUP)
		json_add_number(object, "gid", e->id);
	json_add_text(object, "rights", rights_text(e->rights, text));
	json_add_mask(object, "mask", e->rights);
	json_print(object);
}

static void add_row(struct table *table, const struct evntrace_access_entry *e)
{
	char id[GUID_TEXT], who[WHO_TEXT], text[RIGHTS_TEXT];

	table_add(table, (const char *[]){
		id_text(e, id), verdict(e), who_text(e, who),
		rights_text(e->rights, text),
	});
}

static int print_entries(const struct evntrace_access_entry *e, size_t count,
			 bool json)
{
	struct table table = { .columns = 4 };

	if (!json)
		table_add(&table, (const char *[]){
			"ID", "ACCESS", "WHO", "RIGHTS"
		});
	for (size_t i = 0; i < count; i++) {
		if (json)
			print_object(&e[i]);
		else
			add_row(&table, &e[i]);
	}
	table_print(&table);
	return end_output(EVNT_DONE);
}

static int list_access(int door, bool json)
{
	size_t count;
	void *e;
	int error = door_list(door, EVNTRACE_LIST_ACCESS,
			      sizeof(struct evntrace_access_entry), &e, &count);
	int exit_code = error ? failed("cannot list who may do what: %s",
				       door_error(error)) :
				print_entries(e, count, json);

	free(e);
	return exit_code;
}

/* A number that is no name */
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
		if (strcmp(text, who_names[i].name) != 0)
			continue;
		arg->who = who_names[i].who;
		return true;
	}
	if (*text == '@') {
		arg->who = EVNTRACE_WHO_GROUP;
		group = getgrnam(text + 1);
		if (!group)
			return parse_number(text + 1, &arg->id);
		arg->id = group->gr_gid;
		return true;
	}
	arg->who = EVNTRACE_WHO_USER;
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

static int refuse_right(const char *name, int len)
{
	char all[RIGHTS_TEXT];
	__u32 mask = 0;

	for (size_t i = 0; i < RIGHTS; i++)
		mask |= rights[i].bit;
	return misused(&access_verb, "'%.*s' is no right: these are %s, and"
		       " all", len, name, names_text(mask, all));
}

/* Names with commas between */
static int parse_rights(const char *text, __u32 *mask)
{
	for (;; text++) {
		size_t len = strcspn(text, ",");
		__u32 bit = right_of(text, len);

		if (!bit)
			return refuse_right(text, len);
		*mask |= bit;
		text += len;
		if (!*text)
			return EVNT_DONE;
	}
}

static bool parse_id(const char *text, struct evntprov_guid *id)
{
	static const struct evntprov_guid default_id = EVNTRACE_ACCESS_DEFAULT;
	struct spec_list specs = { NULL, 0 };
	char why[256];
	bool done;

	if (!strcmp(text, "default")) {
		*id = default_id;
		return true;
	}
	done = spec_parse(&specs, text, why, sizeof(why)) &&
	       specs.count == 1 && !specs.specs->lookup;
	if (done)
		memcpy(id, &specs.specs->id, sizeof(*id));
	spec_free(&specs);
	return done;
}

static int change_access(struct evntrace_access *arg)
{
	int door = door_open(), exit_code = EVNT_DONE;

	if (door < 0)
		return EVNT_FAILED;
	arg->size = sizeof(*arg);
	if (!ioctl(door, EVNTRACE_IOC_ACCESS, arg))
		exit_code = EVNT_DONE;
	else if (errno == EPERM)
		exit_code = failed("only root may change who may do what:"
				   " become root, as with sudo");
	else if (errno == EUSERS)
		exit_code = failed("there are as many entries, or lists, as"
				   " there may be: remove some");
	else
		exit_code = failed("cannot change who may do what: %s",
				   door_error(errno));
	close(door);
	return exit_code;
}

static int run_list(int argc, char **argv)
{
	int door, exit_code;
	bool json = false;

	if (!list_options(&access_verb, argc, argv, &json, &exit_code))
		return exit_code;
	door = door_open();
	if (door < 0)
		return EVNT_FAILED;
	exit_code = list_access(door, json);
	close(door);
	return exit_code;
}

static int run_remove(int argc, char **argv)
{
	struct evntrace_access arg = { .operation = EVNTRACE_ACCESS_REMOVE };

	if (argc != 2)
		return misused(&access_verb, "remove takes one ID");
	if (!parse_id(argv[1], &arg.guid))
		return misused(&access_verb, "'%s' is no GUID, *NAME or"
			       " default", argv[1]);
	return change_access(&arg);
}

/* ID, WHO and RIGHTS */
static int run_entry(char **argv, struct evntrace_access *arg)
{
	if (!parse_id(argv[0], &arg->guid))
		return misused(&access_verb, "'%s' is no GUID, *NAME or"
			       " default", argv[0]);
	if (!parse_who(argv[1], arg))
		return misused(&access_verb, "there is no user or @GROUP '%s'",
			       argv[1]);
	return parse_rights(argv[2], &arg->rights) ?: change_access(arg);
}

static int run_allow(int argc, char **argv)
{
	struct evntrace_access arg = { .operation = EVNTRACE_ACCESS_ADD };
	bool only = argc > 1 && !strcmp(argv[1], "--only");

	if (only) {
		arg.operation = EVNTRACE_ACCESS_SET;
		argc--;
		argv++;
	}
	if (argc != 4)
		return misused(&access_verb, "allow takes ID, WHO, RIGHTS");
	return run_entry(argv + 1, &arg);
}

static int run_deny(int argc, char **argv)
{
	struct evntrace_access arg = {
		.flags = EVNTRACE_ACCESS_DENY,
		.operation = EVNTRACE_ACCESS_ADD,
	};

	if (argc != 4)
		return misused(&access_verb, "deny takes ID, WHO, RIGHTS");
	return run_entry(argv + 1, &arg);
}

static int run(int argc, char **argv)
{
	static const struct {
		const char *name;
		int (*run)(int argc, char **argv);
	} commands[] = {
		{ "list", run_list }, { "allow", run_allow },
		{ "deny", run_deny }, { "remove", run_remove },
	};

	if (argc > 1 && (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h")))
		return print_help(&access_verb);
	if (argc < 2)
		return misused(&access_verb, "list, allow, deny or remove?");
	for (size_t i = 0; i < sizeof(commands) / sizeof(*commands); i++) {
		if (!strcmp(argv[1], commands[i].name))
			return commands[i].run(argc - 1, argv + 1);
	}
	return misused(&access_verb, "access takes list, allow,"
		       " deny or remove, not '%s'", argv[1]);
}

const struct verb access_verb = {
	.name = "access",
	.summary = "say who may do what",
	.help = help,
	.run = run,
};
