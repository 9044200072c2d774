/* SPDX-License-Identifier: MIT */
/* evntmc: what its files share. */
#ifndef EVNT_MC_H
#define EVNT_MC_H

#include <stdbool.h>
#include <stdio.h>

#include "wevt.h"

/**
 * struct mc - what the user wants
 * @name: what the files are called, without endings
 * @header_folder: where the header goes
 * @resource_folder: where the compiled manifest goes
 * @prefix: of the macros that write, instead of EventWrite
 * @strip: what symbols lose where they begin with it
 * @version: of the compiled manifest
 */
struct mc {
	const char *name;
	const char *header_folder;
	const char *resource_folder;
	const char *prefix;
	const char *strip;
	unsigned int version;
};

/* mc_header.c: a symbol that two providers' events have, or NULL */
const char *mc_twin(const struct manifest *m);

/* All of the header */
void mc_header(FILE *out, const struct mc *mc, const struct manifest *m);

/*
 * mc_template.c: the functions that write the fields of templates, each once; what
 * one is called, and the names of its parameters.
 */
void mc_templates(FILE *out, const struct manifest *m);
void mc_template_name(FILE *out, const struct template *t);
void mc_parameters(FILE *out, const struct template *t, const char *not_this);

/* @text as an identifier: what cannot be in one becomes _ */
void mc_identifier(FILE *out, const char *text);

#endif /* EVNT_MC_H */
