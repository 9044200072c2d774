// SPDX-License-Identifier: GPL-2.0
/*
 * Data of events about processes, threads and images.
 */
#include <linux/cred.h>
#include <linux/dcache.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/mm.h>
#include <linux/sched/signal.h>
#include <linux/string.h>

#include "module/compat/compat.h"
#include "module/system/system_event.h"

#define GROUP_PROCESS		EVNT_HOOK(4, 0x0300)
#define GROUP_THREAD		EVNT_HOOK(3, 0x0500)
/* The load of an image belongs to its process's group */
#define GROUP_LOAD		EVNT_HOOK(3, 0x0300)
#define GROUP_IMAGE		EVNT_HOOK(3, 0x1400)

#define STILL_ACTIVE		0x103

static_assert(sizeof(struct evnt_process_data) == 68);
static_assert(sizeof(struct evnt_thread_data) == 72);
static_assert(sizeof(struct evnt_image_data) == 56);

/* Return the length of the UTF-8 character at @s, and the character; or 0 */
static u32 decode(const u8 *s, u32 len, u32 *c)
{
	static const u32 least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	u32 i, n = *s < 0x80 ? 1 : *s < 0xc2 ? 0 : *s < 0xe0 ? 2 :
		   *s < 0xf0 ? 3 : *s < 0xf5 ? 4 : 0;

	if (!n || n > len)
		return 0;
	*c = n == 1 ? *s : *s & (0x7f >> n);
	for (i = 1; i < n; i++) {
		if ((s[i] & 0xc0) != 0x80)
			return 0;
		*c = *c << 6 | (s[i] & 0x3f);
	}
	return *c < least[n] || *c > 0x10ffff || *c >> 11 == 0x1b ? 0 : n;
}

static u8 *put_unit(u8 *to, u16 unit)
{
	put_unaligned_le16(unit, to);
	return to + sizeof(unit);
}

/* Write @x->text in UTF-16 with a nul; never more units than bytes of it */
static u8 *put_text(u8 *to, const struct evnt_system_scratch *x)
{
	const u8 *s = x->text, *end = s + x->len;
	u32 n, c;

	for (; s < end; s += n ?: 1) {
		n = decode(s, end - s, &c);
		if (!n)
			c = 0xfffd;
		if (c < 0x10000) {
			to = put_unit(to, c);
			continue;
		}
		to = put_unit(to, 0xd800 + ((c - 0x10000) >> 10));
		to = put_unit(to, 0xdc00 + (c & 0x3ff));
	}
	return put_unit(to, 0);
}

/*
 * Return a key of a process's current program.  Two programs of a process differ
 * in it, as do two processes with the same id.
 */
u64 evnt_process_key(const struct task_struct *p)
{
	return p->group_leader->start_boottime + p->self_exec_id;
}

/*
 * Set @x->name to the name of a process's executable, or without @mm, to the
 * name of its main thread.  Takes no lock.
 */
void evnt_system_name(struct evnt_system_scratch *x, struct task_struct *p,
		      struct mm_struct *mm)
{
	struct file *exe = mm ? evnt_exe_file(mm) : NULL;

	if (!exe) {
		snprintf(x->name, sizeof(x->name), "%.*s", TASK_COMM_LEN,
			 p->group_leader->comm);
		return;
	}
	snprintf(x->name, sizeof(x->name), "%pD", exe);
	fput(exe);
}

/* Turn @len bytes of arguments in @x->text into a command line */
void evnt_system_args(struct evnt_system_scratch *x, u32 len)
{
	u32 i;

	while (len && !x->text[len - 1])
		len--;
	for (i = 0; i < len; i++)
		x->text[i] = x->text[i] ?: ' ';
	x->len = len;
}

/* Return the status as Windows would: of a signal, an error with its number */
static s32 exit_status(const struct task_struct *p)
{
	const u32 signal = p->exit_code & 0x7f;

	return signal ? 0x80000000u | signal : (p->exit_code >> 8) & 0xff;
}

/**
 * evnt_system_process() - write an event about a process
 * @to: target
 * @x: name and command line of the process
 * @p: a thread of the process
 * @key: evnt_process_key() of the process
 *
 * Return: as evnt_system_send().
 */
bool evnt_system_process(struct evnt_system_target *to,
			 struct evnt_system_scratch *x, struct task_struct *p,
			 u64 key)
{
	struct evnt_system_record r = {
		.flag = EVNTRACE_SYSTEM_PROCESS,
		.hook = GROUP_PROCESS | to->type,
		.is_short = to->type >= EVNT_TYPE_DCSTART,
		.data = &x->process,
	};
	u8 *end = x->process_strings;
	const u32 len = strlen(x->name) + 1;

	x->process = (struct evnt_process_data) {
		.key = key,
		.process_id = p->tgid,
		.exit_status = to->type == EVNT_TYPE_END ? exit_status(p) :
							   STILL_ACTIVE,
		.token = { 1 },	/* contents are ignored, but not zero */
		/* S-1-22-1-UID, as in extended items */
		.sid = { 1, 2, 0, 0, 0, 0, 0, 22 },
		.sub_authority = {
			cpu_to_le32(1),
			cpu_to_le32(from_kuid(&init_user_ns, task_euid(p))),
		},
	};
	rcu_read_lock();
	x->process.parent_id = task_tgid_nr(rcu_dereference(p->real_parent));
	rcu_read_unlock();
	memcpy(end, x->name, len);
	end = put_text(end + len, x);
	/* There are no packages and application ids */
	end = put_unit(put_unit(end, 0), 0);
	r.len = end - (u8 *)&x->process;
	return evnt_system_send(to, &r);
}

