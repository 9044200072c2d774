// SPDX-License-Identifier: GPL-2.0
/*
 * A module that calls the functions for providers in the kernel, as tests
 * request: one at a time in the given context, or many at once.
 */
#include <linux/completion.h>
#include <linux/cpu.h>
#include <linux/delay.h>
#include <linux/fs.h>
#include <linux/hrtimer.h>
#include <linux/interrupt.h>
#include <linux/irq_work.h>
#include <linux/kprobes.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/uaccess.h>
#include <linux/version.h>
#include <linux/vmalloc.h>

#include <linux/etw.h>

#include "freeze.h"
#include "kernel_calls.h"
#include "typed.h"

/* A provider: its handle, and the last call of its callback */
struct place {
	u64 handle;
	u32 options;
	struct etw_state state;
	struct calls_reported reported;
	spinlock_t lock;	/* protects @reported */
};

static struct place places[CALLS_MAX];
static DECLARE_COMPLETION(released);
/* Serializes calls and storms */
static DEFINE_MUTEX(calls_mutex);

static void note_filter(struct calls_reported *t,
			const struct evntrace_filter *filter)
{
	t->filter_type = filter ? filter->type : 0;
	t->filter_len = filter ? filter->len : 0;
	memset(t->filter, 0, sizeof(t->filter));
	if (filter)
		memcpy(t->filter, (void *)(uintptr_t)filter->ptr,
		       min_t(u32, filter->len, sizeof(t->filter)));
}

static void callback(const struct evntprov_guid *source, u32 control, u8 level,
		     u64 match_any, u64 match_all,
		     const struct evntrace_filter *filter, void *context)
{
	struct place *p = context;
	struct calls_reported *t = &p->reported;
	int result = 0;

	spin_lock(&p->lock);
	t->begun++;
	spin_unlock(&p->lock);
	if (p->options & CALLS_STALL)
		wait_for_completion(&released);
	if (p->options & CALLS_SUICIDE)
		result = EtwUnregister(p->handle);
	spin_lock(&p->lock);
	t->times++;
	t->control = control;
	t->level = level;
	t->process = in_task();
	t->match_any = match_any;
	t->match_all = match_all;
	t->source = *source;
	t->result = result;
	note_filter(t, filter);
	spin_unlock(&p->lock);
}

/* A call in progress */
struct work {
	struct calls_call *call;
	struct evntprov_data *data;
	const void *bytes;
	struct irq_work irq;
	struct tasklet_struct tasklet;
	bool is_done;
};

static u64 handle_of(const struct calls_call *c)
{
	return c->handle ?: places[c->slot].handle;
}

static int do_register(const struct calls_call *c, const void *bytes)
{
	struct place *p = &places[c->slot];
	const struct etw_registration what = {
		.provider = c->options & CALLS_NO_ID ? NULL : &c->provider,
		.callback = c->options & CALLS_CALLBACK ? callback : NULL,
		.context = p,
		.state = c->options & CALLS_KEY ? &p->state : NULL,
		.traits = c->options & CALLS_TRAITS ? bytes : NULL,
		.traits_len = c->len,
	};

	p->options = c->options;
	memset(&p->reported, 0, sizeof(p->reported));
	if (!(c->options & (CALLS_KEY | CALLS_TRAITS)))
		return EtwRegister(what.provider, what.callback, p,
				   c->options & CALLS_NO_HANDLE ? NULL :
								  &p->handle);
	return etw_register(&what, &p->handle);
}

static int do_unregister(const struct calls_call *c)
{
	int err = EtwUnregister(handle_of(c));

	if (!err && !c->handle)
		places[c->slot].handle = 0;
	return err;
}

static const struct evntprov_guid *activity_of(const struct calls_call *c)
{
	return c->options & CALLS_ACTIVITY ? &c->activity : NULL;
}

static const struct evntprov_guid *related_of(const struct calls_call *c)
{
	return c->options & CALLS_RELATED ? &c->related : NULL;
}

