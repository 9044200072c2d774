// SPDX-License-Identifier: MIT
/*
 * Store of loaded manifests: those loaded by TdhLoadManifest() and similar
 * functions, and those in the system's folders, which are loaded when a
 * provider is not found among the others.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/base/fork_lock.h"
#include "tdh/binary.h"
#include "evnttdh.h"
#include "tdh/mof.h"
#include "tdh/pdb.h"
#include "tdh/store.h"
#include "tdh/tmf.h"

#define FOLDERS	"/etc/evntprov/manifests:/usr/local/share/evntprov/manifests:" \
		"/usr/share/evntprov/manifests"

/* Precedence of manifests with the same provider, highest first */
enum rank {
	RANK_LOADED,	/* loaded by the program */
	RANK_TOLD,	/* in a program named by an event */
	RANK_SYSTEM,	/* in a folder of the system */
};

/**
 * struct version - attributes that differ when a file was written again
 */
struct version {
	dev_t device;
	ino_t inode;
	off_t size;
	struct timespec modified;
};

/**
 * struct source - a loaded manifest and its origin
 * @next: next source: of the same rank, loaded earlier, or of a lower rank
 * @rank: origin
 * @manifest: the manifest
 * @path: path of the file, or NULL
 * @version: version of the file
 * @is_refused: the file is no manifest, and @manifest is empty
 * @data: copy of the content loaded from memory, or NULL
 * @len: length of @data in bytes
 * @program: for RANK_TOLD, path of the program; otherwise NULL
 * @build: for RANK_TOLD, build id of the program; otherwise NULL
 * @provider: for RANK_TOLD, the only provider of the manifest that is used
 * @order: for RANK_SYSTEM, position of its file among @system_files
 */
struct source {
	struct source *next;
	enum rank rank;
	unsigned int order;
	struct manifest *manifest;
	char *path;
	struct version version;
	bool is_refused;
	void *data;
	size_t len;
	char *program;
	char *build;
	GUID provider;
};

/*
 * @lock guards all of these.  @providers is a tree of tsearch(), by GUID, of
 * the effective provider for each GUID; the providers it overrides are linked
 * by @behind.
 */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct source *sources;
static void *providers;

/*
 * Files in the system's folders, in order of precedence.  A file is only parsed
 * for a provider whose GUID it contains, because a system may have a thousand
 * manifests, and a program needs a few of them.
 */
static struct system_file {
	char *path;
	bool loaded;
} *system_files;
static unsigned int system_file_count;

/* All GUIDs in these files, whether of providers or others, sorted */
static struct system_guid {
	GUID guid;
	unsigned int file;
} *system_guids;
static size_t system_guid_count;
static bool system_indexed;

EVNT_FREE_IN_CHILD(lock)

void store_lock(void)
{
	pthread_mutex_lock(&lock);
}

void store_unlock(void)
{
	pthread_mutex_unlock(&lock);
}

static void free_source(struct source *s)
{
	manifest_free(s->manifest);
	free(s->path);
	free(s->data);
	free(s->program);
	free(s->build);
	free(s);
}

static bool get_version(const char *path, struct version *version)
{
	struct stat st;

	if (stat(path, &st))
		return false;
	*version = (struct version){ .device = st.st_dev, .inode = st.st_ino,
				     .size = st.st_size, .modified = st.st_mtim };
	return true;
}

static bool same_version(const struct version *a, const struct version *b)
{
	return a->device == b->device && a->inode == b->inode &&
	       a->size == b->size &&
	       a->modified.tv_sec == b->modified.tv_sec &&
	       a->modified.tv_nsec == b->modified.tv_nsec;
}

/* Maximum size of a manifest, or of a program that contains one, in bytes */
#define MAX_FILE	(256 << 20)

static ULONG win32_of(int err)
{
	switch (err) {
	case ENOENT:
		return ERROR_FILE_NOT_FOUND;
	case ENOTDIR:
		return ERROR_PATH_NOT_FOUND;
	case EACCES:
	case EPERM:
		return ERROR_ACCESS_DENIED;
	case ENOMEM:
		return ERROR_OUTOFMEMORY;
	}
	return ERROR_BAD_PATHNAME;
}

