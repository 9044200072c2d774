// SPDX-License-Identifier: MIT
/*
 * Checks whether the module is loaded and, if not, the reason: not installed
 * for this kernel, not built, or not signed
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tools/doctor/doctor.h"
#include "tools/evnt.h"
#include "tools/common/process.h"

#define MODULE		"module"
#define SIGNATURE	"signature"
#define SIGNED		"~Module signature appended~\n"
#define MAX_TEXT	256

char *doctor_path(const struct doctor *d, char path[PATH_MAX],
		  const char *format, ...)
{
	size_t len = snprintf(path, PATH_MAX, "%s", d->root);
	va_list args;

	va_start(args, format);
	if (len < PATH_MAX)
		vsnprintf(path + len, PATH_MAX - len, format, args);
	va_end(args);
	return path;
}

bool doctor_has(const struct doctor *d, const char *format, ...)
{
	char name[PATH_MAX], path[PATH_MAX];
	va_list args;

	va_start(args, format);
	vsnprintf(name, sizeof(name), format, args);
	va_end(args);
	return !access(doctor_path(d, path, "%s", name), F_OK);
}

char *doctor_line(const struct doctor *d, const char *name, char *text,
		  size_t size)
{
	char path[PATH_MAX];

	*text = '\0';
	first_line(doctor_path(d, path, "%s", name), text, size);
	return text;
}

/**
 * struct installed - the module's file for the examined kernel
 * @path: path of the file; empty if there is none
 * @is_known: modprobe finds the file
 * @is_signed: the file has a signature, by any signer
 * @is_plain: the file is not compressed, so the members below are valid
 * @vermagic: version magic, which begins with the kernel release; or empty
 * @srcversion: hash of the module's source; or empty
 */
struct installed {
	char path[PATH_MAX];
	bool is_known;
	bool is_signed;
	bool is_plain;
	char vermagic[MAX_TEXT];
	char srcversion[MAX_TEXT];
};

/* Result of nftw(), whose callback takes no context */
static char found_file[PATH_MAX];

static int is_module(const char *path, const struct stat *st, int type,
		     struct FTW *ftw)
{
	const char *name = path + ftw->base;

	(void)st;
	if (type != FTW_F || strncmp(name, "evntprov.ko", 11) != 0 ||
	    (name[11] && name[11] != '.'))
		return 0;
	snprintf(found_file, sizeof(found_file), "%s", path);
	return 1;
}

/* Read the value of a nul-terminated KEY=VALUE string as in modinfo(8) */
static void take_info(const char *data, size_t len, const char *key,
		      char value[MAX_TEXT])
{
	size_t key_len = strlen(key) + 1;
	char wanted[32] = "";
	const char *at;

	memcpy(wanted + 1, key, key_len);
	at = memmem(data, len, wanted, key_len);
	value[0] = '\0';
	if (!at)
		return;
	at += key_len;
	snprintf(value, MAX_TEXT, "%.*s", (int)strnlen(at, data + len - at),
		 at);
}

static void read_module(struct installed *i)
{
	const size_t tail = strlen(SIGNED);
	int fd = open(i->path, O_RDONLY | O_CLOEXEC);
	struct stat st;
	size_t len;
	char *data;

	if (fd < 0)
		return;
	if (fstat(fd, &st) || !st.st_size)
		goto close_file;
	len = st.st_size;
	data = mmap(NULL, len, PROT_READ, MAP_PRIVATE, fd, 0);
	if (data == MAP_FAILED)
		goto close_file;
	i->is_plain = len > 4 && !memcmp(data, "\177ELF", 4);
	if (i->is_plain) {
		i->is_signed = len > tail &&
			       !memcmp(data + len - tail, SIGNED, tail);
		take_info(data, len, "vermagic=", i->vermagic);
		take_info(data, len, "srcversion=", i->srcversion);
	}
	munmap(data, len);
close_file:
	close(fd);
}

/* Return whether depmod(8) has listed the file */
static bool is_in_list(const struct doctor *d)
{
	char path[PATH_MAX], line[PATH_MAX];
	bool has = false;
	FILE *file = fopen(doctor_path(d, path, "/lib/modules/%s/modules.dep",
				       d->kernel), "re");

	if (!file)
		return false;
	while (!has && fgets(line, sizeof(line), file))
		has = strstr(line, "/evntprov.ko");
	fclose(file);
	return has;
}

