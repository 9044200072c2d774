// SPDX-License-Identifier: MIT
/*
 * Information about providers from loaded manifests: events, levels, keywords
 * and other fields, filters.
 */
#include "evnttdh.h"
#include "tdh/manifest_info.h"

/**
 * struct listing - list of providers: all entries, followed by their names
 * @b: bytes being built
 * @at: offset of the entry that is named next
 * @source: requested source; DecodingSourceMax for all
 */
struct listing {
	struct bytes *b;
	size_t at;
	DECODING_SOURCE source;
};

static DECODING_SOURCE source_of(const struct found *found)
{
	return found->provider->is_mof ? DecodingSourceWbem :
					 DecodingSourceXMLFile;
}

static bool is_listed(const struct listing *l, const struct found *found)
{
	return l->source == DecodingSourceMax || l->source == source_of(found);
}

static bool add_provider(const struct found *found, void *context)
{
	struct listing *l = context;
	TRACE_PROVIDER_INFO info = {
		.ProviderGuid = found->provider->guid,
		.SchemaSource = source_of(found),
	};

	if (is_listed(l, found))
		bytes_add(l->b, &info, sizeof(info));
	return true;
}

static bool name_provider(const struct found *found, void *context)
{
	struct listing *l = context;
	size_t name;

	if (!is_listed(l, found))
		return true;
	name = bytes_add_string(l->b, found->provider->name);
	bytes_put_u32(l->b, l->at + offsetof(TRACE_PROVIDER_INFO,
					     ProviderNameOffset), name);
	l->at += sizeof(TRACE_PROVIDER_INFO);
	return true;
}

/* Reject a missing size, and a missing buffer of nonzero size */
static bool bad_buffer(const void *buffer, const ULONG *size)
{
	return !size || (*size && !buffer);
}

static ULONG list_providers(DECODING_SOURCE source,
			    PPROVIDER_ENUMERATION_INFO buffer, ULONG *size)
{
	size_t head = offsetof(PROVIDER_ENUMERATION_INFO,
			       TraceProviderInfoArray);
	struct bytes b = { 0 };
	struct listing listing = { &b, head, source };

	if (bad_buffer(buffer, size))
		return ERROR_INVALID_PARAMETER;
	bytes_reserve(&b, head);
	store_lock();
	store_each(add_provider, &listing);
	bytes_put_u32(&b, 0, (b.len - head) / sizeof(TRACE_PROVIDER_INFO));
	store_each(name_provider, &listing);
	store_unlock();
	return bytes_hand_over(&b, buffer, size);
}

/**
 * TdhEnumerateProviders() - list the providers described by manifests
 * @Buffer: receives a PROVIDER_ENUMERATION_INFO
 * @BufferSize: in: size of @Buffer in bytes; out: required size
 *
 * https://learn.microsoft.com/windows/win32/api/tdh/nf-tdh-tdhenumerateproviders
 *
 * Return: ERROR_SUCCESS, ERROR_INVALID_PARAMETER, ERROR_INSUFFICIENT_BUFFER or
 * ERROR_OUTOFMEMORY.
 */
EVNT_PUBLIC TDHSTATUS TdhEnumerateProviders(PPROVIDER_ENUMERATION_INFO Buffer,
					    ULONG *BufferSize)
{
	return list_providers(DecodingSourceMax, Buffer, BufferSize);
}

/**
 * TdhEnumerateProvidersForDecodingSource() - list providers of one kind of
 *	source
 * @Filter: DecodingSourceXMLFile for manifests, DecodingSourceWbem for MOF
 *	classes
 * @Buffer: receives a PROVIDER_ENUMERATION_INFO
 * @BufferSize: size of @Buffer in bytes
 * @BufferRequired: out: required size in bytes
 *
 * https://learn.microsoft.com/windows/win32/api/tdh/nf-tdh-tdhenumerateprovidersfordecodingsource
 *
 * Return: ERROR_SUCCESS; ERROR_INVALID_PARAMETER for NULL or another source;
 * ERROR_INSUFFICIENT_BUFFER; ERROR_OUTOFMEMORY.
 */
