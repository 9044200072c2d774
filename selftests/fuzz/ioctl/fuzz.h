/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Shared by the parts of the fuzzer.
 *
 * A program is a string of bytes.  When it runs, each decision is taken from
 * the next byte: which call, which field is hostile, and how.  So any string is
 * a program, any change of it another one, and the same string always makes the
 * same requests to the kernel.
 */
#ifndef EVNT_FUZZ_H
#define EVNT_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ARRAY_SIZE(a)	(sizeof(a) / sizeof((a)[0]))

#define PROGRAM_MAX	1024

struct program {
	uint32_t len;
	uint8_t bytes[PROGRAM_MAX];
};

/* A program being read; zeros follow its end */
struct reader {
	const struct program *program;
	uint32_t at;
};

static inline bool at_end(const struct reader *r)
{
	return r->at >= r->program->len;
}

static inline uint8_t take8(struct reader *r)
{
	return at_end(r) ? 0 : r->program->bytes[r->at++];
}

static inline uint64_t take64(struct reader *r)
{
	uint64_t v = 0;
	int i;

	for (i = 0; i < 8; i++)
		v = v << 8 | take8(r);
	return v;
}

/* Take a number from 0 to @n - 1, for @n up to 256 */
static inline uint32_t take_of(struct reader *r, uint32_t n)
{
	return take8(r) % n;
}

/* memory.c: memory of all kinds to pass to the kernel */
void memory_setup(void);
void memory_reset(void);
void *memory_take(size_t len);
uint64_t memory_at(struct reader *r, void *p, size_t len);

/* calls.c */
extern bool calls_printed;		/* print each call */
void calls_setup(void);
uint32_t calls_run(const struct program *p, volatile bool *late);

/* coverage.c: code of the module that a program reached */
#define COVERAGE_BITS	(1u << 18)

struct coverage {
	uint8_t edges[COVERAGE_BITS / 8];
	uint8_t points[COVERAGE_BITS / 8];
};

bool coverage_setup(void);
void coverage_begin(void);
bool coverage_end(struct coverage *mine, struct coverage *all);
uint32_t coverage_points(const struct coverage *c);

/* corpus.c: programs worth changing */
struct corpus {
	struct program *programs;
	uint32_t count;
	uint32_t room;
};

void corpus_add(struct corpus *c, const struct program *p);
bool corpus_load(struct corpus *c, const char *dir);
bool program_load(struct program *p, const char *path);
void program_save(const struct program *p, const char *dir, const char *name);
void program_name(const struct program *p, char name[17]);
void program_make(const struct corpus *c, uint64_t *chance, struct program *p);

#endif /* EVNT_FUZZ_H */
