// SPDX-License-Identifier: MIT
/* The component: its parameters, and the files that they name. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <evnttdh.h>

#include "classes.h"
#include "source.h"

#define PORT_NAME	24

bool component_warns(const struct component *c)
{
	const bt_component *component = bt_self_component_as_component(c->self);

	return bt_component_get_logging_level(component) <=
	       BT_LOGGING_LEVEL_WARNING;
}

/* A string, or an array of them: calls @take for each, until it returns false */
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

static VOID WINAPI tell_problem(const EVNT_MANIFEST_PROBLEM *problem,
				PVOID context)
{
	const struct component *c = context;

	if (problem->Line)
		FAIL(c, "%s:%u:%u: %s", problem->File, problem->Line,
		     problem->Column, problem->Text);
	else
		FAIL(c, "%s: %s", problem->File, problem->Text);
}

static bool load_manifest(struct component *c, const char *path)
{
	switch (EvntLoadManifest(path, tell_problem, c)) {
	case ERROR_SUCCESS:
		return true;
	case ERROR_XML_PARSE_ERROR:
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
 * struct parameter - one that there is
 * @name: its name
 * @take: called for each string of it
 */
struct parameter {
	const char *name;
	bool (*take)(struct component *c, const char *text);
};

static const struct parameter parameters[] = {
	{ "inputs", add_input },
	{ "manifest", load_manifest },
};

/* Notes a parameter that there is not, for its name to be told */
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

static bool take_parameter(struct component *c, const bt_value *params,
			   const struct parameter *p)
{
	const bt_value *value;

	value = bt_value_map_borrow_entry_value_const(params, p->name);
	return !value || each_string(c, value, p->name, p->take);
}

static bool take_parameters(struct component *c, const bt_value *params)
{
	const char *other = NULL;
	size_t i;

	if (bt_value_map_foreach_entry_const(params, look_for_other, &other))
		return false;
	if (other) {
		FAIL(c, "there is no parameter '%s'", other);
		return false;
	}
	for (i = 0; i < sizeof(parameters) / sizeof(*parameters); i++) {
		if (!take_parameter(c, params, &parameters[i]))
			return false;
	}
	if (!c->input_count)
		FAIL(c, "the parameter 'inputs' has to name log files");
	return c->input_count;
}

static bool add_port(bt_self_component_source *self, struct input *input,
		     u64 number)
{
	char name[PORT_NAME];

	snprintf(name, sizeof(name), "out%llu", (unsigned long long)number);
	return !bt_self_component_source_add_output_port(self, name, input,
							 NULL);
}

/* Inputs stay where they are from here on */
static bool open_inputs(struct component *c, bt_self_component_source *self)
{
	u64 i;

	for (i = 0; i < c->input_count; i++) {
		c->inputs[i].component = c;
		if (!input_open(&c->inputs[i]) || !trace_make(&c->inputs[i]) ||
		    !add_port(self, &c->inputs[i], i))
			return false;
	}
	return true;
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

	(void)configuration;
	(void)data;
	if (!c)
		return BT_COMPONENT_CLASS_INITIALIZE_METHOD_STATUS_MEMORY_ERROR;
	c->self = bt_self_component_source_as_self_component(self);
	if (!take_parameters(c, params) || !metadata_make(c) ||
	    !open_inputs(c, self)) {
		component_free(c);
		return BT_COMPONENT_CLASS_INITIALIZE_METHOD_STATUS_ERROR;
	}
	bt_self_component_set_data(c->self, c);
	return BT_COMPONENT_CLASS_INITIALIZE_METHOD_STATUS_OK;
}

void component_finalize(bt_self_component_source *self)
{
	bt_self_component *component;

	component = bt_self_component_source_as_self_component(self);
	component_free(bt_self_component_get_data(component));
}