EVNT_PUBLIC TDHSTATUS
TdhEnumerateProvidersForDecodingSource(DECODING_SOURCE Filter,
				       PPROVIDER_ENUMERATION_INFO Buffer,
				       ULONG BufferSize, ULONG *BufferRequired)
{
	ULONG size = BufferSize, code;

	if (!BufferRequired || (Filter != DecodingSourceXMLFile &&
				Filter != DecodingSourceWbem))
		return ERROR_INVALID_PARAMETER;
	code = list_providers(Filter, Buffer, &size);
	if (code == ERROR_SUCCESS || code == ERROR_INSUFFICIENT_BUFFER)
		*BufferRequired = size;
	return code;
}

/**
 * TdhEnumerateManifestProviderEvents() - list the events of a provider
 * @ProviderGuid: id of the provider
 * @Buffer: receives a PROVIDER_EVENT_INFO
 * @BufferSize: in: size of @Buffer in bytes; out: required size
 *
 * https://learn.microsoft.com/windows/win32/api/tdh/nf-tdh-tdhenumeratemanifestproviderevents
 *
 * Return: ERROR_SUCCESS; ERROR_INVALID_PARAMETER; ERROR_INSUFFICIENT_BUFFER;
 * ERROR_FILE_NOT_FOUND if no manifest describes the provider; ERROR_EMPTY if it
 * has no events; ERROR_OUTOFMEMORY.
 */
EVNT_PUBLIC TDHSTATUS
TdhEnumerateManifestProviderEvents(LPGUID ProviderGuid,
				   PPROVIDER_EVENT_INFO Buffer,
				   ULONG *BufferSize)
{
	ULONG code = ERROR_FILE_NOT_FOUND;
	struct bytes b = { 0 };
	struct found found;

	if (!ProviderGuid || bad_buffer(Buffer, BufferSize))
		return ERROR_INVALID_PARAMETER;
	bytes_reserve(&b, offsetof(PROVIDER_EVENT_INFO,
				   EventDescriptorsArray));
	store_lock();
	if (store_provider(ProviderGuid, &found)) {
		const struct event *e = found.provider->events;

		code = e ? ERROR_SUCCESS : ERROR_EMPTY;
		bytes_put_u32(&b, 0, list_length(e));
		for (; e; e = e->next)
			bytes_add(&b, &e->descriptor, sizeof(e->descriptor));
	}
	store_unlock();
	if (!code)
		return bytes_hand_over(&b, Buffer, BufferSize);
	bytes_free(&b);
	return code;
}

/**
 * TdhGetManifestEventInformation() - describe an event of a provider
 * @ProviderGuid: id of the provider
 * @EventDescriptor: id and version of the event
 * @Buffer: receives a TRACE_EVENT_INFO
 * @BufferSize: in: size of @Buffer in bytes; out: required size
 *
 * https://learn.microsoft.com/windows/win32/api/tdh/nf-tdh-tdhgetmanifesteventinformation
 *
 * Return: ERROR_SUCCESS; ERROR_INVALID_PARAMETER; ERROR_INSUFFICIENT_BUFFER;
 * ERROR_FILE_NOT_FOUND if no manifest describes the provider; ERROR_EMPTY if it
 * has no events; ERROR_NOT_FOUND if it has no such event; ERROR_OUTOFMEMORY.
 */
EVNT_PUBLIC TDHSTATUS
TdhGetManifestEventInformation(LPGUID ProviderGuid,
			       PEVENT_DESCRIPTOR EventDescriptor,
			       PTRACE_EVENT_INFO Buffer, ULONG *BufferSize)
{
	ULONG code = ERROR_FILE_NOT_FOUND;
	const struct event *event = NULL;
	struct bytes b = { 0 };
	struct found found;

	if (!ProviderGuid || !EventDescriptor || bad_buffer(Buffer, BufferSize))
		return ERROR_INVALID_PARAMETER;
	store_lock();
	if (store_provider(ProviderGuid, &found)) {
		event = find_event(&found, EventDescriptor);
		code = found.provider->events ? ERROR_NOT_FOUND : ERROR_EMPTY;
	}
	if (event)
		build_manifest_event(&b, &found, event, &event->descriptor);
	store_unlock();
	return event ? bytes_hand_over(&b, Buffer, BufferSize) : code;
}