static ULONG read_all(int fd, struct bytes *b)
{
	struct stat st;
	ssize_t got;
	size_t at;

	if (fstat(fd, &st))
		return win32_of(errno);
	if (!S_ISREG(st.st_mode))
		return ERROR_BAD_PATHNAME;
	if (st.st_size > MAX_FILE)
		return ERROR_FILE_TOO_LARGE;
	at = bytes_reserve(b, st.st_size);
	if (b->failed)
		return ERROR_OUTOFMEMORY;
	while (at < b->len) {
		got = read(fd, b->data + at, b->len - at);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return ERROR_BAD_PATHNAME;
		at += got;
	}
	return ERROR_SUCCESS;
}

static ULONG read_file(const char *path, struct bytes *b)
{
	/* Do not block on files that are not regular */
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	ULONG code;

	if (fd < 0)
		return win32_of(errno);
	code = read_all(fd, b);
	close(fd);
	if (code)
		bytes_free(b);
	return code;
}

/**
 * struct listener - recipient of a manifest's problems
 */
struct listener {
	PEVNT_MANIFEST_CALLBACK callback;
	PVOID context;
};

static void report(const struct problem *problem, void *context)
{
	const struct listener *listener = context;
	EVNT_MANIFEST_PROBLEM reported = {
		.File = problem->file,
		.Line = problem->line,
		.Column = problem->column,
		.Text = problem->text,
	};

	if (listener && listener->callback)
		listener->callback(&reported, listener->context);
}

/* Report a problem of a whole file */
static void report_text(const char *path, const char *text,
			struct listener *listener)
{
	const struct problem problem = { .file = path, .text = text };

	report(&problem, listener);
}

/* Parser of a kind of file */
typedef struct manifest *(*parse_fn)(const char *path, const struct bytes *b,
				     struct listener *listener, ULONG *code);

/* Read the messages of WPP in debug information of Windows */
static struct manifest *parse_pdb(const char *path, const struct bytes *b,
				  struct listener *listener)
{
	struct manifest *m = NULL;
	struct bytes text = { 0 };

	pdb_messages(&text, b->data, b->len);
	if (text.failed)
		report_text(path, "the messages of WPP need too much memory: take those of one program"
			    " from it by tracepdb, which writes TMF files", listener);
	else if (text.len)
		m = tmf_parse(path, text.data, text.len, report, listener);
	else
		report_text(path, "the debug information contains no messages of WPP: only private"
			    " symbols of a program that uses WPP have them", listener);
	bytes_free(&text);
	return m;
}

static struct manifest *parse_text(const char *path, const struct bytes *b,
				   struct listener *listener, ULONG *code)
{
	*code = ERROR_XML_PARSE_ERROR;
	if (is_pdb(b->data, b->len))
		return parse_pdb(path, b, listener);
	if (is_tmf(b->data, b->len))
		return tmf_parse(path, b->data, b->len, report, listener);
	if (is_mof(b->data, b->len))
		return mof_parse(path, b->data, b->len, report, listener);
	return manifest_parse_lenient(path, b->data, b->len, report, listener);
}

static struct manifest *parse_any(const char *path, const struct bytes *b,
				  struct listener *listener, ULONG *code)
{
	if (is_binary(b->data, b->len))
		return binary_manifest(b->data, b->len, code);
	return parse_text(path, b, listener, code);
}

static struct manifest *parse_binary(const char *path, const struct bytes *b,
				     struct listener *listener, ULONG *code)
{
	(void)path;
	(void)listener;
	return binary_manifest(b->data, b->len, code);
}

/* Parse a file; returns NULL and sets *@code if it is no manifest */
static struct source *new_source(const char *path, const struct bytes *b,
				 parse_fn parse, struct listener *listener,
				 ULONG *code)
{
	struct source *s = calloc(1, sizeof(*s));

	*code = ERROR_OUTOFMEMORY;
	if (!s)
		return NULL;
	s->manifest = parse(path, b, listener, code);
	if (s->manifest)
		return s;
	free(s);
	return NULL;
}

static struct source **find_path(const char *path)
{
	struct source **at = &sources;

	while (*at && (!(*at)->path || strcmp((*at)->path, path) != 0))
		at = &(*at)->next;
	return at;
}

