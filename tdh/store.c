// SPDX-License-Identifier: MIT
/*
 * The manifests that are loaded: by TdhLoadManifest and the others, and, when a
 * provider is looked for that these do not have, those of the system's folders.
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

#include "../lib/fork_lock.h"
#include "binary.h"
#include "evnttdh.h"
#include "mof.h"
#include "store.h"

#define FOLDERS	"/etc/evntprov/manifests:/usr/share/evntprov/manifests"

/* Of manifests that have the same provider, one of the first of these counts */
enum rank {
	RANK_LOADED,	/* somebody has loaded it */
	RANK_TOLD,	/* an event told of the program that has it */
	RANK_SYSTEM,	/* it was in one of the system's folders */
};

/**
 * struct source - what was loaded
 * @next: of the same rank, loaded before; or of a later rank
 * @rank: where it comes from
 * @manifest: its content
 * @path: of the file, or NULL
 * @data: what was given in memory, @len bytes, or NULL
 * @program: of RANK_TOLD: of which file, else NULL
 * @build: likewise, its build id
 * @provider: likewise, the one that it is for: no other in it counts
 */
struct source {
	struct source *next;
	enum rank rank;
	struct manifest *manifest;
	char *path;
	void *data;
	size_t len;
	char *program;
	char *build;
	GUID provider;
};

/*
 * The lock guards all of these.  @providers is a tree of tsearch(), by GUID: of those
 * that are loaded, the one that counts, with the others behind it.
 */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct source *sources;
static void *providers;
static bool system_loaded;

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

/* Larger than any manifest, and any program that has one in it */
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
	if (!S_ISREG(st.st_mode) || st.st_size > MAX_FILE)
		return ERROR_BAD_PATHNAME;
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
	/* What is no regular file is not waited for */
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
 * struct listener - who is told what is wrong
 */
struct listener {
	PEVNT_MANIFEST_CALLBACK callback;
	PVOID context;
};

static void tell(const struct problem *problem, void *context)
{
	const struct listener *listener = context;
	EVNT_MANIFEST_PROBLEM told = {
		.File = problem->file,
		.Line = problem->line,
		.Column = problem->column,
		.Text = problem->text,
	};

	if (listener && listener->callback)
		listener->callback(&told, listener->context);
}

/* What reads a kind of file */
typedef struct manifest *(*parse_fn)(const char *path, const struct bytes *b,
				     struct listener *listener, ULONG *code);

static struct manifest *parse_text(const char *path, const struct bytes *b,
				   struct listener *listener, ULONG *code)
{
	*code = ERROR_XML_PARSE_ERROR;
	if (is_mof(b->data, b->len))
		return mof_parse(path, b->data, b->len, tell, listener);
	return manifest_parse(path, b->data, b->len, tell, listener);
}

static struct manifest *parse_binary(const char *path, const struct bytes *b,
				     struct listener *listener, ULONG *code)
{
	(void)path;
	(void)listener;
	return binary_manifest(b->data, b->len, code);
}

static ULONG new_source(const char *path, const struct bytes *b,
			parse_fn parse, struct listener *listener,
			struct source **source)
{
	struct source *s = calloc(1, sizeof(*s));
	ULONG code = ERROR_OUTOFMEMORY;

