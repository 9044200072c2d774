// SPDX-License-Identifier: GPL-2.0
/*
 * Series of log files (newfile): their names, their directory, and the
 * credentials with which they are opened.
 *
 * The controller opens the first file, and passes in a descriptor of the
 * directory.  The writer thread opens the following files there, with the
 * credentials of the controller.  It can thus open or overwrite no file that
 * the controller could not have opened itself by openat(2).
 */
#include <linux/cred.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/limits.h>
#include <linux/path.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "module/compat/compat.h"
#include "module/session/log.h"
#include "module/common/ioctl.h"

#define MAX_DIGITS	10u

/**
 * struct evnt_newfile - a series of log files
 * @dir: directory of the files
 * @cred: credentials with which files are opened
 * @name: pattern of the name shown in headers and queries
 * @mode: permissions of new files
 * @number: number of the last file that became a log
 * @file: pattern of the name in @dir
 *
 * @number is private to the writer thread; all other members are constant.
 */
struct evnt_newfile {
	struct path dir;
	const struct cred *cred;
	struct evnt_name *name;
	umode_t mode;
	u32 number;
	char file[NAME_MAX + 1];
};

/* Check for one "%d", no other '%', and no path outside the directory */
static bool file_is_valid(const char *file, u32 len)
{
	const char *at = strchr(file, '%');

	return strlen(file) == len && at && at[1] == 'd' &&
	       !strchr(at + 1, '%') && !strchr(file, '/');
}

/* Return the offset of the only "%d", or the length if it is not exactly one */
static u32 place_of_number(const struct evnt_name *name)
{
	u32 i, place = name->len;

	for (i = 0; i < name->len; i++) {
		if (name->text[i] != '%')
			continue;
		if (place < name->len || i + 1 == name->len ||
		    name->text[i + 1] != 'd')
			return name->len;
		place = i;
	}
	return place;
}

static int take_patterns(struct evnt_newfile *series,
			 const struct evntrace_newfile *arg)
{
	if (arg->flags || arg->reserved || !arg->file_len ||
	    arg->file_len > NAME_MAX ||
	    arg->name_len > EVNTRACE_MAX_NAME - MAX_DIGITS)
		return -EINVAL;
	if (copy_from_user(series->file, u64_to_user_ptr(arg->file),
			   arg->file_len))
		return -EFAULT;
	series->name = evnt_name_from_user(arg->name, arg->name_len);
	if (IS_ERR(series->name))
		return PTR_ERR(series->name);
	if (!file_is_valid(series->file, arg->file_len) ||
	    place_of_number(series->name) == series->name->len)
		return -EINVAL;
	return 0;
}

static int take_dir(struct evnt_newfile *series, int fd)
{
	struct file *file = fget_raw(fd);

	if (!file)
		return -EBADF;
	series->dir = file->f_path;
	path_get(&series->dir);
	fput(file);
	return d_is_dir(series->dir.dentry) ? 0 : -ENOTDIR;
}

/**
 * evnt_newfile_create() - create the series of a controller's log file
 * @arg: user address of a struct evntrace_newfile
 * @first: log with the first file, already open
 *
 * Return: the series, or an ERR_PTR() as documented for EVNTRACE_IOC_START.
 */
struct evnt_newfile *evnt_newfile_create(u64 arg, const struct evnt_log *first)
{
	struct evntrace_newfile in;
	struct evnt_newfile *series;
	int err;

	err = evnt_copy_argument(&in, sizeof(in), sizeof(in),
				 u64_to_user_ptr(arg));
	if (err)
		return ERR_PTR(err);
	series = kzalloc(sizeof(*series), GFP_KERNEL_ACCOUNT);
	if (!series)
		return ERR_PTR(-ENOMEM);
	series->cred = evnt_current_cred();
	series->mode = file_inode(first->file)->i_mode & 0666;
	series->number = 1;
	err = take_patterns(series, &in);
	if (!err)
		err = take_dir(series, in.dir_fd);
	if (!err)
		return series;
	evnt_newfile_destroy(series);
	return ERR_PTR(err);
}

/* Replace "%d" by a number */
static struct evnt_name *numbered_name(const struct evnt_name *pattern,
				       u32 number)
{
	u32 place = place_of_number(pattern);
	char digits[MAX_DIGITS + 1];
	struct evnt_name *name;
	u32 i, len = snprintf(digits, sizeof(digits), "%u", number);

	name = kmalloc(struct_size(name, text, pattern->len - 2 + len),
		       GFP_KERNEL);
	if (!name)
		return NULL;
	refcount_set(&name->refs, 1);
	name->len = pattern->len - 2 + len;
	memcpy(name->text, pattern->text, place * sizeof(u16));
	for (i = 0; i < len; i++)
		name->text[place + i] = digits[i];
	memcpy(name->text + place + len, pattern->text + place + 2,
	       (pattern->len - place - 2) * sizeof(u16));
	return name;
}

static struct file *open_numbered(const struct evnt_newfile *series, u32 number)
{
	const int flags = O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK |
			  O_LARGEFILE;
	char *place = strchr(series->file, '%');
	struct file *file;
	char *name;

	name = kasprintf(GFP_KERNEL, "%.*s%u%s", (int)(place - series->file),
			 series->file, number, place + 2);
	if (!name)
		return ERR_PTR(-ENOMEM);
	file = file_open_root(&series->dir, name, flags, series->mode);
	kfree(name);
	return file;
}

/* Lock and truncate a file, as the library does with the first one */
static int make_empty(struct file *file)
{
	int err;

	if (!S_ISREG(file_inode(file)->i_mode))
		return -EINVAL;
	err = evnt_lock_file(file);
	if (!err && i_size_read(file_inode(file)))
		err = vfs_truncate(&file->f_path, 0);
	return err;
}

/**
 * evnt_newfile_open() - open the next file of a series
 * @series: series
 * @log: zeroed log; its file and name are set
 *
 * Called by the session's writer thread.
 *
 * Return: 0, -ENOMEM, -EAGAIN if the file is another session's log, -EINVAL if
 * it is not a regular file, or an error of opening it.
 */
int evnt_newfile_open(struct evnt_newfile *series, struct evnt_log *log)
{
	const struct cred *old;
	struct file *file;
	int err = 0;

	log->name = numbered_name(series->name, series->number + 1);
	if (!log->name)
		return -ENOMEM;
	old = override_creds(series->cred);
	file = open_numbered(series, series->number + 1);
	if (!IS_ERR(file))
		err = make_empty(file);
	revert_creds(old);
	if (IS_ERR(file))
		return PTR_ERR(file);
	if (err)
		fput(file);
	else
		log->file = file;
	return err;
}

/* Advance the series, once the last file opened has become a log */
void evnt_newfile_opened(struct evnt_newfile *series)
{
	series->number++;
}

void evnt_newfile_destroy(struct evnt_newfile *series)
{
	if (IS_ERR_OR_NULL(series))
		return;
	path_put(&series->dir);
	put_cred(series->cred);
	evnt_name_put(series->name);
	kfree(series);
}