static struct source **find_data(const void *data, size_t len)
{
	struct source **at = &sources;

	while (*at && ((*at)->len != len || !(*at)->data ||
		       memcmp((*at)->data, data, len) != 0))
		at = &(*at)->next;
	return at;
}

static int compare_providers(const void *a, const void *b)
{
	const struct provider *x = a, *y = b;

	return memcmp(&x->guid, &y->guid, sizeof(GUID));
}

/*
 * Check whether a source overrides @other: a later source overrides earlier
 * ones of its rank, except for manifests of the system, which have an order
 */
static bool counts_before(const struct source *s, const struct source *other)
{
	if (s->rank == RANK_SYSTEM && other->rank == RANK_SYSTEM)
		return s->order < other->order;
	return s->rank <= other->rank;
}

static bool add_provider(struct source *s, struct provider *p)
{
	struct provider **at = tsearch(p, &providers, compare_providers);

	if (!at)
		return false;
	p->source = s;
	if (*at == p)
		return true;
	while (*at && !counts_before(s, (*at)->source))
		at = &(*at)->behind;
	p->behind = *at;
	*at = p;
	return true;
}

static void remove_provider(struct provider *p)
{
	struct provider **first = tfind(p, &providers, compare_providers);
	struct provider **at = first;

	while (*at != p)
		at = &(*at)->behind;
	*at = p->behind;
	p->source = NULL;
	if (*first)
		return;
	/* tdelete() compares the element that it removes */
	*first = p;
	tdelete(p, &providers, compare_providers);
}

static void remove_providers(struct source *s)
{
	for (struct provider *p = s->manifest->providers; p; p = p->next) {
		if (p->source)
			remove_provider(p);
	}
}

/* Add all providers, or none and return false if memory is exhausted */
static bool add_providers(struct source *s)
{
	for (struct provider *p = s->manifest->providers; p; p = p->next) {
		/* Skip providers that cannot be found by their GUID */
		if (s->rank == RANK_TOLD && !same_guid(&s->provider, &p->guid))
			continue;
		if (manifest_provider(s->manifest, &p->guid) != p)
			continue;
		if (!add_provider(s, p)) {
			remove_providers(s);
			return false;
		}
	}
	return true;
}

static void remove_source(struct source **at)
{
	struct source *s = *at;

	*at = s->next;
	remove_providers(s);
	free_source(s);
}

/*
 * Add a source in front of its rank, replacing the one loaded from the same
 * origin
 */
static ULONG add_source(struct source *s, struct source **twin)
{
	struct source **at = &sources;

	if (!add_providers(s)) {
		free_source(s);
		return ERROR_OUTOFMEMORY;
	}
	if (twin && *twin)
		remove_source(twin);
	while (*at && !counts_before(s, *at))
		at = &(*at)->next;
	s->next = *at;
	*at = s;
	return ERROR_SUCCESS;
}

/* Add a source of a file, or free it */
static ULONG add_path(struct source *s, const char *path,
		      const struct version *version)
{
	ULONG code;

	s->version = *version;
	s->path = strdup(path);
	if (!s->path) {
		free_source(s);
		return ERROR_OUTOFMEMORY;
	}
	store_lock();
	code = add_source(s, find_path(path));
	store_unlock();
	return code;
}

static ULONG load_path(const char *path, parse_fn parse,
		       struct listener *listener)
{
	struct version version = { 0 };
	struct bytes b = { 0 };
	struct source *s;
	ULONG code;

	/* A file that changes while it is read counts as the older version */
	get_version(path, &version);
	code = read_file(path, &b);
	if (code == ERROR_FILE_TOO_LARGE)
		report_text(path, "the file has more than 256 MiB: take the messages of WPP from it"
			    " by tracepdb, which writes a TMF file", listener);
	if (code)
		return code;
	s = new_source(path, &b, parse, listener, &code);
	bytes_free(&b);
	return s ? add_path(s, path, &version) : code;
}

/*
 * Remember a version of a file that is refused: by an empty source, or by the
 * source of an earlier version, which stays loaded
 */
