/* SPDX-License-Identifier: MIT */
/* How evnt dump prints an event: a line for people, or an object of JSON. */
#ifndef EVNT_PRINT_H
#define EVNT_PRINT_H

#include <stdbool.h>

#include "view.h"

/* @full: show all of a long payload, not just how it begins */
void print_text(const struct view *view, bool full);
void print_json(const struct view *view);

#endif /* EVNT_PRINT_H */
