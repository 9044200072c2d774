// SPDX-License-Identifier: MIT
/* EtwGetTraitFromProviderTraits: its results, and that it reads no further. */
#include <stdlib.h>
#include <string.h>

#include "evntcons.h"
#include "selftests/unit/common/tap.h"

/* Size, name "N", a trait of type 1 with two bytes, and one of type 200 */
static const UCHAR good[] = { 13, 0, 'N', 0, 5, 0, 1, 'a', 'b',
			      4, 0, 200, 'c' };

static PVOID trait;
static USHORT size;

/* Search a copy of the exact size, so that a sanitizer sees reads beyond it */
static ULONG find(const UCHAR *traits, size_t len, UCHAR type, UCHAR *first)
{
	UCHAR *copy = malloc(len);
	ULONG code;

	memcpy(copy, traits, len);
	code = EtwGetTraitFromProviderTraits(copy, type, &trait, &size);
	*first = trait ? *(UCHAR *)trait : 0;
	free(copy);
	return code;
}

static void test_found(void)
{
	UCHAR first;

	CHECK(find(good, sizeof(good), EtwProviderTraitTypeGroup, &first) ==
	      ERROR_SUCCESS && size == 2 && first == 'a',
	      "the first trait is found");
	CHECK(find(good, sizeof(good), 200, &first) == ERROR_SUCCESS &&
	      size == 1 && first == 'c', "the last trait is found");
	CHECK(find(good, sizeof(good), EtwProviderTraitDecodeGuid, &first) ==
	      ERROR_NOT_FOUND && !trait && !size,
	      "an absent trait is not found");
	CHECK(find((const UCHAR *)"\3\0\0", 3, 1, &first) == ERROR_NOT_FOUND,
	      "a provider without traits has none");
}

/* Search traits that differ from the good ones in one byte */
static ULONG find_in_bad(size_t at, UCHAR value, size_t len)
{
	UCHAR bad[sizeof(good)], first;

	memcpy(bad, good, sizeof(bad));
	bad[at] = value;
	return find(bad, len, 200, &first);
}

static void test_malformed(void)
{
	CHECK(find_in_bad(0, 3, 3) == ERROR_INVALID_PARAMETER,
	      "a name without an end");
	CHECK(find_in_bad(0, 0, 2) == ERROR_INVALID_PARAMETER,
	      "traits without a name are refused");
	CHECK(find_in_bad(4, 2, sizeof(good)) == ERROR_INVALID_PARAMETER,
	      "a trait that is shorter than its header");
	CHECK(find_in_bad(4, 10, sizeof(good)) == ERROR_INVALID_PARAMETER,
	      "a trait that is longer than all");
	CHECK(find_in_bad(0, 11, 11) == ERROR_INVALID_PARAMETER,
	      "something behind the last trait");
	CHECK(!trait && !size, "malformed traits return nothing");
}

int main(void)
{
	test_found();
	test_malformed();
	return tap_end();
}