u8 evnt_base_priorities[U8_MAX + 1] __ro_after_init;

static_assert(NICE_WIDTH == 40 && MAX_PRIO < U8_MAX);

/* Nice values have 1 to 15, 8 for 0; real-time priorities have 16 to 31 */
void __init evnt_base_priorities_init(void)
{
	u32 i;

	for (i = 0; i < MAX_RT_PRIO; i++)
		evnt_base_priorities[i] = 31 - i * 16 / MAX_RT_PRIO;
	for (i = 0; i < NICE_WIDTH; i++)
		evnt_base_priorities[MAX_RT_PRIO + i] = 15 - i * 3 / 8;
	/* The deadline scheduler's is -1 */
	evnt_base_priorities[U8_MAX] = 31;
}

/**
 * evnt_system_thread() - write an event about a thread
 * @to: target
 * @p: the thread
 * @thread_id: its id, which execve() may have changed
 *
 * Return: as evnt_system_send().
 */
bool evnt_system_thread(struct evnt_system_target *to,
			struct task_struct *p, u32 thread_id)
{
	struct evnt_thread_data data = {
		.process_id = p->tgid,
		.thread_id = thread_id,
		.base_priority = evnt_base_priority(p),
	};
	struct evnt_system_record r = {
		.flag = EVNTRACE_SYSTEM_THREAD,
		.hook = GROUP_THREAD | to->type,
		.len = sizeof(data),
		.data = &data,
	};

	return evnt_system_send(to, &r);
}

/*
 * Set @x->text to the path of an image, or to its end where d_path() must not be
 * called: it may wait for a rename, which probes must not on PREEMPT_RT, and it
 * uses the root directory of the caller, which a process that exits has left.
 */
static void set_path(struct evnt_system_scratch *x, const struct file *file)
{
	char *path = ERR_PTR(-EAGAIN);

	if (current->fs && (!IS_ENABLED(CONFIG_PREEMPT_RT) || preemptible()))
		path = d_path(evnt_user_path(file), x->text, sizeof(x->text));
	if (IS_ERR(path)) {
		x->len = scnprintf(x->text, sizeof(x->text), "%pD4", file);
		return;
	}
	x->len = strlen(path);
	memmove(x->text, path, x->len);
}

/* Write an event about the image whose path is @x->text */
static bool put_image(struct evnt_system_target *to,
		      struct evnt_system_scratch *x, u64 base, u64 size,
		      u32 process_id)
{
	struct evnt_system_record r = {
		.flag = EVNTRACE_SYSTEM_IMAGE_LOAD,
		.hook = (to->type == EVNT_TYPE_LOAD ? GROUP_LOAD : GROUP_IMAGE) |
			to->type,
		.is_short = to->type == EVNT_TYPE_DCSTART ||
			    to->type == EVNT_TYPE_DCEND,
		.data = &x->image,
	};

	x->image = (struct evnt_image_data) {
		.base = base,
		.size = size,
		.process_id = process_id,
		.default_base = base,
	};
	r.len = put_text(x->image_strings, x) - (u8 *)&x->image;
	return evnt_system_send(to, &r);
}

/**
 * evnt_system_image() - write an event about an image
 * @to: target; for a mapping that appears or disappears, of type EVNT_TYPE_LOAD
 *	or EVNT_TYPE_END
 * @x: scratch memory
 * @vma: mapping for which evnt_is_image() is true
 * @process_id: its process
 *
 * Return: as evnt_system_send().
 */
bool evnt_system_image(struct evnt_system_target *to,
		       struct evnt_system_scratch *x,
		       const struct vm_area_struct *vma, u32 process_id)
{
	const u64 base = vma->vm_start - ((u64)vma->vm_pgoff << PAGE_SHIFT);

	set_path(x, vma->vm_file);
	return put_image(to, x, base, vma->vm_end - base, process_id);
}

/* Write events about the kernel's images whose addresses stand for numbers */
bool evnt_system_number_images(struct evnt_system_target *to,
			       struct evnt_system_scratch *x, u32 flags)
{
	static const struct {
		u32 flag;
		u64 base;
		const char *name;
	} images[] = {
		{ EVNTRACE_SYSTEM_SYSTEMCALL, EVNT_CALLS, "[system calls]" },
		{ EVNTRACE_SYSTEM_SYSTEMCALL, EVNT_COMPAT_CALLS,
		  "[32-bit system calls]" },
		{ EVNTRACE_SYSTEM_DPC, EVNT_SOFTIRQS, "[softirqs]" },
	};
	bool more = true;
	u32 i;

	for (i = 0; more && i < ARRAY_SIZE(images); i++) {
		if (!(flags & images[i].flag))
			continue;
		x->len = strscpy(x->text, images[i].name, sizeof(x->text));
		more = put_image(to, x, images[i].base, EVNT_NUMBERS, 0);
	}
	return more;
}

/* Write an event about each image; the caller holds the lock of @mm */
bool evnt_system_images(struct evnt_system_target *to,
			struct evnt_system_scratch *x, struct mm_struct *mm,
			u32 process_id)
{
	VMA_ITERATOR(vmi, mm, 0);
	struct vm_area_struct *vma;
	bool more = true;

	for_each_vma(vmi, vma) {
		if (more && evnt_is_image(vma))
			more = evnt_system_image(to, x, vma, process_id);
	}
	return more;
}
