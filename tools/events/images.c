// SPDX-License-Identifier: MIT
/* Images mapped by processes */
#include <stdlib.h>
#include <string.h>

#include <linux/evntprov.h>

#include "core/self_layout.h"
#include "tools/evnt.h"
#include "decode/format.h"
#include "tools/events/images.h"
#include "tools/events/symbols.h"

#define CHAINS		1024

/**
 * struct process - images of a process
 * @next: next process in the hash chain
 * @pid: process id
 * @start_key: distinguishes processes that have had the same id
 * @execs: distinguishes the programs that the process has executed
 * @images: images sorted by address, without overlap
 * @count: number of images
 * @room: number of images that memory is allocated for
 */
struct process {
	struct process *next;
	uint32_t pid;
	uint64_t start_key;
	uint64_t execs;
	struct image *images;
	size_t count;
	size_t room;
};

static struct process *processes[CHAINS];
static struct module *modules[CHAINS];

/* Return whether an event is one of the module's own provider */
static bool is_own(const EVENT_RECORD *record)
{
	static const struct evntprov_guid provider = EVNTPROV_IMAGES_PROVIDER;

	return !memcmp(&record->EventHeader.ProviderId, &provider,
		       sizeof(provider));
}

bool is_loss(const EVENT_RECORD *record)
{
	static const struct evntprov_guid provider = EVNTPROV_LOSSES_PROVIDER;
	const EVENT_HEADER *h = &record->EventHeader;

	return !memcmp(&h->ProviderId, &provider, sizeof(provider)) &&
	       h->EventDescriptor.Opcode == EVNTPROV_LOST_OPCODE &&
	       record->UserDataLength > sizeof(struct evntprov_loss);
}

bool is_of_module(const EVENT_RECORD *record)
{
	return is_process_name(record) || is_own(record) || is_loss(record);
}

bool is_image(const EVENT_RECORD *record)
{
	const EVENT_HEADER *h = &record->EventHeader;

	return is_own(record) && !h->EventDescriptor.Id &&
	       !h->EventDescriptor.Version &&
	       h->EventDescriptor.Opcode == EVNTPROV_IMAGE_OPCODE;
}

static uint32_t hash_text(uint32_t hash, const char *text)
{
	for (; *text; text++)
		hash = (hash ^ (unsigned char)*text) * 16777619u;
	return hash;
}

static struct module *module_of(const char *path, const char *id)
{
	struct module *m, **chain;

	chain = &modules[hash_text(hash_text(0, path), id) % CHAINS];
	for (m = *chain; m; m = m->next) {
		if (!strcmp(m->path, path) && !strcmp(m->id, id))
			return m;
	}
	m = must_have(calloc(1, sizeof(*m)));
	m->path = must_have(strdup(path));
	m->id = must_have(strdup(id));
	m->shown = must_have(format_utf8_copy(path));
	m->name = strrchr(m->shown, '/');
	/* Of Windows */
	if (!m->name)
		m->name = strrchr(m->shown, '\\');
	m->name = m->name ? m->name + 1 : m->shown;
	m->next = *chain;
	*chain = m;
	return m;
}

static struct process *find_process(uint32_t pid)
{
	struct process *p = processes[pid % CHAINS];

	while (p && p->pid != pid)
		p = p->next;
	return p;
}

/* Return the index of the first image that ends at or after an address */
static size_t first_behind(const struct process *p, uint64_t address)
{
	size_t low = 0, high = p->count, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (p->images[middle].base + p->images[middle].size - 1 <
		    address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Add an image, replacing any images that it overlaps */
static void add_image(struct process *p, const struct image *image)
{
	size_t from = first_behind(p, image->base), to = from;
	uint64_t last = image->base + image->size - 1;

	while (to < p->count && p->images[to].base <= last)
		to++;
	if (to == from && p->count == IMAGES_MAX)
		return;
	if (p->count >= p->room) {
		p->room = p->room ? 2 * p->room : 16;
		p->images = must_have(realloc(p->images,
					      p->room * sizeof(*p->images)));
	}
	memmove(p->images + from + 1, p->images + to,
		(p->count - to) * sizeof(*image));
	p->images[from] = *image;
	p->count += 1 - (to - from);
}

/*
 * Return the string at *@from and advance *@from past it; NULL if it is not
 * terminated
 */
static const char *take_text(const char **from, const char *end)
{
	const char *text = *from, *nul = memchr(text, 0, end - text);

	*from = nul ? nul + 1 : end;
	return nul ? text : NULL;
}

static struct process *process_of(uint32_t pid)
{
	struct process *p = find_process(pid);

	if (p)
		return p;
	p = must_have(calloc(1, sizeof(*p)));
	p->pid = pid;
	p->next = processes[pid % CHAINS];
	processes[pid % CHAINS] = p;
	return p;
}

void images_map(uint32_t pid, uint64_t base, uint64_t size, const char *path)
{
	if (size && base + size - 1 >= base)
		add_image(process_of(pid), &(struct image) {
			base, size, 0, module_of(path, BUILD_UNKNOWN), true,
		});
}

void images_forget(uint32_t pid)
{
	struct process **link = &processes[pid % CHAINS], *p;

	while (*link && (*link)->pid != pid)
		link = &(*link)->next;
	p = *link;
	if (!p)
		return;
	*link = p->next;
	free(p->images);
	free(p);
}

void images_take(const EVENT_RECORD *record)
{
	const char *from = record->UserData, *id, *path;
	const char *end = from + record->UserDataLength;
	uint32_t pid = record->EventHeader.ProcessId;
	struct evntprov_image fixed;
	struct process *p;

	if (record->UserDataLength < sizeof(fixed))
		return;
	memcpy(&fixed, from, sizeof(fixed));
	from += sizeof(fixed);
	id = take_text(&from, end);
	path = take_text(&from, end);
	if (!id || !path || !fixed.size ||
	    fixed.base + fixed.size - 1 < fixed.base)
		return;
	p = process_of(pid);
	if (p->start_key != fixed.start_key || p->execs != fixed.execs)
		p->count = 0;
	p->start_key = fixed.start_key;
	p->execs = fixed.execs;
	add_image(p, &(struct image) {
		fixed.base, fixed.size, fixed.offset, module_of(path, id),
		false,
	});
}

void images_restart(void)
{
	size_t count;

	for (size_t i = 0; i < CHAINS; i++) {
		for (struct process *p = processes[i]; p; p = p->next) {
			count = p->count;
			p->count = 0;
			for (size_t k = 0; k < count; k++) {
				if (p->images[k].is_kept)
					p->images[p->count++] = p->images[k];
			}
		}
	}
}

const struct image *images_find(uint32_t pid, uint64_t address)
{
	const struct process *p = find_process(pid);
	const struct image *image;
	size_t i;

	if (!p)
		return NULL;
	i = first_behind(p, address);
	image = &p->images[i];
	return i < p->count && image->base <= address ? image : NULL;
}

const struct image *images_lowest(uint32_t pid)
{
	const struct process *p = find_process(pid);

	return p && p->count ? &p->images[0] : NULL;
}

void images_free(void (*free_symbols)(struct symbols *symbols))
{
	struct process *p;
	struct module *m;

	for (size_t i = 0; i < CHAINS; i++) {
		while ((p = processes[i])) {
			processes[i] = p->next;
			free(p->images);
			free(p);
		}
		while ((m = modules[i])) {
			modules[i] = m->next;
			if (m->symbols)
				free_symbols(m->symbols);
			free(m->path);
			free(m->shown);
			free(m->id);
			free(m);
		}
	}
}
