// SPDX-License-Identifier: GPL-2.0
/*
 * Probes: functions that the kernel calls when something happens, attached while
 * a session wants their events.
 *
 * Windows has neither fork() nor execve().  A fork starts a process with the
 * images of its parent.  An execve() ends the process and starts another one
 * with the same ids: tools show two processes, each with its name.
 *
 * Kernels before 6.18 call probes of tracepoints with preemption disabled, newer
 * ones as it was.  A session's slot and the CPU's scratch memory require that it
 * is disabled.
 */
#include <linux/kprobes.h>
#include <linux/mm.h>
#include <linux/percpu.h>
#include <linux/sched/signal.h>
#include <linux/tracepoint.h>
#include <linux/uaccess.h>

#include "module/system/system_event.h"

#define DISK_FLAGS	(EVNTRACE_SYSTEM_DISK_IO | EVNTRACE_SYSTEM_DISK_IO_INIT)

/* Number of processes that end at a time and are distinguished */
#define ENDED	64

/* Flags of all sessions */
static u32 evnt_probed;
static struct evnt_system_scratch __percpu *evnt_scratch;
/* Keys of processes whose end was recorded, by process id */
static atomic64_t evnt_ended[ENDED];

static bool is_wanted(u32 flag)
{
	return READ_ONCE(evnt_probed) & flag;
}

/* Return a target for events that the current thread causes */
static struct evnt_system_target by_current(u8 type)
{
	return (struct evnt_system_target) {
		.thread_id = task_pid_nr(current),
		.process_id = task_tgid_nr(current),
		.type = type,
	};
}

/* Get the command line, whose pages may be absent, of a process like current */
static void get_args(struct evnt_system_scratch *x, const struct mm_struct *mm)
{
	const unsigned long at = READ_ONCE(mm->arg_start);
	const unsigned long end = READ_ONCE(mm->arg_end);
	const u32 len = min_t(unsigned long, end - at, sizeof(x->text));

	x->len = 0;
	if (current->mm && at < end &&
	    !copy_from_user_nofault(x->text, (void __user *)at, len))
		evnt_system_args(x, len);
}

/* Record a process whose memory is @mm, or has been dropped */
static void process(struct evnt_system_target *to, struct task_struct *p,
		    struct mm_struct *mm, u64 key)
{
	struct evnt_system_scratch *x = this_cpu_ptr(evnt_scratch);

	if (!is_wanted(EVNTRACE_SYSTEM_PROCESS))
		return;
	x->len = 0;
	if (mm)
		get_args(x, mm);
	evnt_system_name(x, p, mm);
	evnt_system_process(to, x, p, key);
}

static void thread(struct evnt_system_target *to, struct task_struct *p,
		   u32 thread_id)
{
	if (is_wanted(EVNTRACE_SYSTEM_THREAD))
		evnt_system_thread(to, p, thread_id);
}

/* Record all images of a process that does not run yet */
static void images(struct task_struct *p)
{
	struct evnt_system_target to = by_current(EVNT_TYPE_LOAD);
	struct mm_struct *mm = p->mm;

	if (!is_wanted(EVNTRACE_SYSTEM_IMAGE_LOAD) || !mm ||
	    !mmap_read_trylock(mm))
		return;
	evnt_system_images(&to, this_cpu_ptr(evnt_scratch), mm, p->tgid);
	mmap_read_unlock(mm);
}

static void on_newtask(void *data, struct task_struct *p,
		       EVNT_CLONE_FLAGS flags)
{
	struct evnt_system_target to = by_current(EVNT_TYPE_START);

	preempt_disable_notrace();
	if (!(flags & CLONE_THREAD))
		process(&to, p, p->mm, evnt_process_key(p));
	thread(&to, p, task_pid_nr(p));
	if (!(flags & CLONE_VM))
		images(p);
	preempt_enable_notrace();
}

static void on_exec(void *data, struct task_struct *p, pid_t old_pid,
		    struct linux_binprm *bprm)
{
	struct evnt_system_target to = by_current(EVNT_TYPE_END);
	const u64 key = evnt_process_key(p);

	preempt_disable_notrace();
	thread(&to, p, old_pid);
	/* The memory of the old program is gone; its name was recorded before */
	process(&to, p, NULL, key - 1);
	to.type = EVNT_TYPE_START;
	process(&to, p, p->mm, key);
	thread(&to, p, task_pid_nr(p));
	images(p);
	preempt_enable_notrace();
}