static int do_write(const struct calls_call *c, const struct evntprov_data *data)
{
	if (c->options & CALLS_BARE)
		return (EtwWrite)(handle_of(c), &c->descriptor, activity_of(c),
				  c->count, data);
	return EtwWrite(handle_of(c), &c->descriptor, activity_of(c), c->count,
			data);
}

static int do_call_write(const struct calls_call *c, const struct work *w)
{
	switch (c->function) {
	case CALLS_WRITE:
		return do_write(c, w->data);
	case CALLS_WRITE_TRANSFER:
		return EtwWriteTransfer(handle_of(c), &c->descriptor,
					activity_of(c), related_of(c), c->count,
					w->data);
	case CALLS_WRITE_EX:
		return EtwWriteEx(handle_of(c), &c->descriptor, c->exclude,
				  c->flags, activity_of(c), related_of(c),
				  c->count, w->data);
	case CALLS_WRITE_STRING:
		return EtwWriteString(handle_of(c), c->descriptor.level,
				      c->descriptor.keyword, activity_of(c),
				      w->bytes);
	case CALLS_EVENT_ENABLED:
		return EtwEventEnabled(handle_of(c), &c->descriptor);
	case CALLS_PROVIDER_ENABLED:
		return EtwProviderEnabled(handle_of(c), c->descriptor.level,
					  c->descriptor.keyword);
	case CALLS_TYPED_WRITE:
		typed_write(c->flags, w->bytes);
		return 0;
	case CALLS_TYPED_ENABLED:
		return typed_enabled(c->descriptor.level,
				     c->descriptor.keyword);
	}
	return -EINVAL;
}

static int do_call_other(struct calls_call *c, const struct work *w)
{
	switch (c->function) {
	case CALLS_REGISTER:
		return do_register(c, w->bytes);
	case CALLS_UNREGISTER:
		return do_unregister(c);
	case CALLS_SET_INFORMATION:
		return EtwSetInformation(handle_of(c), c->flags, w->bytes,
					 c->len);
	case CALLS_ACTIVITY_CONTROL:
		return EtwActivityIdControl(c->flags,
					    c->options & CALLS_ACTIVITY ?
						&c->activity : NULL);
	case CALLS_TYPED_REGISTER:
		return typed_register();
	case CALLS_TYPED_UNREGISTER:
		typed_unregister();
		return 0;
	}
	return do_call_write(c, w);
}

static void do_call(struct work *w)
{
	w->call->result = do_call_other(w->call, w);
	smp_store_release(&w->is_done, true);	/* publishes the result */
}

static void call_in_interrupt(struct irq_work *irq)
{
	do_call(container_of(irq, struct work, irq));
}

static void call_in_softirq(struct tasklet_struct *tasklet)
{
	do_call(container_of(tasklet, struct work, tasklet));
}

static bool has_nmi;

#ifdef CONFIG_X86
#include <asm/apic.h>
#include <asm/nmi.h>

/* Pending work of an NMI: a call, or NULL, and an event of the storm */
static DEFINE_PER_CPU(struct work *, nmi_work);
static DEFINE_PER_CPU(bool, nmi_storm);
static DEFINE_PER_CPU(u32, nmi_id);

static void storm_nmi(void);

static int on_nmi(unsigned int cmd, struct pt_regs *regs)
{
	struct work *w = this_cpu_xchg(nmi_work, NULL);
	int ret = NMI_DONE;

	if (w) {
		do_call(w);
		ret = NMI_HANDLED;
	}
	if (this_cpu_xchg(nmi_storm, false)) {
		storm_nmi();
		ret = NMI_HANDLED;
	}
	return ret;
}

/*
 * Accept an NMI that no handler expects: one sent while another was on its way,
 * whose handler has done the work of both.  The kernel would print a message,
 * which it must not do in an interrupt.
 */
static int on_late_nmi(unsigned int cmd, struct pt_regs *regs)
{
	return NMI_HANDLED;
}

