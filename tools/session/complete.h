/* SPDX-License-Identifier: MIT */
/*
 * Completion for shells.
 *
 * "evnt --complete WORD..." prints what the last word may become, one line per
 * possibility, with a description after a tab. The shell selects the lines that
 * match. A line ":file", ":etl" or ":folder" requests names of files, log files
 * or folders instead, and ":command N" what the command at word N, counted from
 * 0, takes.
 */
#ifndef EVNT_COMPLETE_H
#define EVNT_COMPLETE_H

#include "tools/common/options.h"

/* Print a possibility; @text may be NULL */
void complete_word(const char *word, const char *text);

/*
 * Print possible values. @kind: kinds, such as PROVIDER, and values, separated by
 * blanks
 */
void complete_value(const char *kind);

/* Complete the last of @words, of which the first is the verb */
void complete_verb(const struct verb *verb, int count, char **words);

#endif /* EVNT_COMPLETE_H */
