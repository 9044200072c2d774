// SPDX-License-Identifier: GPL-2.0
/*
 * Providers in the kernel: what modules register, and how they are told.
 *
 * Their registrations are those of a file that nobody has opened, so that
 * everything else takes them for what it knows.  Where a program would read
 * notifications, a work item does, which calls their callbacks, one at a time.
 *
 * As long as a registration is enabled, the branch before its events is switched,
 * and the one before all that have none of their own.  That, and what its state
 * says, happens under
 * evnt_lock, by whoever changes what sessions want: when he returns, no event is
 * left out any more.
 *
 * Lock order: kernel_mutex, then evnt_lock, then those of the kernel for branches
 * and processors.
 */
#include <linux/bitmap.h>
#include <linux/module.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/wait.h>
#include <linux/workqueue.h>

#include "filter_data.h"
#include "kernel.h"

struct evnt_prov_file *evnt_kernel_file;

/* Enabled as long as @enabled_count is not zero; evnt_lock */
DEFINE_STATIC_KEY_FALSE(etw_any_enabled);
EXPORT_SYMBOL_GPL(etw_any_enabled);
static u32 enabled_count;

/* Guards which slots are in use, and what makes handles unlike others */
static DEFINE_MUTEX(kernel_mutex);
static DECLARE_BITMAP(slots, EVNTPROV_MAX_SLOTS);
static u64 generation;

/*
 * The registration whose callback runs, or 0, and the task that runs it.  They
 * are set under evnt_lock, under which a registration goes.
 *
 * (P) Whoever finds that a callback has returned finds all that it did: the
 *     release in end() pairs with the acquire in is_idle().
 * (Q) Whoever sees a level sees the keywords that came with it, or later ones:
 *     pairs with the acquire in etw_state_wants().
 */
static u64 running;
static struct task_struct *runner;
static DECLARE_WAIT_QUEUE_HEAD(idle);

static struct workqueue_struct *kernel_queue;

/*
 * The keywords first: who sees the level sees at worst those of before.  Who
 * writes meanwhile is asked again where the event goes its way.
 */
static void show_state(struct etw_state *state, const struct evnt_composite *c)
{
	const struct evnt_interest *i = &c->interest;

	if (c->enabled) {
		WRITE_ONCE(state->match_any, i->match_any);
		WRITE_ONCE(state->match_all, i->match_all);
	}
	/* (Q) */
	smp_store_release(&state->level_plus_1, c->enabled ? i->level + 1 : 0);
}

static void switch_on(struct evnt_kernel_side *k)
{
	if (!enabled_count++)
		static_branch_enable(&etw_any_enabled);
	if (k->state)
		static_branch_enable(&k->state->key);
}

static void switch_off(struct evnt_kernel_side *k)
{
	if (k->state)
		static_branch_disable(&k->state->key);
	if (!--enabled_count)
		static_branch_disable(&etw_any_enabled);
}

/**
 * evnt_kernel_switch() - sessions want something else of a registration
 * @r: the registration, of the kernel
 * @c: what they want
 *
 * Under evnt_lock.
 */
void evnt_kernel_switch(struct evnt_registration *r,
			const struct evnt_composite *c)
{
	struct evnt_kernel_side *k = r->kernel;
	const bool was_on = k->is_on;

	lockdep_assert_held(&evnt_lock);
	if (k->is_held)
		return;
	if (k->state)
		show_state(k->state, c);
	k->is_on = c->enabled;
	if (k->is_on && !was_on)
		switch_on(k);
	else if (was_on && !k->is_on)
		switch_off(k);
}

/* What sessions have for the provider itself; @filter points to it; under evnt_lock */
static void get_filter(const struct evntprov_notification *n,
		       struct evntrace_filter *filter)
{
	struct evntprov_filter_data arg = {
		.handle = n->handle,
		.flags = n->control == EVNTPROV_CONTROL_CAPTURE_STATE ?
				 EVNTPROV_FILTER_DATA_CAPTURE : 0,
	};
	void *data = evnt_filter_data_get(evnt_kernel_file, &arg);

	/* Without memory it is called all the same, and takes more than it has to */
	if (IS_ERR(data))
		data = NULL;
	*filter = (struct evntrace_filter) {
		.ptr = (uintptr_t)data, .len = arg.len, .type = arg.type,
	};
}

