// SPDX-License-Identifier: MIT
/*
 * Packed buffers are unpacked to the same bytes, also by libfwnt, which shares no
 * code with the packing.
 */
#include <dlfcn.h>
#include <stdlib.h>

#include "lib/base/internal.h"
#include "lib/consume/etl_index.h"
#include "lib/relog/pack_huffman.c"
#include "selftests/unit/common/tap.h"

/* Matches of more bytes are valid, but libfwnt refuses them */
#define FWNT_MOST	0x8000u

typedef int (*decompress_t)(const uint8_t *compressed, size_t compressed_size,
			    uint8_t *uncompressed, size_t *uncompressed_size,
			    void **error);

static struct method {
	const char *name;
	enum pack_method method;
	bool (*unpack)(u8 *to, u32 room, const u8 *from, u32 len);
	const char *function;
	decompress_t independent;
} methods[] = {
	{ "XPRESS", PACK_XPRESS, etl_unpack, "libfwnt_lzxpress_decompress",
	  NULL },
	{ "LZNT1", PACK_LZNT1, etl_unpack_lznt1, "libfwnt_lznt1_decompress",
	  NULL },
	{ "Huffman", PACK_HUFFMAN, etl_unpack_huffman,
	  "libfwnt_lzxpress_huffman_decompress", NULL },
};

static struct packer *packer;

enum kind {
	RUN,		/* one byte */
	NOISE,
	PATTERN,	/* a repetition with some other bytes */
	BITS,		/* two bytes */
	COPIES,		/* copies from far away, of skewed bytes */
	SKEWED,		/* each byte half as frequent as the one before */
	KINDS,
};

static u8 byte_of(enum kind kind, const u8 *from, u32 i)
{
	u32 number = rand();

	switch (kind) {
	case RUN:
		return 7;
	case NOISE:
		return number;
	case PATTERN:
		return number % 20 ? i % 50 : number;
	case BITS:
		return number & 1;
	case COPIES:
		if (i > 5000 && i % 64 < 50)
			return from[i - 1 - i / 64 * 977 % 5000];
		return number % 40;
	default:
		return number ? __builtin_ctz(number) : 40;
	}
}

/* Unpack from and to memory of exact sizes, so that sanitizers see overruns */
static bool unpacks(const struct method *m, const u8 *packed, u32 size,
		    const u8 *plain, u32 len)
{
	u8 *from = malloc(size), *to = malloc(len);
	size_t out_len = len;
	bool same;

	memcpy(from, packed, size);
	same = m->unpack(to, len, from, size) && !memcmp(to, plain, len);
	if (m->independent && len <= FWNT_MOST) {
		memset(to, 0, len);
		same &= m->independent(from, size, to, &out_len, NULL) == 1 &&
			out_len == len && !memcmp(to, plain, len);
	}
	free(from);
	free(to);
	return same;
}

static void test_lengths(const struct method *m, enum kind k, u8 *plain)
{
	static const u32 lengths[] = {
		1, 2, 3, 4, 31, 32, 33, 63, 64, 65, 300, 4095, 4096, 4097, 8192,
		8193, 20000, 65535, 65536, 65537, 70000, PACK_MAX,
	};
	unsigned int wrong = 0;
	u32 size;

	for (size_t i = 0; i < EVNT_ARRAY_SIZE(lengths); i++) {
		size = packer_pack(packer, m->method, plain, lengths[i]);
		if (size && !unpacks(m, packer->out, size, plain, lengths[i])) {
			printf("# %u bytes\n", lengths[i]);
			wrong++;
		}
	}
	CHECK(!wrong, "%s: data of kind %d is unpacked", m->name, k);
	if (k == NOISE)
		CHECK(!size, "%s: noise is not packed", m->name);
	else
		CHECK(size && size < PACK_MAX / (k == RUN ? 100 : 1),
		      "%s: data of kind %d is smaller: %u bytes", m->name, k,
		      size);
}

/* Fibonacci numbers as counts give the longest optimal codes */
static void test_long_codes(void)
{
	struct codes c = { .count = { 1, 1 } };
	u32 longest = 0, used = 0;

	for (u32 i = 2; i < 40; i++)
		c.count[i] = c.count[i - 1] + c.count[i - 2];
	make_codes(&c);
	for (u32 i = 0; i < 40; i++) {
		longest = c.bits[i] > longest ? c.bits[i] : longest;
		used += c.bits[i] ? 1u << MAX_BITS >> c.bits[i] : 0;
	}
	CHECK(longest <= MAX_BITS && used == 1u << MAX_BITS,
	      "codes have at most 15 bits, and are complete: %u bits", longest);
}

int main(void)
{
	void *library = dlopen("libfwnt.so.1", RTLD_NOW);
	u8 *plain = malloc(PACK_MAX);

	packer = malloc(sizeof(*packer));
	if (!library)
		SKIP("libfwnt is not installed: its results are not compared");
	srand(1);
	for (enum kind kind = 0; kind < KINDS; kind++) {
		for (u32 i = 0; i < PACK_MAX; i++)
			plain[i] = byte_of(kind, plain, i);
		for (size_t i = 0; i < EVNT_ARRAY_SIZE(methods); i++) {
			struct method *m = &methods[i];

			if (library)
				m->independent = (decompress_t)dlsym(library,
								     m->function);
			test_lengths(m, kind, plain);
		}
	}
	test_long_codes();
	free(plain);
	free(packer);
	if (library)
		dlclose(library);
	return tap_end();
}
