// SPDX-License-Identifier: MIT
/*
 * Payload filters of manifests' events: TdhCreatePayloadFilter and what goes with
 * it.  What a filter asks is compiled in predicate.c.
 */
#include <stdlib.h>

#include "manifest_info.h"
#include "predicate.h"

_Static_assert(MAX_PREDICATES == ETW_MAX_PAYLOAD_PREDICATES &&
	       EVNTRACE_MAX_PROGRAM_SIZE == MAX_EVENT_FILTER_PAYLOAD_SIZE,
	       "limits of payload filters");

/**
 * struct payload_filter - what a caller has a pointer to
 * @provider: whose events it is for
 * @program: what it asks of one of these events
 */
struct payload_filter {
	GUID provider;
	struct bytes program;
};

/* UTF-8 with a nul, to be freed; NULL for NULL, or when there is no memory */
static char *narrow(const WCHAR *text)
{
	struct bytes b = { 0 };
	size_t len = 0;

	if (!text)
		return NULL;
	while (text[len])
		len++;
	bytes_add_utf8(&b, (const u8 *)text, len);
	bytes_add_u8(&b, 0);
	if (b.failed)
		bytes_free(&b);
	return (char *)b.data;
}

static void free_predicates(struct predicate *p, ULONG count)
{
	for (ULONG i = 0; i < count; i++) {
		free((char *)p[i].field);
		free((char *)p[i].value);
	}
}

static ULONG narrow_predicates(struct predicate *p,
			       const PAYLOAD_FILTER_PREDICATE *from,
			       ULONG count)
{
	for (ULONG i = 0; i < count; i++) {
		if (!from[i].FieldName || !from[i].Value)
			return ERROR_INVALID_PARAMETER;
	}
	for (ULONG i = 0; i < count; i++) {
		p[i].field = narrow(from[i].FieldName);
		p[i].op = from[i].CompareOp;
		p[i].value = narrow(from[i].Value);
		if (!p[i].field || !p[i].value)
			return ERROR_NOT_ENOUGH_MEMORY;
	}
	return ERROR_SUCCESS;
}

/* For the event that a manifest has, if one does */
static ULONG compile(struct bytes *b, const GUID *provider,
		     const EVENT_DESCRIPTOR *descriptor,
		     const struct predicate *p, ULONG count, bool any)
{
	struct event_info info = { .descriptor = *descriptor };
	const struct event *event = NULL;
	ULONG code = ERROR_FILE_NOT_FOUND;
	struct found found;

	store_lock();
	if (store_provider(provider, &found)) {
		event = find_event(&found, descriptor);
		code = ERROR_NOT_FOUND;
	}
	if (event && event->template) {
		info.properties = event->template->properties;
		info.count = event->template->count;
		info.top_level = event->template->top_level;
	}
	if (event)
		code = predicates_compile(b, &info, p, count, any);
	store_unlock();
	return code;
}

static ULONG create(struct payload_filter *f,
		    const EVENT_DESCRIPTOR *descriptor,
		    const PAYLOAD_FILTER_PREDICATE *from, ULONG count, bool any)
{
	struct predicate p[MAX_PREDICATES] = { 0 };
	ULONG code = narrow_predicates(p, from, count);

	if (!code)
		code = compile(&f->program, &f->provider, descriptor, p, count,
			       any);
	free_predicates(p, count);
	return code;
}

static void free_filter(struct payload_filter *f)
{
	bytes_free(&f->program);
	free(f);
}

/**
 * TdhCreatePayloadFilter() - make a filter of one event's fields
 * @ProviderGuid: the provider, as its manifest has it
 * @EventDescriptor: the event: its Id and Version count
 * @EventMatchANY: whether one of the conditions is enough
 * @PayloadPredicateCount: 1 to ETW_MAX_PAYLOAD_PREDICATES
 * @PayloadPredicates: the conditions
 * @PayloadFilter: out: the filter, for TdhAggregatePayloadFilters(); NULL when
 *	there is none
 *
 * A member of a struct is named "struct.member".  A condition on a field that an
 * event turns out not to have, as its data ends before, does not hold.  Which
 * operators there are for which fields is in the manual page.
 *
 * https://learn.microsoft.com/windows/win32/api/tdh/nf-tdh-tdhcreatepayloadfilter
 *
 * Return: ERROR_SUCCESS; ERROR_INVALID_PARAMETER for NULL, a count, an operator
 * that fields of this type do not have, or a value that is none of it;
 * ERROR_FILE_NOT_FOUND when no manifest has the provider; ERROR_NOT_FOUND when it
 * has no such event, or that no such field; ERROR_NOT_SUPPORTED when the field is
 * an array, or lies behind what cannot be measured; ERROR_INSUFFICIENT_BUFFER
 * when the filter is longer than MAX_EVENT_FILTER_PAYLOAD_SIZE;
 * ERROR_NOT_ENOUGH_MEMORY.
 */
EVNT_PUBLIC TDHSTATUS
TdhCreatePayloadFilter(LPCGUID ProviderGuid, PCEVENT_DESCRIPTOR EventDescriptor,
		       BOOLEAN EventMatchANY, ULONG PayloadPredicateCount,
		       PPAYLOAD_FILTER_PREDICATE PayloadPredicates,
		       PVOID *PayloadFilter)
{
	struct payload_filter *f;
	ULONG code;

	if (!PayloadFilter)
		return ERROR_INVALID_PARAMETER;
	*PayloadFilter = NULL;
	if (!ProviderGuid || !EventDescriptor || !PayloadPredicates ||
	    !PayloadPredicateCount || PayloadPredicateCount > MAX_PREDICATES)
		return ERROR_INVALID_PARAMETER;
	f = calloc(1, sizeof(*f));
	if (!f)
		return ERROR_NOT_ENOUGH_MEMORY;
	f->provider = *ProviderGuid;
	code = create(f, EventDescriptor, PayloadPredicates,
		      PayloadPredicateCount, EventMatchANY);
	if (code)
		free_filter(f);
	else
		*PayloadFilter = f;
	return code;
}

