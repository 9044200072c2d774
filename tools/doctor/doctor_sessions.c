// SPDX-License-Identifier: MIT
/* Checks versions, sessions, session descriptions and providers */
#include <errno.h>
#include <inttypes.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <sys/statvfs.h>

#include "tools/autologger/autologger_list.h"
#include "tools/doctor/doctor.h"
#include "tools/session/losses.h"
#include "tools/session/mode.h"
#include "tools/session/registered.h"
#include "tools/session/session_list.h"

#define VERSIONS	"versions"
#define SESSION		"session"
#define AUTOLOGGER	"autologger"
#define PROVIDERS	"providers"
#define HELPER		"/usr/sbin/evnt-autologger"

/* Free space in MB below which a disk counts as full */
#define FEW_MB		16

/* Ioctls of the device that this program needs, with their purpose */
static const struct {
	unsigned int command;
	const char *what;
} requested[] = {
	{ EVNTRACE_IOC_START, "start sessions" },
	{ EVNTRACE_IOC_OPEN, "show, change, stop and read sessions" },
	{ EVNTRACE_IOC_LIST, "list sessions and providers" },
	{ EVNTRACE_IOC_SET_ACCESS, "change access lists" },
};

/* A module that knows an ioctl refuses an argument of size zero */
static bool is_known(int device, unsigned int command)
{
	__u64 argument = 0;

	return !ioctl(device, command, &argument) || errno != ENOTTY;
}

static void check_requested(struct doctor *d, int device)
{
	char what[512] = "";
	size_t len = 0;

	for (size_t i = 0; i < sizeof(requested) / sizeof(*requested); i++) {
		if (!is_known(device, requested[i].command) &&
		    len < sizeof(what))
			len += snprintf(what + len, sizeof(what) - len, "%s%s",
					len ? ", " : "", requested[i].what);
	}
	if (!len)
		return;
	found(&d->f, FINDING_PROBLEM, VERSIONS, "the module is older than this"
	      " program, and cannot: %s", what);
	advise(&d->f, "upgrade the module (package evntprov-dkms) to %s, then"
	       " 'rmmod evntprov' and 'modprobe evntprov' as root; everything"
	       " else works until then", EVNT_VERSION);
}

void doctor_versions(struct doctor *d, int device)
{
	struct evntprov_version version = { .size = sizeof(version) };
	json_object *object;

	if (ioctl(device, EVNTPROV_IOC_VERSION, &version)) {
		found(&d->f, FINDING_PROBLEM, VERSIONS, "the module does not"
		      " report its version: %s", strerror(errno));
		return;
	}
	found(&d->f, FINDING_OK, VERSIONS, "the module's interface has features"
	      " 0x%llx; evnt is %s", version.features, EVNT_VERSION);
	object = finding_object(&d->f);
	if (object) {
		json_add_mask(object, "features", version.features);
		json_add_text(object, "program", EVNT_VERSION);
	}
	check_requested(d, device);
}

static void name_session(struct doctor *d, const struct dev_session *session)
{
	json_object *object = finding_object(&d->f);

	if (object)
		json_add_text(object, "session", session->name);
}

static bool check_room(struct doctor *d, const struct dev_session *session)
{
	/* Circular and preallocated logs never grow */
	static const __u32 bounded = EVENT_TRACE_FILE_MODE_CIRCULAR |
				     EVENT_TRACE_FILE_MODE_PREALLOCATE;
	char folder[sizeof(session->log_name)];
	struct statvfs fs;
	uint64_t mb;

	snprintf(folder, sizeof(folder), "%s", session->log_name);
	if (!*folder || session->info.log_file_mode & bounded ||
	    statvfs(dirname(folder), &fs))
		return false;
	mb = (uint64_t)fs.f_bavail * fs.f_frsize >> 20;
	if (mb >= FEW_MB)
		return false;
	found(&d->f, FINDING_PROBLEM, SESSION, "'%s' writes to '%s', where %"
	      PRIu64 " MB are left", session->name, session->log_name, mb);
	advise(&d->f, "make room there, or switch to another file: 'evnt update"
	       " -o FILE %s'", session->name);
	name_session(d, session);
	return true;
}

static void check_session(struct doctor *d, const struct dev_session *session,
			  size_t enabled)
{
	const struct evntrace_session *info = &session->info;
	struct loss_text loss;
	bool is_ill = false;

	for (size_t at = 0; losses_next(session, &at, &loss); ) {
		found(&d->f, FINDING_PROBLEM, SESSION, "'%s' %s", session->name,
		      loss.text);
		if (*loss.advice)
			advise(&d->f, "%s", loss.advice);
		name_session(d, session);
		is_ill = true;
	}
	is_ill |= check_room(d, session);
	if (!enabled) {
		found(&d->f, FINDING_NOTE, SESSION, "'%s' has enabled no"
		      " provider, and records nothing", session->name);
		advise(&d->f, "run 'evnt enable %s PROVIDER'; 'evnt providers'"
		       " lists those that are registered", session->name);
	} else if (!is_ill) {
		found(&d->f, FINDING_OK, SESSION, "'%s': %" PRIu64 " events,"
		      " none lost; %u of %u buffers are free; %zu %s enabled",
		      session->name, (uint64_t)info->events,
		      info->free_buffers, info->buffers, enabled,
		      enabled == 1 ? "provider" : "providers");
	} else {
		return;
	}
	name_session(d, session);
}

