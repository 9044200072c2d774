// SPDX-License-Identifier: GPL-2.0
/*
 * /dev/evntprov: the device for providers.
 *
 * Checks arguments and calls the owners of the objects; owns nothing itself.
 */
#include <linux/fs.h>
#include <linux/module.h>
#include <linux/poll.h>
#include <linux/sched/signal.h>
#include <linux/uaccess.h>

#include "module/write/write.h"
#include "module/common/ioctl.h"
#include "module/compat/compat.h"
#include "module/device/devices.h"
#include "module/private/private_broker.h"
#include "module/provider/enable.h"
#include "module/provider/provider.h"
#include "module/common/quota.h"
#include "module/ring/ring.h"
#include "module/session/session.h"

static struct evnt_prov_file *prov_file(struct file *file)
{
	return file->private_data;
}

static long ioc_register(struct file *file, void *data)
{
	struct evntprov_register *arg = data;

	if (arg->flags & ~(EVNTPROV_REGISTER_NOTIFY |
			   EVNTPROV_REGISTER_CLASSIC | EVNTPROV_REGISTER_RING))
		return -EINVAL;
	return evnt_register(prov_file(file), arg);
}

static long ioc_unregister(struct file *file, void *data)
{
	const struct evntprov_register *arg = data;

	if (arg->flags ||
	    memchr_inv(&arg->provider, 0, sizeof(arg->provider)))
		return -EINVAL;
	return evnt_unregister(prov_file(file), arg->handle);
}

static long ioc_set_information(struct file *file, void *data)
{
	const struct evntprov_set_information *arg = data;
	struct evnt_prov_file *pf = prov_file(file);

	if (arg->flags)
		return -EINVAL;
	evnt_drain(pf);
	if (arg->info_class == EVNTPROV_INFO_MANIFEST)
		return evnt_manifest_set(pf, arg);
	return evnt_set_information(pf, arg->handle, arg->info_class,
				    USER_SOCKPTR(u64_to_user_ptr(arg->info)),
				    arg->len);
}

static long ioc_private(struct file *file, void *data)
{
	return evnt_private_participate(prov_file(file), data);
}

static long ioc_rescue(struct file *file, void *data)
{
	return evnt_rescue_set(prov_file(file), data);
}

static const struct evnt_ioctl prov_ioctls[] = {
	EVNT_IOCTL(EVNTPROV_IOC_VERSION, struct evntprov_version, reserved,
		   evnt_ioc_version, .answers = true),
	EVNT_IOCTL(EVNTPROV_IOC_REGISTER, struct evntprov_register, handle,
		   ioc_register),
	EVNT_IOCTL(EVNTPROV_IOC_UNREGISTER, struct evntprov_register, handle,
		   ioc_unregister),
	EVNT_IOCTL(EVNTPROV_IOC_SET_INFORMATION,
		   struct evntprov_set_information, info, ioc_set_information),
	EVNT_IOCTL(EVNTPROV_IOC_PRIVATE, struct evntprov_private, flushes,
		   ioc_private, .answers = true),
	EVNT_IOCTL(EVNTPROV_IOC_RESCUE, struct evntprov_rescue, written,
		   ioc_rescue),
};

static noinline long prov_other(struct file *file, unsigned int cmd,
				unsigned long ptr)
{
	return evnt_do_ioctl(file, prov_ioctls, ARRAY_SIZE(prov_ioctls), cmd,
			     ptr);
}

static long prov_ioctl(struct file *file, unsigned int cmd, unsigned long ptr)
{
	/* The only ioctl on the fast path */
	if (likely(cmd == EVNTPROV_IOC_WRITE))
		return evnt_write(prov_file(file), (void __user *)ptr);
	if (cmd == EVNTPROV_IOC_DRAIN)
		return evnt_ring_drain(prov_file(file), ptr);
	return prov_other(file, cmd, ptr);
}

/* Copy a notification out; returns its size or -EFAULT */
static ssize_t copy_out(char __user *buf, const struct evntprov_notification *n,
			const void *data)
{
	if (copy_to_user(buf, n, sizeof(*n)) ||
	    (data && copy_to_user(buf + n->filter_offset, data, n->filter_len)))
		return -EFAULT;
	return n->size;
}

/*
 * Read the next notification or, if @slot is not 0, the present state of the
 * registration there; returns its size, 0 without a notification, or an errno
 */
static ssize_t read_one(struct evnt_prov_file *pf, u64 slot, char __user *buf,
			size_t count)
{
	struct evntprov_notification n;
	void *data = NULL;
	ssize_t ret;

	ret = evnt_notification_read(pf, slot, count, &n, &data);
	if (ret <= 0)
		return ret;
	ret = copy_out(buf, &n, data);
	if (ret < 0 && !slot)
		evnt_notification_unread(pf, &n);
	kvfree(data);
	return ret;
}

