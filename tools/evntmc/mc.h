/* SPDX-License-Identifier: MIT */
/* evntmc: interfaces shared by its files */
#ifndef EVNT_MC_H
#define EVNT_MC_H

#include <stdbool.h>
#include <stdio.h>

#include "tdh/wevt.h"

/**
 * struct mc - options of the command line
 * @name: base name of the output files
 * @header_folder: output folder of the header
 * @resource_folder: output folder of the compiled manifest
 * @prefix: prefix of the event macros, instead of EventWrite
 * @strip: prefix to remove from symbols
 * @kernel: macros that write events have a parameter for the activity
 * @version: version of the compiled manifest
 */
struct mc {
	const char *name;
	const char *header_folder;
	const char *resource_folder;
	const char *prefix;
	const char *strip;
	bool kernel;
	unsigned int version;
};

/*
 * mc_header.c: return the first provider before @p that has an event of the same
 * symbol as @event, or NULL
 */
const struct provider *mc_twin(const struct manifest *m,
			       const struct provider *p,
			       const struct event *event);

/* Write the whole header */
void mc_header(FILE *out, const struct mc *mc, const struct manifest *m);

/*
 * mc_template.c: write the functions that write the fields of templates, each
 * once; a template's function name; and the names of its parameters
 */
void mc_templates(FILE *out, const struct mc *mc, const struct manifest *m);
void mc_template_name(FILE *out, const struct mc *mc, const struct template *t);
void mc_parameters(FILE *out, const struct template *t, const char *not_this);

/* Write @text as an identifier, replacing invalid characters by _ */
void mc_identifier(FILE *out, const char *text);

#endif /* EVNT_MC_H */