/* Send an NMI; callable from any context but an NMI */
static void send_nmi(int cpu)
{
	unsigned long flags;

	local_irq_save(flags);
	native_apic_mem_write(APIC_ICR2, per_cpu(nmi_id, cpu));
	native_apic_mem_write(APIC_ICR, APIC_DEST_PHYSICAL | APIC_DM_NMI);
	while (native_apic_mem_read(APIC_ICR) & APIC_ICR_BUSY)
		cpu_relax();
	local_irq_restore(flags);
}

static void send_storm_nmi(int cpu)
{
	per_cpu(nmi_storm, cpu) = true;
	send_nmi(cpu);
}

static void call_in_nmi(struct work *w)
{
	preempt_disable();
	this_cpu_write(nmi_work, w);
	send_nmi(smp_processor_id());
	while (!smp_load_acquire(&w->is_done))	/* acquires the result */
		cpu_relax();
	preempt_enable();
}

static void note_id(void *unused)
{
	this_cpu_write(nmi_id, native_apic_mem_read(APIC_ID));
}

/* Only for a memory-mapped local APIC, not for x2APIC */
static void calls_nmi_init(void)
{
	/* The other half of the register is the rest of an address */
	u32 low, high __maybe_unused;

	rdmsr(MSR_IA32_APICBASE, low, high);
	if (low & X2APIC_ENABLE)
		return;
	on_each_cpu(note_id, NULL, true);
	if (register_nmi_handler(NMI_UNKNOWN, on_late_nmi, 0, "evntprov-late"))
		return;
	has_nmi = !register_nmi_handler(NMI_LOCAL, on_nmi, 0, "evntprov-calls");
	if (!has_nmi)
		unregister_nmi_handler(NMI_UNKNOWN, "evntprov-late");
}

static void calls_nmi_exit(void)
{
	if (!has_nmi)
		return;
	unregister_nmi_handler(NMI_LOCAL, "evntprov-calls");
	unregister_nmi_handler(NMI_UNKNOWN, "evntprov-late");
}
#else
static void send_storm_nmi(int cpu)
{
}

static void call_in_nmi(struct work *w)
{
}

static void calls_nmi_init(void)
{
}

static void calls_nmi_exit(void)
{
}
#endif

#ifdef CONFIG_CPU_IDLE
#include <linux/cpuidle.h>

/* The call that a processor makes when it becomes idle */
static struct work *idle_work;

static int enter_idle(struct cpuidle_device *dev, struct cpuidle_driver *drv,
		      int index)
{
	struct work *w = READ_ONCE(idle_work) ? xchg(&idle_work, NULL) : NULL;

	if (w)
		do_call(w);
	cpu_relax();
	return index;
}

static struct cpuidle_driver idle_driver = {
	.name = "evntprov-calls",
	.owner = THIS_MODULE,
	.states[0] = {
		.name = "CALLS",
		.desc = "makes a call",
		.enter = enter_idle,
	},
	.state_count = 1,
};

/* Fails if the machine has a cpuidle driver already */
static int call_in_idle(struct work *w)
{
	int err = cpuidle_register(&idle_driver, NULL);

	if (err)
		return err;
	WRITE_ONCE(idle_work, w);
	while (!smp_load_acquire(&w->is_done))	/* acquires the result */
		msleep(20);
	cpuidle_unregister(&idle_driver);
	return 0;
}
#else
static int call_in_idle(struct work *w)
{
	return -ENODEV;
}
#endif

