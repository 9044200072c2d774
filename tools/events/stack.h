/* SPDX-License-Identifier: MIT */
/* Call stacks of events, frame by frame */
#ifndef EVNT_STACK_H
#define EVNT_STACK_H

#include "decode/addresses.h"
#include "tools/events/images.h"
#include "tools/events/symbols.h"

/**
 * struct frame - a frame of a call stack
 * @address: address as recorded
 * @image: image that contains the address, or NULL
 * @offset: offset in the image's file
 * @symbol: function and line; all members may be empty
 * @function: name of a function of the kernel, or NULL
 */
struct frame {
	uint64_t address;
	const struct image *image;
	uint64_t offset;
	struct symbol symbol;
	const char *function;
};

/* Return whether an address belongs to the kernel */
static inline bool is_of_kernel(uint64_t address)
{
	return address >> 63;
}

/* Look up an address of a process, which may be a return address */
void frame_at(uint32_t pid, uint64_t address, bool is_return,
	      struct frame *frame);

/*
 * Look up frame @i; frame 0 is the innermost. The result is valid until
 * images_free().
 */
void stack_frame(const EVENT_RECORD *record,
		 const EVENT_HEADER_EXTENDED_DATA_ITEM *stack, size_t i,
		 struct frame *frame);

/*
 * Return the function, otherwise the image and the offset in it, otherwise the
 * address. The caller frees the name.
 */
char *frame_name(const struct frame *frame);

/*
 * Return the function, otherwise the image or the kernel in brackets: a name that
 * many addresses share. The caller frees it.
 */
char *frame_group(const struct frame *frame);

/* Disable looking up symbols, so that no files are opened */
void stack_without_symbols(void);

#endif /* EVNT_STACK_H */
