/* SPDX-License-Identifier: MIT */
/*
 * A program for the module while it is made: struct evntrace_program.
 */
#ifndef TDH_ASSEMBLY_H
#define TDH_ASSEMBLY_H

#include <linux/evntprov.h>

#include "bytes.h"

#define MAX_INSTRUCTIONS						\
	((EVNTRACE_MAX_PROGRAM_SIZE - sizeof(struct evntrace_program)) / \
	 sizeof(struct evntrace_instruction))

/* Jumps to what is not there yet, until assembly_set() */
#define IF_FALSE	0xffffu
#define IF_TRUE		0xfffeu
#define IF_NEXT		0xfffdu
#define IF_OTHER	0xfffcu

/**
 * struct assembly - a program while it is made
 * @count: its instructions
 * @text_len: bytes of its texts
 * @overflow: it is too long
 */
struct assembly {
	struct evntrace_instruction instruction[MAX_INSTRUCTIONS];
	unsigned int count;
	u8 text[EVNTRACE_MAX_PROGRAM_SIZE];
	unsigned int text_len;
	bool overflow;
};

void assembly_add(struct assembly *a, struct evntrace_instruction i);
void assembly_end(struct assembly *a, bool pass);

/* From instruction @start on, those that jump to @label go to @target */
void assembly_set(struct assembly *a, unsigned int start, u16 label,
		  unsigned int target);

/* The value of an instruction on a text: of UTF-8; of that in another program */
u64 assembly_text(struct assembly *a, const char *text, bool wide);
u64 assembly_copy_text(struct assembly *a, const struct evntrace_program *p,
		       u64 value);

/* Put it together; ERROR_INSUFFICIENT_BUFFER when it is too long */
ULONG assembly_finish(const struct assembly *a, struct bytes *b);

#endif /* TDH_ASSEMBLY_H */