static int call_in_context(struct work *w)
{
	switch (w->call->context) {
	case CALLS_PROCESS:
		do_call(w);
		return 0;
	case CALLS_SOFTIRQ:
		tasklet_setup(&w->tasklet, call_in_softirq);
		tasklet_schedule(&w->tasklet);
		/* Acquires the result */
		while (!smp_load_acquire(&w->is_done))
			cond_resched();
		tasklet_kill(&w->tasklet);
		return 0;
	case CALLS_INTERRUPT:
		w->irq = IRQ_WORK_INIT_HARD(call_in_interrupt);
		irq_work_queue(&w->irq);
		irq_work_sync(&w->irq);
		return 0;
	case CALLS_NO_PREEMPTION:
		preempt_disable();
		do_call(w);
		preempt_enable();
		return 0;
	case CALLS_NO_INTERRUPTS:
		local_irq_disable();
		do_call(w);
		local_irq_enable();
		return 0;
	case CALLS_NMI:
		if (!has_nmi)
			return -ENODEV;
		call_in_nmi(w);
		return 0;
	case CALLS_IDLE:
		return call_in_idle(w);
	}
	return -EINVAL;
}

/* Split the data at @from into blocks */
static struct evntprov_data *cut(const struct calls_call *c, const u8 *from)
{
	u32 i, left = c->len, step = c->count ? c->len / c->count : 0;
	struct evntprov_data *data;

	data = kcalloc(c->count + 1, sizeof(*data), GFP_KERNEL);
	for (i = 0; data && i < c->count; i++) {
		data[i] = etw_block(from, i + 1 < c->count ? step : left);
		if (i < sizeof(c->types))
			data[i].type = c->types[i];
		from += data[i].len;
		left -= data[i].len;
	}
	return data;
}

static long make_call(struct calls_call *c)
{
	struct work w = { .call = c };
	u8 *bytes;
	long err = -ENOMEM;

	if (c->slot >= CALLS_MAX || c->len > CALLS_DATA || c->count > 1024)
		return -EINVAL;
	/* Tests inject failures here, which must not be logged */
	bytes = __vmalloc(c->len + 1, GFP_KERNEL | __GFP_NOWARN);
	w.data = cut(c, bytes);
	if (!bytes || !w.data)
		goto out;
	err = -EFAULT;
	if (copy_from_user(bytes, u64_to_user_ptr(c->data), c->len))
		goto out;
	w.bytes = c->options & CALLS_NULL ? NULL : bytes;
	err = call_in_context(&w);
	c->new_handle = places[c->slot].handle;
out:
	kfree(w.data);
	vfree(bytes);
	return err;
}

static long ioc_call(void __user *ptr)
{
	struct calls_call *c = memdup_user(ptr, sizeof(*c));
	long err;

	if (IS_ERR(c))
		return PTR_ERR(c);
	err = make_call(c);
	if (!err && copy_to_user(ptr, c, sizeof(*c)))
		err = -EFAULT;
	kfree(c);
	return err;
}

static long ioc_reported(void __user *ptr)
{
	struct calls_reported t;
	struct place *p;
	u32 slot;

	if (get_user(slot, (u32 __user *)ptr))
		return -EFAULT;
	if (slot >= CALLS_MAX)
		return -EINVAL;
	p = &places[slot];
	spin_lock(&p->lock);
	t = p->reported;
	spin_unlock(&p->lock);
	t.slot = slot;
	t.key = static_key_enabled(&p->state.key.key);
	return copy_to_user(ptr, &t, sizeof(t)) ? -EFAULT : 0;
}

/* Events of one processor in one context */
struct stream {
	u32 number;
	u32 limit;
	u32 accepted;
	u32 lost;
	u32 strange;
};

/* Events that a processor writes in a storm; it drops storm_left when done */
struct storm_cpu {
	struct hrtimer timer;
	struct stream stream[CALLS_STREAMS];
};

static DEFINE_PER_CPU(struct storm_cpu, storm_cpus);
static u64 storm_handle;
static atomic_t storm_left;
static DECLARE_COMPLETION(storm_over);

static void write_numbered(struct stream *s, u32 writer)
{
	static const struct evntprov_descriptor descriptor = {
		.id = 1, .level = 4, .keyword = 1,
	};
	struct calls_payload p = { .writer = writer, .number = s->number };
	struct evntprov_data data;
	int err;

	memset(p.fill, p.number, sizeof(p.fill));
	data = etw_block(&p, CALLS_LEN(p.number));
	err = EtwWrite(storm_handle, &descriptor, NULL, 1, &data);
	s->accepted += !err;
	s->lost += err == -ENOBUFS;
	s->strange += err && err != -ENOBUFS;
	WRITE_ONCE(s->number, s->number + 1);	/* read by another CPU */
}

