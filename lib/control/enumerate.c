// SPDX-License-Identifier: MIT
/*
 * Registered providers and their enablements: EnumerateTraceGuidsEx and its
 * older form.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <linux/evntrace.h>

#include "lib/base/cancel.h"
#include "lib/control/device_list.h"
#include "evntrace.h"
#include "lib/control/trace_control.h"

/* Registrations and enablements, in the module's order */
struct providers {
	struct evntrace_registration *registrations;
	struct evntrace_enablement *enablements;
	size_t registration_count;
	size_t enablement_count;
};

static void providers_free(struct providers *p)
{
	free(p->registrations);
	free(p->enablements);
}

/* Query both lists; free with providers_free() after success */
static ULONG providers_get(struct providers *p)
{
	void *elements;
	ULONG code;
	int device, err;

	*p = (struct providers) { NULL, NULL, 0, 0 };
	code = evnt_control_device_open(&device);
	if (code)
		return code;
	err = evnt_device_list(device, EVNTRACE_LIST_REGISTRATIONS,
			       sizeof(*p->registrations), &elements,
			       &p->registration_count);
	p->registrations = elements;
	if (err)
		goto close_device;
	err = evnt_device_list(device, EVNTRACE_LIST_ENABLEMENTS,
			       sizeof(*p->enablements), &elements,
			       &p->enablement_count);
	p->enablements = elements;
close_device:
	code = err ? evnt_win32(err) : ERROR_SUCCESS;
	close(device);
	if (code)
		providers_free(p);
	return code;
}

static const struct evntprov_guid no_group;

static bool same_id(const struct evntprov_guid *a, const void *b)
{
	return !memcmp(a, b, sizeof(*a));
}

/* Provider or group that is queried */
struct enumeration_subject {
	GUID id;
	bool is_group;
};

static bool is_group(const struct evntrace_enablement *e)
{
	return e->property & EVNTRACE_PROPERTY_PROVIDER_GROUP;
}

/* Test whether a registration is one of a provider, or a member of a group */
static bool is_instance(const struct evntrace_registration *r,
			const struct enumeration_subject *s)
{
	return same_id(s->is_group ? &r->group : &r->provider, &s->id);
}

/* Test for a provider's first registration, in process @pid unless that is 0 */
static bool is_first(const struct providers *p, ULONG i, ULONG pid)
{
	const struct evntrace_registration *r = p->registrations;
	ULONG j;

	if (pid && r[i].pid != pid)
		return false;
	/* Registrations of a provider are adjacent */
	for (j = i; j && same_id(&r[j - 1].provider, &r[i].provider); j--) {
		if (!pid || r[j - 1].pid == pid)
			return false;
	}
	return true;
}

/* Output buffer; @len keeps counting beyond @room */
struct answer {
	char *to;
	ULONG room;
	ULONG len;
};

static void put(struct answer *a, const void *data, ULONG len)
{
	if (a->len + len <= a->room)
		memcpy(a->to + a->len, data, len);
	a->len += len;
}

/* TraceGuidQueryList, TraceGuidQueryProcess */
static void put_ids(struct answer *a, const struct providers *p, ULONG pid)
{
	ULONG i;

	for (i = 0; i < p->registration_count; i++) {
		if (is_first(p, i, pid))
			put(a, &p->registrations[i].provider, sizeof(GUID));
	}
}

/* Test whether no earlier registration is a member of the same group */
static bool is_first_member(const struct providers *p, ULONG i)
{
	const struct evntrace_registration *r = p->registrations;
	ULONG j;

	if (same_id(&r[i].group, &no_group))
		return false;
	for (j = 0; j < i; j++) {
		if (same_id(&r[j].group, &r[i].group))
			return false;
	}
	return true;
}

/* Test for the first enablement of a group that has no members */
static bool is_first_group(const struct providers *p, ULONG i)
{
	const struct evntrace_enablement *e = p->enablements;
	ULONG j;

	if (!is_group(&e[i]))
		return false;
	for (j = 0; j < i; j++) {
		if (is_group(&e[j]) && same_id(&e[j].provider, &e[i].provider))
			return false;
	}
	for (j = 0; j < p->registration_count; j++) {
		if (same_id(&p->registrations[j].group, &e[i].provider))
			return false;
	}
	return true;
}

/* TraceGroupQueryList */
static void put_groups(struct answer *a, const struct providers *p)
{
	ULONG i;

	for (i = 0; i < p->registration_count; i++) {
		if (is_first_member(p, i))
			put(a, &p->registrations[i].group, sizeof(GUID));
	}
	for (i = 0; i < p->enablement_count; i++) {
		if (is_first_group(p, i))
			put(a, &p->enablements[i].provider, sizeof(GUID));
	}
}

/*
 * Bit mask of the sessions that have enabled a registration.  A scope filter,
 * or a session's list of providers that no group enables, may exclude it.
 */
#define ALL_SESSIONS	(~0ull)

static bool is_enabled_by(const struct evntrace_enablement *e,
			  const struct enumeration_subject *s, ULONG64 sessions)
{
	return is_group(e) == s->is_group && same_id(&e->provider, &s->id) &&
	       sessions >> EVNTRACE_HANDLE_ID(e->handle) & 1;
}