/* Find the callback of a registration, which does not go while that runs */
static etw_enable_callback begin(const struct evntprov_notification *n,
				 struct evntrace_filter *filter, void **context)
{
	etw_enable_callback callback = NULL;
	struct evnt_registration *r;

	mutex_lock(&evnt_lock);
	r = evnt_registration_find(evnt_kernel_file, n->handle);
	if (r) {
		get_filter(n, filter);
		callback = r->kernel->callback;
		*context = r->kernel->context;
		WRITE_ONCE(running, n->handle);
		WRITE_ONCE(runner, current);
	}
	mutex_unlock(&evnt_lock);
	return callback;
}

static void end(void)
{
	WRITE_ONCE(runner, NULL);
	smp_store_release(&running, 0);				/* (P) */
	wake_up_all(&idle);
}

static bool is_idle(u64 handle)
{
	return smp_load_acquire(&running) != handle;		/* (P) */
}

static void call(const struct evntprov_notification *n)
{
	struct evntrace_filter filter;
	etw_enable_callback callback;
	void *context;

	callback = begin(n, &filter, &context);
	if (!callback)
		return;
	callback(&n->source, n->control, n->level, n->match_any, n->match_all,
		 filter.ptr ? &filter : NULL, context);
	kvfree((void *)(uintptr_t)filter.ptr);
	end();
}

static void tell(struct work_struct *work)
{
	struct evntprov_notification n;

	while (evnt_next_notification(evnt_kernel_file, &n)) {
		call(&n);
		evnt_acknowledge(evnt_kernel_file);
	}
}

static DECLARE_WORK(tell_work, tell);

/* Who reads notifications of a file is woken: here it is the work */
static int wake(struct wait_queue_entry *entry, unsigned int mode, int flags,
		void *key)
{
	queue_work(kernel_queue, &tell_work);
	return 0;
}

static struct wait_queue_entry reader;

/* A handle that no registration has had; under kernel_mutex; or 0 */
static u64 handle_get(void)
{
	unsigned long slot;

	slot = find_next_zero_bit(slots, EVNTPROV_MAX_SLOTS, 1);
	if (slot >= EVNTPROV_MAX_SLOTS)
		return 0;
	__set_bit(slot, slots);
	return ++generation << 16 | slot * EVNTPROV_SLOT_SIZE;
}

static void handle_put(u64 handle)
{
	__clear_bit((handle & EVNTPROV_HANDLE_SLOT_MASK) / EVNTPROV_SLOT_SIZE,
		    slots);
}

/* Under kernel_mutex */
static int register_locked(const struct etw_registration *what,
			   struct evnt_kernel_side *side, u64 *handle)
{
	struct evntprov_register arg = {
		.flags = side->callback ? EVNTPROV_REGISTER_NOTIFY : 0,
		.provider = *what->provider,
		.handle = handle_get(),
	};
	int err;

	if (!arg.handle) {
		kfree(side);
		return -EMFILE;
	}
	/* The callback may run before this returns, and write events */
	WRITE_ONCE(*handle, arg.handle);
	err = evnt_register_kernel(evnt_kernel_file, &arg, side, what->traits,
				   what->traits_len);
	if (err) {
		WRITE_ONCE(*handle, 0);
		handle_put(arg.handle);
	}
	return err;
}

/**
 * etw_register() - EtwRegister(), with a branch, and traits from the beginning
 * @what: what is registered
 * @handle: out: as of EtwRegister()
 *
 * If traits name a group that the caller has no right to join, it is in none.
 *
 * Return: as EtwRegister(); -EINVAL: also for traits that are none.
 */
int etw_register(const struct etw_registration *what, u64 *handle)
{
	struct evnt_kernel_side *side;
	int err;

	might_sleep();
	if (!handle)
		return -EINVAL;
	*handle = 0;
	if (!what->provider)
		return -EINVAL;
	side = kzalloc(sizeof(*side), GFP_KERNEL);
	if (!side)
		return -ENOMEM;
	side->callback = what->callback;
	side->context = what->context;
	side->state = what->state;
	__module_get(THIS_MODULE);
	mutex_lock(&kernel_mutex);
	err = register_locked(what, side, handle);
	mutex_unlock(&kernel_mutex);
	if (err)
		module_put(THIS_MODULE);
	return err;
}
EXPORT_SYMBOL_GPL(etw_register);

