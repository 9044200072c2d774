// SPDX-License-Identifier: GPL-2.0
/*
 * Registration of providers in the kernel, and their enable callbacks.
 *
 * Registrations belong to an internal file, so that all other code treats them
 * like user space registrations.  A work item takes the place of the program
 * that would read notifications, and runs the callbacks one at a time.
 *
 * While a registration is enabled, the static key of its state is on, and so is
 * the global one, for events without a state.  The task that changes an
 * enablement also changes keys and state, under evnt_lock: when it returns, all
 * events that a session wants are written.
 *
 * Lock order: evnt_lock, then the kernel's locks for static keys and CPU
 * hotplug.
 */
#include <linux/idr.h>
#include <linux/module.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/wait.h>
#include <linux/workqueue.h>

#include "module/provider/filter_set.h"
#include "module/kernel/kernel_provider.h"

struct evnt_prov_file *evnt_kernel_file;

/* On while enabled_count is not zero; switched under evnt_lock */
DEFINE_STATIC_KEY_FALSE(etw_any_enabled);
EXPORT_SYMBOL_GPL(etw_any_enabled);
static u32 enabled_count;

/* Slots in use */
static DEFINE_IDA(slots);
/* Makes handles unique */
static atomic64_t generation;

/*
 * Handle of the registration whose callback is running, or 0, and the task that
 * runs it.  Set under evnt_lock, which also serialises unregistration.
 *
 * (P) All effects of a callback are visible to a task that sees it as finished:
 *     the release in call() pairs with the acquire in EtwUnregister().
 * (Q) A writer that sees a level also sees the keywords set with it, or later
 *     ones: pairs with the acquire in etw_state_wants().
 */
static u64 running;
static struct task_struct *runner;
static DECLARE_WAIT_QUEUE_HEAD(idle);

static struct workqueue_struct *kernel_queue;

/*
 * Update the state and static keys of a registration to @c, the level and
 * keywords of all sessions together.  The caller holds evnt_lock.
 */
static void switched(struct evnt_registration *r,
		     const struct evnt_composite *c)
{
	const struct evnt_level_keyword *i = &c->interest;
	struct evnt_kernel_side *k = r->kernel;
	const bool was_on = k->is_on;

	lockdep_assert_held(&evnt_lock);
	/*
	 * Update the keywords before the level, so that a concurrent writer at
	 * worst pairs the old level with new keywords.  The write path checks
	 * both again.
	 */
	if (k->state) {
		if (c->enabled) {
			WRITE_ONCE(k->state->match_any, i->match_any);
			WRITE_ONCE(k->state->match_all, i->match_all);
		}
		/* (Q) */
		smp_store_release(&k->state->level_plus_1,
				  c->enabled ? i->level + 1 : 0);
	}
	k->is_on = c->enabled;
	if (k->is_on && !was_on) {
		if (!enabled_count++)
			static_branch_enable(&etw_any_enabled);
		if (k->state)
			static_branch_enable(&k->state->key);
	} else if (was_on && !k->is_on) {
		if (k->state)
			static_branch_disable(&k->state->key);
		if (!--enabled_count)
			static_branch_disable(&etw_any_enabled);
	}
}

/* Call the provider's callback, unless the provider was unregistered */
static void call(const struct evntprov_notification *n, const void *data)
{
	struct evntrace_filter filter = {
		.ptr = (uintptr_t)data,
		.len = n->filter_len,
		.type = n->filter_type,
	};
	struct evnt_registration *r;
	struct evnt_kernel_side k;

	mutex_lock(&evnt_lock);
	r = evnt_registration_find(evnt_kernel_file, n->handle);
	if (r) {
		k = *r->kernel;
		/* From here on, EtwUnregister() waits until this is done */
		WRITE_ONCE(running, n->handle);
		WRITE_ONCE(runner, current);
	}
	mutex_unlock(&evnt_lock);
	if (!r)
		return;
	k.callback(&n->source, n->control, n->level, n->match_any,
		   n->match_all, data ? &filter : NULL, k.context);
	WRITE_ONCE(runner, NULL);
	smp_store_release(&running, 0);				/* (P) */
	wake_up_all(&idle);
}

/* Dequeue a notification; false if there is none */
static bool next(struct evntprov_notification *n, void **data)
{
	struct evnt_prov_file *pf = evnt_kernel_file;
	int ret;

	*data = NULL;
	ret = evnt_notification_read(pf, 0, SIZE_MAX, n, data);
	/* Without the filter, the provider writes more events than needed */
	if (ret == -ENOMEM)
		ret = evnt_notification_read(pf, 0, SIZE_MAX, n, NULL);
	return ret > 0;
}

static void report(struct work_struct *work)
{
	struct evntprov_notification n;
	void *data;

	while (next(&n, &data)) {
		call(&n, data);
		kvfree(data);
		evnt_acknowledge(evnt_kernel_file);
	}
}

static DECLARE_WORK(report_work, report);

/* Queue the work on a notification, in place of waking a reader */
static int wake(struct wait_queue_entry *entry, unsigned int mode, int flags,
		void *key)
{
	queue_work(kernel_queue, &report_work);
	return 0;
}

static struct wait_queue_entry reader;

static void handle_put(u64 handle)
{
	ida_free(&slots, (handle & EVNTPROV_HANDLE_SLOT_MASK) /
			 EVNTPROV_SLOT_SIZE);
}

