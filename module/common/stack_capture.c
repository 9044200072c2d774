// SPDX-License-Identifier: GPL-2.0
/*
 * Call stacks of events, captured from the current task as it writes one.
 *
 * The user part is found by following frame pointers; for a program without
 * them it is short or wrong.  Whatever the process's memory contains, the walk
 * moves upwards only, reads only pages that are present, and terminates.
 */
#include <linux/compat.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/sched/task_stack.h>
#include <linux/stacktrace.h>
#include <linux/uaccess.h>

#include "module/compat/compat.h"
#include "module/common/stack_capture.h"

/* Stack frame: frame pointer of the caller, and return address */
struct user_frame {
	u64 next;
	u64 address;
};

static bool read_frame(struct user_frame *f, u64 at)
{
	const bool is_32 = BITS_PER_LONG == 32 || in_compat_syscall();
	u32 word[2];
	const size_t size = is_32 ? sizeof(word) : sizeof(*f);

	if (at & (size / 2 - 1) ||
	    copy_from_user_nofault(is_32 ? (void *)word : f,
				   (void __user *)(uintptr_t)at, size))
		return false;
	if (is_32)
		*f = (struct user_frame) { word[0], word[1] };
	return true;
}

/* Capture at most @room user frames, at least one; returns their number */
static u32 walk_process(u64 *to, u32 room)
{
	struct pt_regs *regs = task_pt_regs(current);
	u64 at = evnt_frame_pointer(regs);
	struct user_frame f;
	u32 n = 0;

	to[n++] = instruction_pointer(regs);
	if (at < user_stack_pointer(regs))
		return n;
	while (n < room && read_frame(&f, at) && f.address) {
		to[n++] = evnt_plain_address(f.address);
		if (f.next <= at)
			break;
		at = f.next;
	}
	return n;
}

/**
 * evnt_stack_user() - capture the frames of the current process
 * @to: filled in, innermost frame first
 * @room: maximum number of frames, at least 1
 *
 * Context: Any in which the process is the current task.
 *
 * Return: their number; 0 for a thread of the kernel.
 */
u32 evnt_stack_user(u64 *to, u32 room)
{
	if (!current->mm || !user_mode(task_pt_regs(current)))
		return 0;
	return walk_process(to, room);
}

/**
 * evnt_stack_kernel() - capture frames of the kernel
 * @to: filled in, innermost frame first
 * @room: maximum number of frames, at least 1
 * @first: interrupted instruction, with which they begin; 0: begin with the
 *	caller of this module
 *
 * Context: Any.
 *
 * Return: their number.
 */
u32 evnt_stack_kernel(u64 *to, u32 room, unsigned long first)
{
	unsigned long *from = (unsigned long *)to;
	u32 i, inner = 0, n = stack_trace_save(from, room, 1);

	while (inner < n && (first ? from[inner] != first :
				     evnt_is_own_code(from[inner])))
		inner++;
	/* Without a trustworthy stack, the instruction is known */
	if (first && inner == n) {
		to[0] = first;
		return 1;
	}
	n -= inner;
	memmove(from, from + inner, n * sizeof(*from));
	/* Widen from the end, as the stored addresses may be 32 bits wide */
	for (i = n; i; i--)
		to[i - 1] = from[i - 1];
	return n;
}

/**
 * evnt_stack_capture() - capture the call stack of the current task
 * @stack: filled in
 * @with_kernel: include kernel frames
 *
 * Any context in which the writer is the current task.
 *
 * Return: the length of the stack in bytes.
 */
u32 evnt_stack_capture(struct evnt_stack *stack, bool with_kernel)
{
	u32 n = 0;

	stack->match_id = 0;
	if (with_kernel)
		n = evnt_stack_kernel(stack->frame, EVNT_MAX_KERNEL_FRAMES, 0);
	n += evnt_stack_user(stack->frame + n, EVNT_MAX_FRAMES - n);
	return evnt_stack_len(n);
}