/**
 * EtwRegister() - register a provider of the kernel
 * @provider: its id; others may have registered the same
 * @callback: who is told when sessions want something else, or NULL
 * @context: for @callback
 * @handle: out: what events are written by, or 0
 *
 * When sessions have enabled it already, events go to them on return, and the
 * callback is called soon; perhaps before this returns, when @handle is set.  This
 * module stays loaded until EtwUnregister().
 *
 * Process context; may sleep.
 *
 * https://learn.microsoft.com/windows-hardware/drivers/ddi/wdm/nf-wdm-etwregister
 *
 * Return: 0; -EINVAL: @provider or @handle is NULL; -EMFILE: the kernel has
 * registered EVNTPROV_MAX_REGISTRATIONS; -ENOMEM.
 */
int EtwRegister(const struct evntprov_guid *provider,
		etw_enable_callback callback, void *context, u64 *handle)
{
	const struct etw_registration what = {
		.provider = provider, .callback = callback, .context = context,
	};

	return etw_register(&what, handle);
}
EXPORT_SYMBOL_GPL(EtwRegister);

static int unregister(u64 handle)
{
	int err;

	mutex_lock(&kernel_mutex);
	err = evnt_unregister_kernel(evnt_kernel_file, handle);
	if (!err)
		handle_put(handle);
	mutex_unlock(&kernel_mutex);
	return err;
}

/**
 * EtwUnregister() - a provider of the kernel goes
 * @handle: as EtwRegister() left it; 0 is no error
 *
 * When its callback runs, this waits until it has returned.  It is not called any
 * more.  No event may be on its way: those that are written with @handle from now
 * on get -ENOENT.
 *
 * Process context; may sleep; not under a lock that the callback takes.
 *
 * https://learn.microsoft.com/windows-hardware/drivers/ddi/wdm/nf-wdm-etwunregister
 *
 * Return: 0; -ENOENT: there is none with this handle; -EDEADLK: it is called by
 * the provider's own callback.
 */
int EtwUnregister(u64 handle)
{
	int err;

	might_sleep();
	if (!handle)
		return 0;
	if (READ_ONCE(runner) == current && READ_ONCE(running) == handle)
		return -EDEADLK;
	err = unregister(handle);
	if (err)
		return err;
	wait_event(idle, is_idle(handle));
	module_put(THIS_MODULE);
	return 0;
}
EXPORT_SYMBOL_GPL(EtwUnregister);

/**
 * EtwSetInformation() - say something of a provider of the kernel
 * @handle: the provider
 * @info_class: EVNTPROV_INFO_BINARY_TRACK, EVNTPROV_INFO_TRAITS or
 *	EVNTPROV_INFO_DESCRIPTOR_TYPE
 * @info: as <linux/evntprov.h> says of it
 * @len: its length in bytes
 *
 * Traits go with each event of the provider, and types of blocks are looked at from
 * then on.  They may name a group, which is joined if the caller has the right to.
 *
 * Process context; may sleep.
 *
 * https://learn.microsoft.com/windows-hardware/drivers/ddi/wdm/nf-wdm-etwsetinformation
 *
 * Return: 0; -ENOENT: there is no provider with this handle; -EINVAL: @info is NULL,
 * or is not what its class says, or of another length; -EEXIST: it has traits
 * already; -EACCES: it has traits now, but is not in the group; -EOPNOTSUPP:
 * @info_class is unknown; -ENOMEM.
 */
int EtwSetInformation(u64 handle, u32 info_class, const void *info, u32 len)
{
	might_sleep();
	if (len && !info)
		return -EINVAL;
	return evnt_set_information_kernel(evnt_kernel_file, handle, info_class,
					   info, len);
}
EXPORT_SYMBOL_GPL(EtwSetInformation);

int evnt_kernel_init(void)
{
	kernel_queue = alloc_workqueue("evntprov-kernel", WQ_UNBOUND, 1);
	if (!kernel_queue)
		return -ENOMEM;
	evnt_kernel_file = evnt_prov_file_create(NULL);
	if (!evnt_kernel_file) {
		destroy_workqueue(kernel_queue);
		return -ENOMEM;
	}
	evnt_kernel_activity_init();
	init_waitqueue_func_entry(&reader, wake);
	add_wait_queue(&evnt_kernel_file->wait, &reader);
	return 0;
}

/* Nothing is registered any more: what registers holds the module */
void evnt_kernel_exit(void)
{
	remove_wait_queue(&evnt_kernel_file->wait, &reader);
	destroy_workqueue(kernel_queue);
	evnt_prov_file_destroy(evnt_kernel_file);
	evnt_kernel_activity_exit();
}
