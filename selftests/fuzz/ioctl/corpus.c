// SPDX-License-Identifier: GPL-2.0
/* Programs: stored in files, and derived from others. */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fuzz.h"

void corpus_add(struct corpus *c, const struct program *p)
{
	if (c->count == c->room) {
		c->room = c->room ? 2 * c->room : 64;
		c->programs = realloc(c->programs,
				      c->room * sizeof(*c->programs));
	}
	c->programs[c->count++] = *p;
}

bool program_load(struct program *p, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, p->bytes, sizeof(p->bytes));

	if (fd >= 0)
		close(fd);
	p->len = n > 0 ? n : 0;
	return n > 0;
}

/* Load in the order of names, so that each run begins with the same programs */
bool corpus_load(struct corpus *c, const char *dir)
{
	struct dirent **entries;
	struct program p;
	char path[512];
	int i, n = scandir(dir, &entries, NULL, alphasort);

	for (i = 0; i < n; i++) {
		snprintf(path, sizeof(path), "%s/%s", dir, entries[i]->d_name);
		if (entries[i]->d_name[0] != '.' && program_load(&p, path))
			corpus_add(c, &p);
	}
	return n >= 0;
}

/* Name a program by a hash of its bytes */
void program_name(const struct program *p, char name[17])
{
	uint64_t h = 0xcbf29ce484222325ull;
	uint32_t i;

	for (i = 0; i < p->len; i++)
		h = (h ^ p->bytes[i]) * 0x100000001b3ull;
	snprintf(name, 17, "%016llx", (unsigned long long)h);
}

void program_save(const struct program *p, const char *dir, const char *name)
{
	char path[512];
	int fd;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	if (fd < 0 || write(fd, p->bytes, p->len) != (ssize_t)p->len)
		printf("# %s cannot be written\n", path);
	if (fd >= 0)
		close(fd);
}

static uint32_t chance_of(uint64_t *chance, uint32_t n)
{
	*chance ^= *chance << 13;
	*chance ^= *chance >> 7;
	*chance ^= *chance << 17;
	return (*chance >> 11) % n;
}

static void make_new(uint64_t *chance, struct program *p)
{
	uint32_t i;

	p->len = 16 + chance_of(chance, 300);
	for (i = 0; i < p->len; i++)
		p->bytes[i] = chance_of(chance, 256);
}

static void insert(uint64_t *chance, struct program *p)
{
	uint32_t i, at, n = 1 + chance_of(chance, 16);

	if (p->len + n > PROGRAM_MAX)
		return;
	at = chance_of(chance, p->len + 1);
	memmove(p->bytes + at + n, p->bytes + at, p->len - at);
	for (i = 0; i < n; i++)
		p->bytes[at + i] = chance_of(chance, 256);
	p->len += n;
}

static void cut(uint64_t *chance, struct program *p)
{
	uint32_t at = chance_of(chance, p->len);
	uint32_t n = 1 + chance_of(chance, 16);

	if (at + n >= p->len)
		return;
	memmove(p->bytes + at, p->bytes + at + n, p->len - at - n);
	p->len -= n;
}

/* Append the end of another program to the beginning of this one */
static void splice(uint64_t *chance, struct program *p,
		   const struct program *other)
{
	uint32_t at = chance_of(chance, p->len + 1);
	uint32_t from = chance_of(chance, other->len);
	uint32_t n = other->len - from;

	if (at + n > PROGRAM_MAX)
		n = PROGRAM_MAX - at;
	memcpy(p->bytes + at, other->bytes + from, n);
	p->len = at + n;
}

/* Mutate another program of the corpus, or create a new one */
void program_make(const struct corpus *c, uint64_t *chance, struct program *p)
{
	uint32_t changes;

	if (!c->count || !chance_of(chance, 8)) {
		make_new(chance, p);
		return;
	}
	*p = c->programs[chance_of(chance, c->count)];
	for (changes = 1 + chance_of(chance, 6); changes && p->len; changes--) {
		switch (chance_of(chance, 6)) {
		case 0:
			insert(chance, p);
			break;
		case 1:
			cut(chance, p);
			break;
		case 2:
			splice(chance, p,
			       &c->programs[chance_of(chance, c->count)]);
			break;
		default:
			p->bytes[chance_of(chance, p->len)] =
				chance_of(chance, 256);
		}
	}
}
