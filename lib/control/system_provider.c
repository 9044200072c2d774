// SPDX-License-Identifier: MIT
/*
 * System providers: events of the kernel, enabled by keywords of a provider
 * instead of EnableFlags.  The events are the same.
 */
#include <string.h>
#include <unistd.h>

#include "evntsystem.h"
#include "lib/control/trace_control.h"

/* A keyword, and the flag of EnableFlags that requests the same events */
struct keyword {
	const GUID *provider;
	ULONGLONG keyword;
	ULONG flag;
};

static const struct keyword keywords[] = {
	{ &SystemProcessProviderGuid, SYSTEM_PROCESS_KW_GENERAL,
	  EVENT_TRACE_FLAG_PROCESS },
	{ &SystemProcessProviderGuid, SYSTEM_PROCESS_KW_THREAD,
	  EVENT_TRACE_FLAG_THREAD },
	{ &SystemProcessProviderGuid, SYSTEM_PROCESS_KW_LOADER,
	  EVENT_TRACE_FLAG_IMAGE_LOAD },
	{ &SystemSchedulerProviderGuid, SYSTEM_SCHEDULER_KW_DISPATCHER,
	  EVENT_TRACE_FLAG_DISPATCHER },
	{ &SystemSchedulerProviderGuid, SYSTEM_SCHEDULER_KW_CONTEXT_SWITCH,
	  EVENT_TRACE_FLAG_CSWITCH },
	{ &SystemMemoryProviderGuid, SYSTEM_MEMORY_KW_HARD_FAULTS,
	  EVENT_TRACE_FLAG_MEMORY_HARD_FAULTS },
	{ &SystemMemoryProviderGuid, SYSTEM_MEMORY_KW_ALL_FAULTS,
	  EVENT_TRACE_FLAG_MEMORY_PAGE_FAULTS },
	{ &SystemInterruptProviderGuid, SYSTEM_INTERRUPT_KW_GENERAL,
	  EVENT_TRACE_FLAG_INTERRUPT },
	{ &SystemInterruptProviderGuid, SYSTEM_INTERRUPT_KW_DPC,
	  EVENT_TRACE_FLAG_DPC },
	{ &SystemSyscallProviderGuid, SYSTEM_SYSCALL_KW_GENERAL,
	  EVENT_TRACE_FLAG_SYSTEMCALL },
	{ &SystemProfileProviderGuid, SYSTEM_PROFILE_KW_GENERAL,
	  EVENT_TRACE_FLAG_PROFILE },
	{ &SystemIoProviderGuid, SYSTEM_IO_KW_DISK, EVENT_TRACE_FLAG_DISK_IO },
	{ &SystemIoProviderGuid, SYSTEM_IO_KW_DISK_INIT,
	  EVENT_TRACE_FLAG_DISK_IO_INIT },
	{ &SystemIoProviderGuid, SYSTEM_IO_KW_NETWORK,
	  EVENT_TRACE_FLAG_NETWORK_TCPIP },
};

/* Return the flags of those keywords of a provider that are in @any */
static ULONG flags_of(const GUID *provider, ULONGLONG any)
{
	ULONG flags = 0;
	size_t i;

	for (i = 0; i < EVNT_ARRAY_SIZE(keywords); i++) {
		if (!memcmp(keywords[i].provider, provider, sizeof(GUID)) &&
		    keywords[i].keyword & any)
			flags |= keywords[i].flag;
	}
	return flags;
}

/**
 * evnt_system_provider_enable() - enable or disable events of the kernel
 * @handle: a session of the module
 * @provider: any provider
 * @any: keywords; 0: all; ignored to disable
 * @enable: enable, or otherwise disable
 *
 * Does nothing for other providers, and in a session that does not record
 * events of the kernel.
 *
 * Return: ERROR_SUCCESS, or an error of TraceSetInformation().
 */
ULONG evnt_system_provider_enable(TRACEHANDLE handle, const GUID *provider,
				  ULONGLONG any, bool enable)
{
	struct evntrace_session info = { .size = sizeof(info) };
	const ULONG all = flags_of(provider, ~0ull);
	ULONG code, flags;
	int session;

	if (!all)
		return ERROR_SUCCESS;
	code = evnt_session_open_handle(handle, &session);
	if (code)
		return code;
	code = evnt_trace_call(session, EVNTRACE_IOC_QUERY, &info);
	flags = info.enable_flags & ~all;
	if (enable)
		flags |= flags_of(provider, any ? any : ~0ull);
	if (!code && info.log_file_mode & EVNTRACE_MODE_SYSTEM_LOGGER &&
	    flags != info.enable_flags)
		code = evnt_set_enable_flags(session, flags);
	close(session);
	return code;
}
