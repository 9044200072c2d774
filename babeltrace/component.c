// SPDX-License-Identifier: MIT
/*
 * The source component evntprov.etl: its parameters and input files, and the
 * plugin for babeltrace2 that contains it
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <evnttdh.h>

#include "babeltrace/classes.h"
#include "babeltrace/source.h"

#define PORT_NAME	24

bool component_warns(const struct component *c)
{
	const bt_component *component = bt_self_component_as_component(c->self);

	return bt_component_get_logging_level(component) <=
	       BT_LOGGING_LEVEL_WARNING;
}

/*
 * Call @take for a string, or for each string of an array, until it returns
 * false
 */
static bool each_string(struct component *c, const bt_value *value,
			const char *name,
			bool (*take)(struct component *c, const char *text))
{
	const bt_value *element;
	u64 i, count;

	if (bt_value_is_string(value))
		return take(c, bt_value_string_get(value));
	count = bt_value_is_array(value) ? bt_value_array_get_length(value) : 0;
	for (i = 0; i < count; i++) {
		element = bt_value_array_borrow_element_by_index_const(value,
								       i);
		if (!bt_value_is_string(element))
			break;
		if (!take(c, bt_value_string_get(element)))
			return false;
	}
	if (i < count || !bt_value_is_array(value)) {
		FAIL(c, "the parameter '%s' is no string, or array of strings",
		     name);
		return false;
	}
	return true;
}

static bool add_input(struct component *c, const char *path)
{
	struct input *more = realloc(c->inputs, (c->input_count + 1) *
						sizeof(*more));

	if (!more)
		return false;
	c->inputs = more;
	more += c->input_count;
	memset(more, 0, sizeof(*more));
	c->input_count++;
	more->path = strdup(path);
	return more->path;
}

/**
 * struct problems - problems of a manifest
 * @first: description of the first one
 * @count: number of problems
 */
struct problems {
	char first[1024];
	unsigned int count;
};

static VOID WINAPI add_problem(const EVNT_MANIFEST_PROBLEM *problem,
			       PVOID context)
{
	struct problems *problems = context;

	if (problems->count++)
		return;
	if (problem->Line)
		snprintf(problems->first, sizeof(problems->first),
			 "%s:%u:%u: %s", problem->File, problem->Line,
			 problem->Column, problem->Text);
	else
		snprintf(problems->first, sizeof(problems->first), "%s: %s",
			 problem->File, problem->Text);
}

static bool load_manifest(struct component *c, const char *path)
{
	struct problems problems = { .count = 0 };

	switch (EvntLoadManifest(path, add_problem, &problems)) {
	case ERROR_SUCCESS:
		if (problems.count && component_warns(c))
			fprintf(stderr, "%s (problem 1 of %u; the rest of the manifest is used)\n",
				problems.first, problems.count);
		return true;
	case ERROR_XML_PARSE_ERROR:
	case ERROR_FILE_TOO_LARGE:
		FAIL(c, "%s", problems.first);
		return false;
	case ERROR_FILE_NOT_FOUND:
	case ERROR_PATH_NOT_FOUND:
		FAIL(c, "there is no manifest '%s'", path);
		return false;
	default:
		FAIL(c, "cannot read the manifest '%s'", path);
		return false;
	}
}

/**
 * struct parameter - a known parameter
 * @name: name of the parameter
 * @take: called for each of its strings
 */
struct parameter {
	const char *name;
	bool (*take)(struct component *c, const char *text);
};

static const struct parameter parameters[] = {
	{ "inputs", add_input },
	{ "manifest", load_manifest },
};

/* Find an unknown parameter, to report its name */
static bt_value_map_foreach_entry_const_func_status
look_for_other(const char *name, const bt_value *value, void *data)
{
	const char **other = data;
	size_t i;

	(void)value;
	for (i = 0; i < sizeof(parameters) / sizeof(*parameters); i++) {
		if (strcmp(name, parameters[i].name) == 0)
			return BT_VALUE_MAP_FOREACH_ENTRY_CONST_FUNC_STATUS_OK;
	}
	*other = name;
	return BT_VALUE_MAP_FOREACH_ENTRY_CONST_FUNC_STATUS_OK;
}

