// SPDX-License-Identifier: MIT
/*
 * Finds words for what a thread waited for: from the functions in its stack, or
 * from the reason that the scheduler has recorded.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/evnt.h"
#include "tools/events/stack.h"
#include "tools/why/why.h"

/* Beginning of the name of a function, and its words */
struct known {
	const char *name;
	const char *words;
};

/* Functions of the kernel in the stack of a thread that waits */
static const struct known waits[] = {
	{ "futex_", "lock" },
	{ "__futex_", "lock" },
	{ "io_schedule", "disk" },
	{ "blk_", "disk" },
	{ "bio_", "disk" },
	{ "submit_bio_wait", "disk" },
	{ "jbd2_", "disk" },
	{ "wait_on_page", "disk" },
	{ "folio_wait", "disk" },
	{ "do_nanosleep", "sleep" },
	{ "hrtimer_nanosleep", "sleep" },
	{ "msleep", "sleep" },
	{ "usleep", "sleep" },
	{ "ep_poll", "poll" },
	{ "do_epoll_wait", "poll" },
	{ "do_poll", "poll" },
	{ "do_sys_poll", "poll" },
	{ "do_select", "poll" },
	{ "pipe_", "pipe" },
	{ "anon_pipe_", "pipe" },
	{ "eventfd_", "eventfd" },
	{ "unix_", "socket" },
	{ "tcp_", "socket" },
	{ "inet_", "socket" },
	{ "sk_", "socket" },
	{ "sock_", "socket" },
	{ "__skb_wait", "socket" },
	{ "n_tty_", "terminal" },
	{ "do_wait", "child process" },
	{ "kernel_wait4", "child process" },
	{ "do_signal_stop", "stop signal" },
	{ "ptrace_stop", "debugger" },
	{ "mutex_", "lock of the kernel" },
	{ "__mutex_", "lock of the kernel" },
	{ "rwsem_", "lock of the kernel" },
	{ "down_", "lock of the kernel" },
	{ "__down_", "lock of the kernel" },
	{ "rt_mutex_", "lock of the kernel" },
	{}
};

/* Functions of the kernel in the stack of an interrupt that ends a wait */
static const struct known interrupts[] = {
	{ "process_timeout", "timer" },
	{ "hrtimer_", "timer" },
	{ "__hrtimer_", "timer" },
	{ "call_timer_fn", "timer" },
	{ "blk_", "disk" },
	{ "bio_", "disk" },
	{ "end_page_", "disk" },
	{ "folio_end_", "disk" },
	{ "net_rx_", "network" },
	{ "__netif_receive", "network" },
	{ "tcp_", "network" },
	{ "sock_def_", "network" },
	{}
};

/* Reasons of waits in Windows' numbers; UserRequest explains nothing */
static const char *const reasons[] = {
	[0] = "kernel",
	[1] = "memory",
	[2] = "disk",
	[4] = "sleep",
	[5] = "stop signal",
	[7] = "kernel",
	[8] = "memory",
	[9] = "disk",
	[11] = "sleep",
	[12] = "stop signal",
	[15] = "queue",
	[16] = "message",
	[17] = "message",
	[27] = "lock of the kernel",
	[28] = "lock of the kernel",
	[29] = "lock of the kernel",
};

static const char *find_known(const struct known *list, const char *name)
{
	for (; list->name; list++) {
		if (!strncmp(name, list->name, strlen(list->name)))
			return list->words;
	}
	return NULL;
}

static void look_up(const struct why *why, uint32_t thread,
		    const struct why_frames *stack, uint32_t i,
		    struct frame *frame)
{
	/* Process 0 has the images of the kernel */
	const uint32_t pid = is_of_kernel(stack->at[i]) || thread == CPU_NONE ?
		0 : why->use.processes[why->use.threads[thread].process].pid;

	frame_at(pid, stack->at[i], i && !is_of_kernel(stack->at[i - 1]),
		 frame);
}

char *why_frame(const struct why *why, uint32_t thread,
		const struct why_frames *stack, uint32_t i)
{
	struct frame frame;

	look_up(why, thread, stack, i, &frame);
	return frame_group(&frame);
}

/* Find the innermost function of the kernel in a list */
static const char *find_function(const struct why *why,
				 const struct known *list,
				 const struct why_frames *stack,
				 const char **function)
{
	const char *words, *name;
	struct frame frame;

	for (uint32_t i = 0; i < stack->depth; i++) {
		if (!is_of_kernel(stack->at[i]))
			continue;
		look_up(why, CPU_NONE, stack, i, &frame);
		name = frame.function ? frame.function : frame.symbol.function;
		words = name ? find_known(list, name) : NULL;
		if (words) {
			*function = name;
			return words;
		}
	}
	return NULL;
}

char *why_function(const struct why *why, uint32_t thread,
		   const struct why_frames *stack)
{
	struct frame frame;

	for (uint32_t i = 0; i < stack->depth; i++) {
		if (is_of_kernel(stack->at[i]))
			continue;
		look_up(why, thread, stack, i, &frame);
		if (frame.symbol.function)
			return must_have(strdup(frame.symbol.function));
	}
	return NULL;
}

const char *why_cause(const struct why *why, uint32_t thread,
		      const struct why_stretch *wait, char **function)
{
	const char *name = NULL;
	const char *words = find_function(why, waits, &wait->stack, &name);

	if (words) {
		*function = must_have(strdup(name));
		return words;
	}
	*function = why_function(why, thread, &wait->stack);
	words = "unknown";
	if (wait->reason < sizeof(reasons) / sizeof(reasons[0]) &&
	    reasons[wait->reason])
		words = reasons[wait->reason];
	/* Both explain little */
	if ((!strcmp(words, "unknown") || !strcmp(words, "kernel")) &&
	    why_was_disk(why, thread, wait))
		return "disk";
	return words;
}

const char *why_interrupt(const struct why *why,
			  const struct why_stretch *wait)
{
	const char *name;
	const char *words = find_function(why, interrupts, &wait->waker_stack,
					  &name);

	return words ? words : "device or timer";
}
