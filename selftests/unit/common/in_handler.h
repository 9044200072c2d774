/* SPDX-License-Identifier: MIT */
/*
 * Signal handlers for tests: the calling thread's use of the allocator in them
 * is counted, as a handler may have interrupted the allocator itself.
 */
#ifndef EVNT_TEST_IN_HANDLER_H
#define EVNT_TEST_IN_HANDLER_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

static __thread volatile bool in_handler;
static volatile unsigned int handler_allocations;
static void (*handler_call)(void);

/* Hooks of the address sanitizer, which has the allocator */
void __sanitizer_malloc_hook(const volatile void *memory, size_t size);
void __sanitizer_free_hook(const volatile void *memory);

void __sanitizer_malloc_hook(const volatile void *memory, size_t size)
{
	(void)memory;
	(void)size;
	handler_allocations += in_handler;
}

void __sanitizer_free_hook(const volatile void *memory)
{
	(void)memory;
	handler_allocations += in_handler;
}

static void handle_signal(int signal)
{
	(void)signal;
	in_handler = true;
	handler_call();
	in_handler = false;
}

/* Make signals call @call in their handler */
static inline void handler_set(int signal, void (*call)(void))
{
	const struct sigaction action = {
		.sa_handler = handle_signal, .sa_flags = SA_RESTART,
	};

	handler_call = call;
	sigaction(signal, &action, NULL);
}

/* Call @call in a signal handler; return how often it used the allocator */
static inline unsigned int handler_run(void (*call)(void))
{
	handler_set(SIGUSR1, call);
	handler_allocations = 0;
	raise(SIGUSR1);
	return handler_allocations;
}

#endif /* EVNT_TEST_IN_HANDLER_H */