/* Return the value of a field; the lower half of an opcode is its task, or 0 */
static u64 field_value(enum item_kind kind, const struct item *item)
{
	if (kind != ITEM_OPCODE)
		return item->value;
	return item->value << 16 | (item->task ? item->task->value : 0);
}

static bool is_requested(enum item_kind kind, const struct item *item,
			 const u64 *value)
{
	if (!value)
		return true;
	if (kind == ITEM_KEYWORD)
		return item->value && (*value & item->value) == item->value;
	return field_value(kind, item) == *value;
}

#define FIELD_HEAD	offsetof(PROVIDER_FIELD_INFOARRAY, FieldInfoArray)

/* Append entries with their values, followed by their texts */
static u32 add_fields(struct bytes *b, const struct found *found,
		      enum item_kind kind, const u64 *value)
{
	const struct item *list = found->provider->items[kind], *item;
	size_t at = FIELD_HEAD;
	u32 count = 0;

	bytes_reserve(b, FIELD_HEAD);
	for (item = list; item; item = item->next) {
		PROVIDER_FIELD_INFO info = { .Value = field_value(kind, item) };

		if (is_requested(kind, item, value)) {
			bytes_add(b, &info, sizeof(info));
			count++;
		}
	}
	for (item = list; item; item = item->next) {
		size_t name, text;

		if (!is_requested(kind, item, value))
			continue;
		name = bytes_add_string(b, item->name);
		text = bytes_add_string(b, message_text(found->manifest,
							item->message));
		bytes_put_u32(b, at, name);
		bytes_put_u32(b, at + 4, text);
		at += sizeof(PROVIDER_FIELD_INFO);
	}
	return count;
}

static ULONG query_fields(const GUID *guid, const u64 *value,
			  EVENT_FIELD_TYPE type, void *buffer, ULONG *size)
{
	static const enum item_kind kinds[] = {
		[EventKeywordInformation] = ITEM_KEYWORD,
		[EventLevelInformation] = ITEM_LEVEL,
		[EventChannelInformation] = ITEM_CHANNEL,
		[EventTaskInformation] = ITEM_TASK,
		[EventOpcodeInformation] = ITEM_OPCODE,
	};
	struct bytes b = { 0 };
	struct found found;
	u32 count = 0;

	if (!guid || bad_buffer(buffer, size) ||
	    (unsigned int)type >= EVNT_ARRAY_SIZE(kinds))
		return ERROR_INVALID_PARAMETER;
	store_lock();
	if (store_provider(guid, &found))
		count = add_fields(&b, &found, kinds[type], value);
	store_unlock();
	bytes_put_u32(&b, 0, count);
	bytes_put_u32(&b, 4, type);
	if (count)
		return bytes_hand_over(&b, buffer, size);
	bytes_free(&b);
	return ERROR_NOT_FOUND;
}

/**
 * TdhEnumerateProviderFieldInformation() - list the declared fields of a
 *	provider
 * @Guid: id of the provider
 * @FieldType: kind of field: keywords, levels, channels, tasks or opcodes
 * @Buffer: receives a PROVIDER_FIELD_INFOARRAY
 * @BufferSize: in: size of @Buffer in bytes; out: required size
 *
 * The value of an opcode contains the opcode in its upper 16 bits, and in its
 * lower 16 bits the task that it applies to, or 0.
 *
 * https://learn.microsoft.com/windows/win32/api/tdh/nf-tdh-tdhenumerateproviderfieldinformation
 *
 * Return: ERROR_SUCCESS; ERROR_INVALID_PARAMETER; ERROR_INSUFFICIENT_BUFFER;
 * ERROR_NOT_FOUND if no manifest describes the provider, or it declares no
 * field of this kind; ERROR_OUTOFMEMORY.
 */
