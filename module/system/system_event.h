/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Data of events about processes, threads and images, in the form of Windows 10
 * on 64-bit processors.
 */
#ifndef EVNT_SYSTEM_EVENT_H
#define EVNT_SYSTEM_EVENT_H

#include <linux/blk_types.h>
#include <linux/cpuhotplug.h>
#include <linux/minmax.h>
#include <linux/perf_event.h>
#include <linux/sched.h>
#include <linux/sched/prio.h>

#include "module/compat/tracepoints.h"
#include "module/system/system.h"

struct irqaction;
struct kprobe;
struct kretprobe;
struct request;
struct sk_buff;
struct sock;

/* Types of events */
#define EVNT_TYPE_START		1
#define EVNT_TYPE_END		2
#define EVNT_TYPE_DCSTART	3
#define EVNT_TYPE_DCEND		4
/* Of images */
#define EVNT_TYPE_LOAD		10

/* Maximum length in bytes of a command line, or of the path of an image */
#define EVNT_SYSTEM_TEXT	1024
/* Maximum length in bytes of the name of an executable */
#define EVNT_SYSTEM_NAME	256

/*
 * Addresses that stand for numbers: offsets in images of their own, at the end of
 * the address space, which the kernel does not use
 */
#define EVNT_NUMBERS		0x10000ull	/* size of such an image */
#define EVNT_CALLS		(0 - EVNT_NUMBERS)
#define EVNT_COMPAT_CALLS	(0 - 2 * EVNT_NUMBERS)
#define EVNT_SOFTIRQS		(0 - 3 * EVNT_NUMBERS)

/* Beginning of the data of an event about a process: class version 4 */
struct evnt_process_data {
	u64 key;
	u32 process_id;
	u32 parent_id;
	u32 session_id;
	s32 exit_status;
	u64 page_table;
	u32 flags;
	u32 token[4];
	u8 sid[8];
	__le32 sub_authority[2];
} __packed;

/* Data of an event about a thread: class version 3 */
struct evnt_thread_data {
	u32 process_id;
	u32 thread_id;
	u64 stack_base;
	u64 stack_limit;
	u64 user_stack_base;
	u64 user_stack_limit;
	u64 start_address;
	u64 win32_start_address;
	u64 teb;
	u32 service_tag;
	u8 base_priority;
	u8 page_priority;
	u8 io_priority;
	u8 flags;
};

/* Beginning of the data of an event about an image: class version 3 */
struct evnt_image_data {
	u64 base;
	u64 size;
	u32 process_id;
	u32 checksum;
	u32 time_stamp;
	u8 signature_level;
	u8 signature_type;
	u16 reserved0;
	u64 default_base;
	u32 reserved[4];
};

/**
 * struct evnt_system_scratch - memory for composing an event
 * @text: text to be converted to UTF-16, without a nul
 * @len: length of @text in bytes
 * @name: name of an executable
 * @process: event about a process
 * @image: event about an image
 * @strings: its strings
 *
 * Too large for the stack: the CPU's while preemption is disabled and the
 * process itself acts, so that no two uses nest; or the rundown's own.
 */
struct evnt_system_scratch {
	char text[EVNT_SYSTEM_TEXT];
	u32 len;
	char name[EVNT_SYSTEM_NAME];
	union {
		struct {
			struct evnt_process_data process;
			u8 process_strings[EVNT_SYSTEM_NAME +
					   2 * (EVNT_SYSTEM_TEXT + 3)];
		} __packed;
		struct {
			struct evnt_image_data image;
			u8 image_strings[2 * (EVNT_SYSTEM_TEXT + 1)];
		};
	};
};

/**
 * struct evnt_system_target - destination and occasion of events
 * @session: session, or NULL: all that want the event
 * @file: rundown of a file of @session, which gets the event instead; or NULL
 * @thread_id: thread of the header
 * @process_id: process of the header
 * @type: EVNT_TYPE_*
 * @is_hasty: do not wait for a free buffer
 */
struct evnt_system_target {
	struct evnt_session *session;
	struct evnt_rundown *file;
	u32 thread_id;
	u32 process_id;
	u8 type;
	bool is_hasty;
};

