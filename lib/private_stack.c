// SPDX-License-Identifier: MIT
/*
 * Call stacks of events of private sessions: as the module finds them, from the
 * function that was called to write the event outwards, by frame pointers.
 *
 * Of a program without them, the chain leads anywhere.  So what is not the library's
 * own frame is read by the kernel, which says when nothing is there: some frames
 * with one system call.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "private.h"

#define PAGE		4096u
#define WINDOW		1024u

/* What a frame pointer points to: the caller's, and where it goes on */
struct frame {
	uintptr_t next;
	uintptr_t address;
};

/**
 * struct window - a part of the stack
 * @from: its address
 * @len: how much of it is there
 * @data: it
 */
struct window {
	uintptr_t from;
	size_t len;
	u8 data[WINDOW];
};

/* Read what is at an address, as far as there is something */
static void look(struct window *w, uintptr_t at)
{
	size_t first = min((size_t)(PAGE - at % PAGE), (size_t)WINDOW);
	struct iovec to = { w->data, WINDOW }, from[2] = {
		{ (void *)at, first },
		{ (void *)(at + first), WINDOW - first },
	};
	int saved = errno;
	ssize_t n;

	n = syscall(SYS_process_vm_readv, (long)evnt_private_pid(), &to, 1L,
		    from, WINDOW > first ? 2L : 1L, 0L);
	errno = saved;
	w->from = at;
	w->len = n > 0 ? n : 0;
}

static bool has_frame(const struct window *w, uintptr_t at)
{
	return at >= w->from && at - w->from <= WINDOW &&
	       at - w->from + sizeof(struct frame) <= w->len;
}

static bool read_frame(struct window *w, struct frame *f, uintptr_t at)
{
	if (at % sizeof(uintptr_t))
		return false;
	if (!has_frame(w, at))
		look(w, at);
	if (!has_frame(w, at))
		return false;
	memcpy(f, w->data + (at - w->from), sizeof(*f));
	return true;
}

/**
 * evnt_private_stack() - take the call stack of the calling thread
 * @stack: filled in
 * @inner: the frame of a function that the one has called which is the first
 *
 * In any context.
 *
 * Return: how many frames there are.
 */
u32 evnt_private_stack(struct evnt_stack *stack, const void *inner)
{
	const struct frame *own = inner;
	uintptr_t at = own->next;
	struct window w;
	struct frame f;
	u32 n = 0;

	w.len = 0;
	w.from = 0;
	stack->match_id = 0;
	stack->frame[n++] = evnt_plain_address(own->address);
	if (at <= (uintptr_t)inner)
		return n;
	while (n < EVNT_MAX_FRAMES && read_frame(&w, &f, at) && f.address) {
		stack->frame[n++] = evnt_plain_address(f.address);
		if (f.next <= at)
			break;
		at = f.next;
	}
	return n;
}