static void refuse_version(const char *path, const struct version *version)
{
	struct source *s = calloc(1, sizeof(*s)), *known;
	struct manifest *m = calloc(1, sizeof(*m));

	store_lock();
	known = *find_path(path);
	if (known)
		known->version = *version;
	store_unlock();
	if (!s || !m || known) {
		free(s);
		free(m);
		return;
	}
	s->manifest = m;
	s->is_refused = true;
	add_path(s, path, version);
}

static bool is_known_version(const char *path, const struct version *version)
{
	const struct source *s;
	bool known;

	store_lock();
	s = *find_path(path);
	known = s && same_version(&s->version, version);
	store_unlock();
	return known;
}

static bool has_ending(const char *name, const char *ending)
{
	size_t len = strlen(name), ending_len = strlen(ending);

	return len > ending_len && !strcmp(name + len - ending_len, ending);
}

static int is_manifest(const struct dirent *entry)
{
	return has_ending(entry->d_name, ".man") ||
	       has_ending(entry->d_name, ".manifest") ||
	       has_ending(entry->d_name, ".xml") ||
	       has_ending(entry->d_name, ".mof") ||
	       has_ending(entry->d_name, ".tmf");
}

static void load_system_guid(const GUID *guid);

/*
 * Load a manifest of the system; one that is no manifest is ignored without a
 * report
 */
static void load_system_file(unsigned int file)
{
	struct bytes b = { 0 };
	struct source *s;
	ULONG code;

	if (system_files[file].loaded)
		return;
	system_files[file].loaded = true;
	if (read_file(system_files[file].path, &b))
		return;
	s = new_source(system_files[file].path, &b, parse_text, NULL, &code);
	bytes_free(&b);
	if (!s)
		return;
	s->rank = RANK_SYSTEM;
	s->order = file;
	if (add_source(s, NULL))
		return;
	/* Files in front of this one may override its providers */
	for (struct provider *p = s->manifest->providers; p; p = p->next)
		load_system_guid(&p->guid);
}

static int compare_guids(const void *a, const void *b)
{
	const struct system_guid *x = a, *y = b;
	int order = memcmp(&x->guid, &y->guid, sizeof(GUID));

	return order ? order : (x->file > y->file) - (x->file < y->file);
}

/* Load the manifests of the system that contain a GUID */
static void load_system_guid(const GUID *guid)
{
	struct system_guid key = { .guid = *guid };
	size_t from = 0, to = system_guid_count;

	while (from < to) {
		size_t mid = from + (to - from) / 2;

		if (compare_guids(&system_guids[mid], &key) < 0)
			from = mid + 1;
		else
			to = mid;
	}
	for (; from < system_guid_count &&
	     same_guid(&system_guids[from].guid, guid); from++)
		load_system_file(system_guids[from].file);
}

/**
 * struct catalog - index of the system's manifests being built
 * @files: files in order
 * @guids: GUIDs in the order of files
 */
struct catalog {
	struct bytes files;
	struct bytes guids;
};

#define GUID_LEN	38	/* {xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx} */

/*
 * Add all GUIDs of a text.  Providers' GUIDs are among them; finding these in
 * particular would take an XML parser.
 */
static void add_guids(struct catalog *c, const char *text, size_t len,
		      unsigned int file)
{
	const char *end = text + len;
	char copy[GUID_LEN + 1] = "";

	while ((text = memchr(text, '{', end - text)) &&
	       end - text >= GUID_LEN) {
		struct system_guid entry = { .file = file };

		if (text[GUID_LEN - 1] != '}') {
			text++;
			continue;
		}
		memcpy(copy, text, GUID_LEN);
		if (guid_parse(copy, &entry.guid))
			bytes_add(&c->guids, &entry, sizeof(entry));
		text++;
	}
}

static void add_guid(const GUID *guid, void *context)
{
	struct catalog *c = context;
	struct system_guid entry = {
		.guid = *guid,
		.file = c->files.len / sizeof(struct system_file),
	};

	bytes_add(&c->guids, &entry, sizeof(entry));
}

/* Messages of WPP have GUIDs without braces */
static void add_tmf(struct catalog *c, const struct bytes *file)
{
	struct bytes text = { 0 };

	if (bytes_add_file(&text, file->data, file->len)) {
		bytes_add_u8(&text, 0);
		if (!text.failed)
			tmf_guids((char *)text.data, add_guid, c);
	}
	bytes_free(&text);
}