static ULONG count_enables(const struct providers *p,
			   const struct enumeration_subject *s,
			   ULONG64 sessions)
{
	ULONG i, count = 0;

	for (i = 0; i < p->enablement_count; i++)
		count += is_enabled_by(&p->enablements[i], s, sessions);
	return count;
}

/* @r: NULL for a provider that is enabled but not registered */
static void put_instance(struct answer *a, const struct providers *p,
			 const struct enumeration_subject *s,
			 const struct evntrace_registration *r, bool more)
{
	const struct evntrace_enablement *e = p->enablements;
	const struct evntrace_enablement *end = e + p->enablement_count;
	TRACE_PROVIDER_INSTANCE_INFO info = {
		.Flags = TRACE_PROVIDER_FLAG_PRE_ENABLE,
	};
	ULONG64 sessions = ALL_SESSIONS;
	TRACE_ENABLE_INFO enable;

	if (r) {
		sessions = s->is_group ? r->group_sessions : r->sessions;
		info.Pid = r->pid;
		info.Flags = r->flags & EVNTPROV_REGISTER_CLASSIC ?
			     TRACE_PROVIDER_FLAG_LEGACY : 0;
	}
	info.EnableCount = count_enables(p, s, sessions);
	if (more)
		info.NextOffset = sizeof(info) +
				  info.EnableCount * sizeof(enable);
	put(a, &info, sizeof(info));
	for (; e < end; e++) {
		if (!is_enabled_by(e, s, sessions))
			continue;
		enable = (TRACE_ENABLE_INFO) {
			.IsEnabled = TRUE,
			.Level = e->level,
			.LoggerId = EVNTRACE_HANDLE_ID(e->handle),
			.EnableProperty = e->property,
			.MatchAnyKeyword = e->match_any,
			.MatchAllKeyword = e->match_all,
		};
		put(a, &enable, sizeof(enable));
	}
}

/*
 * TraceGuidQueryInfo, TraceGroupQueryInfo.  A provider that is enabled but not
 * registered, or a group without members, gets one instance without a process.
 */
static ULONG put_info(struct answer *a, const struct providers *p,
		      const struct enumeration_subject *s)
{
	TRACE_GUID_INFO info = { .InstanceCount = 1 };
	ULONG i, left = 0;

	for (i = 0; i < p->registration_count; i++)
		left += is_instance(&p->registrations[i], s);
	if (left)
		info.InstanceCount = left;
	else if (!count_enables(p, s, ALL_SESSIONS))
		return ERROR_WMI_GUID_NOT_FOUND;
	put(a, &info, sizeof(info));
	if (!left)
		put_instance(a, p, s, NULL, false);
	for (i = 0; i < p->registration_count && left; i++) {
		if (is_instance(&p->registrations[i], s))
			put_instance(a, p, s, &p->registrations[i], --left);
	}
	return ERROR_SUCCESS;
}

/* TraceMaxLoggersQuery */
static ULONG put_max_sessions(struct answer *a)
{
	struct evntprov_version version = { .size = sizeof(version) };
	ULONG code;
	int device;

	code = evnt_control_device_open(&device);
	if (code)
		return code;
	code = evnt_trace_call(device, EVNTPROV_IOC_VERSION, &version);
	close(device);
	put(a, &version.max_sessions, sizeof(ULONG));
	return code;
}

/* Test for queries of one provider or group */
static bool is_of_one(TRACE_QUERY_INFO_CLASS class)
{
	return class == TraceGuidQueryInfo || class == TraceGroupQueryInfo;
}

static ULONG answer_query(TRACE_QUERY_INFO_CLASS class, const void *in,
			  struct answer *a)
{
	struct enumeration_subject s = { .is_group = class ==
						     TraceGroupQueryInfo };
	struct providers p;
	ULONG code;

	if (class == TraceMaxLoggersQuery)
		return put_max_sessions(a);
	code = providers_get(&p);
	if (code)
		return code;
	if (is_of_one(class)) {
		memcpy(&s.id, in, sizeof(s.id));
		code = put_info(a, &p, &s);
	} else if (class == TraceGroupQueryList) {
		put_groups(a, &p);
	} else {
		put_ids(a, &p, class == TraceGuidQueryProcess ? getpid() : 0);
	}
	providers_free(&p);
	return code;
}

static bool is_known(TRACE_QUERY_INFO_CLASS class)
{
	return class <= TraceGuidQueryProcess || class == TraceGroupQueryList ||
	       class == TraceGroupQueryInfo || class == TraceMaxLoggersQuery;
}