static bool find_for(const struct doctor *d, const char *kernel)
{
	char path[PATH_MAX];

	found_file[0] = '\0';
	nftw(doctor_path(d, path, "/lib/modules/%s", kernel), is_module, 16,
	     FTW_PHYS);
	return found_file[0];
}

/*
 * Return the name of a folder's first entry that @wanted accepts; empty if
 * there is none
 */
static void first_entry(const struct doctor *d, const char *folder,
			bool (*wanted)(const struct doctor *d,
				       const char *name),
			char name[NAME_MAX + 1])
{
	char path[PATH_MAX];
	DIR *dir = opendir(doctor_path(d, path, "%s", folder));
	struct dirent *entry;

	name[0] = '\0';
	if (!dir)
		return;
	while (!name[0] && (entry = readdir(dir))) {
		if (entry->d_name[0] != '.' && wanted(d, entry->d_name))
			snprintf(name, NAME_MAX + 1, "%s", entry->d_name);
	}
	closedir(dir);
}

/* Each version known to DKMS has a link to its source */
static bool is_version(const struct doctor *d, const char *name)
{
	return doctor_has(d, "/var/lib/dkms/evntprov/%s/source", name);
}

static bool has_module(const struct doctor *d, const char *kernel)
{
	return find_for(d, kernel);
}

/* Explain a missing module file */
static void explain_missing(struct doctor *d)
{
	char version[NAME_MAX + 1], kernel[NAME_MAX + 1];

	first_entry(d, "/var/lib/dkms/evntprov", is_version, version);
	if (!*version) {
		first_entry(d, "/lib/modules", has_module, kernel);
		if (*kernel)
			found(&d->f, FINDING_PROBLEM, MODULE, "not loaded; it"
			      " is installed for kernel %s, but not for this"
			      " one, %s", kernel, d->kernel);
		else
			found(&d->f, FINDING_PROBLEM, MODULE, "not loaded, and"
			      " not installed for this kernel, %s", d->kernel);
		advise(&d->f, "install the package evntprov-dkms, which builds"
		       " it for each kernel; or run 'make modules' in the"
		       " source tree, and 'insmod evntprov.ko' as root;"
		       " --in-process of 'evnt record' and 'evnt tail' needs no"
		       " module");
		return;
	}
	found(&d->f, FINDING_PROBLEM, MODULE, "not loaded; DKMS has version %s,"
	      " but has not built it for this kernel, %s", version, d->kernel);
	if (!doctor_has(d, "/lib/modules/%s/build/Makefile", d->kernel))
		advise(&d->f, "install the headers of this kernel (on Debian:"
		       " apt install linux-headers-%s), which has DKMS build"
		       " the module; or run 'dkms autoinstall'; then 'modprobe"
		       " evntprov', as root", d->kernel);
	else if (doctor_has(d, "/var/lib/dkms/evntprov/%s/build/make.log",
			    version))
		advise(&d->f, "building it failed:"
		       " /var/lib/dkms/evntprov/%s/build/make.log says why;"
		       " then run 'dkms install evntprov/%s -k %s' and"
		       " 'modprobe evntprov' as root", version, version,
		       d->kernel);
	else
		advise(&d->f, "run 'dkms install evntprov/%s -k %s', then"
		       " 'modprobe evntprov', as root", version, d->kernel);
}

/* The kernel refuses a module built for another kernel */
static bool is_for(const struct installed *i, const char *kernel)
{
	size_t len = strlen(kernel);

	return !i->vermagic[0] || (!strncmp(i->vermagic, kernel, len) &&
				   i->vermagic[len] == ' ');
}

static void explain_not_loaded(struct doctor *d, const struct installed *i)
{
	if (!i->path[0]) {
		explain_missing(d);
	} else if (!is_for(i, d->kernel)) {
		found(&d->f, FINDING_PROBLEM, MODULE, "not loaded; '%s' was"
		      " built for kernel %.*s, and this is %s", i->path,
		      (int)strcspn(i->vermagic, " "), i->vermagic, d->kernel);
		advise(&d->f, "rebuild it for this kernel: 'dkms install"
		       " --force evntprov/VERSION', or 'make modules' in the"
		       " source tree; then 'modprobe evntprov', as root");
	} else {
		found(&d->f, FINDING_PROBLEM, MODULE, "not loaded, though"
		      " installed: '%s'", i->path);
		advise(&d->f, "run %s'modprobe evntprov' as root",
		       i->is_known ? "" : "'depmod' and then ");
	}
}

