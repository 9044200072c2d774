// SPDX-License-Identifier: MIT
/*
 * Payload filters of manifest events: TdhCreatePayloadFilter() and related
 * functions.  predicate.c compiles the conditions of a filter.
 */
#include <stdlib.h>

#include "tdh/manifest_info.h"
#include "tdh/predicate.h"

_Static_assert(MAX_PREDICATES == ETW_MAX_PAYLOAD_PREDICATES &&
	       EVNTRACE_MAX_PROGRAM_SIZE == MAX_EVENT_FILTER_PAYLOAD_SIZE,
	       "limits of payload filters");

/**
 * struct payload_filter - object behind the caller's filter pointer
 * @provider: provider of the filtered events
 * @program: compiled conditions on one event
 */
struct payload_filter {
	GUID provider;
	struct bytes program;
};

/* Convert to UTF-8, to be freed; NULL for NULL or if memory is exhausted */
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

/* Compile conditions for an event that a manifest describes */
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
	for (ULONG i = 0; i < count; i++) {
		free((char *)p[i].field);
		free((char *)p[i].value);
	}
	return code;
}

static void free_filter(struct payload_filter *f)
{
	bytes_free(&f->program);
	free(f);
}

/**
 * TdhCreatePayloadFilter() - create a filter on the fields of one event
 * @ProviderGuid: id of the provider in its manifest
 * @EventDescriptor: descriptor of the event; only Id and Version are used
 * @EventMatchANY: one true condition suffices
 * @PayloadPredicateCount: number of conditions, 1 to ETW_MAX_PAYLOAD_PREDICATES
 * @PayloadPredicates: the conditions
 * @PayloadFilter: out: the filter, for TdhAggregatePayloadFilters(), or NULL on
 *	failure
 *
 * A member of a struct is named "struct.member".  A condition on a field is
 * false if the data of the event ends before the field.  The manual page lists
 * the operators for each type of field.
 *
 * https://learn.microsoft.com/windows/win32/api/tdh/nf-tdh-tdhcreatepayloadfilter
 *
 * Return: ERROR_SUCCESS; ERROR_INVALID_PARAMETER for NULL, an invalid count, an
 * operator that does not apply to the type of the field, or a value that is not
 * of this type; ERROR_FILE_NOT_FOUND if no manifest describes the provider;
 * ERROR_NOT_FOUND if the provider has no such event, or the event no such
 * field; ERROR_NOT_SUPPORTED if the field is an array, or follows data whose
 * size cannot be determined; ERROR_INSUFFICIENT_BUFFER if the filter is longer
 * than MAX_EVENT_FILTER_PAYLOAD_SIZE; ERROR_NOT_ENOUGH_MEMORY.
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
 * @PayloadFilter: filter of TdhCreatePayloadFilter(); NULL on return
 *
 * Filters that TdhAggregatePayloadFilters() made from it stay valid.
 *
 * https://learn.microsoft.com/windows/win32/api/tdh/nf-tdh-tdhdeletepayloadfilter
 *
 * Return: ERROR_SUCCESS; ERROR_INVALID_PARAMETER if the pointer is NULL or
 * points to NULL.
 */
EVNT_PUBLIC TDHSTATUS TdhDeletePayloadFilter(PVOID *PayloadFilter)
{
	if (!PayloadFilter || !*PayloadFilter)
		return ERROR_INVALID_PARAMETER;
	free_filter(*PayloadFilter);
	*PayloadFilter = NULL;
	return ERROR_SUCCESS;
}

/* Check that all filters are present and belong to one provider */
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
 * TdhAggregatePayloadFilters() - combine filters for EnableTraceEx2()
 * @PayloadFilterCount: number of filters
 * @PayloadFilterPtrs: filters of TdhCreatePayloadFilter(), all of one provider
 * @EventMatchALLFlags: for each filter, TRUE if its event must pass it; an
 *	event must also pass at least one of its filters without this flag, if
 *	any.  NULL: no flags
 * @EventFilterDescriptor: out: descriptor of type EVENT_FILTER_TYPE_PAYLOAD
 *
 * Events without a filter pass.
 *
 * https://learn.microsoft.com/windows/win32/api/tdh/nf-tdh-tdhaggregatepayloadfilters
 *
 * Return: ERROR_SUCCESS; ERROR_INVALID_PARAMETER for NULL, no filters, or
 * filters of several providers; ERROR_INSUFFICIENT_BUFFER if the combined
 * filter is longer than MAX_EVENT_FILTER_PAYLOAD_SIZE; ERROR_NOT_ENOUGH_MEMORY.
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
 * TdhCleanupPayloadEventFilterDescriptor() - free a combined filter
 * @EventFilterDescriptor: descriptor of TdhAggregatePayloadFilters(); zeroed on
 *	return
 *
 * EnableTraceEx2() does not use the descriptor after it returns.
 *
 * https://learn.microsoft.com/windows/win32/api/tdh/nf-tdh-tdhcleanuppayloadeventfilterdescriptor
 *
 * Return: ERROR_SUCCESS; ERROR_INVALID_PARAMETER if the descriptor is NULL, of
 * another type, or already freed.
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