/*
 * Threads that exit at the same time may all see that none is left.  The first
 * one records the end of the process.
 */
static bool ends_process(const struct task_struct *p, u64 key)
{
	atomic64_t *ended = &evnt_ended[p->tgid % ENDED];

	return !atomic_read(&p->signal->live) &&
	       atomic64_xchg(ended, key) != key;
}

static void on_exit(EVNT_EXIT_PROTO)
{
	struct evnt_system_target to = by_current(EVNT_TYPE_END);
	const u64 key = evnt_process_key(p);

	preempt_disable_notrace();
	thread(&to, p, task_pid_nr(p));
	if (ends_process(p, key))
		process(&to, p, p->mm, key);
	preempt_enable_notrace();
}

/*
 * Record a mapping of the current process.  The kernel maps a program before it
 * sets @start_code; on_exec() records these images.
 */
static void map(const struct vm_area_struct *vma, u8 type)
{
	struct evnt_system_target to = by_current(type);

	if (vma->vm_mm != current->mm || !vma->vm_mm->start_code ||
	    current->flags & PF_EXITING || !evnt_is_image(vma))
		return;
	preempt_disable_notrace();
	evnt_system_image(&to, this_cpu_ptr(evnt_scratch), vma,
			  task_tgid_nr(current));
	preempt_enable_notrace();
}

static int on_map(struct kprobe *probe, struct pt_regs *regs)
{
	map((void *)regs_get_kernel_argument(regs, 0), EVNT_TYPE_LOAD);
	return 0;
}

static int on_unmap(struct kprobe *probe, struct pt_regs *regs)
{
	map((void *)regs_get_kernel_argument(regs, 0), EVNT_TYPE_END);
	return 0;
}

/**
 * struct probe - function attached to a tracepoint
 * @flags: EVNTRACE_SYSTEM_* that need it
 * @name: name of the tracepoint
 * @call: the function
 * @point: the tracepoint, or NULL: this kernel does not have it
 * @is_attached: it is attached; guarded by the lock of the slots
 */
struct probe {
	u32 flags;
	const char *name;
	void *call;
	struct tracepoint *point;
	bool is_attached;
};

#define PROBE(of, at, to)						\
	{ .flags = (of) + EVNT_CHECK_PROBE(at, typeof(to)), .name = #at,	\
	  .call = (to) }

static struct probe probes[] = {
	PROBE(EVNTRACE_SYSTEM_PROCESS | EVNTRACE_SYSTEM_THREAD |
	      EVNTRACE_SYSTEM_IMAGE_LOAD, task_newtask, on_newtask),
	PROBE(EVNTRACE_SYSTEM_PROCESS | EVNTRACE_SYSTEM_THREAD |
	      EVNTRACE_SYSTEM_IMAGE_LOAD, sched_process_exec, on_exec),
	PROBE(EVNTRACE_SYSTEM_PROCESS | EVNTRACE_SYSTEM_THREAD,
	      sched_process_exit, on_exit),
	PROBE(EVNTRACE_SYSTEM_CSWITCH, sched_switch, evnt_probe_switch),
	PROBE(EVNTRACE_SYSTEM_DISPATCHER, sched_waking, evnt_probe_waking),
	PROBE(EVNTRACE_SYSTEM_INTERRUPT, irq_handler_exit,
	      evnt_probe_interrupt_exit),
	PROBE(EVNTRACE_SYSTEM_INTERRUPT, irq_handler_entry,
	      evnt_probe_interrupt_entry),
	PROBE(EVNTRACE_SYSTEM_DPC, softirq_exit, evnt_probe_softirq_exit),
	PROBE(EVNTRACE_SYSTEM_DPC, softirq_entry, evnt_probe_softirq_entry),
#ifdef CONFIG_HAVE_SYSCALL_TRACEPOINTS
	PROBE(EVNTRACE_SYSTEM_SYSTEMCALL, sys_exit, evnt_probe_call_exit),
	PROBE(EVNTRACE_SYSTEM_SYSTEMCALL, sys_enter, evnt_probe_call_enter),
#endif
#ifdef CONFIG_BLOCK
	/* The end of a request is attached first: each begin has one */
	PROBE(DISK_FLAGS, block_rq_complete, evnt_probe_disk_complete),
	PROBE(DISK_FLAGS, block_rq_issue, evnt_probe_disk_issue),
#endif
#ifdef CONFIG_INET
	PROBE(EVNTRACE_SYSTEM_NETWORK, inet_sock_set_state,
	      evnt_probe_tcp_state),
	PROBE(EVNTRACE_SYSTEM_NETWORK, tcp_retransmit_skb,
	      evnt_probe_tcp_retransmit),
#endif
#if defined(CONFIG_INET) && defined(EVNT_HAS_SOCK_LENGTH)
	PROBE(EVNTRACE_SYSTEM_NETWORK, sock_send_length, evnt_probe_sock_send),
	PROBE(EVNTRACE_SYSTEM_NETWORK, sock_recv_length,
	      evnt_probe_sock_receive),
#endif
};

