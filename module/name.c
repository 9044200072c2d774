// SPDX-License-Identifier: GPL-2.0
/*
 * Names of sessions and log files.
 */
#include <linux/err.h>
#include <linux/minmax.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include <linux/evntprov.h>

#include "name.h"

/**
 * evnt_name_from_user() - a copy of a name
 * @text: its address in the caller's memory
 * @len: its length in units
 *
 * Return: the name, to be given to evnt_name_put(), or an ERR_PTR(): -EINVAL
 * when it is too long, -EFAULT, -ENOMEM.
 */
struct evnt_name *evnt_name_from_user(u64 text, u32 len)
{
	struct evnt_name *name;

	if (len > EVNTRACE_MAX_NAME)
		return ERR_PTR(-EINVAL);
	name = kmalloc(struct_size(name, text, len), GFP_KERNEL_ACCOUNT);
	if (!name)
		return ERR_PTR(-ENOMEM);
	refcount_set(&name->refs, 1);
	name->len = len;
	if (!copy_from_user(name->text, u64_to_user_ptr(text),
			    len * sizeof(u16)))
		return name;
	kfree(name);
	return ERR_PTR(-EFAULT);
}

/* As much of a name as there is room for; @len becomes its length */
int evnt_name_to_user(const struct evnt_name *name, u64 text, u32 *len)
{
	u32 n = min(name->len, *len);

	*len = name->len;
	if (text && copy_to_user(u64_to_user_ptr(text), name->text,
				 n * sizeof(u16)))
		return -EFAULT;
	return 0;
}

static u16 fold(u16 c)
{
	return c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c;
}

/* Whether two names differ in the case of ASCII letters at most */
bool evnt_name_is_same(const struct evnt_name *a, const struct evnt_name *b)
{
	u32 i;

	if (a->len != b->len)
		return false;
	for (i = 0; i < a->len; i++) {
		if (fold(a->text[i]) != fold(b->text[i]))
			return false;
	}
	return true;
}

/* Give a name back; also NULL, and what evnt_name_from_user() failed with */
void evnt_name_put(struct evnt_name *name)
{
	if (!IS_ERR_OR_NULL(name) && refcount_dec_and_test(&name->refs))
		kfree(name);
}