	if (!s)
		return code;
	s->manifest = parse(path, b, listener, &code);
	if (!s->manifest) {
		free(s);
		return code;
	}
	*source = s;
	return ERROR_SUCCESS;
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

/* In front of those of its rank that were loaded before, but of the system behind */
static bool counts_before(const struct source *s, const struct provider *other)
{
	return s->rank <= other->source->rank && s->rank != RANK_SYSTEM;
}

static bool add_provider(struct source *s, struct provider *p)
{
	struct provider **at = tsearch(p, &providers, compare_providers);

	if (!at)
		return false;
	p->source = s;
	if (*at == p)
		return true;
	while (*at && !counts_before(s, *at))
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
	/* The tree compares what it has */
	*first = p;
	tdelete(p, &providers, compare_providers);
}

/* Whether it is found by its GUID in what was loaded */
static bool is_of(const struct source *s, const struct provider *p)
{
	if (s->rank == RANK_TOLD && !same_guid(&s->provider, &p->guid))
		return false;
	return manifest_provider(s->manifest, &p->guid) == p;
}

static void remove_providers(struct source *s)
{
	for (struct provider *p = s->manifest->providers; p; p = p->next) {
		if (p->source)
			remove_provider(p);
	}
}

/* False, and nothing is added: there is no memory */
static bool add_providers(struct source *s)
{
	for (struct provider *p = s->manifest->providers; p; p = p->next) {
		if (is_of(s, p) && !add_provider(s, p)) {
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

/* In front of those that were loaded before; a second time it is replaced */
static ULONG add_source(struct source *s, struct source **twin)
{
	struct source **at = &sources;

	if (!add_providers(s)) {
		free_source(s);
		return ERROR_OUTOFMEMORY;
	}
	if (twin && *twin)
		remove_source(twin);
	while (*at && (*at)->rank < s->rank)
		at = &(*at)->next;
	s->next = *at;
	*at = s;
	return ERROR_SUCCESS;
}

static ULONG load_path(const char *path, parse_fn parse,
		       struct listener *listener)
{
	struct bytes b = { 0 };
	struct source *s = NULL;
	ULONG code = read_file(path, &b);

	if (code)
		return code;
	code = new_source(path, &b, parse, listener, &s);
	bytes_free(&b);
	if (code)
		return code;
	/* There is one: NOLINTNEXTLINE(clang-analyzer-core.NullDereference) */
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
	       has_ending(entry->d_name, ".mof");
}

/* A manifest of the system that is malformed is left out: nobody asked for it */
static void load_system_file(const char *path)
{
	struct bytes b = { 0 };
	struct source *s = NULL, **last = &sources;

	if (read_file(path, &b))
		return;
	if (!new_source(path, &b, parse_text, NULL, &s)) {
		/* There is one: NOLINTNEXTLINE(clang-analyzer-core.NullDereference) */
		s->rank = RANK_SYSTEM;
		while (*last)
			last = &(*last)->next;
		if (add_providers(s))
			*last = s;
		else
			free_source(s);
	}
	bytes_free(&b);
}

static void load_folder(const char *folder)
{
	struct dirent **entries;
	int count = scandir(folder, &entries, is_manifest, alphasort);
	char *path;

	for (int i = 0; i < count; i++) {
		if (asprintf(&path, "%s/%s", folder, entries[i]->d_name) >= 0) {
			load_system_file(path);
			free(path);
		}
		free(entries[i]);
	}
	if (count >= 0)
		free(entries);
}

static void load_system(void)
{
	const char *folders = secure_getenv("EVNTPROV_MANIFESTS");
	char *copy, *folder, *state;

	if (system_loaded)
		return;
	system_loaded = true;
	copy = strdup(folders ? folders : FOLDERS);
	if (!copy)
		return;
	for (folder = strtok_r(copy, ":", &state); folder;
	     folder = strtok_r(NULL, ":", &state))
		load_folder(folder);
	free(copy);
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
	if (system_loaded)
		return false;
	load_system();
	return find_loaded(guid, found);
}

void store_each_manifest(bool (*each)(const struct manifest *m, void *context),
			 void *context)
{
	load_system();
	for (struct source *s = sources; s; s = s->next) {
		if (!each(s->manifest, context))
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

			/* One that is loaded in front of it counts */
			if (find_loaded(&p->guid, &found) &&
			    found.provider == p && !each(&found, context))
				return;
		}
	}
}

static bool is_known(const struct told *t)
{
	for (struct source *s = sources; s; s = s->next) {
		if (s->rank == RANK_TOLD && !strcmp(s->program, t->path) &&
		    !strcmp(s->build, t->build) &&
		    !memcmp(&s->provider, &t->provider, sizeof(GUID)))
			return true;
	}
	return false;
}

static ULONG read_told(const struct told *t, struct manifest **manifest)
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

ULONG store_load_told(const struct told *t)
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
			     read_told(t, &s->manifest);
	if (code)
		free_source(s);
	else
		code = add_source(s, NULL);
	store_unlock();
	return code == ERROR_ALREADY_EXISTS ? ERROR_SUCCESS : code;
}

#define MAX_PATH_UNITS	260

/* The path in UTF-8, to be freed; or the code of what is wrong with it */
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

/**
 * TdhLoadManifest() - load a manifest, to decode events by it
 * @Manifest: the file's path
 *
 * The file may be one of the Managed Object Format, too, for classic events.
 *
 * A second time the file is read anew.  Of manifests that have the same provider
 * the one loaded last counts.
 *
 * https://learn.microsoft.com/windows/win32/api/tdh/nf-tdh-tdhloadmanifest
 *
 * Return: ERROR_SUCCESS; ERROR_INVALID_PARAMETER for NULL, or a path of more than
 * 260 characters; ERROR_FILE_NOT_FOUND, ERROR_PATH_NOT_FOUND,
 * ERROR_ACCESS_DENIED, ERROR_BAD_PATHNAME when the file cannot be read;
 * ERROR_XML_PARSE_ERROR when it is no manifest; ERROR_OUTOFMEMORY.
 */
EVNT_PUBLIC TDHSTATUS TdhLoadManifest(PWSTR Manifest)
{
	return load_wide(Manifest, parse_text);
}

/**
 * TdhLoadManifestFromBinary() - load a manifest that is compiled into a program
 * @BinaryPath: the file's path
 *
 * The program is one of Windows, with the manifest among its resources, or of
 * Linux, with notes that evntmc has made; or the file is the resource alone.
 *
 * https://learn.microsoft.com/windows/win32/api/tdh/nf-tdh-tdhloadmanifestfrombinary
 *
 * Return: as TdhLoadManifest(), but ERROR_RESOURCE_TYPE_NOT_FOUND when there is no
 * manifest in the file, and ERROR_FILE_CORRUPT when it is malformed.
 */
EVNT_PUBLIC TDHSTATUS TdhLoadManifestFromBinary(PWSTR BinaryPath)
{
	return load_wide(BinaryPath, parse_binary);
}

/**
 * TdhUnloadManifest() - forget what was loaded from a file
 * @Manifest: the same path
 *
 * https://learn.microsoft.com/windows/win32/api/tdh/nf-tdh-tdhunloadmanifest
 *
 * Return: ERROR_SUCCESS; ERROR_INVALID_PARAMETER as for loading;
 * ERROR_FILE_NOT_FOUND when it is not loaded.
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
	if (*at)
		remove_source(at);
	else
		code = ERROR_FILE_NOT_FOUND;
	store_unlock();
	free(path);
	return code;
}

/**
 * TdhLoadManifestFromMemory() - load a manifest, to decode events by it
 * @Data: what a file would hold; it is copied
 * @DataSize: bytes
 *
 * https://learn.microsoft.com/windows/win32/api/tdh/nf-tdh-tdhloadmanifestfrommemory
 *
 * Return: ERROR_SUCCESS; ERROR_INVALID_PARAMETER for NULL or no bytes;
 * ERROR_XML_PARSE_ERROR when it is no manifest; ERROR_OUTOFMEMORY.
 */
EVNT_PUBLIC TDHSTATUS TdhLoadManifestFromMemory(LPCVOID Data, ULONG DataSize)
{
	struct bytes b = { .data = (u8 *)Data, .len = DataSize };
	struct source *s = NULL;
	ULONG code;

	if (!Data || !DataSize)
		return ERROR_INVALID_PARAMETER;
	code = new_source("(memory)", &b, parse_text, NULL, &s);
	if (code)
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
 * TdhUnloadManifestFromMemory() - forget what was loaded from memory
 * @Data: the same bytes, wherever they are
 * @DataSize: how many
 *
 * https://learn.microsoft.com/windows/win32/api/tdh/nf-tdh-tdhunloadmanifestfrommemory
 *
 * Return: ERROR_SUCCESS; ERROR_INVALID_PARAMETER for NULL or no bytes;
 * ERROR_FILE_NOT_FOUND when it is not loaded.
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
 * EvntLoadManifest() - TdhLoadManifest(), told what is wrong
 * @Path: the file's path, in UTF-8, of whatever length
 * @Callback: is told of each problem; may be NULL
 * @Context: for the callback
 *
 * Return: as TdhLoadManifest().
 */
EVNT_PUBLIC TDHSTATUS EvntLoadManifest(LPCSTR Path,
				       PEVNT_MANIFEST_CALLBACK Callback,
				       PVOID Context)
{
	struct listener listener = { Callback, Context };

	if (!Path || !*Path)
		return ERROR_INVALID_PARAMETER;
	return load_path(Path, parse_text, &listener);
}