bool evnt_system_send(struct evnt_system_target *to,
		      struct evnt_system_record *r);

u64 evnt_process_key(const struct task_struct *p);
bool evnt_system_process(struct evnt_system_target *to,
			 struct evnt_system_scratch *x, struct task_struct *p,
			 u64 key);
bool evnt_system_thread(struct evnt_system_target *to,
			struct task_struct *p, u32 thread_id);
bool evnt_system_image(struct evnt_system_target *to,
		       struct evnt_system_scratch *x,
		       const struct vm_area_struct *vma, u32 process_id);
bool evnt_system_number_images(struct evnt_system_target *to,
			       struct evnt_system_scratch *x, u32 flags);
bool evnt_system_images(struct evnt_system_target *to,
			struct evnt_system_scratch *x, struct mm_struct *mm,
			u32 process_id);
void evnt_system_args(struct evnt_system_scratch *x, u32 len);
void evnt_system_name(struct evnt_system_scratch *x, struct task_struct *p,
		      struct mm_struct *mm);

/* Probes of switches.c */
void evnt_probe_switch(void *data, bool preempt, struct task_struct *prev,
		       struct task_struct *next, unsigned int prev_state);
void evnt_probe_waking(void *data, struct task_struct *p);

/* Probes of calls.c */
void evnt_probe_call_enter(void *data, struct pt_regs *regs, long id);
void evnt_probe_call_exit(void *data, struct pt_regs *regs, long result);

/* Probes of interrupts.c */
void evnt_probe_interrupt_entry(void *data, int irq, struct irqaction *action);
void evnt_probe_interrupt_exit(void *data, int irq, struct irqaction *action,
			       int result);
void evnt_probe_softirq_entry(void *data, unsigned int vector);
void evnt_probe_softirq_exit(void *data, unsigned int vector);
void evnt_interrupts_reset(u32 flags);

/* Probes of disk.c, which exists only with CONFIG_BLOCK */
void evnt_probe_disk_issue(void *data, struct request *rq);
void evnt_probe_disk_complete(void *data, struct request *rq,
			      blk_status_t error, unsigned int bytes);
void evnt_disk_reset(void);
bool evnt_system_disks(struct evnt_system_target *to);

/* Probes of net.c, which exists only with CONFIG_INET */
void evnt_probe_tcp_state(void *data, const struct sock *sk, const int old,
			  const int new);
void evnt_probe_sock_send(void *data, struct sock *sk, int result, int flags);
void evnt_probe_sock_receive(void *data, struct sock *sk, int result,
			     int flags);
EVNT_RETRANSMIT_PROBE(evnt_probe_tcp_retransmit);
void evnt_net_update(bool on);

/* probes.c */
void evnt_kprobes_update(struct kprobe *p, u32 count, bool attach);
void evnt_kretprobe_update(struct kretprobe *p, bool attach);

/* profile.c */
struct perf_event *evnt_create_counter(unsigned int cpu, u64 which, u64 period,
				       perf_overflow_handler_t handler);
void evnt_profile_update(bool on);
void evnt_profile_collection(struct evnt_system_target *to);

/* faults.c */
void evnt_faults_update(u32 flags);

/*
 * Call @start on each processor that is or comes online, or end that and call
 * @stop; @state: 0 while there is nothing to be ended
 */
static inline void evnt_hotplug_update(int *state, bool on, const char *name,
				       int (*start)(unsigned int cpu),
				       int (*stop)(unsigned int cpu))
{
	if (on && !*state) {
		*state = max(0, cpuhp_setup_state(CPUHP_AP_ONLINE_DYN, name,
						  start, stop));
	} else if (!on && *state) {
		cpuhp_remove_state(*state);
		*state = 0;
	}
}

/* Base priorities by the kernel's priorities, as each context switch has two */
extern u8 evnt_base_priorities[U8_MAX + 1];

static inline u8 evnt_base_priority(const struct task_struct *p)
{
	return evnt_base_priorities[(u8)READ_ONCE(p->prio)];
}

static inline bool evnt_is_image(const struct vm_area_struct *vma)
{
	return vma->vm_flags & VM_EXEC && vma->vm_file;
}

#endif /* EVNT_SYSTEM_EVENT_H */
