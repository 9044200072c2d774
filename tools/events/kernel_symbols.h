/* SPDX-License-Identifier: MIT */
/* Names of functions of the running kernel, and of its modules */
#ifndef EVNT_KERNEL_SYMBOLS_H
#define EVNT_KERNEL_SYMBOLS_H

#include <stdint.h>

/*
 * Name the addresses of a log from now on if it was recorded since the start of
 * this system, whose addresses are others after the next one. @boot_time: start of
 * the system in the log's header, a FILETIME
 */
void kernel_symbols_use(int64_t boot_time);

/* Return the name of the function at an address, or NULL */
const char *kernel_symbols_find(uint64_t address);

void kernel_symbols_free(void);

#endif /* EVNT_KERNEL_SYMBOLS_H */
