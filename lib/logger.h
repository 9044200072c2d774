/* SPDX-License-Identifier: MIT */
/*
 * Private loggers of the whole system: see "Private loggers" in the ABI.
 *
 * What is here is the side of a process that takes part: it asks the module what
 * there is, does it by private sessions, and reports.
 */
#ifndef EVNT_LOGGER_H
#define EVNT_LOGGER_H

#include <stdbool.h>

#include "evntprov.h"

void evnt_loggers_opened(int fd);
void evnt_loggers_sync(void);
void evnt_loggers_heard(void);
void evnt_loggers_again(void);
bool evnt_loggers_registered(REGHANDLE handle);
void evnt_loggers_catch_up(void);
bool evnt_loggers_any(void);
void evnt_loggers_end(void);
void evnt_loggers_forked(void);

#endif /* EVNT_LOGGER_H */