EVNT_PUBLIC TDHSTATUS
TdhEnumerateProviderFieldInformation(LPGUID Guid, EVENT_FIELD_TYPE FieldType,
				     PPROVIDER_FIELD_INFOARRAY Buffer,
				     ULONG *BufferSize)
{
	return query_fields(Guid, NULL, FieldType, Buffer, BufferSize);
}

/**
 * TdhQueryProviderFieldInformation() - query the name of a provider's field
 * @Guid: id of the provider
 * @FieldValue: value of the field; for keywords, a mask that selects each
 *	keyword contained in it
 * @FieldType: kind of field: keywords, levels, channels, tasks or opcodes
 * @Buffer: receives a PROVIDER_FIELD_INFOARRAY
 * @BufferSize: in: size of @Buffer in bytes; out: required size
 *
 * https://learn.microsoft.com/windows/win32/api/tdh/nf-tdh-tdhqueryproviderfieldinformation
 *
 * Return: the codes of TdhEnumerateProviderFieldInformation().
 */
EVNT_PUBLIC TDHSTATUS
TdhQueryProviderFieldInformation(LPGUID Guid, ULONGLONG FieldValue,
				 EVENT_FIELD_TYPE FieldType,
				 PPROVIDER_FIELD_INFOARRAY Buffer,
				 ULONG *BufferSize)
{
	u64 value = FieldValue;

	return query_fields(Guid, &value, FieldType, Buffer, BufferSize);
}

#define FILTER_HEAD	offsetof(PROVIDER_FILTER_INFO, EventPropertyInfoArray)

static void add_filter(struct bytes *b, const struct manifest *m,
		       const struct filter *f)
{
	const struct template *t = f->template;
	unsigned int count = t ? t->count : 0;
	size_t base, message;

	bytes_align(b, 8);
	base = bytes_reserve(b, FILTER_HEAD + (count ? count : 1) *
			     sizeof(EVENT_PROPERTY_INFO));
	if (b->failed)
		return;
	b->data[base] = f->value;
	b->data[base + 1] = f->version;
	bytes_put_u32(b, base + offsetof(PROVIDER_FILTER_INFO, PropertyCount),
		      count);
	message = bytes_add_string(b, message_text(m, f->message));
	bytes_put_u32(b, base + offsetof(PROVIDER_FILTER_INFO, MessageOffset),
		      message ? message - base : 0);
	if (t)
		event_info_properties(b, base, base + FILTER_HEAD,
				      t->properties, count);
}

/* Pass on an array of pointers, which are offsets so far, with their targets */
static ULONG hand_over_array(struct bytes *b, u32 count, void *buffer,
			     ULONG *size)
{
	uintptr_t pointer;
	ULONG code;

	if (!count) {
		bytes_free(b);
		return ERROR_NOT_FOUND;
	}
	code = bytes_hand_over(b, buffer, size);
	for (u8 *at = buffer; count && !code; count--, at += sizeof(pointer)) {
		memcpy(&pointer, at, sizeof(pointer));
		pointer += (uintptr_t)buffer;
		memcpy(at, &pointer, sizeof(pointer));
	}
	return code;
}

/* Append the filters; pointers are offsets until they are copied */
static u32 add_filters(struct bytes *b, const struct found *found)
{
	u32 count = list_length(found->provider->filters);
	size_t at = 0;

	bytes_reserve(b, count * sizeof(PPROVIDER_FILTER_INFO));
	for (struct filter *f = found->provider->filters; f; f = f->next) {
		bytes_align(b, 8);
		bytes_put_u32(b, at, b->len);
		at += sizeof(PPROVIDER_FILTER_INFO);
		add_filter(b, found->manifest, f);
	}
	return count;
}

