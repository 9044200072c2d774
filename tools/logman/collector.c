// SPDX-License-Identifier: MIT
/* Data collector sets of logman(1), stored as JSON files in a folder */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/logman/collector.h"
#include "tools/common/json.h"
#include "tools/common/number.h"

#define SUFFIX	".json"

void collector_set_file(struct collector *collector, const char *file)
{
	char *copy = file ? must_have(strdup(file)) : NULL;

	free(collector->file);
	collector->file = copy;
	collector->options.file = copy;
}

const char *collector_logger(const struct collector *collector)
{
	return collector->request[0] ? collector->request : collector->name;
}

void collector_free(struct collector *collector)
{
	free(collector->file);
	free_session_options(&collector->options);
	memset(collector, 0, sizeof(*collector));
}

static void folder(char path[PATH_MAX])
{
	const char *state = getenv("XDG_STATE_HOME");
	const char *home = getenv("HOME");

	if (state && *state)
		snprintf(path, PATH_MAX, "%s/evntprov/collectors", state);
	else if (!geteuid() || !home)
		snprintf(path, PATH_MAX, "/var/lib/evntprov/collectors");
	else
		snprintf(path, PATH_MAX, "%s/.local/state/evntprov/collectors",
			 home);
}

static int make_folder(char *path)
{
	for (char *slash = path + 1; (slash = strchr(slash, '/')); slash++) {
		*slash = '\0';
		mkdir(path, 0755);
		*slash = '/';
	}
	return mkdir(path, 0755) && errno != EEXIST ? errno : 0;
}

/* Map a name to a path. Names ignore case and may contain any character. */
static int path_of(const char *name, char path[PATH_MAX])
{
	size_t len;

	folder(path);
	len = strlen(path);
	if (len + 3 * strlen(name) + sizeof("/" SUFFIX ".new") > PATH_MAX)
		return ENAMETOOLONG;
	path[len++] = '/';
	for (; *name; name++) {
		unsigned char c = tolower((unsigned char)*name);
		const char *form = isalnum(c) || strchr("-_ ", c) ? "%c" :
								    "%%%02x";

		len += snprintf(path + len, PATH_MAX - len, form, c);
	}
	snprintf(path + len, PATH_MAX - len, "%s", SUFFIX);
	return 0;
}

static json_object *specs_array(const struct spec_list *specs)
{
	json_object *array = json_object_new_array();

	for (size_t i = 0; i < specs->count; i++) {
		const struct spec *spec = &specs->specs[i];
		json_object *object = json_object_new_object();

		if (!spec->lookup)
			json_add_guid(object, "id", &spec->id);
		if (spec->name[0])
			json_add_text(object, "name", spec->name);
		json_add_mask(object, "keywords", spec->keywords);
		json_add_number(object, "level", spec->level);
		json_object_array_add(array, object);
	}
	return array;
}

/* Numeric options stored in a file */
static const struct {
	const char *key;
	size_t offset;
} numbers[] = {
	{ "mode", offsetof(struct session_options, mode) },
	{ "clock", offsetof(struct session_options, clock) },
	{ "buffer_kb", offsetof(struct session_options, buffer_kb) },
	{ "min_buffers", offsetof(struct session_options, min_buffers) },
	{ "max_buffers", offsetof(struct session_options, max_buffers) },
	{ "flush", offsetof(struct session_options, flush) },
	{ "max_mb", offsetof(struct session_options, max_mb) },
};

#define NUMBERS	(sizeof(numbers) / sizeof(numbers[0]))

static json_object *to_json(const struct collector *collector)
{
	const char *options = (const char *)&collector->options;
	json_object *object = json_object_new_object();

	json_add_text(object, "name", collector->name);
	if (collector->request[0])
		json_add_text(object, "logger", collector->request);
	if (collector->file)
		json_add_text(object, "file", collector->file);
	json_object_object_add(object, "overwrite",
			       json_object_new_boolean(collector->overwrite));
	for (size_t i = 0; i < NUMBERS; i++) {
		ULONG value;

		memcpy(&value, options + numbers[i].offset, sizeof(value));
		json_add_number(object, numbers[i].key, value);
	}
	json_object_object_add(object, "providers",
			       specs_array(&collector->options.specs));
	return object;
}

static int write_file(const char *path, json_object *object)
{
	const char *text = json_object_to_json_string_ext(object,
						JSON_C_TO_STRING_PRETTY);
	FILE *file = fopen(path, "we");
	int error;

	if (!file)
		return errno;
	fprintf(file, "%s\n", text);
	error = ferror(file) ? EIO : 0;
	if (fclose(file) && !error)
		error = errno;
	return error;
}