/*
 * No tracepoint reports mappings.  These functions get each executable one, as
 * perf and uprobes need them; without them, images are recorded when a process
 * starts.
 */
static struct kprobe image_probes[] = {
	{ .symbol_name = "perf_event_mmap", .pre_handler = on_map },
	{ .symbol_name = "uprobe_munmap", .pre_handler = on_unmap },
};

static void __init find(struct tracepoint *point, void *data)
{
	u32 i;

	for (i = 0; i < ARRAY_SIZE(probes); i++) {
		if (!strcmp(point->name, probes[i].name))
			probes[i].point = point;
	}
}

/* Returns 0 or -ENOMEM */
int __init evnt_probes_init(void)
{
	evnt_scratch = alloc_percpu(struct evnt_system_scratch);
	if (!evnt_scratch)
		return -ENOMEM;
	for_each_kernel_tracepoint(find, NULL);
	return 0;
}

void evnt_probes_exit(void)
{
	free_percpu(evnt_scratch);
}

/* Returns whether it was detached */
static bool update(struct probe *p, bool attach)
{
	if (!p->point || p->is_attached == attach)
		return false;
	if (attach) {
		p->is_attached = !tracepoint_probe_register(p->point, p->call,
							    NULL);
		return false;
	}
	tracepoint_probe_unregister(p->point, p->call, NULL);
	p->is_attached = false;
	return true;
}

/* Attach probes of functions, where the kernel has them, or detach the probes */
void evnt_kprobes_update(struct kprobe *p, u32 count, bool attach)
{
	for (; count; count--, p++) {
		if (attach && !p->addr && register_kprobe(p)) {
			p->addr = NULL;
		} else if (!attach && p->addr) {
			unregister_kprobe(p);
			p->addr = NULL;
			p->flags = 0;
		}
	}
}

/* The same of one probe, for a function's return */
void evnt_kretprobe_update(struct kretprobe *p, bool attach)
{
	if (attach && !p->kp.addr && register_kretprobe(p)) {
		p->kp.addr = NULL;
	} else if (!attach && p->kp.addr) {
		unregister_kretprobe(p);
		p->kp.addr = NULL;
		p->kp.flags = 0;
	}
}

/**
 * evnt_probes_update() - attach the needed probes, and detach the others
 * @flags: EVNTRACE_SYSTEM_* of all sessions
 *
 * The caller holds the lock of the slots.  On return, no detached probe runs.
 */
void evnt_probes_update(u32 flags)
{
	bool detached = false;
	u32 i;

	WRITE_ONCE(evnt_probed, flags);
	for (i = 0; i < ARRAY_SIZE(probes); i++)
		detached |= update(&probes[i], flags & probes[i].flags);
	if (detached)
		tracepoint_synchronize_unregister();
	evnt_kprobes_update(image_probes, ARRAY_SIZE(image_probes),
			    flags & EVNTRACE_SYSTEM_IMAGE_LOAD);
	evnt_profile_update(flags & EVNTRACE_SYSTEM_PROFILE);
	evnt_faults_update(flags);
	if (IS_ENABLED(CONFIG_INET))
		evnt_net_update(flags & EVNTRACE_SYSTEM_NETWORK);
	evnt_interrupts_reset(flags);
	if (IS_ENABLED(CONFIG_BLOCK) && !(flags & DISK_FLAGS))
		evnt_disk_reset();
}
