// SPDX-License-Identifier: GPL-2.0
/*
 * Writing the module's own events.
 */
#include "compat/compat.h"
#include "event.h"
#include "own_event.h"
#include "reserve.h"

/* The provider's traits: its name */
static const struct {
	__le16 size;
	char name[sizeof("Evntprov-Images")];
} traits = {
	cpu_to_le16(sizeof(traits)), "Evntprov-Images",
};

static const struct evntprov_guid provider = EVNTPROV_IMAGES_PROVIDER;
static const struct evntprov_guid no_activity;

/**
 * evnt_own_describe() - an event of the module's own
 * @e: filled in, but for who writes it
 * @own: what kind it is of
 * @len: length of its data in bytes
 */
void evnt_own_describe(struct evnt_event *e, const struct evnt_own_event *own,
		       u32 len)
{
	*e = (struct evnt_event) {
		.descriptor = &own->descriptor,
		.provider = provider.b,
		.activity = no_activity.b,
		.kind = ETL_RECORD_EVENT64,
		.traits = &traits,
		.traits_len = sizeof(traits),
		.metadata_len = sizeof(__le16) + own->len,
		.data_len = len,
	};
}

/**
 * evnt_own_write() - write it to one session
 * @s: the session, which is not being freed
 * @own: what kind it is of
 * @e: the event
 * @data: its data
 *
 * Preemption is disabled.  Who calls this counts what is lost.
 *
 * Return: 0, or what evnt_reserve() returns.
 */
int evnt_own_write(struct evnt_session *s, const struct evnt_own_event *own,
		   const struct evnt_event *e, const void *data)
{
	u32 cpu = smp_processor_id(), size = evnt_record_size(e);
	struct evnt_record_parts parts;
	struct evnt_reservation at;
	s64 time;
	int err;

	err = evnt_reserve(&s->buffers, cpu, size, &at, &time);
	if (err)
		return err;
	parts = evnt_record_lay_out(evnt_record(&at), size, e, time);
	put_unaligned_le16(e->metadata_len, parts.metadata);
	memcpy(parts.metadata + sizeof(__le16), own->text, own->len);
	memcpy(parts.data, data, e->data_len);
	evnt_commit(at.buffer->owner, cpu, &at);
	return 0;
}
