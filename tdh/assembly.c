// SPDX-License-Identifier: MIT
/*
 * Builder of programs for the module: struct evntrace_program.
 */
#include <string.h>

#include "tdh/assembly.h"

void assembly_add(struct assembly *a, struct evntrace_instruction i)
{
	if (a->count == MAX_INSTRUCTIONS)
		a->overflow = true;
	else
		a->instruction[a->count++] = i;
}

void assembly_end(struct assembly *a, bool pass)
{
	assembly_add(a, (struct evntrace_instruction) {
		.op = EVNTRACE_OP_END, .arg = pass });
}

void assembly_set(struct assembly *a, unsigned int start, u16 label,
		  unsigned int target)
{
	unsigned int i;

	for (i = start; i < a->count; i++) {
		if (a->instruction[i].jump == label)
			a->instruction[i].jump = target - i - 1;
	}
}

/* Add a text at an even offset, and return offset and length as a value */
static u64 add_text(struct assembly *a, const void *text, size_t len)
{
	unsigned int at = a->text_len;

	if (len > sizeof(a->text) - 1 - at) {
		a->overflow = true;
		return 0;
	}
	if (len)
		memcpy(a->text + at, text, len);
	a->text_len += (len + 1) & ~1u;
	return at | (u64)len << 32;
}

u64 assembly_text(struct assembly *a, const char *text, bool wide)
{
	struct bytes b = { 0 };
	u64 value;

	if (!wide)
		return add_text(a, text, strlen(text));
	bytes_add_wide(&b, text);
	if (b.failed)
		a->overflow = true;
	value = add_text(a, b.data, b.len);
	bytes_free(&b);
	return value;
}

u64 assembly_copy_text(struct assembly *a, const struct evntrace_program *p,
		       u64 value)
{
	return add_text(a, (const u8 *)p + (u32)value, value >> 32);
}

ULONG assembly_finish(const struct assembly *a, struct bytes *b)
{
	struct evntrace_instruction i;
	struct evntrace_program p = {
		.version = EVNTRACE_PROGRAM_VERSION, .count = a->count,
	};
	u32 code = sizeof(p) + a->count * sizeof(i);
	unsigned int n;

	p.size = code + a->text_len;
	if (a->overflow || p.size > EVNTRACE_MAX_PROGRAM_SIZE)
		return ERROR_INSUFFICIENT_BUFFER;
	bytes_add(b, &p, sizeof(p));
	for (n = 0; n < a->count; n++) {
		i = a->instruction[n];
		/* Make the offset relative to the start of the program */
		if (i.op == EVNTRACE_OP_TEXT_IS ||
		    i.op == EVNTRACE_OP_TEXT_CONTAINS)
			i.value += code;
		bytes_add(b, &i, sizeof(i));
	}
	bytes_add(b, a->text, a->text_len);
	return b->failed ? ERROR_NOT_ENOUGH_MEMORY : ERROR_SUCCESS;
}