static void write_burst(struct storm_cpu *c, enum calls_stream which)
{
	u32 i, writer = CALLS_WRITER(which, smp_processor_id());
	struct stream *s = &c->stream[which];

	for (i = 0; i < CALLS_BURST && s->number < s->limit; i++)
		write_numbered(s, writer);
}

#ifdef CONFIG_X86
static void storm_nmi(void)
{
	write_burst(this_cpu_ptr(&storm_cpus), CALLS_BY_NMI);
}
#endif

/*
 * A timer ends after its own events and after the events of the NMIs that it
 * sends to the next processor, which may hit any code there.
 */
static bool storm_is_over(const struct storm_cpu *c,
			  const struct storm_cpu *next)
{
	return c->stream[CALLS_BY_TIMER].number >=
	       c->stream[CALLS_BY_TIMER].limit &&
	       READ_ONCE(next->stream[CALLS_BY_NMI].number) >=
	       next->stream[CALLS_BY_NMI].limit;
}

/* Leave half of the time to the interrupted code */
static enum hrtimer_restart storm_timer(struct hrtimer *timer)
{
	struct storm_cpu *c = container_of(timer, struct storm_cpu, timer);
	int cpu = cpumask_next(smp_processor_id(), cpu_online_mask);
	ktime_t begin = ktime_get();
	struct storm_cpu *next;

	if (cpu >= nr_cpu_ids)
		cpu = cpumask_first(cpu_online_mask);
	next = per_cpu_ptr(&storm_cpus, cpu);
	if (READ_ONCE(next->stream[CALLS_BY_NMI].number) <
	    next->stream[CALLS_BY_NMI].limit)
		send_storm_nmi(cpu);
	write_burst(c, CALLS_BY_TIMER);
	if (storm_is_over(c, next)) {
		if (atomic_dec_and_test(&storm_left))
			complete(&storm_over);
		return HRTIMER_NORESTART;
	}
	hrtimer_forward_now(timer, ktime_add_us(ktime_sub(ktime_get(), begin),
						50));
	return HRTIMER_RESTART;
}

static void storm_begin(void *unused)
{
	struct storm_cpu *c = this_cpu_ptr(&storm_cpus);

	hrtimer_start(&c->timer, ns_to_ktime(50 * NSEC_PER_USEC), HRTIMER_MODE_REL_PINNED_HARD);
}

static void timer_init(struct hrtimer *timer)
{
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 13, 0)
	hrtimer_init(timer, CLOCK_MONOTONIC, HRTIMER_MODE_REL_PINNED_HARD);
	timer->function = storm_timer;
#else
	hrtimer_setup(timer, storm_timer, CLOCK_MONOTONIC,
		      HRTIMER_MODE_REL_PINNED_HARD);
#endif
}

static void storm_result(struct calls_storm *arg, int cpu)
{
	const struct storm_cpu *c = per_cpu_ptr(&storm_cpus, cpu);
	u32 i;

	for (i = 0; i < CALLS_STREAMS; i++) {
		arg->accepted[i][cpu] = c->stream[i].accepted;
		arg->lost[i][cpu] = c->stream[i].lost;
		arg->strange += c->stream[i].strange;
	}
	arg->cpus++;
}

static void storm(struct calls_storm *arg)
{
	struct storm_cpu *c;
	int cpu;

	storm_handle = places[arg->slot].handle;
	cpus_read_lock();
	atomic_set(&storm_left, num_online_cpus());
	reinit_completion(&storm_over);
	for_each_online_cpu(cpu) {
		c = per_cpu_ptr(&storm_cpus, cpu);
		memset(c, 0, sizeof(*c));
		timer_init(&c->timer);
		c->stream[CALLS_BY_TIMER].limit = arg->timer;
		c->stream[CALLS_BY_NMI].limit = arg->nmi;
	}
	on_each_cpu(storm_begin, NULL, true);
	wait_for_completion(&storm_over);
	for_each_online_cpu(cpu) {
		hrtimer_cancel(&per_cpu_ptr(&storm_cpus, cpu)->timer);
		storm_result(arg, cpu);
	}
	cpus_read_unlock();
}

