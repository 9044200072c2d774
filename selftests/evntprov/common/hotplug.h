/* SPDX-License-Identifier: GPL-2.0 */
/* Processors that go offline and come back. */
#ifndef EVNT_TEST_HOTPLUG_H
#define EVNT_TEST_HOTPLUG_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/sysinfo.h>

#include "selftests/evntprov/common/write_file.h"

/* The first processor stays online */
static inline bool set_online(unsigned int cpu, bool is_online)
{
	char path[64];

	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%u/online",
		 cpu);
	return write_file(path, is_online ? "1" : "0");
}

static inline void set_all_online(void)
{
	for (int i = 1; i < get_nprocs_conf(); i++)
		set_online(i, true);
}

/*
 * Stop the fair servers that kernels since 6.12 have: their accounting breaks
 * when processors go offline, with a warning of its own.
 */
static inline void stop_fair_servers(void)
{
	char path[128];
	int i;

	for (i = 0; i < get_nprocs_conf(); i++) {
		snprintf(path, sizeof(path),
			 "/sys/kernel/debug/sched/fair_server/cpu%d/runtime",
			 i);
		if (!write_file(path, "0"))
			return;
	}
}

#endif /* EVNT_TEST_HOTPLUG_H */
