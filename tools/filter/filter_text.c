// SPDX-License-Identifier: MIT
/* Formats the filters of an enabled provider in the syntax of evnt-enable(1) */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <evntprov.h>

#include "tools/evnt.h"
#include "tools/filter/filter_text.h"

void filters_list(int device, const struct evntrace_enablement *enablement,
		  struct filter_list *list)
{
	struct evntrace_list arg = {
		.size = sizeof(arg),
		.flags = is_group(enablement) ? EVNTRACE_LIST_GROUP : 0,
		.kind = EVNTRACE_LIST_FILTERS,
		.element_size = sizeof(__u64),
		.provider = enablement->provider,
	};
	void *units;
	size_t count;

	/* On an error, the list is empty */
	dev_list_of(device, enablement->handle, &arg, &units, &count);
	*list = (struct filter_list) { units, count * sizeof(__u64) };
}

/* Print ids; consecutive ones as a range */
static void print_ids(FILE *to, const EVENT_FILTER_EVENT_ID *f)
{
	const USHORT *id = f->Events;
	unsigned int last;

	for (unsigned int i = 0; i < f->Count; i = last + 1) {
		last = i;
		while (last + 1 < f->Count && id[last + 1] == id[last] + 1)
			last++;
		fprintf(to, "%s%u", i ? "," : "", id[i]);
		if (last > i)
			fprintf(to, "%c%u", last == i + 1 ? ',' : '-',
				id[last]);
	}
}

static void print_level_kw(FILE *to, UCHAR level, ULONGLONG any, ULONGLONG all)
{
	if (level || any)
		fprintf(to, " level=%u any=0x%llx all=0x%llx", level, any, all);
}

static void print_names(FILE *to, const EVENT_FILTER_EVENT_NAME *f)
{
	const char *name = (const char *)f->Names;

	for (unsigned int i = 0; i < f->NameCount; i++) {
		fprintf(to, "%s%s", i ? "," : "", name);
		name += strlen(name) + 1;
	}
	print_level_kw(to, f->Level, f->MatchAnyKeyword, f->MatchAllKeyword);
}

/* Print the events of a payload filter; its conditions are not decompiled */
static void print_program(FILE *to, const struct evntrace_program *p)
{
	const char *between = "events ";

	for (unsigned int i = 0; i < p->count; i++) {
		if (p->instruction[i].op != EVNTRACE_OP_EVENT)
			continue;
		fprintf(to, "%s%u.%u", between,
			p->instruction[i].arg & 0xffff,
			p->instruction[i].arg >> 16);
		between = ",";
	}
	fprintf(to, " (%u bytes)", p->size);
}

static void print_value(FILE *to, const struct evntrace_filter *info)
{
	const void *data = info + 1;
	const EVENT_FILTER_LEVEL_KW *kw = data;
	const EVENT_FILTER_HEADER *header = data;
	const ULONG *pids = data;

	switch (info->type) {
	case EVENT_FILTER_TYPE_PID:
		for (size_t i = 0; i < info->len / sizeof(*pids); i++)
			fprintf(to, "%s%u", i ? "," : "", pids[i]);
		break;
	case EVENT_FILTER_TYPE_EXECUTABLE_NAME:
	case EVENT_FILTER_TYPE_PACKAGE_ID:
	case EVENT_FILTER_TYPE_PACKAGE_APP_ID:
		fprintf(to, "%.*s", (int)info->len, (const char *)data);
		break;
	case EVENT_FILTER_TYPE_EVENT_ID:
	case EVENT_FILTER_TYPE_STACKWALK:
		print_ids(to, data);
		break;
	case EVENT_FILTER_TYPE_EVENT_NAME:
	case EVENT_FILTER_TYPE_STACKWALK_NAME:
		print_names(to, data);
		break;
	case EVENT_FILTER_TYPE_STACKWALK_LEVEL_KW:
		print_level_kw(to, kw->Level, kw->MatchAnyKeyword,
			       kw->MatchAllKeyword);
		break;
	case EVENT_FILTER_TYPE_PAYLOAD:
		print_program(to, data);
		break;
	case EVENT_FILTER_TYPE_SCHEMATIZED:
		fprintf(to, "%u version %u (%u bytes)", header->Id,
			header->Version, header->Size);
		break;
	default:
		fprintf(to, "0x%x (%u bytes)", info->type, info->len);
	}
}

/* Name of the filter types, the same as the options where there are any */
static const struct {
	ULONG type;
	const char *name;
	const char *not_name;	/* name of a filter that excludes */
	size_t in;		/* offset of its FilterIn */
} types[] = {
	{ EVENT_FILTER_TYPE_PID, "pid", NULL, 0 },
	{ EVENT_FILTER_TYPE_EXECUTABLE_NAME, "exe", NULL, 0 },
	{ EVENT_FILTER_TYPE_PACKAGE_ID, "package", NULL, 0 },
	{ EVENT_FILTER_TYPE_PACKAGE_APP_ID, "app", NULL, 0 },
	{ EVENT_FILTER_TYPE_EVENT_ID, "id", "not-id",
	  offsetof(EVENT_FILTER_EVENT_ID, FilterIn) },
	{ EVENT_FILTER_TYPE_EVENT_NAME, "event", "not-event",
	  offsetof(EVENT_FILTER_EVENT_NAME, FilterIn) },
	{ EVENT_FILTER_TYPE_PAYLOAD, "where", NULL, 0 },
	{ EVENT_FILTER_TYPE_STACKWALK, "stack", "not-stack",
	  offsetof(EVENT_FILTER_EVENT_ID, FilterIn) },
	{ EVENT_FILTER_TYPE_STACKWALK_NAME, "stack-event", "not-stack-event",
	  offsetof(EVENT_FILTER_EVENT_NAME, FilterIn) },
	{ EVENT_FILTER_TYPE_STACKWALK_LEVEL_KW, "stack-level",
	  "not-stack-level", offsetof(EVENT_FILTER_LEVEL_KW, FilterIn) },
	{ EVENT_FILTER_TYPE_SCHEMATIZED, "schematized", NULL, 0 },
};

static const char *name_of(const struct evntrace_filter *info)
{
	const UCHAR *data = (const UCHAR *)(info + 1);

	for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++) {
		if (types[i].type != info->type)
			continue;
		return types[i].not_name && !data[types[i].in] ?
		       types[i].not_name : types[i].name;
	}
	return "own";
}

const struct evntrace_filter *
filter_info_next(const struct filter_list *list, size_t *at)
{
	const struct evntrace_filter *info;

	if (!list->data || *at >= list->len)
		return NULL;
	info = (const void *)((const char *)list->data + *at);
	*at += sizeof(*info) + (info->len + 7) / 8 * 8;
	return info;
}

const char *filter_text(const struct evntrace_filter *info, char **value)
{
	size_t size;
	FILE *to = must_have(open_memstream(value, &size));

	print_value(to, info);
	fclose(to);
	return name_of(info);
}

const char *filter_next(const struct filter_list *list, size_t *at,
			char **value)
{
	const struct evntrace_filter *info = filter_info_next(list, at);

	return info ? filter_text(info, value) : NULL;
}

json_object *filters_array(int device,
			   const struct evntrace_enablement *enablement)
{
	json_object *array = json_object_new_array(), *object;
	struct filter_list list;
	const char *name;
	char *value;

	filters_list(device, enablement, &list);
	for (size_t at = 0; (name = filter_next(&list, &at, &value)); ) {
		object = json_object_new_object();
		json_add_text(object, "name", name);
		json_add_text(object, "value", value);
		json_object_array_add(array, object);
		free(value);
	}
	free(list.data);
	return array;
}
