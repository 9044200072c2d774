/* SPDX-License-Identifier: MIT */
/*
 * Descriptions of WPP events in trace message format (TMF) files, which tools of
 * Windows make from the debug information of a program:
 *
 *	d2d578d9-2936-45b6-a09f-30e32715f42d server // SRC=queue.c MJ= MN=
 *	#typev queue_c120 11 "%0%10!s! failed: %11!s!" // LEVEL=ERROR FUNC=Run
 *	{
 *	path, ItemString -- 10
 *	status, ItemNTSTATUS -- 11
 *	}
 *
 * The GUID is the provider of the events, the number before the message is their
 * id.  The arguments are their fields; the message names them from 10 on.
 *
 * https://learn.microsoft.com/windows-hardware/drivers/devtest/trace-message-format-file
 */
#ifndef TDH_TMF_H
#define TDH_TMF_H

#include "tdh/model.h"

/* Check whether a file is a TMF file */
bool is_tmf(const u8 *data, size_t len);

/*
 * Read a TMF file.  An argument of an unknown type is reported, and ends the
 * fields of its event.  Return NULL, and report why, if there are no messages or
 * the file cannot be read; without memory for the first objects nothing is reported.
 */
struct manifest *tmf_parse(const char *file, const void *data, size_t len,
			   problem_fn report, void *context);

/* Call @each for each GUID of messages in a TMF file in UTF-8 */
void tmf_guids(const char *text, void (*each)(const GUID *guid, void *context),
	       void *context);

#endif /* TDH_TMF_H */