int collector_save(const struct collector *collector, bool must_be_new)
{
	char path[PATH_MAX], fresh[PATH_MAX + 8];
	json_object *object;
	int error;

	folder(path);
	error = make_folder(path);
	if (!error)
		error = path_of(collector->name, path);
	if (error)
		return error;
	/* Write a temporary file first, so that no reader sees a partial one */
	snprintf(fresh, sizeof(fresh), "%s.new", path);
	object = to_json(collector);
	error = write_file(fresh, object);
	json_object_put(object);
	if (!error && must_be_new)
		error = link(fresh, path) ? errno : 0;
	else if (!error)
		error = rename(fresh, path) ? errno : 0;
	unlink(fresh);
	return error;
}

static const char *text_of(json_object *object, const char *key)
{
	json_object *value;

	if (!json_object_object_get_ex(object, key, &value))
		return NULL;
	return json_object_get_string(value);
}

static ULONG number_of(json_object *object, const char *key)
{
	json_object *value;

	if (!json_object_object_get_ex(object, key, &value))
		return 0;
	return json_object_get_int64(value);
}

static bool read_spec(json_object *object, struct spec_list *specs)
{
	const char *id = text_of(object, "id");
	const char *name = text_of(object, "name");
	const char *keywords = text_of(object, "keywords");
	struct spec spec = { .lookup = !id };

	if (id ? !spec_guid(id, &spec.id) : !name)
		return false;
	if (keywords && !parse_number(keywords, strlen(keywords),
				      &spec.keywords))
		return false;
	snprintf(spec.name, sizeof(spec.name), "%s", name ? name : "");
	spec.level = number_of(object, "level");
	return spec_add(specs, &spec);
}

static bool read_specs(json_object *object, struct spec_list *specs)
{
	json_object *array;

	if (!json_object_object_get_ex(object, "providers", &array))
		return true;
	if (!json_object_is_type(array, json_type_array))
		return false;
	for (size_t i = 0; i < json_object_array_length(array); i++) {
		if (!read_spec(json_object_array_get_idx(array, i), specs))
			return false;
	}
	return true;
}

static bool from_json(json_object *object, struct collector *collector)
{
	char *options = (char *)&collector->options;
	const char *name = text_of(object, "name");
	const char *request = text_of(object, "logger");

	if (!name)
		return false;
	snprintf(collector->name, COLLECTOR_NAME, "%s", name);
	snprintf(collector->request, COLLECTOR_NAME, "%s",
		 request ? request : "");
	collector_set_file(collector, text_of(object, "file"));
	collector->overwrite = number_of(object, "overwrite");
	for (size_t i = 0; i < NUMBERS; i++) {
		ULONG value = number_of(object, numbers[i].key);

		memcpy(options + numbers[i].offset, &value, sizeof(value));
	}
	return read_specs(object, &collector->options.specs);
}

/* Load a file. The caller must free @collector even after a failure. */
static int load_path(const char *path, struct collector *collector)
{
	json_object *object;
	int error;

	memset(collector, 0, sizeof(*collector));
	if (access(path, R_OK))
		return errno;
	object = json_object_from_file(path);
	error = json_object_is_type(object, json_type_object) &&
		from_json(object, collector) ? 0 : EBADMSG;
	json_object_put(object);
	return error;
}

int collector_load(const char *name, struct collector *collector)
{
	char path[PATH_MAX];
	int error = path_of(name, path);

	memset(collector, 0, sizeof(*collector));
	return error ? error : load_path(path, collector);
}

int collector_delete(const char *name)
{
	char path[PATH_MAX];
	int error = path_of(name, path);

	if (!error && unlink(path))
		error = errno;
	return error;
}

static bool has_suffix(const char *name)
{
	size_t len = strlen(name), suffix = strlen(SUFFIX);

	return len > suffix && !strcmp(name + len - suffix, SUFFIX);
}

int collector_list(bool (*each)(const struct collector *collector, void *data),
		   void *data)
{
	char path[PATH_MAX], file[PATH_MAX + NAME_MAX + 2];
	struct collector collector;
	struct dirent *entry;
	bool more = true;
	DIR *dir;

	folder(path);
	dir = opendir(path);
	if (!dir)
		return errno == ENOENT ? 0 : errno;
	while (more && (entry = readdir(dir))) {
		if (!has_suffix(entry->d_name))
			continue;
		snprintf(file, sizeof(file), "%s/%s", path, entry->d_name);
		if (!load_path(file, &collector))
			more = each(&collector, data);
		collector_free(&collector);
	}
	closedir(dir);
	return 0;
}