static long ioc_storm(void __user *ptr)
{
	struct calls_storm arg;

	if (copy_from_user(&arg, ptr, sizeof(arg)))
		return -EFAULT;
	if (arg.slot >= CALLS_MAX || nr_cpu_ids > CALLS_MAX_CPUS)
		return -EINVAL;
	if (arg.nmi && !has_nmi)
		return -ENODEV;
	storm(&arg);
	return copy_to_user(ptr, &arg, sizeof(arg)) ? -EFAULT : 0;
}

/*
 * Add the time that the machine slept to the kernel's clocks, as the clock's
 * driver does after suspend.  That function is not exported, so find it with a
 * kprobe.
 */
static long ioc_sleep(unsigned long seconds)
{
	const struct timespec64 slept = { .tv_sec = seconds };
	void (*inject)(const struct timespec64 *delta);
	struct kprobe probe = {
		.symbol_name = "timekeeping_inject_sleeptime64",
	};
	int err = register_kprobe(&probe);

	if (err)
		return err;
	inject = (void *)probe.addr;
	unregister_kprobe(&probe);
	inject(&slept);
	return 0;
}

static long calls_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	void __user *ptr = (void __user *)arg;
	long err;

	switch (cmd) {
	case CALLS_IOC_REPORTED:
		return ioc_reported(ptr);
	case CALLS_IOC_RELEASE:
		complete(&released);
		return 0;
	case CALLS_IOC_HAS_NMI:
		return has_nmi ? 0 : -ENODEV;
	case CALLS_IOC_SLEEP:
		return ioc_sleep(arg);
	}
	mutex_lock(&calls_mutex);
	err = cmd == CALLS_IOC_CALL ? ioc_call(ptr) :
	      cmd == CALLS_IOC_STORM ? ioc_storm(ptr) : -ENOTTY;
	mutex_unlock(&calls_mutex);
	return err;
}

/* Unregister the providers left by the process */
static int calls_release(struct inode *inode, struct file *file)
{
	u32 i;

	for (i = 0; i < CALLS_MAX; i++) {
		EtwUnregister(places[i].handle);
		places[i].handle = 0;
	}
	typed_unregister();
	reinit_completion(&released);
	return 0;
}

static const struct file_operations calls_fops = {
	.owner = THIS_MODULE,
	.release = calls_release,
	.unlocked_ioctl = calls_ioctl,
};

static struct miscdevice calls_device = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "evntprov-calls",
	.fops = &calls_fops,
};

void freeze_write_event(void)
{
	static const struct evntprov_descriptor descriptor = {
		.id = 1, .level = 4, .keyword = 1,
	};
	static const char text[] = "frozen";
	struct evntprov_data data = etw_block(text, sizeof(text) - 1);

	EtwWrite(places[0].handle, &descriptor, NULL, 1, &data);
}

static int __init calls_init(void)
{
	u32 i;
	int err;

	for (i = 0; i < CALLS_MAX; i++)
		spin_lock_init(&places[i].lock);
	calls_nmi_init();
	err = freeze_init();
	if (err)
		goto exit_nmi;
	err = misc_register(&calls_device);
	if (!err)
		return 0;
	freeze_exit();
exit_nmi:
	calls_nmi_exit();
	return err;
}

static void __exit calls_exit(void)
{
	misc_deregister(&calls_device);
	freeze_exit();
	calls_nmi_exit();
}

module_init(calls_init);
module_exit(calls_exit);

MODULE_DESCRIPTION("Calls the functions for providers in the kernel, for tests");
MODULE_LICENSE("GPL");
