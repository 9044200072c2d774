/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Prototypes of tracepoints, which differ between versions of the kernel.
 *
 * Neither the compiler nor the kernel notices a probe with a wrong prototype,
 * so EVNT_CHECK_PROBE() compares each with its tracepoint's header.
 */
#ifndef EVNT_TRACEPOINTS_H
#define EVNT_TRACEPOINTS_H

#include <linux/build_bug.h>
#include <linux/interrupt.h>
#include <linux/version.h>
#include <trace/events/irq.h>
#include <trace/events/sched.h>
#include <trace/events/syscalls.h>
#include <trace/events/task.h>

#ifdef CONFIG_BLOCK
#include <linux/blk-mq.h>
#include <trace/events/block.h>
#endif

#ifdef CONFIG_INET
#include <trace/events/sock.h>
#include <trace/events/tcp.h>
#endif

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 18, 0)
#define EVNT_CLONE_FLAGS	unsigned long
#else
#define EVNT_CLONE_FLAGS	u64
#endif

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 16, 0)
#define EVNT_EXIT_PROTO		void *data, struct task_struct *p
#else
#define EVNT_EXIT_PROTO		void *data, struct task_struct *p, bool is_last
#endif

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 17, 0)
#define EVNT_RETRANSMIT_PROBE(name)					\
	void name(void *data, const struct sock *sk, const struct sk_buff *skb)
#define EVNT_RETRANSMIT_ERROR	0
#else
#define EVNT_RETRANSMIT_PROBE(name)					\
	void name(void *data, const struct sock *sk,			\
		  const struct sk_buff *skb, int error)
#define EVNT_RETRANSMIT_ERROR	error
#endif

/* Tracepoints of system calls that send and receive, with the number of bytes */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 3, 0)
#define EVNT_HAS_SOCK_LENGTH
#endif

/* Zero; does not compile if probes for the tracepoint have another type */
#define EVNT_CHECK_PROBE(name, type)					\
	BUILD_BUG_ON_ZERO(!__same_type(check_trace_callback_type_##name, \
				       void (type *)))

#endif /* EVNT_TRACEPOINTS_H */
