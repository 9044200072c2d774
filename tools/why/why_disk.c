// SPDX-License-Identifier: MIT
/*
 * Finds the requests to disks that a thread waited for: those that were completed
 * during the wait, and that this thread or the one that woke it had issued. As the
 * kernel may issue a request on behalf of a thread, the request whose completion
 * preceded the wake-up on the same processor belongs to a wait for a disk, too.
 */
#include <stdlib.h>

#include "tools/evnt.h"
#include "tools/why/why.h"

/* Return the number of requests that were completed by a time */
static uint32_t completed_by(const struct why *why, int64_t time)
{
	uint32_t low = 0, high = why->request_count, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (why->requests[middle].to <= time)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static bool is_of_threads(const struct why_request *r, uint32_t thread,
			  const struct why_stretch *wait)
{
	if (r->thread == CPU_NONE)
		return false;
	return r->thread == thread ||
	       (wait->is_woken && !wait->is_interrupt &&
		r->thread == wait->waker);
}

/*
 * Return the ticks of a request from a time on that are before *@begin, and move
 * *@begin to its begin. As requests are passed in descending order of their ends,
 * no tick counts twice.
 */
static int64_t cover(const struct why_request *r, int64_t from, int64_t *begin)
{
	const int64_t end = r->to < *begin ? r->to : *begin;
	const int64_t start = r->from > from ? r->from : from;

	if (start >= end)
		return 0;
	*begin = start;
	return end - start;
}

bool why_was_disk(const struct why *why, uint32_t thread,
		  const struct why_stretch *wait)
{
	int64_t time = 0, begin = wait->to;
	uint32_t i = completed_by(why, wait->to);

	while (i-- && why->requests[i].to > wait->from) {
		if (is_of_threads(&why->requests[i], thread, wait))
			time += cover(&why->requests[i], wait->from, &begin);
	}
	return time && time >= wait->to - wait->from - time;
}

static struct why_disk *disk_of(struct why_disks *disks, uint32_t number)
{
	struct why_disk *d;

	for (d = disks->list; d < disks->list + disks->count; d++) {
		if (d->disk == number)
			return d;
	}
	disks->list = list_room(disks->list, disks->count, &disks->room,
				sizeof(*d));
	d = &disks->list[disks->count++];
	*d = (struct why_disk) { .disk = number, .begin = INT64_MAX };
	return d;
}

void why_add_disks(const struct why *why, uint32_t thread,
		   const struct why_stretch *wait, int64_t from, int64_t to,
		   struct why_disks *disks)
{
	uint32_t i = completed_by(why, to);
	const struct why_request *r;
	struct why_disk *d;

	for (d = disks->list; d < disks->list + disks->count; d++)
		d->begin = INT64_MAX;
	while (i-- && why->requests[i].to > from) {
		r = &why->requests[i];
		if (i != wait->request && !is_of_threads(r, thread, wait))
			continue;
		d = disk_of(disks, r->disk);
		d->requests++;
		d->bytes += r->size;
		d->time += cover(r, from, &d->begin);
	}
}