/**
 * EnumerateTraceGuidsEx() - list providers and the sessions that have enabled
 * them
 * @TraceQueryInfoClass: TraceGuidQueryList: ids of all registered providers;
 *	TraceGuidQueryProcess: ids of the providers of this process;
 *	TraceGuidQueryInfo: registrations of a provider, and the sessions that
 *	have enabled each by the provider's id; TraceGroupQueryList: ids of
 *	groups that have members or that a session has enabled;
 *	TraceGroupQueryInfo: members of a group, and the sessions that have
 *	enabled each by the group; TraceMaxLoggersQuery: maximum number of
 *	sessions
 * @InBuffer: GUID for TraceGuidQueryInfo and TraceGroupQueryInfo
 * @InBufferSize: size of @InBuffer in bytes
 * @OutBuffer: array of GUID, TRACE_GUID_INFO with the structures that follow
 *	it, or ULONG
 * @OutBufferSize: size in bytes, or 0 to query the required size
 * @ReturnLength: out: size of the result in bytes
 *
 * Return: ERROR_SUCCESS; ERROR_INVALID_PARAMETER for NULL, wrong sizes and
 * unknown classes; ERROR_INSUFFICIENT_BUFFER if @OutBuffer is too small, and
 * its contents are undefined; ERROR_WMI_GUID_NOT_FOUND if a provider is neither
 * registered nor enabled, or a group has no members and is not enabled;
 * ERROR_NOT_SUPPORTED for other classes; ERROR_ACCESS_DENIED.
 *
 * https://learn.microsoft.com/windows/win32/api/evntrace/nf-evntrace-enumeratetraceguidsex
 */
EVNT_PUBLIC ULONG WMIAPI
EnumerateTraceGuidsEx(TRACE_QUERY_INFO_CLASS TraceQueryInfoClass,
		      PVOID InBuffer, ULONG InBufferSize, PVOID OutBuffer,
		      ULONG OutBufferSize, PULONG ReturnLength)
{
	EVNT_UNCANCELLED;
	struct answer a = { OutBuffer, OutBufferSize, 0 };
	ULONG code;

	if (!ReturnLength || (OutBufferSize && !OutBuffer) ||
	    (unsigned int)TraceQueryInfoClass >= MaxTraceSetInfoClass)
		return ERROR_INVALID_PARAMETER;
	if (!is_known(TraceQueryInfoClass))
		return ERROR_NOT_SUPPORTED;
	if (is_of_one(TraceQueryInfoClass) &&
	    (!InBuffer || InBufferSize != sizeof(GUID)))
		return ERROR_INVALID_PARAMETER;
	*ReturnLength = 0;
	code = answer_query(TraceQueryInfoClass, InBuffer, &a);
	if (code)
		return code;
	*ReturnLength = a.len;
	return a.len <= a.room ? ERROR_SUCCESS : ERROR_INSUFFICIENT_BUFFER;
}

/*
 * Describe a provider with the session that has enabled it last, which a module
 * without orders lists last.
 */
static TRACE_GUID_PROPERTIES properties_of(const struct providers *p,
					   const struct evntprov_guid *id)
{
	TRACE_GUID_PROPERTIES g = { .GuidType = 0 };
	const struct evntrace_enablement *e = p->enablements;
	const struct evntrace_enablement *end = e + p->enablement_count;
	unsigned int order = 0;

	memcpy(&g.Guid, id, sizeof(g.Guid));
	for (; e < end; e++) {
		if (is_group(e) || !same_id(&e->provider, id) ||
		    e->order < order)
			continue;
		order = e->order;
		g.IsEnable = TRUE;
		g.LoggerId = EVNTRACE_HANDLE_ID(e->handle);
		g.EnableLevel = e->level;
		g.EnableFlags = e->match_any;
	}
	return g;
}

/**
 * EnumerateTraceGuids() - list the registered providers
 * @GuidPropertiesArray: pointers to elements to fill in
 * @PropertyArrayCount: number of elements
 * @GuidCount: out: number of providers
 *
 * Each provider is listed once, with the session that has enabled it last.
 *
 * Return: ERROR_SUCCESS; ERROR_INVALID_PARAMETER for NULL and 0;
 * ERROR_MORE_DATA if there are more providers than elements, all of which are
 * filled in; ERROR_ACCESS_DENIED.
 *
 * https://learn.microsoft.com/windows/win32/api/evntrace/nf-evntrace-enumeratetraceguids
 */
EVNT_PUBLIC ULONG WMIAPI
EnumerateTraceGuids(PTRACE_GUID_PROPERTIES *GuidPropertiesArray,
		    ULONG PropertyArrayCount, PULONG GuidCount)
{
	EVNT_UNCANCELLED;
	struct providers p;
	ULONG i, code, count = 0;

	if (!GuidPropertiesArray || !PropertyArrayCount || !GuidCount)
		return ERROR_INVALID_PARAMETER;
	for (i = 0; i < PropertyArrayCount; i++) {
		if (!GuidPropertiesArray[i])
			return ERROR_INVALID_PARAMETER;
	}
	code = providers_get(&p);
	if (code)
		return code;
	for (i = 0; i < p.registration_count; i++) {
		if (!is_first(&p, i, 0))
			continue;
		if (count < PropertyArrayCount)
			*GuidPropertiesArray[count] =
				properties_of(&p, &p.registrations[i].provider);
		count++;
	}
	providers_free(&p);
	*GuidCount = count;
	return count <= PropertyArrayCount ? ERROR_SUCCESS : ERROR_MORE_DATA;
}