static void add_system_file(struct catalog *c, char *path)
{
	struct system_file file = { .path = path };
	struct bytes b = { 0 }, text = { 0 };

	if (read_file(path, &b)) {
		free(path);
		return;
	}
	if (has_ending(path, ".tmf"))
		add_tmf(c, &b);
	else if (b.len > 1 && (b.data[0] == 0xff || !b.data[1]) &&
		 bytes_add_file(&text, b.data, b.len))
		add_guids(c, (char *)text.data, text.len,
			  c->files.len / sizeof(file));
	else
		add_guids(c, (char *)b.data, b.len,
			  c->files.len / sizeof(file));
	bytes_free(&text);
	bytes_free(&b);
	bytes_add(&c->files, &file, sizeof(file));
}

static void add_folder(struct catalog *c, const char *folder)
{
	struct dirent **entries;
	int count = scandir(folder, &entries, is_manifest, alphasort);
	char *path;

	for (int i = 0; i < count; i++) {
		if (asprintf(&path, "%s/%s", folder, entries[i]->d_name) >= 0)
			add_system_file(c, path);
		free(entries[i]);
	}
	if (count >= 0)
		free(entries);
}

/* Build the index once; without memory it stays empty */
static void index_system(void)
{
	const char *folders = secure_getenv("EVNTPROV_MANIFESTS");
	char *copy, *folder, *state;
	struct catalog c = { 0 };

	if (system_indexed)
		return;
	system_indexed = true;
	copy = strdup(folders ? folders : FOLDERS);
	if (!copy)
		return;
	for (folder = strtok_r(copy, ":", &state); folder;
	     folder = strtok_r(NULL, ":", &state))
		add_folder(&c, folder);
	free(copy);
	if (c.files.failed || c.guids.failed)
		return;
	if (c.guids.len)
		qsort(c.guids.data, c.guids.len / sizeof(*system_guids),
		      sizeof(*system_guids), compare_guids);
	system_guids = (struct system_guid *)c.guids.data;
	system_guid_count = c.guids.len / sizeof(*system_guids);
	system_files = (struct system_file *)c.files.data;
	system_file_count = c.files.len / sizeof(*system_files);
}

static void load_system(void)
{
	index_system();
	for (unsigned int i = 0; i < system_file_count; i++)
		load_system_file(i);
}

static bool find_loaded(const GUID *guid, struct found *found)
{
	struct provider key = { .guid = *guid }, **first;

	first = tfind(&key, &providers, compare_providers);
	if (!first)
		return false;
	found->provider = *first;
	found->manifest = found->provider->source->manifest;
	return true;
}

bool store_provider(const GUID *guid, struct found *found)
{
	if (find_loaded(guid, found))
		return true;
	index_system();
	load_system_guid(guid);
	return find_loaded(guid, found);
}

void store_each_mof(const GUID *guid,
		    bool (*each)(const struct manifest *m, void *context),
		    void *context)
{
	index_system();
	load_system_guid(guid);
	for (struct source *s = sources; s; s = s->next) {
		if (s->manifest->classes && !each(s->manifest, context))
			return;
	}
}

void store_each(bool (*each)(const struct found *found, void *context),
		void *context)
{
	load_system();
	for (struct source *s = sources; s; s = s->next) {
		for (struct provider *p = s->manifest->providers; p;
		     p = p->next) {
			struct found found;

			/* Skip providers overridden by another manifest */
			if (find_loaded(&p->guid, &found) &&
			    found.provider == p && !each(&found, context))
				return;
		}
	}
}

static bool is_known(const struct reported *t)
{
	for (struct source *s = sources; s; s = s->next) {
		if (s->rank == RANK_TOLD && !strcmp(s->program, t->path) &&
		    !strcmp(s->build, t->build) &&
		    !memcmp(&s->provider, &t->provider, sizeof(GUID)))
			return true;
	}
	return false;
}

static ULONG read_reported(const struct reported *t, struct manifest **manifest)
{
	struct bytes b = { 0 };
	ULONG code = read_file(t->path, &b);

	if (code)
		return code;
	*manifest = binary_manifest_of(b.data, b.len, &t->provider, t->build,
				       &code);
	bytes_free(&b);
	return *manifest ? ERROR_SUCCESS : code;
}