/**
 * TdhEnumerateProviderFilters() - list the filters that a provider declares
 * @Guid: id of the provider
 * @TdhContextCount: must be 0
 * @TdhContext: must be NULL
 * @FilterCount: out: number of filters
 * @Buffer: receives an array of pointers, followed by the filters
 * @BufferSize: in: size of @Buffer in bytes; out: required size
 *
 * https://learn.microsoft.com/windows/win32/api/tdh/nf-tdh-tdhenumerateproviderfilters
 *
 * Return: ERROR_SUCCESS; ERROR_INVALID_PARAMETER; ERROR_INSUFFICIENT_BUFFER;
 * ERROR_NOT_FOUND if no manifest describes the provider, or it has no filters;
 * ERROR_OUTOFMEMORY.
 */
EVNT_PUBLIC TDHSTATUS
TdhEnumerateProviderFilters(LPGUID Guid, ULONG TdhContextCount,
			    PTDH_CONTEXT TdhContext, ULONG *FilterCount,
			    PPROVIDER_FILTER_INFO *Buffer, ULONG *BufferSize)
{
	struct bytes b = { 0 };
	struct found found;
	u32 count = 0;

	if (!Guid || TdhContextCount || TdhContext || !FilterCount ||
	    bad_buffer(Buffer, BufferSize))
		return ERROR_INVALID_PARAMETER;
	store_lock();
	if (store_provider(Guid, &found))
		count = add_filters(&b, &found);
	store_unlock();
	*FilterCount = count;
	return hand_over_array(&b, count, Buffer, BufferSize);
}

/* Append the descriptions of a version's events, behind their offsets */
static u32 add_events(struct bytes *b, const struct found *found, u8 version)
{
	const struct event *e, *events = found->provider->events;
	u32 count = 0;
	size_t at = 0;

	for (e = events; e; e = e->next)
		count += e->descriptor.Version == version;
	bytes_reserve(b, count * sizeof(PTRACE_EVENT_INFO));
	for (e = events; e; e = e->next) {
		struct bytes info = { 0 };

		if (e->descriptor.Version != version)
			continue;
		build_manifest_event(&info, found, e, &e->descriptor);
		bytes_align(b, 8);
		bytes_put_u32(b, at, b->len);
		at += sizeof(PTRACE_EVENT_INFO);
		bytes_add(b, info.data, info.len);
		b->failed |= info.failed;
		bytes_free(&info);
	}
	return count;
}

/**
 * TdhGetAllEventsInformation() - describe all events of a provider and a version
 * @Event: has the id of the provider, and the version of its descriptor
 * @WbemService: must be NULL
 * @Index: out: index of the first pointer in @Buffer, 0
 * @Count: out: number of events
 * @Buffer: receives an array of pointers, followed by the TRACE_EVENT_INFO
 * @BufferSize: in: size of @Buffer in bytes; out: required size
 *
 * https://learn.microsoft.com/windows/win32/etw/tdhgetalleventsinformation
 *
 * Return: ERROR_SUCCESS; ERROR_INVALID_PARAMETER; ERROR_INSUFFICIENT_BUFFER;
 * ERROR_NOT_FOUND if no manifest describes the provider, or it has no event of
 * the version; ERROR_OUTOFMEMORY.
 */
EVNT_PUBLIC TDHSTATUS TdhGetAllEventsInformation(PEVENT_RECORD Event,
						 PVOID WbemService,
						 ULONG *Index, ULONG *Count,
						 PTRACE_EVENT_INFO *Buffer,
						 ULONG *BufferSize)
{
	struct bytes b = { 0 };
	struct found found;
	u32 count = 0;

	if (!Event || WbemService || !Index || !Count ||
	    bad_buffer(Buffer, BufferSize))
		return ERROR_INVALID_PARAMETER;
	store_lock();
	if (store_provider(&Event->EventHeader.ProviderId, &found))
		count = add_events(&b, &found,
				   Event->EventHeader.EventDescriptor.Version);
	store_unlock();
	*Index = 0;
	*Count = count;
	return hand_over_array(&b, count, Buffer, BufferSize);
}