/* Return whether Secure Boot is on, which the variable's last byte contains */
static bool secure_boot(const struct doctor *d)
{
	char path[PATH_MAX];
	unsigned char value[5] = { 0 };
	FILE *file;

	file = fopen(doctor_path(d, path, "/sys/firmware/efi/efivars/SecureBoot-"
				 "8be4df61-93ca-11d2-aa0d-00e098032b8c"), "re");
	if (!file)
		return false;
	if (fread(value, 1, sizeof(value), file) != sizeof(value))
		value[4] = 0;
	fclose(file);
	return value[4];
}

/* Return why the kernel refuses unsigned modules; NULL if it accepts them */
static const char *wants_signature(const struct doctor *d)
{
	char text[MAX_TEXT];

	doctor_line(d, "/sys/module/module/parameters/sig_enforce", text,
		    sizeof(text));
	if (*text == 'Y')
		return "this kernel takes signed modules only";
	doctor_line(d, "/sys/kernel/security/lockdown", text, sizeof(text));
	if (strstr(text, "[integrity]") || strstr(text, "[confidentiality]"))
		return "this kernel is locked down, and takes signed modules"
		       " only";
	return secure_boot(d) ? "Secure Boot is on, and kernels then take"
				" signed modules only" : NULL;
}

static void check_signature(struct doctor *d, const struct installed *i)
{
	const char *why = wants_signature(d);

	if (!why || !i->path[0])
		return;
	if (i->is_plain && !i->is_signed) {
		found(&d->f, FINDING_PROBLEM, SIGNATURE, "%s; '%s' has no"
		      " signature", why, i->path);
		advise(&d->f, "have DKMS sign it: 'mokutil --import"
		       " /var/lib/dkms/mok.pub' as root, boot, enroll the key,"
		       " then 'dkms install --force evntprov/VERSION'");
	} else {
		found(&d->f, FINDING_NOTE, SIGNATURE, "%s", why);
		advise(&d->f, "where modprobe says 'Key was rejected', the key"
		       " that has signed the module is not enrolled: 'mokutil"
		       " --import /var/lib/dkms/mok.pub' as root, and boot");
	}
}

static void check_installed(struct doctor *d, const struct installed *i,
			    const char *srcversion)
{
	if (!i->path[0]) {
		found(&d->f, FINDING_NOTE, MODULE, "not installed for this"
		      " kernel, %s: it will be missing after the next boot",
		      d->kernel);
		advise(&d->f, "install the package evntprov-dkms, or run 'dkms"
		       " install evntprov/VERSION'");
	} else if (i->srcversion[0] && *srcversion &&
		   strcmp(i->srcversion, srcversion) != 0) {
		found(&d->f, FINDING_NOTE, MODULE, "another version is installed"
		      " than is loaded: '%s'", i->path);
		advise(&d->f, "stop all sessions, then run 'rmmod evntprov' and"
		       " 'modprobe evntprov' as root; or boot");
	} else {
		found(&d->f, FINDING_OK, MODULE, "installed for this kernel: %s",
		      i->path);
	}
}

void doctor_module(struct doctor *d)
{
	char version[MAX_TEXT], srcversion[MAX_TEXT];
	struct installed i = { .path = "" };

	if (find_for(d, d->kernel)) {
		snprintf(i.path, sizeof(i.path), "%s", found_file);
		i.is_known = is_in_list(d);
		read_module(&i);
	}
	/*
	 * Without a mounted sysfs, the device shows that the module is loaded
	 */
	d->is_loaded = doctor_has(d, "/sys/module/evntprov") ||
		       (!*d->root && doctor_has(d, "/dev/evntrace"));
	if (!d->is_loaded) {
		/* A system that is not running needs the file only */
		if (doctor_has(d, "/sys/module") || !i.path[0] ||
		    !i.is_known || !is_for(&i, d->kernel))
			explain_not_loaded(d, &i);
		else
			found(&d->f, FINDING_OK, MODULE, "installed: %s",
			      i.path);
		check_signature(d, &i);
		return;
	}
	doctor_line(d, "/sys/module/evntprov/version", version,
		    sizeof(version));
	doctor_line(d, "/sys/module/evntprov/srcversion", srcversion,
		    sizeof(srcversion));
	found(&d->f, FINDING_OK, MODULE, "loaded: version %s",
	      *version ? version : "unknown");
	check_installed(d, &i, srcversion);
}