/**
 * TdhDeletePayloadFilter() - free a filter
 * @PayloadFilter: what TdhCreatePayloadFilter() has filled in; NULL afterwards
 *
 * What TdhAggregatePayloadFilters() has made of it stays.
 *
 * https://learn.microsoft.com/windows/win32/api/tdh/nf-tdh-tdhdeletepayloadfilter
 *
 * Return: ERROR_SUCCESS, or ERROR_INVALID_PARAMETER when it is NULL, or points to
 * NULL.
 */
EVNT_PUBLIC TDHSTATUS TdhDeletePayloadFilter(PVOID *PayloadFilter)
{
	if (!PayloadFilter || !*PayloadFilter)
		return ERROR_INVALID_PARAMETER;
	free_filter(*PayloadFilter);
	*PayloadFilter = NULL;
	return ERROR_SUCCESS;
}

/* All are there, and of one provider */
static bool are_joinable(PVOID *filters, ULONG count)
{
	const struct payload_filter *first = filters[0], *f;

	for (ULONG i = 0; i < count; i++) {
		f = filters[i];
		if (!f || !same_guid(&f->provider, &first->provider))
			return false;
	}
	return true;
}

static ULONG join(struct bytes *b, PVOID *filters, const BOOLEAN *flags,
		  ULONG count)
{
	const struct evntrace_program **program = calloc(count,
							 sizeof(*program));
	bool *all = calloc(count, sizeof(*all));
	ULONG code = ERROR_NOT_ENOUGH_MEMORY;

	for (ULONG i = 0; program && all && i < count; i++) {
		const struct payload_filter *f = filters[i];

		program[i] = (const struct evntrace_program *)f->program.data;
		all[i] = flags && flags[i];
	}
	if (program && all)
		code = programs_join(b, program, all, count);
	free(program);
	free(all);
	return code;
}

/**
 * TdhAggregatePayloadFilters() - make one filter of several, for EnableTraceEx2()
 * @PayloadFilterCount: how many
 * @PayloadFilterPtrs: made by TdhCreatePayloadFilter(), of one provider
 * @EventMatchALLFlags: for each, whether an event has to pass it whatever others
 *	say; of those of one event that are not flagged, one is enough.  NULL: none
 *	is flagged
 * @EventFilterDescriptor: out: of the type EVENT_FILTER_TYPE_PAYLOAD
 *
 * Events that none of the filters is for pass.
 *
 * https://learn.microsoft.com/windows/win32/api/tdh/nf-tdh-tdhaggregatepayloadfilters
 *
 * Return: ERROR_SUCCESS; ERROR_INVALID_PARAMETER for NULL, no filters, or filters
 * of several providers; ERROR_INSUFFICIENT_BUFFER when what they make is longer
 * than MAX_EVENT_FILTER_PAYLOAD_SIZE; ERROR_NOT_ENOUGH_MEMORY.
 */
EVNT_PUBLIC TDHSTATUS
TdhAggregatePayloadFilters(ULONG PayloadFilterCount, PVOID *PayloadFilterPtrs,
			   PBOOLEAN EventMatchALLFlags,
			   PEVENT_FILTER_DESCRIPTOR EventFilterDescriptor)
{
	struct bytes b = { 0 };
	ULONG code;

	if (!PayloadFilterCount || !PayloadFilterPtrs ||
	    !EventFilterDescriptor ||
	    !are_joinable(PayloadFilterPtrs, PayloadFilterCount))
		return ERROR_INVALID_PARAMETER;
	code = join(&b, PayloadFilterPtrs, EventMatchALLFlags,
		    PayloadFilterCount);
	if (code) {
		bytes_free(&b);
		return code;
	}
	EventFilterDescriptor->Ptr = (uintptr_t)b.data;
	EventFilterDescriptor->Size = b.len;
	EventFilterDescriptor->Type = EVENT_FILTER_TYPE_PAYLOAD;
	return ERROR_SUCCESS;
}

/**
 * TdhCleanupPayloadEventFilterDescriptor() - free what was made of filters
 * @EventFilterDescriptor: what TdhAggregatePayloadFilters() has filled in; zeroed
 *
 * EnableTraceEx2() needs it no more once it has returned.
 *
 * https://learn.microsoft.com/windows/win32/api/tdh/nf-tdh-tdhcleanuppayloadeventfilterdescriptor
 *
 * Return: ERROR_SUCCESS, or ERROR_INVALID_PARAMETER when it is NULL, of another
 * type, or has been cleaned up already.
 */
EVNT_PUBLIC TDHSTATUS
TdhCleanupPayloadEventFilterDescriptor(PEVENT_FILTER_DESCRIPTOR EventFilterDescriptor)
{
	PEVENT_FILTER_DESCRIPTOR d = EventFilterDescriptor;

	if (!d || !d->Ptr || d->Type != EVENT_FILTER_TYPE_PAYLOAD)
		return ERROR_INVALID_PARAMETER;
	free((void *)(uintptr_t)d->Ptr);
	*d = (EVENT_FILTER_DESCRIPTOR) { 0 };
	return ERROR_SUCCESS;
}
