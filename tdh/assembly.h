/* SPDX-License-Identifier: MIT */
/*
 * Builder of programs for the module: struct evntrace_program.
 */
#ifndef TDH_ASSEMBLY_H
#define TDH_ASSEMBLY_H

#include <linux/evntrace.h>

#include "tdh/bytes.h"

#define MAX_INSTRUCTIONS						\
	((EVNTRACE_MAX_PROGRAM_SIZE - sizeof(struct evntrace_program)) / \
	 sizeof(struct evntrace_instruction))

/* Labels: jump targets that are not known until assembly_set() */
#define IF_FALSE	0xffffu
#define IF_TRUE		0xfffeu
#define IF_NEXT		0xfffdu
#define IF_OTHER	0xfffcu

/**
 * struct assembly - program under construction
 * @instruction: instructions so far
 * @count: number of instructions
 * @text: texts so far
 * @text_len: length of the texts in bytes
 * @overflow: the program is too long
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

/* Resolve jumps to @label, from instruction @start on, to @target */
void assembly_set(struct assembly *a, unsigned int start, u16 label,
		  unsigned int target);

/*
 * Add a text and return the instruction value that refers to it: a text in
 * UTF-8, converted if @wide, or a text of another program
 */
u64 assembly_text(struct assembly *a, const char *text, bool wide);
u64 assembly_copy_text(struct assembly *a, const struct evntrace_program *p,
		       u64 value);

/* Append the program to @b; ERROR_INSUFFICIENT_BUFFER if it is too long */
ULONG assembly_finish(const struct assembly *a, struct bytes *b);

#endif /* TDH_ASSEMBLY_H */
