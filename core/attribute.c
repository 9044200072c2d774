// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Filters on attributes of an event: ids, TraceLogging names, level and
 * keyword.
 */
#include "core/attribute.h"

/* Wire layouts of EVENT_FILTER_EVENT_ID, _LEVEL_KW and _EVENT_NAME */
struct id_filter {
	u8 in;
	u8 reserved;
	u16 count;
	u16 id[];
};

struct level_kw_filter {
	u64 match_any;
	u64 match_all;
	u8 level;
	u8 in;
};

struct name_filter {
	u64 match_any;
	u64 match_all;
	u8 level;
	u8 in;
	u16 count;
	u8 names[];
};

#define MAX_IDS		64u	/* EVNTRACE_MAX_FILTER_IDS */

/* Return the size of the range of ids, and its lowest id in *@first */
static u32 ids_span(const struct id_filter *f, u16 *first)
{
	u16 low = f->id[0], high = f->id[0];
	u32 i;

	for (i = 1; i < f->count; i++) {
		if (f->id[i] < low)
			low = f->id[i];
		if (f->id[i] > high)
			high = f->id[i];
	}
	*first = low;
	return high - low + 1u;
}

/**
 * evnt_ids_create() - compile an event id filter
 * @ids: set to the filter
 * @from: an EVENT_FILTER_EVENT_ID, aligned to 8 bytes
 * @len: length of @from in bytes
 *
 * Return: 0, -EINVAL if @from is malformed, or -ENOMEM.
 */
int evnt_ids_create(struct evnt_ids **ids, const void *from, u32 len)
{
	const struct id_filter *f = from;
	u32 i, span = 0;
	u16 first = 0;

	if (len < sizeof(*f) || f->count > MAX_IDS ||
	    len < sizeof(*f) + f->count * sizeof(*f->id))
		return -EINVAL;
	if (f->count)
		span = ids_span(f, &first);
	*ids = evnt_alloc(sizeof(**ids) + (span + 63) / 64 * sizeof(u64));
	if (!*ids)
		return -ENOMEM;
	(*ids)->in = f->in;
	(*ids)->first = first;
	(*ids)->span = span;
	for (i = 0; i < f->count; i++)
		(*ids)->map[(f->id[i] - first) / 64] |=
			BIT_ULL((f->id[i] - first) % 64);
	return 0;
}

/* Convert to the effective form; without match_any, match_all is ignored */
static struct evnt_level_keyword interest_of(u64 match_any, u64 match_all,
					     u8 level)
{
	return (struct evnt_level_keyword) {
		.match_any = evnt_effective_any(match_any),
		.match_all = match_any ? match_all : 0,
		.level = evnt_effective_level(level),
	};
}

/* Compile an EVENT_FILTER_LEVEL_KW, as evnt_ids_create() */
int evnt_level_kw_create(struct evnt_level_kw **kw, const void *from, u32 len)
{
	const struct level_kw_filter *f = from;

	if (len < offsetof(struct level_kw_filter, in) + sizeof(f->in))
		return -EINVAL;
	*kw = evnt_alloc(sizeof(**kw));
	if (!*kw)
		return -ENOMEM;
	(*kw)->interest = interest_of(f->match_any, f->match_all, f->level);
	(*kw)->in = f->in;
	return 0;
}

/*
 * Return the size of @count NUL-terminated names, or 0 if they exceed @len
 * bytes
 */
static u32 names_len(const u8 *names, u32 len, u32 count)
{
	const u8 *at = names, *end = names + len;

	for (; count; count--) {
		at = memchr(at, 0, end - at);
		if (!at++)
			return 0;
	}
	return at - names;
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Copy the names behind the array of pointers, and sort the pointers */
static void put_names(struct evnt_names *n, const u8 *from, u32 len)
{
	u8 *to = (u8 *)&n->name[n->count];
	u32 i;

	memcpy(to, from, len);
	for (i = 0; i < n->count; i++) {
		n->name[i] = to;
		to += strlen((const char *)to) + 1;
	}
	sort(n->name, n->count, sizeof(*n->name), compare_names, NULL);
}

/* Compile an EVENT_FILTER_EVENT_NAME, as evnt_ids_create() */
int evnt_names_create(struct evnt_names **names, const void *from, u32 len)
{
	const u32 fixed = offsetof(struct name_filter, names);
	const struct name_filter *f = from;
	struct evnt_names *n;
	u32 text;

	if (len < fixed)
		return -EINVAL;
	text = names_len(f->names, len - fixed, f->count);
	if (f->count && !text)
		return -EINVAL;
	n = evnt_alloc(sizeof(*n) + f->count * sizeof(*n->name) + text);
	if (!n)
		return -ENOMEM;
	n->interest = interest_of(f->match_any, f->match_all, f->level);
	n->in = f->in;
	n->count = f->count;
	put_names(n, f->names, text);
	*names = n;
	return 0;
}

/*
 * Find the event name in TraceLogging metadata.  It follows the length and the
 * tags; the last tag byte has its high bit clear.
 */
static bool find_name(struct evnt_reader *metadata, u32 *offset)
{
	const u8 *byte;
	u32 at = sizeof(u16);

	do {
		byte = evnt_reader_get(metadata, at++, 1);
		if (!byte)
			return false;
	} while (*byte & 0x80);
	*offset = at;
	return true;
}

/*
 * Check whether the event's name is in the list.  [@low, @high) is the range of
 * sorted names that share the prefix compared so far.
 */
static bool names_have(const struct evnt_names *n, struct evnt_reader *metadata)
{
	u32 at, i, low = 0, high = n->count;
	const u8 *byte;

	if (!find_name(metadata, &at))
		return false;
	for (i = 0; low < high; i++) {
		byte = evnt_reader_get(metadata, at + i, 1);
		if (!byte)
			return false;
		while (low < high && n->name[low][i] < *byte)
			low++;
		while (low < high && n->name[high - 1][i] > *byte)
			high--;
		if (!*byte)
			break;
	}
	return low < high;
}

/**
 * evnt_names_pass() - apply an event name filter
 * @names: filter
 * @level: level of the event
 * @keyword: keyword of the event
 * @metadata: metadata of the event; the result is invalid if its @err is set on
 *	return
 *
 * Return: true if the event passes.
 */
bool evnt_names_pass(const struct evnt_names *names, u8 level, u64 keyword,
		     struct evnt_reader *metadata)
{
	return (evnt_wanted(&names->interest, level, keyword) &&
		names_have(names, metadata)) == names->in;
}