static bool take_parameters(struct component *c, const bt_value *params)
{
	const char *other = NULL;
	const bt_value *value;
	size_t i;

	if (bt_value_map_foreach_entry_const(params, look_for_other, &other))
		return false;
	if (other) {
		FAIL(c, "there is no parameter '%s'", other);
		return false;
	}
	for (i = 0; i < sizeof(parameters) / sizeof(*parameters); i++) {
		const struct parameter *p = &parameters[i];

		value = bt_value_map_borrow_entry_value_const(params, p->name);
		if (value && !each_string(c, value, p->name, p->take))
			return false;
	}
	if (!c->input_count)
		FAIL(c, "the parameter 'inputs' has to name log files");
	return c->input_count;
}

static void component_free(struct component *c)
{
	u64 i;

	for (i = 0; i < c->input_count; i++)
		input_free(&c->inputs[i]);
	kinds_each(&c->kinds, classes_free);
	kinds_free(&c->kinds);
	embedded_free(&c->embedded);
	metadata_free(c);
	free(c->inputs);
	free(c->text.data);
	free(c);
}

bt_component_class_initialize_method_status
component_initialize(bt_self_component_source *self,
		     bt_self_component_source_configuration *configuration,
		     const bt_value *params, void *data)
{
	struct component *c = calloc(1, sizeof(*c));
	char name[PORT_NAME];
	u64 i;

	(void)configuration;
	(void)data;
	if (!c)
		return BT_COMPONENT_CLASS_INITIALIZE_METHOD_STATUS_MEMORY_ERROR;
	c->self = bt_self_component_source_as_self_component(self);
	if (!take_parameters(c, params) || !metadata_make(c))
		goto free_component;
	/* The array of inputs must not move after this */
	for (i = 0; i < c->input_count; i++) {
		struct input *input = &c->inputs[i];

		input->component = c;
		if (!input_open(input) || !trace_make(input))
			goto free_component;
		snprintf(name, sizeof(name), "out%llu", (unsigned long long)i);
		if (bt_self_component_source_add_output_port(self, name, input,
							     NULL))
			goto free_component;
	}
	bt_self_component_set_data(c->self, c);
	return BT_COMPONENT_CLASS_INITIALIZE_METHOD_STATUS_OK;
free_component:
	component_free(c);
	return BT_COMPONENT_CLASS_INITIALIZE_METHOD_STATUS_ERROR;
}

void component_finalize(bt_self_component_source *self)
{
	bt_self_component *component;

	component = bt_self_component_source_as_self_component(self);
	component_free(bt_self_component_get_data(component));
}

#define HELP	"See the babeltrace2-source.evntprov.etl(7) manual page."

/* Shorter names */
#define BEGIN_METHOD \
	BT_PLUGIN_SOURCE_COMPONENT_CLASS_MESSAGE_ITERATOR_CLASS_INITIALIZE_METHOD
#define END_METHOD \
	BT_PLUGIN_SOURCE_COMPONENT_CLASS_MESSAGE_ITERATOR_CLASS_FINALIZE_METHOD
#define SEEK_METHODS \
	BT_PLUGIN_SOURCE_COMPONENT_CLASS_MESSAGE_ITERATOR_CLASS_SEEK_BEGINNING_METHODS
#define PROTOCOLS_METHOD \
	BT_PLUGIN_SOURCE_COMPONENT_CLASS_GET_SUPPORTED_MIP_VERSIONS_METHOD

BT_PLUGIN_MODULE();

BT_PLUGIN(evntprov);
BT_PLUGIN_DESCRIPTION("Event trace logs of Windows and of evntprov");
BT_PLUGIN_LICENSE("MIT");

BT_PLUGIN_SOURCE_COMPONENT_CLASS(etl, iterator_next);
BT_PLUGIN_SOURCE_COMPONENT_CLASS_DESCRIPTION(etl, "Read .etl files");
BT_PLUGIN_SOURCE_COMPONENT_CLASS_HELP(etl, HELP);
PROTOCOLS_METHOD(etl, component_protocols);
BT_PLUGIN_SOURCE_COMPONENT_CLASS_INITIALIZE_METHOD(etl, component_initialize);
BT_PLUGIN_SOURCE_COMPONENT_CLASS_FINALIZE_METHOD(etl, component_finalize);
BT_PLUGIN_SOURCE_COMPONENT_CLASS_QUERY_METHOD(etl, component_query);
BEGIN_METHOD(etl, iterator_initialize);
END_METHOD(etl, iterator_finalize);
SEEK_METHODS(etl, iterator_seek_beginning, iterator_can_seek_beginning);