ULONG store_load_reported(const struct reported *t)
{
	struct source *s = calloc(1, sizeof(*s));
	ULONG code;

	if (!s)
		return ERROR_OUTOFMEMORY;
	s->rank = RANK_TOLD;
	s->provider = t->provider;
	s->program = strdup(t->path);
	s->build = strdup(t->build);
	store_lock();
	code = !s->program || !s->build ? ERROR_OUTOFMEMORY :
	       is_known(t) ? ERROR_ALREADY_EXISTS :
			     read_reported(t, &s->manifest);
	if (code)
		free_source(s);
	else
		code = add_source(s, NULL);
	store_unlock();
	return code == ERROR_ALREADY_EXISTS ? ERROR_SUCCESS : code;
}

#define MAX_PATH_UNITS	260

/* Convert a path to UTF-8, to be freed by the caller; returns an error code */
static ULONG narrow_path(const WCHAR *path, char **narrow)
{
	struct bytes b = { 0 };
	size_t len = 0;

	if (!path)
		return ERROR_INVALID_PARAMETER;
	while (len <= MAX_PATH_UNITS && path[len])
		len++;
	if (!len || len > MAX_PATH_UNITS)
		return ERROR_INVALID_PARAMETER;
	bytes_add_utf8(&b, (const u8 *)path, len);
	bytes_add_u8(&b, 0);
	if (b.failed) {
		bytes_free(&b);
		return ERROR_OUTOFMEMORY;
	}
	*narrow = (char *)b.data;
	return ERROR_SUCCESS;
}

static ULONG load_wide(const WCHAR *path, parse_fn parse)
{
	char *narrow;
	ULONG code = narrow_path(path, &narrow);

	if (code)
		return code;
	code = load_path(narrow, parse, NULL);
	free(narrow);
	return code;
}

bool store_load_once(const WCHAR *path)
{
	struct version version;
	ULONG code = ERROR_FILE_NOT_FOUND;
	char *narrow;

	if (narrow_path(path, &narrow))
		return false;
	if (get_version(narrow, &version) &&
	    !is_known_version(narrow, &version))
		code = load_path(narrow, parse_text, NULL);
	if (code == ERROR_XML_PARSE_ERROR)
		refuse_version(narrow, &version);
	free(narrow);
	return !code;
}

/**
 * TdhLoadManifest() - load a manifest for decoding events
 * @Manifest: path of the file
 *
 * The file may also be in the Managed Object Format, for classic events.  Events
 * and other objects of the manifest that are malformed are skipped.
 *
 * Loading a file again rereads it.  If several manifests describe the same
 * provider, the one loaded last is used.
 *
 * https://learn.microsoft.com/windows/win32/api/tdh/nf-tdh-tdhloadmanifest
 *
 * Return: ERROR_SUCCESS; ERROR_INVALID_PARAMETER for NULL, or a path of more
 * than 260 characters; ERROR_FILE_NOT_FOUND, ERROR_PATH_NOT_FOUND,
 * ERROR_ACCESS_DENIED or ERROR_BAD_PATHNAME if the file cannot be read;
 * ERROR_FILE_TOO_LARGE if it has more than 256 MiB;
 * ERROR_XML_PARSE_ERROR if it is not a manifest; ERROR_OUTOFMEMORY.
 */
EVNT_PUBLIC TDHSTATUS TdhLoadManifest(PWSTR Manifest)
{
	return load_wide(Manifest, parse_text);
}

/**
 * TdhLoadManifestFromBinary() - load a manifest compiled into a program
 * @BinaryPath: path of the file
 *
 * The file is a Windows program that contains the manifest as a resource, a
 * Linux program that contains it in notes made by evntmc, or the bare resource.
 *
 * https://learn.microsoft.com/windows/win32/api/tdh/nf-tdh-tdhloadmanifestfrombinary
 *
 * Return: the codes of TdhLoadManifest(), but ERROR_RESOURCE_TYPE_NOT_FOUND if
 * the file contains no manifest, and ERROR_FILE_CORRUPT if the manifest is
 * malformed.
 */
