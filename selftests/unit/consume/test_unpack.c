// SPDX-License-Identifier: MIT
/* Unpacking buffers, compared with libfwnt, which shares no code with it. */
#include <dlfcn.h>

#include "selftests/unit/common/etl_make.h"
#include "selftests/unit/common/etl_pack.h"
#include "lib/consume/etl_index.h"
#include "selftests/unit/common/tap.h"

#define LENGTH	70000u

typedef int (*decompress_t)(const uint8_t *compressed, size_t compressed_size,
			    uint8_t *uncompressed, size_t *uncompressed_size,
			    void **error);

/* Methods of packing; the first one is used where the method is not the subject */
static struct method {
	const char *name;
	bool (*unpack)(u8 *to, u32 room, const u8 *from, u32 len);
	size_t (*pack)(uint8_t *to, const uint8_t *from, size_t len);
	const char *function;
	decompress_t independent;
} methods[] = {
	{ "LZ77", etl_unpack, pack, "libfwnt_lzxpress_decompress",
	  NULL },
	{ "LZNT1", etl_unpack_lznt1, pack_lznt1, "libfwnt_lznt1_decompress",
	  NULL },
	{ "Huffman", etl_unpack_huffman, pack_huffman,
	  "libfwnt_lzxpress_huffman_decompress", NULL },
}, *method = methods;

static bool agrees(const uint8_t *packed, size_t packed_len,
		   const uint8_t *plain, size_t len)
{
	uint8_t *out = malloc(len + 1);
	size_t out_len = len;
	bool ok = true;

	/* It refuses matches longer than 32 KiB, which are valid */
	if (method->independent && len <= 0x8000)
		ok = method->independent(packed, packed_len, out, &out_len,
					 NULL) == 1 &&
		     out_len == len && !memcmp(out, plain, len);
	free(out);
	return ok;
}

/* Unpack to memory of the exact size, so that the sanitizer sees overruns */
static bool unpacks(const uint8_t *packed, size_t packed_len,
		    const uint8_t *plain, size_t len)
{
	uint8_t *from = malloc(packed_len), *to = malloc(len);
	bool ok;

	memcpy(from, packed, packed_len);
	ok = method->unpack(to, len, from, packed_len) && !memcmp(to, plain, len);
	free(from);
	free(to);
	return ok;
}

/* Fill with bytes whose repetitions depend on @spread */
static void fill(uint8_t *p, size_t len, unsigned int spread)
{
	size_t i;

	for (i = 0; i < len; i++)
		p[i] = spread == 256 ? (unsigned int)rand() : i / 7 % spread;
	for (i = 0; spread < 256 && i < len / 100; i++)
		p[rand() % len] = rand();
}

static void test_own(const char *what, const uint8_t *plain, size_t len)
{
	uint8_t *packed = malloc(2 * len + 1000);
	size_t packed_len = method->pack(packed, plain, len), cut;
	uint8_t *out = malloc(len + 1000);
	unsigned int whole = 0;

	CHECK(unpacks(packed, packed_len, plain, len),
	      "%s, %s: %zu bytes of %zu", method->name, what, packed_len, len);
	CHECK(agrees(packed, packed_len, plain, len), "%s, %s: as libfwnt",
	      method->name, what);
	CHECK(!method->unpack(out, len + 1000, packed, packed_len),
	      "%s, %s: no more than there is", method->name, what);
	/* The last bytes may be flags without data */
	for (cut = 5; cut < packed_len && cut < 2000; cut++)
		whole += method->unpack(out, len, packed, packed_len - cut);
	CHECK(!whole, "%s, %s: truncated data is refused", method->name, what);
	free(packed);
	free(out);
}

static void test_all_own(void)
{
	static uint8_t plain[LENGTH];

	srand(1);
	fill(plain, 1000, 256);
	test_own("noise", plain, 1000);
	memset(plain, 7, LENGTH);
	test_own("one byte", plain, 1);
	test_own("a short run", plain, 20);
	test_own("a run of 32", plain, 33);
	test_own("a run of 300", plain, 300);
	test_own("a run of 32000", plain, 32000);
	test_own("a run of 70000", plain, LENGTH);
	fill(plain, 20000, 11);
	test_own("a pattern", plain, 20000);
	fill(plain, 20000, 200);
	test_own("a long pattern", plain, 20000);
}

/* Data that ends too early, or refers to before the beginning */
static void test_hostile(void)
{
	static const struct {
		const char *what;
		uint8_t bytes[12];
		size_t len;
	} cases[] = {
		{ "nothing", { 0 }, 0 },
		{ "half of the flags", { 0, 0 }, 2 },
		{ "flags alone", { 0, 0, 0, 0 }, 4 },
		{ "a match of nothing", { 0, 0, 0, 0x80, 0, 0 }, 6 },
		{ "half a match", { 0, 0, 0, 0x40, 'a', 0 }, 6 },
		{ "a match from before", { 0, 0, 0, 0x40, 'a', 8, 0 }, 7 },
		{ "no half byte", { 0, 0, 0, 0x40, 'a', 7, 0 }, 7 },
		{ "no byte", { 0, 0, 0, 0x40, 'a', 7, 0, 15 }, 8 },
		{ "no two bytes", { 0, 0, 0, 0x40, 'a', 7, 0, 15, 255, 9 }, 10 },
	};
	uint8_t out[1000];
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		CHECK(!etl_unpack(out, sizeof(out), cases[i].bytes,
				  cases[i].len), "%s", cases[i].what);
}

