/* SPDX-License-Identifier: MIT */
/*
 * Properties of WPP events that are not fields of their payload: the formatted
 * message, and names from their trace message format file.
 */
#ifndef TDH_WPP_H
#define TDH_WPP_H

#include "tdh/store.h"

/*
 * Load the trace message format file or the debug information among the contexts,
 * if an event of WPP has no description.  Returns whether it may have one now.
 */
bool wpp_load(const EVENT_RECORD *event, ULONG count,
	      const TDH_CONTEXT *contexts);

/*
 * Append the value of a property.  Returns ERROR_NOT_FOUND if the event is not
 * described as one of WPP, or has no such property.
 */
ULONG wpp_property(const EVENT_RECORD *event, ULONG count,
		   const TDH_CONTEXT *contexts, const WCHAR *name,
		   struct bytes *b);

#endif /* TDH_WPP_H */