/* Register with an unused handle; consumes @side */
static int register_side(const struct etw_registration *what,
			 struct evnt_kernel_side *side, u64 *handle)
{
	const int slot = ida_alloc_range(&slots, 1, EVNTPROV_MAX_SLOTS - 1,
					 GFP_KERNEL);
	struct evntprov_register arg = {
		.flags = side->callback ? EVNTPROV_REGISTER_NOTIFY : 0,
		.provider = *what->provider,
	};
	int err;

	if (slot < 0) {
		kfree(side);
		return slot == -ENOSPC ? -EMFILE : slot;
	}
	arg.handle = atomic64_inc_return(&generation) << 16 |
		     slot * EVNTPROV_SLOT_SIZE;
	/* The callback may run, and use the handle, before this returns */
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
 * etw_register() - register a provider with a state and traits
 * @what: parameters of the registration
 * @handle: set to the handle, as for EtwRegister()
 *
 * If the traits name a group that the caller may not join, the provider is
 * registered without a group.
 *
 * Return: as EtwRegister(); also -EINVAL if the traits are malformed.
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
	err = register_side(what, side, handle);
	if (err)
		module_put(THIS_MODULE);
	return err;
}
EXPORT_SYMBOL_GPL(etw_register);

/**
 * EtwRegister() - register a provider in the kernel
 * @provider: provider id; may be registered more than once
 * @callback: called when enablements of the provider change, or NULL
 * @context: argument of @callback
 * @handle: set to the handle for writing events, or to 0 on failure
 *
 * If sessions have already enabled the provider, events reach them on return.
 * The callback is then called soon, possibly before this function returns;
 * *@handle is valid by then.  The module is pinned until EtwUnregister().
 *
 * Context: Process context.  May sleep.
 *
 * https://learn.microsoft.com/windows-hardware/drivers/ddi/wdm/nf-wdm-etwregister
 *
 * Return: 0; -EINVAL if @provider or @handle is NULL; -EMFILE if the kernel
 * already has EVNTPROV_MAX_REGISTRATIONS registrations; -ENOMEM.
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

/**
 * EtwUnregister() - unregister a provider in the kernel
 * @handle: handle set by EtwRegister(), or 0
 *
 * Waits for a running callback; it will not be called again afterwards.  No
 * event may be in the process of being written.  Later writes with @handle fail
 * with -ENOENT.
 *
 * Context: Process context.  May sleep.  The caller must not hold a lock that
 * the callback takes.
 *
 * https://learn.microsoft.com/windows-hardware/drivers/ddi/wdm/nf-wdm-etwunregister
 *
 * Return: 0; -ENOENT if there is no provider with this handle; -EDEADLK if
 * called from the provider's own callback.
 */
int EtwUnregister(u64 handle)
{
	int err;

	might_sleep();
	if (!handle)
		return 0;
	if (READ_ONCE(runner) == current && READ_ONCE(running) == handle)
		return -EDEADLK;
	err = evnt_unregister_kernel(evnt_kernel_file, handle);
	if (err)
		return err;
	handle_put(handle);
	wait_event(idle, smp_load_acquire(&running) != handle);	/* (P) */
	module_put(THIS_MODULE);
	return 0;
}
EXPORT_SYMBOL_GPL(EtwUnregister);

/**
 * EtwSetInformation() - set a property of a provider in the kernel
 * @handle: handle of the provider
 * @info_class: EVNTPROV_INFO_BINARY_TRACK, EVNTPROV_INFO_TRAITS or
 *	EVNTPROV_INFO_DESCRIPTOR_TYPE
 * @info: information, in the format that evntprov(4) documents
 * @len: length of @info in bytes
 *
 * Traits are recorded with each event of the provider, and enable the
 * evaluation of block types.  They may name a group, which is joined if the
 * caller has the right to.
 *
 * Context: Process context.  May sleep.
 *
 * https://learn.microsoft.com/windows-hardware/drivers/ddi/wdm/nf-wdm-etwsetinformation
 *
 * Return: 0; -ENOENT if there is no provider with this handle; -EINVAL if @info
 * is NULL or malformed, or @len is wrong; -EEXIST if the provider already has
 * traits; -EACCES if the traits were set but the group may not be joined;
 * -EOPNOTSUPP if @info_class is unknown; -ENOMEM.
 */
int EtwSetInformation(u64 handle, u32 info_class, const void *info, u32 len)
{
	might_sleep();
	if (len && !info)
		return -EINVAL;
	return evnt_set_information(evnt_kernel_file, handle, info_class,
				    KERNEL_SOCKPTR((void *)info), len);
}
EXPORT_SYMBOL_GPL(EtwSetInformation);

static const struct evnt_prov_file_ops kernel_file_ops = {
	.switched = switched,
};

int evnt_kernel_init(void)
{
	kernel_queue = alloc_workqueue("evntprov-kernel", WQ_UNBOUND, 1);
	if (!kernel_queue)
		return -ENOMEM;
	evnt_kernel_file = evnt_prov_file_create(&kernel_file_ops, NULL);
	if (!evnt_kernel_file) {
		destroy_workqueue(kernel_queue);
		return -ENOMEM;
	}
	evnt_kernel_activity_init();
	init_waitqueue_func_entry(&reader, wake);
	add_wait_queue(&evnt_kernel_file->wait, &reader);
	return 0;
}

/* No registrations are left, as each of them pins the module */
void evnt_kernel_exit(void)
{
	remove_wait_queue(&evnt_kernel_file->wait, &reader);
	destroy_workqueue(kernel_queue);
	evnt_prov_file_destroy(evnt_kernel_file);
	evnt_kernel_activity_exit();
}