EVNT_PUBLIC TDHSTATUS TdhLoadManifestFromBinary(PWSTR BinaryPath)
{
	return load_wide(BinaryPath, parse_binary);
}

/**
 * TdhUnloadManifest() - unload a manifest that was loaded from a file
 * @Manifest: path passed when loading
 *
 * https://learn.microsoft.com/windows/win32/api/tdh/nf-tdh-tdhunloadmanifest
 *
 * Return: ERROR_SUCCESS; ERROR_INVALID_PARAMETER as for loading;
 * ERROR_FILE_NOT_FOUND if the manifest is not loaded.
 */
EVNT_PUBLIC TDHSTATUS TdhUnloadManifest(PWSTR Manifest)
{
	struct source **at;
	char *path;
	ULONG code = narrow_path(Manifest, &path);

	if (code)
		return code;
	store_lock();
	at = find_path(path);
	if (!*at || (*at)->is_refused)
		code = ERROR_FILE_NOT_FOUND;
	if (*at)
		remove_source(at);
	store_unlock();
	free(path);
	return code;
}

/**
 * TdhLoadManifestFromMemory() - load a manifest for decoding events from memory
 * @Data: content of a manifest file, which is copied
 * @DataSize: length of @Data in bytes
 *
 * https://learn.microsoft.com/windows/win32/api/tdh/nf-tdh-tdhloadmanifestfrommemory
 *
 * Return: ERROR_SUCCESS; ERROR_INVALID_PARAMETER for NULL or no bytes;
 * ERROR_XML_PARSE_ERROR if it is not a manifest; ERROR_OUTOFMEMORY.
 */
EVNT_PUBLIC TDHSTATUS TdhLoadManifestFromMemory(LPCVOID Data, ULONG DataSize)
{
	struct bytes b = { .data = (u8 *)Data, .len = DataSize };
	struct source *s;
	ULONG code;

	if (!Data || !DataSize)
		return ERROR_INVALID_PARAMETER;
	s = new_source("(memory)", &b, parse_text, NULL, &code);
	if (!s)
		return code;
	s->data = malloc(DataSize);
	if (!s->data) {
		free_source(s);
		return ERROR_OUTOFMEMORY;
	}
	memcpy(s->data, Data, DataSize);
	s->len = DataSize;
	store_lock();
	code = add_source(s, find_data(Data, DataSize));
	store_unlock();
	return code;
}

/**
 * TdhUnloadManifestFromMemory() - unload a manifest that was loaded from memory
 * @Data: the same bytes as when loading, at any address
 * @DataSize: length of @Data in bytes
 *
 * https://learn.microsoft.com/windows/win32/api/tdh/nf-tdh-tdhunloadmanifestfrommemory
 *
 * Return: ERROR_SUCCESS; ERROR_INVALID_PARAMETER for NULL or no bytes;
 * ERROR_FILE_NOT_FOUND if the manifest is not loaded.
 */
EVNT_PUBLIC TDHSTATUS TdhUnloadManifestFromMemory(LPCVOID Data, ULONG DataSize)
{
	ULONG code = ERROR_SUCCESS;
	struct source **at;

	if (!Data || !DataSize)
		return ERROR_INVALID_PARAMETER;
	store_lock();
	at = find_data(Data, DataSize);
	if (*at)
		remove_source(at);
	else
		code = ERROR_FILE_NOT_FOUND;
	store_unlock();
	return code;
}

/**
 * EvntLoadManifest() - load a manifest and report its problems
 * @Path: path of the file in UTF-8, of any length
 * @Callback: called for each problem; may be NULL
 * @Context: argument of the callback
 *
 * The file is a manifest, or a compiled one as for TdhLoadManifestFromBinary().
 * If the function succeeds, each problem has removed what it concerns, such as
 * an event, and nothing else.
 *
 * Return: the codes of TdhLoadManifest() and TdhLoadManifestFromBinary().
 */
EVNT_PUBLIC TDHSTATUS EvntLoadManifest(LPCSTR Path,
				       PEVNT_MANIFEST_CALLBACK Callback,
				       PVOID Context)
{
	struct listener listener = { Callback, Context };

	if (!Path || !*Path)
		return ERROR_INVALID_PARAMETER;
	return load_path(Path, parse_any, &listener);
}