/* @pos is NULL for read(), and the offset for pread(): see prov_open() */
static ssize_t prov_read(struct file *file, char __user *buf, size_t count,
			 loff_t *pos)
{
	struct evnt_prov_file *pf = prov_file(file);
	ssize_t done;

	if (count < sizeof(struct evntprov_notification) ||
	    (pos && (!*pos || *pos & ~(loff_t)EVNTPROV_HANDLE_SLOT_MASK)))
		return -EINVAL;
	if (pos)
		return read_one(pf, *pos, buf, count);
	evnt_acknowledge(pf);
	do {
		if (READ_ONCE(pf->hangup))
			return 0;
		done = read_one(pf, 0, buf, count);
		if (done && done != -EINTR)
			return done;
		if (!done && file->f_flags & O_NONBLOCK)
			return -EAGAIN;
	} while (!fatal_signal_pending(current) &&
		 !wait_event_interruptible(pf->wait, evnt_notifications(pf) ||
						     READ_ONCE(pf->hangup)));
	return -ERESTARTSYS;
}

static __poll_t prov_poll(struct file *file, poll_table *wait)
{
	struct evnt_prov_file *pf = prov_file(file);

	poll_wait(file, &pf->wait, wait);
	if (READ_ONCE(pf->hangup))
		return EPOLLHUP | EPOLLIN | EPOLLRDNORM;
	return evnt_notifications(pf) ? EPOLLIN | EPOLLRDNORM : 0;
}

static vm_fault_t prov_fault(struct vm_fault *vmf)
{
	vmf->page = evnt_prov_file_page(vmf->vma->vm_private_data, vmf->pgoff);
	return vmf->page ? 0 : VM_FAULT_OOM;
}

static const struct vm_operations_struct prov_vm_ops = {
	.fault = prov_fault,
};

static int prov_mmap(struct file *file, struct vm_area_struct *vma)
{
	if (vma->vm_pgoff == EVNTPROV_RING_OFFSET / PAGE_SIZE)
		return evnt_ring_mmap(prov_file(file), vma);
	if (vma->vm_pgoff + vma_pages(vma) > EVNT_CHUNKS)
		return -EINVAL;
	if (vma->vm_flags & (VM_WRITE | VM_EXEC))
		return -EPERM;
	vm_flags_mod(vma, VM_DONTEXPAND | VM_DONTDUMP, VM_MAYWRITE | VM_MAYEXEC);
	vma->vm_private_data = prov_file(file);
	vma->vm_ops = &prov_vm_ops;
	return 0;
}

/* Set once autologger sessions are started: no provider registers earlier */
static bool evnt_prov_started;

static const struct evnt_prov_file_ops prov_file_ops = {
	.registered = evnt_private_requests_registered,
};

/* Create a file charged to the caller's user, or return an ERR_PTR() */
static struct evnt_prov_file *file_create(void)
{
	struct evnt_user *user = evnt_user_get();
	struct evnt_prov_file *pf;
	int err;

	if (!user)
		return ERR_PTR(-ENOMEM);
	err = evnt_charge(user, EVNT_FILES, 1, evnt_is_exempt());
	if (err)
		goto put;
	pf = evnt_prov_file_create(&prov_file_ops, user);
	if (pf)
		return pf;
	err = -ENOMEM;
	evnt_uncharge(user, EVNT_FILES, 1);
put:
	evnt_user_put(user);
	return ERR_PTR(err);
}

static int prov_open(struct inode *inode, struct file *file)
{
	struct evnt_prov_file *pf;

	/* misc_open() holds the lock of all misc devices: do not wait here */
	if (!smp_load_acquire(&evnt_prov_started))		/* (I) */
		return -ENODEV;
	pf = file_create();
	if (IS_ERR(pf))
		return PTR_ERR(pf);
	file->private_data = pf;
	atomic64_inc(&evnt_counts.files);
	stream_open(inode, file);
	file->f_mode |= FMODE_PREAD;
	return 0;
}

static int prov_flush(struct file *file, fl_owner_t id)
{
	struct evnt_prov_file *pf = prov_file(file);

	if (evnt_prov_file_closed(pf, id))
		evnt_private_requests_leave(pf);
	/* A child process may keep the file open for long */
	evnt_rescues_complete(pf);
	return 0;
}

static int prov_release(struct inode *inode, struct file *file)
{
	struct evnt_prov_file *pf = prov_file(file);
	struct evnt_user *user = pf->user;

	evnt_private_requests_leave(pf);
	evnt_rescues_destroy(pf);
	evnt_images_destroy(pf);
	evnt_prov_file_destroy(pf);
	evnt_uncharge(user, EVNT_FILES, 1);
	evnt_user_put(user);
	atomic64_dec(&evnt_counts.files);
	return 0;
}

static const struct file_operations prov_fops = {
	.owner = THIS_MODULE,
	.open = prov_open,
	.flush = prov_flush,
	.release = prov_release,
	.read = prov_read,
	.poll = prov_poll,
	.unlocked_ioctl = prov_ioctl,
	.compat_ioctl = compat_ptr_ioctl,
	.mmap = prov_mmap,
};

struct miscdevice evnt_dev_provider = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "evntprov",
	.mode = 0666,
	.fops = &prov_fops,
};

/*
 * Permit open() from now on.
 *
 * (I) An open() that succeeds sees the sessions that were started before: the
 *     release pairs with the acquire in prov_open().
 */
void evnt_dev_provider_start(void)
{
	smp_store_release(&evnt_prov_started, true);		/* (I) */
}
