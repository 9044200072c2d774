// SPDX-License-Identifier: MIT
/*
 * Call stacks of events in private sessions.  As in the module, they start at
 * the function called by the program to write the event, and follow frame
 * pointers.
 *
 * In a program compiled without frame pointers the chain may lead anywhere.
 * All frames but the library's own are therefore read by the kernel, which
 * reports invalid addresses; one system call reads several frames.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "lib/private/private.h"

#define PAGE		4096u
#define WINDOW		1024u

/* Stack frame: the caller's frame pointer, and the return address */
struct stack_frame {
	uintptr_t next;
	uintptr_t address;
};

/**
 * struct window - copy of a part of the stack
 * @from: address of the part
 * @len: number of valid bytes in @data
 * @data: contents
 */
struct window {
	uintptr_t from;
	size_t len;
	u8 data[WINDOW];
};

/* Read the stack at @at, as far as it is mapped */
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
	       at - w->from + sizeof(struct stack_frame) <= w->len;
}

static bool read_frame(struct window *w, struct stack_frame *f, uintptr_t at)
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
 * @inner: frame whose return address is the first one recorded
 *
 * May be called in any context.
 *
 * Return: number of frames.
 */
u32 evnt_private_stack(struct evnt_stack *stack, const void *inner)
{
	const struct stack_frame *own = inner;
	uintptr_t at = own->next;
	struct window w;
	struct stack_frame f;
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