/*
 * Lengths in two bytes, or in four after two zeros, must be too large for the
 * shorter forms, which 7 and 15 exhaust.  The output is exactly large enough,
 * so that nothing else can be wrong.
 */
static void test_long_lengths(void)
{
	const uint8_t front[] = { 0, 0, 0, 0x40, 'a', 7, 0, 15, 255 };
	uint8_t two[11] = { 0 }, four[15] = { 0 }, plain[64];
	unsigned int length, wrong = 0;

	memcpy(two, front, sizeof(front));
	memcpy(four, front, sizeof(front));
	memset(plain, 'a', sizeof(plain));
	for (length = 0; length < 40; length++) {
		two[9] = length;
		four[11] = length;
		wrong += unpacks(two, sizeof(two), plain, 1 + length + 3) !=
			 (length >= 22);
		wrong += unpacks(four, sizeof(four), plain, 1 + length + 3) !=
			 (length >= 22);
	}
	CHECK(!wrong, "a long form is for lengths of 22 and more: %u wrong",
	      wrong);
}

/* Chunks that end too early, or whose matches leave the chunk */
static void test_hostile_lznt1(void)
{
	static const struct {
		const char *what;
		uint8_t bytes[8];
		size_t len;
	} cases[] = {
		{ "nothing", { 0 }, 0 },
		{ "half a header", { 2 }, 1 },
		{ "the end", { 0, 0, 'a' }, 3 },
		{ "less than the header says", { 4, 0x30, 'a', 'b' }, 4 },
		{ "more bytes than wanted", { 3, 0x30, 'a', 'b', 'c', 'd' }, 6 },
		{ "flags alone", { 0, 0xb0, 0 }, 3 },
		{ "half a match", { 2, 0xb0, 2, 'a', 0 }, 5 },
		{ "a match from before", { 3, 0xb0, 2, 'a', 0, 0x10 }, 6 },
		{ "a match too long", { 3, 0xb0, 2, 'a', 1, 0 }, 6 },
	};
	uint8_t out[4];

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		CHECK(!etl_unpack_lznt1(out, i == 4 ? 3 : 4, cases[i].bytes,
					cases[i].len), "LZNT1: %s",
		      cases[i].what);
	method = &methods[1];
	CHECK(unpacks(cases[8].bytes, 6, (const uint8_t *)"aaaaa", 5),
	      "LZNT1: a match overlaps with itself");
}

/* Tables with too many or too few codes, and lengths that are too short */
static void test_hostile_huffman(void)
{
	uint8_t packed[264] = { 0 }, out[100];

	CHECK(!etl_unpack_huffman(out, 1, packed, 255), "Huffman: half a table");
	CHECK(!etl_unpack_huffman(out, 1, packed, 259), "Huffman: half the bits");
	CHECK(!etl_unpack_huffman(out, 1, packed, sizeof(packed)),
	      "Huffman: no codes");
	packed[0] = 0x11;
	packed[1] = 1;
	CHECK(!etl_unpack_huffman(out, 1, packed, sizeof(packed)),
	      "Huffman: more codes than bits allow");
	packed[1] = 0;
	packed[0] = 1;
	CHECK(etl_unpack_huffman(out, 32, packed, 260) && !out[31],
	      "Huffman: a code of one bit");
	/* Byte 0, and a match of a long length at distance 1 */
	packed[128 + 7] = 0x10;
	packed[256 + 1] = 0x40;
	packed[260] = 255;
	packed[261] = 14;
	CHECK(!etl_unpack_huffman(out, 18, packed, sizeof(packed)),
	      "Huffman: a length too short for its form");
	packed[261] = 15;
	CHECK(etl_unpack_huffman(out, 19, packed, sizeof(packed)),
	      "Huffman: the shortest length of two bytes");
	packed[257] = 0x80;
	CHECK(!etl_unpack_huffman(out, 18, packed, sizeof(packed)),
	      "Huffman: a match from before");
}

static void test_mutants(void)
{
	uint8_t plain[2000], packed[2 * sizeof(plain) + 1000];
	uint8_t bad[sizeof(packed)];
	unsigned int i, n, whole = 0;
	size_t len;

	srand(3);
	fill(plain, sizeof(plain), 13);
	len = method->pack(packed, plain, sizeof(plain));
	for (i = 0; i < 20000; i++) {
		memcpy(bad, packed, len);
		for (n = rand() % 4; n; n--)
			bad[rand() % len] = rand();
		n = rand() % 4 ? len : rand() % len;
		whole += unpacks(bad, n, plain, sizeof(plain));
	}
	CHECK(whole > 1000 && whole < 15000, "%s, 20000 mutants: %u as before",
	      method->name, whole);
}

int main(void)
{
	void *library = dlopen("libfwnt.so.1", RTLD_NOW);

	if (!library)
		SKIP("libfwnt is not installed: its results are not compared");
	for (; method < methods + sizeof(methods) / sizeof(*methods); method++) {
		if (library)
			method->independent = (decompress_t)
				dlsym(library, method->function);
		test_all_own();
		test_mutants();
	}
	method = methods;
	test_hostile();
	test_long_lengths();
	test_hostile_lznt1();
	test_hostile_huffman();
	return tap_end();
}
