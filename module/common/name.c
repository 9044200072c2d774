// SPDX-License-Identifier: GPL-2.0
/*
 * Names of sessions and log files.
 */
#include <linux/err.h>
#include <linux/minmax.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include <linux/evntrace.h>

#include "module/common/name.h"

/**
 * evnt_name_from_user() - copy a name from user memory
 * @text: user address
 * @len: length in UTF-16 units
 *
 * Return: the name, to be released with evnt_name_put(), or an ERR_PTR():
 * -EINVAL if it is longer than EVNTRACE_MAX_NAME, -EFAULT or -ENOMEM.
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

/* Copy out as much of a name as fits, and set *@len to its full length */
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

/* Return whether two names are equal, ignoring the case of ASCII letters */
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

/* Drop a reference; @name may also be NULL or an ERR_PTR() */
void evnt_name_put(struct evnt_name *name)
{
	if (!IS_ERR_OR_NULL(name) && refcount_dec_and_test(&name->refs))
		kfree(name);
}
