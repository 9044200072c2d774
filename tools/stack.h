/* SPDX-License-Identifier: MIT */
/* The call stacks of events, frame by frame. */
#ifndef EVNT_TOOLS_STACK_H
#define EVNT_TOOLS_STACK_H

#include "addresses.h"
#include "images.h"
#include "symbols.h"

/**
 * struct frame - a frame, as far as something is known of it
 * @address: as it was recorded
 * @image: what it is in, or NULL
 * @offset: where in the file that this is of
 * @symbol: its function and line; all of it may be empty
 */
struct frame {
	uint64_t address;
	const struct image *image;
	uint64_t offset;
	struct symbol symbol;
};

/* One of a stack's frames, the innermost first; what it points to is images_free()'s */
void stack_frame(const EVENT_RECORD *record,
		 const EVENT_HEADER_EXTENDED_DATA_ITEM *stack, size_t i,
		 struct frame *frame);

/* From now on no file is opened for a name */
void stack_without_symbols(void);

#endif /* EVNT_TOOLS_STACK_H */
