// SPDX-License-Identifier: MIT
/* Statistics of the processes that have written the events of a log */
#include <stdlib.h>

#include "tools/evnt.h"
#include "decode/header.h"
#include "tools/stat/stat_processes.h"

/* Process to look up */
struct process_key {
	const struct processes *processes;
	uint32_t pid;
};

static bool has_pid(const void *context, uint32_t number)
{
	const struct process_key *key = context;

	return key->processes->list[number].pid == key->pid;
}

static struct process_counts *process_of(struct processes *p, uint32_t pid)
{
	const uint64_t hash = hash_bytes(HASH_BEGIN, &pid, sizeof(pid));
	const struct process_key key = { p, pid };
	const uint32_t number = hash_find(&p->table, hash, has_pid, &key);

	if (number != HASH_NONE)
		return &p->list[number];
	if (p->count == p->room) {
		p->room = p->room ? 2 * p->room : 64;
		p->list = must_have(realloc(p->list,
					    p->room * sizeof(*p->list)));
	}
	hash_add(&p->table, hash, p->count);
	p->list[p->count] = (struct process_counts) { .pid = pid };
	return &p->list[p->count++];
}

void processes_add(struct processes *processes, const EVENT_RECORD *record)
{
	const EVENT_HEADER *h = &record->EventHeader;
	const struct tally one = tally_of(record);

	/* Some records of Windows' kernel do not contain the process */
	if (h->ProcessId != UINT32_MAX && !is_log_header(record))
		counts_merge(&process_of(processes, h->ProcessId)->tally, &one);
}

static int by_count(const void *a, const void *b)
{
	const struct process_counts *x = a, *y = b;

	if (x->tally.count != y->tally.count)
		return x->tally.count < y->tally.count ? 1 : -1;
	return x->pid < y->pid ? -1 : x->pid > y->pid;
}

void processes_sort(struct processes *processes)
{
	if (processes->count)
		qsort(processes->list, processes->count,
		      sizeof(*processes->list), by_count);
}

void processes_free(struct processes *processes)
{
	free(processes->list);
	hash_free(&processes->table);
}
