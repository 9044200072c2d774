// SPDX-License-Identifier: MIT
/*
 * EventActivityIdControl: each control code, and the form of the ids it
 * creates.
 *
 * Random numbers come from here instead of the kernel, so that they are known.
 */
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <string.h>
#include <sys/random.h>

#include "evntprov.h"
#include "selftests/unit/common/tap.h"

/* Behaviour of the next calls of getrandom(), and the number of calls */
static struct {
	unsigned char byte;
	bool forbidden;
	unsigned int interrupted;
	unsigned int cut_short;
	unsigned int calls;
} source;

/* Replaces the C library's function */
ssize_t getrandom(void *to, size_t len, unsigned int flags)
{
	(void)flags;
	source.calls++;
	if (source.forbidden) {
		errno = EPERM;
		return -1;
	}
	if (source.interrupted) {
		source.interrupted--;
		errno = EINTR;
		return -1;
	}
	if (source.cut_short) {
		source.cut_short--;
		len /= 2;
	}
	memset(to, source.byte, len);
	return len;
}

static bool is_same(const GUID *a, const GUID *b)
{
	return !memcmp(a, b, sizeof(*a));
}

static ULONG control(ULONG code, GUID *id)
{
	return EventActivityIdControl(code, id);
}

static bool is_current(const GUID *want)
{
	GUID id;

	memset(&id, 0x5a, sizeof(id));
	return !control(EVENT_ACTIVITY_CTRL_GET_ID, &id) && is_same(&id, want);
}

static void test_get_and_set(void)
{
	const GUID zero = {}, first = { .Data1 = 1, .Data4 = { [7] = 9 } };
	const GUID second = { .Data1 = 2 };
	GUID id;

	CHECK(is_current(&zero), "a thread begins without an activity");
	id = first;
	CHECK(!control(EVENT_ACTIVITY_CTRL_SET_ID, &id) && is_same(&id, &first),
	      "SET_ID leaves its argument as it is");
	CHECK(is_current(&first), "GET_ID returns the id that was set");
	id = second;
	CHECK(!control(EVENT_ACTIVITY_CTRL_GET_SET_ID, &id) &&
	      is_same(&id, &first), "GET_SET_ID returns the previous id");
	CHECK(is_current(&second), "GET_SET_ID sets the id that it was given");
}

static void test_errors(void)
{
	const GUID given = { .Data1 = 7 }, set = { .Data1 = 2 };
	static const ULONG unknown[] = { 0, 6, ~0u };
	GUID id = given;
	unsigned int i;
	ULONG code;

	for (code = EVENT_ACTIVITY_CTRL_GET_ID;
	     code <= EVENT_ACTIVITY_CTRL_CREATE_SET_ID; code++)
		CHECK(control(code, NULL) == ERROR_INVALID_PARAMETER,
		      "control code %u refuses NULL", code);
	for (i = 0; i < sizeof(unknown) / sizeof(*unknown); i++)
		CHECK(control(unknown[i], &id) == ERROR_INVALID_PARAMETER,
		      "control code %u is unknown", unknown[i]);
	CHECK(is_same(&id, &given) && is_current(&set),
	      "a call that is refused changes no id");
}

/* An id with all random bits set */
static const GUID ones = {
	~0u, 0xffff, 0x4fff, { 0xbf, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff }
};

/* Set all random bits, then none, so that only the fixed ones remain */
static void test_form(void)
{
	const GUID zeros = { .Data3 = 0x4000, .Data4 = { 0x80 } };
	const GUID set = { .Data1 = 2 };
	GUID id = {};

	source.byte = 0xff;
	CHECK(!control(EVENT_ACTIVITY_CTRL_CREATE_ID, &id) &&
	      is_same(&id, &ones),
	      "CREATE_ID returns a random id of version 4");
	source.byte = 0;
	CHECK(!control(EVENT_ACTIVITY_CTRL_CREATE_ID, &id) &&
	      is_same(&id, &zeros), "CREATE_ID has no other fixed bits");
	CHECK(is_current(&set), "CREATE_ID does not set the id");
	source.byte = 0xff;
	CHECK(!control(EVENT_ACTIVITY_CTRL_CREATE_SET_ID, &id) &&
	      is_same(&id, &set), "CREATE_SET_ID returns the previous id");
	CHECK(is_current(&ones), "CREATE_SET_ID sets the id that it created");
}

static void test_interrupted(void)
{
	GUID id = {};

	source.byte = 0xff;
	source.calls = 0;
	source.interrupted = 1;
	source.cut_short = 1;
	errno = 12345;
	CHECK(!control(EVENT_ACTIVITY_CTRL_CREATE_ID, &id) &&
	      is_same(&id, &ones) && source.calls == 3,
	      "an id is complete although signals interrupt its creation");
	CHECK(errno == 12345, "a created id leaves errno as it was");
}

/* In a sandbox, getrandom() fails */
static void test_forbidden(void)
{
	GUID id[1000];
	unsigned int i, k, same = 0, other_form = 0;

	source.forbidden = true;
	errno = 12345;
	for (i = 0; i < 1000; i++)
		control(EVENT_ACTIVITY_CTRL_CREATE_ID, &id[i]);
	source.forbidden = false;
	for (i = 0; i < 1000; i++) {
		other_form += (id[i].Data3 & 0xf000) != 0x4000 ||
			      (id[i].Data4[0] & 0xc0) != 0x80;
		for (k = 0; k < i; k++)
			same += is_same(&id[i], &id[k]);
	}
	CHECK(!same && !other_form,
	      "1000 ids differ where random numbers are forbidden");
	CHECK(errno == 12345, "forbidden calls leave errno as it was");
}

static void *other_thread(void *set)
{
	const GUID zero = {};

	return is_current(&zero) &&
	       !control(EVENT_ACTIVITY_CTRL_SET_ID, set) && is_current(set) ?
	       set : NULL;
}

static void test_threads(void)
{
	GUID other = { .Data1 = 99 };
	GUID id = { .Data1 = 3 };
	pthread_t thread;
	void *result;

	control(EVENT_ACTIVITY_CTRL_SET_ID, &id);
	CHECK(!pthread_create(&thread, NULL, other_thread, &other) &&
	      !pthread_join(thread, &result) && result && is_current(&id),
	      "each thread has its own id");
}

int main(void)
{
	test_get_and_set();
	test_errors();
	test_form();
	test_interrupted();
	test_forbidden();
	test_threads();
	return tap_end();
}