void doctor_sessions(struct doctor *d, int device)
{
	struct evntrace_enablement *enablements;
	struct session_list list;
	void *elements;
	size_t count;

	/* On an error, the list stays empty: another check reports it */
	dev_list(device, EVNTRACE_LIST_ENABLEMENTS, sizeof(*enablements),
		 &elements, &count);
	enablements = elements;
	if (list_sessions(device, &list))
		found(&d->f, FINDING_PROBLEM, SESSION, "the sessions cannot be"
		      " listed");
	else if (!list.count)
		found(&d->f, FINDING_OK, SESSION, "none runs");
	for (size_t i = 0; i < list.count; i++) {
		const struct dev_session *session = &list.sessions[i];
		size_t enabled = 0;

		for (size_t k = 0; k < count; k++)
			enabled += enablements[k].handle ==
				   session->info.handle;
		check_session(d, session, enabled);
	}
	free_sessions(&list);
	free(elements);
}

void doctor_autologgers(struct doctor *d)
{
	struct autologger_list list = { NULL, 0 };
	char folder[PATH_MAX];
	size_t starting = 0;

	doctor_path(d, folder, "%s", AUTOLOGGER_FOLDER);
	if (!autologger_list_read(&list, folder)) {
		found(&d->f, FINDING_PROBLEM, AUTOLOGGER, "'%s' cannot be read",
		      folder);
	} else if (autologger_list_errors(&list)) {
		found(&d->f, FINDING_PROBLEM, AUTOLOGGER, "descriptions in '%s'"
		      " are wrong: these sessions do not start", folder);
		advise(&d->f, "correct the errors that 'evnt autologger check'"
		       " reports");
	} else if (!list.count) {
		found(&d->f, FINDING_OK, AUTOLOGGER, "no session is described"
		      " that starts with the module");
	} else if (!doctor_has(d, HELPER)) {
		found(&d->f, FINDING_PROBLEM, AUTOLOGGER, "there are"
		      " descriptions in '%s', but no %s, which the module runs"
		      " to start them", folder, HELPER);
		advise(&d->f, "install the package evntprov-tools, or make it a"
		       " link to evnt");
	} else {
		for (size_t i = 0; i < list.count; i++)
			starting += list.all[i].start;
		found(&d->f, FINDING_OK, AUTOLOGGER, "%zu of %zu described"
		      " sessions start with the module", starting, list.count);
	}
	autologger_list_free(&list);
}

/* Return whether a registration belongs to the enabled provider or group */
static bool is_registered(const struct evntrace_enablement *enablement,
			  const struct evntrace_registration *registrations,
			  size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const struct evntrace_registration *r = &registrations[i];

		if (!memcmp(is_group(enablement) ? r->group.b : r->provider.b,
			    enablement->provider.b,
			    sizeof(enablement->provider.b)))
			return true;
	}
	return false;
}

void doctor_providers(struct doctor *d, int device)
{
	struct evntrace_registration *registrations;
	struct evntrace_enablement *enablements;
	struct dev_session session;
	size_t count, enabled;
	char id[GUID_TEXT];
	void *elements;

	dev_list(device, EVNTRACE_LIST_ENABLEMENTS, sizeof(*enablements),
		 &elements, &enabled);
	enablements = elements;
	if (list_registrations(device, &registrations, &count))
		found(&d->f, FINDING_PROBLEM, PROVIDERS, "the providers cannot"
		      " be listed");
	else
		found(&d->f, FINDING_OK, PROVIDERS, "%zu %s, %zu enabled by"
		      " sessions", count, count == 1 ? "registration" :
		      "registrations", enabled);
	for (size_t i = 0; i < enabled; i++) {
		const struct evntrace_enablement *e = &enablements[i];

		if (is_registered(e, registrations, count) ||
		    dev_query(device, e->handle, &session))
			continue;
		found(&d->f, FINDING_NOTE, PROVIDERS, "'%s' has enabled %s%s,"
		      " which no process has registered%s", session.name,
		      is_group(e) ? "group " : "",
		      format_guid(e->provider.b, id),
		      is_group(e) ? " a member of" : "");
		advise(&d->f, "start its program, which is recorded from its"
		       " first event on; if it runs, is the id right? 'evnt"
		       " providers' lists those that are registered");
		name_session(d, &session);
	}
	free(registrations);
	free(elements);
}
