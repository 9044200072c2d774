// SPDX-License-Identifier: MIT
/*
 * Filters as the core compiles and runs them: which programs are refused, what
 * each instruction does, and that no program leaves its data or itself; names
 * across the windows in which they are read; packages by the names of cgroups.
 */
#include "core/attribute.h"
#include "core/package.h"
#include "core/program.h"
#include "selftests/unit/common/tap.h"

/* Unused members of instructions are implicitly zero */
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"

/* Data of the readers, and their number of reads */
static const u8 *memory;
static unsigned int fills, fail_at;

int evnt_reader_fill(struct evnt_reader *r)
{
	if (r->start + r->len > r->total || r->len > EVNT_READER_SIZE)
		abort();
	if (++fills == fail_at)
		return -EFAULT;
	memcpy(r->bytes, memory + r->start, r->len);
	return 0;
}

static void read_from(struct evnt_reader *r, const void *data, u32 len)
{
	memory = data;
	evnt_reader_init(r, len);
}

/* A program, with room for texts */
struct program {
	struct evntrace_program p;
	struct evntrace_instruction i[200];
	u8 text[64];
};

#define LEN(count)	(sizeof(struct evntrace_program) +		\
			 (count) * sizeof(struct evntrace_instruction))
#define PROGRAM(...)							\
	program((const struct evntrace_instruction[]) { __VA_ARGS__ },	\
		sizeof((struct evntrace_instruction[]) { __VA_ARGS__ }) / \
		sizeof(struct evntrace_instruction))
#define PASS		{ EVNTRACE_OP_END, .arg = 1 }
#define REFUSE		{ EVNTRACE_OP_END }

static struct program program(const struct evntrace_instruction *i, u32 count)
{
	struct program p = { .p = { LEN(count), 1, count } };

	memcpy(p.i, i, count * sizeof(*i));
	return p;
}

static int check(const struct program *p)
{
	struct evntrace_program *out = NULL;
	int err = evnt_program_create(&out, p, p->p.size);

	evnt_free(out);
	return err;
}

static const struct evnt_program_event event = { 7 | 2 << 16, 8 };

/* Run @p on data that is read again; -1 if the program is refused */
static int run_on(const struct program *p, const void *data, u32 len)
{
	struct evntrace_program *out;
	struct evnt_reader r;
	bool pass;

	if (evnt_program_create(&out, p, p->p.size))
		return -1;
	read_from(&r, data, len);
	pass = evnt_program_run(out, &event, &r);
	evnt_free(out);
	return r.err ? r.err : pass;
}

static void test_forged(void)
{
	struct program ok = PROGRAM({ EVNTRACE_OP_JUMP, .jump = 1 }, REFUSE,
				    PASS), p;

	CHECK(!check(&ok), "a correct program is accepted");
	p = ok;
	p.p.count = 0;
	CHECK(check(&p) == -EINVAL,
	      "a program without instructions is refused");
	p = ok;
	p.p.count = 4;
	CHECK(check(&p) == -EINVAL, "more instructions than bytes");
	p = ok;
	p.p.count = 65535;
	CHECK(check(&p) == -EINVAL,
	      "a program with too many instructions is refused");
	p = ok;
	p.p.version = 2;
	CHECK(check(&p) == -EINVAL, "a program of another version is refused");
	p = ok;
	p.p.count = 2;
	CHECK(check(&p) == -EINVAL, "a jump behind the end");
	p = ok;
	p.i[0].jump = 2;
	CHECK(check(&p) == -EINVAL, "a jump just behind the end");
	p = ok;
	p.i[0].jump = 65535;
	CHECK(check(&p) == -EINVAL, "a jump far behind the end");
	p = ok;
	p.i[2].op = EVNTRACE_OP_MOVE;
	p.i[2].arg = 0;
	CHECK(check(&p) == -EINVAL, "a program without an end is refused");
	p = ok;
	p.i[2].jump = 1;
	CHECK(check(&p) == -EINVAL, "an end that jumps");
	p = ok;
	p.i[2].arg = 2;
	CHECK(check(&p) == -EINVAL,
	      "an end that neither passes nor refuses is refused");
	p = ok;
	p.i[1].op = 14;
	CHECK(check(&p) == -EINVAL, "an unknown instruction");
	p = ok;
	p.i[0].value = 1;
	CHECK(check(&p) == -EINVAL, "a field that is not zero");
	CHECK(evnt_program_create(&(struct evntrace_program *) { NULL }, &ok,
				  ok.p.size - 1) == -EINVAL,
	      "a truncated program is refused");
	CHECK(evnt_program_create(&(struct evntrace_program *) { NULL }, &ok,
				  4) == -EINVAL, "cut in its head");
}

/* Whether a program with this instruction is accepted */
static bool accepted(struct evntrace_instruction i)
{
	struct program p = PROGRAM(i, PASS);

	p.p.size += 16;
	return !check(&p);
}

#define TEXT(offset, len)	((u64)(len) << 32 | (LEN(2) + (offset)))

static void test_operands(void)
{
	CHECK(accepted((struct evntrace_instruction) {
		EVNTRACE_OP_TEXT_IS, 0, 0, 0, TEXT(0, 16) }),
	      "a text is accepted");
	CHECK(!accepted((struct evntrace_instruction) {
		EVNTRACE_OP_TEXT_IS, 0, 0, 0, TEXT(2, 16) }), "behind the end");
	CHECK(!accepted((struct evntrace_instruction) {
		EVNTRACE_OP_TEXT_IS, 0, 0, 0, TEXT(16, 1) }),
	      "a text at the end is refused");
	CHECK(accepted((struct evntrace_instruction) {
		EVNTRACE_OP_TEXT_IS, 0, 0, 0, TEXT(16, 0) }),
	      "an empty text at the end is accepted");
	CHECK(!accepted((struct evntrace_instruction) {
		EVNTRACE_OP_TEXT_IS, 0, 0, 0, TEXT(0, 0xffffffff) }),
	      "a text that is too long is refused");
	CHECK(!accepted((struct evntrace_instruction) {
		EVNTRACE_OP_TEXT_IS, 0, 0, 0, 0x00000004fffffffcull }),
	      "a text with a large offset is refused");
	CHECK(!accepted((struct evntrace_instruction) {
		EVNTRACE_OP_TEXT_IS, 0, 0, 0, TEXT(-16, 4) }), "a text in code");
	CHECK(!accepted((struct evntrace_instruction) {
		EVNTRACE_OP_TEXT_IS, EVNTRACE_TEXT_16, 0, 0, TEXT(0, 3) }),
		"half a character");
	CHECK(!accepted((struct evntrace_instruction) {
		EVNTRACE_OP_TEXT_IS, 0, 0, 0, TEXT(1, 2) }) &&
	      !accepted((struct evntrace_instruction) {
		EVNTRACE_OP_TEXT_IS, EVNTRACE_TEXT_16, 0, 0, TEXT(1, 2) }),
	      "a text at an odd offset is refused");
	CHECK(!accepted((struct evntrace_instruction) {
		EVNTRACE_OP_TEXT_IS, EVNTRACE_TEXT_REGISTER, 0, 8,
		TEXT(0, 2) }), "a ninth register");
	CHECK(!accepted((struct evntrace_instruction) {
		EVNTRACE_OP_TEXT_IS, 0x0a, 0, 0, TEXT(0, 2) }),
	      "a text with an unknown length is refused");
	CHECK(!accepted((struct evntrace_instruction) {
		EVNTRACE_OP_TEXT_IS, 0, 0, 1, TEXT(0, 2) }),
	      "a text with an argument is refused");
	CHECK(!accepted((struct evntrace_instruction) {
		EVNTRACE_OP_MOVE_TEXT, .how = EVNTRACE_TEXT_NOT }),
	      "a move with a negation is refused");
	CHECK(!accepted((struct evntrace_instruction) {
		EVNTRACE_OP_LOAD, .value = 8 }), "a register to load");
	CHECK(!accepted((struct evntrace_instruction) {
		EVNTRACE_OP_LOAD, .how = EVNTRACE_NUMBER_SIGNED }), "a sign to load");
	CHECK(!accepted((struct evntrace_instruction) {
		EVNTRACE_OP_MOVE_BY, .how = 8 }), "a register to move by");
	CHECK(!accepted((struct evntrace_instruction) {
		EVNTRACE_OP_MULTIPLE, .how = 0 }), "multiples of 0");
	CHECK(!accepted((struct evntrace_instruction) {
		EVNTRACE_OP_COMPARE, .how = 0x40 }),
	      "a comparison with unknown flags is refused");
	CHECK(!accepted((struct evntrace_instruction) {
		EVNTRACE_OP_EVENT, .arg = 1 << 24 }),
	      "an event with unknown bits is refused");
}

static const u8 data[] = {
	0x01, 0xff,				/* 0: 1, -1 */
	0x00, 0x80,				/* 2: 32768, or -32768 */
	0xfe, 0xff, 0xff, 0xff,			/* 4: -2 */
	1, 2, 3, 4, 5, 6, 7, 0x88,		/* 8 */
	'H', 0, 'e', 0, 'Y', 0, 0, 0,		/* 16: "HeY" */
	'l', 'o', 'g', 0,			/* 24: "log" */
	4, 0, 'a', 0, 'B', 0,			/* 28: counted "aB" */
	1, 2, 0, 0, 0, 0, 0, 22, 1, 0, 0, 0, 5, 0, 0, 0,	/* 34: a SID */
	'e', 'n', 'd',				/* 50: "end" up to the end */
};

/* Whether an instruction holds at position @at */
static int holds(u32 at, struct evntrace_instruction i, const char *text)
{
	struct program p = PROGRAM({ EVNTRACE_OP_AT, .arg = at }, i, PASS,
				   REFUSE);

	p.i[0].jump = 2;
	p.i[1].jump = 1;
	if (text) {
		p.i[1].value = LEN(4) | (u64)strlen(text) << 32;
		memcpy(&p.i[4], text, strlen(text) + 1);
		p.p.size += 32;
	}
	return run_on(&p, data, sizeof(data));
}

#define COMPARES(at, how, value) \
	holds(0, (struct evntrace_instruction) { EVNTRACE_OP_COMPARE, how, 0, \
						 at, value }, NULL)
#define LESS	EVNTRACE_CMP_LT
#define EQUAL	EVNTRACE_CMP_EQ
#define GREATER	EVNTRACE_CMP_GT
#define SIGNED	EVNTRACE_NUMBER_SIGNED

static void test_numbers(void)
{
	struct evntrace_instruction multiple = {
		.op = EVNTRACE_OP_MULTIPLE, .how = EVNTRACE_NUMBER_4 | SIGNED,
	};
	struct evntrace_instruction is_event = {
		.op = EVNTRACE_OP_EVENT, .arg = 7 | 2 << 16,
	};

	CHECK(COMPARES(0, EQUAL, 1) == 1, "1 is 1");
	CHECK(COMPARES(0, LESS | GREATER, 1) == 0, "1 is not other than 1");
	CHECK(COMPARES(1, GREATER, 254) == 1, "255 > 254");
	CHECK(COMPARES(1, SIGNED | LESS, 0) == 1, "-1 < 0");
	CHECK(COMPARES(1, SIGNED | EQUAL, -1) == 1, "-1 is -1");
	CHECK(COMPARES(2, EVNTRACE_NUMBER_2 | EQUAL, 32768) == 1,
	      "a number of two bytes is compared");
	CHECK(COMPARES(2, EVNTRACE_NUMBER_2 | SIGNED | EQUAL, -32768) == 1,
	      "a signed number is compared");
	CHECK(COMPARES(4, EVNTRACE_NUMBER_4 | SIGNED | LESS, -1) == 1,
	      "four bytes, signed");
	CHECK(COMPARES(4, EVNTRACE_NUMBER_4 | GREATER, 0xfffffffd) == 1,
	      "a number of four bytes is compared");
	CHECK(COMPARES(8, EVNTRACE_NUMBER_8 | EQUAL,
		       0x8807060504030201) == 1,
	      "a number of eight bytes is compared");
	CHECK(COMPARES(8, EVNTRACE_NUMBER_8 | SIGNED | LESS, 0) == 1,
	      "eight bytes, signed");
	CHECK(COMPARES(52, EVNTRACE_NUMBER_1 | LESS | EQUAL | GREATER, 0) == 1,
	      "the last byte");
	CHECK(COMPARES(53, LESS | EQUAL | GREATER, 0) == 0, "behind the end");
	CHECK(COMPARES(52, EVNTRACE_NUMBER_2 | LESS | EQUAL | GREATER, 0) == 0,
	      "half of it behind the end");
	CHECK(COMPARES(0xffffffff, LESS | EQUAL | GREATER, 0) == 0,
	      "a number beyond the event does not match");
	multiple.value = 2;
	CHECK(holds(4, multiple, NULL) == 1, "-2 is even");
	multiple.value = 4;
	CHECK(holds(4, multiple, NULL) == 0, "-2 is no multiple of 4");
	CHECK(holds(0, is_event, NULL) == 1,
	      "the event's id and version match");
	is_event.arg = 7;
	CHECK(holds(0, is_event, NULL) == 0,
	      "another version of the event does not match");
}

#define IS(at, h, text) \
	holds(at, (struct evntrace_instruction) { EVNTRACE_OP_TEXT_IS, \
						  .how = (h) }, text)
#define HAS(at, h, text) \
	holds(at, (struct evntrace_instruction) { EVNTRACE_OP_TEXT_CONTAINS, \
						  .how = (h) }, text)

static void test_texts(void)
{
	const u8 not = EVNTRACE_TEXT_NOT;

	CHECK(IS(24, 0, "LOG") == 1,
	      "texts are compared without regard to case");
	CHECK(IS(24, 0, "lo") == 0 && IS(24, 0, "logs") == 0, "no part of it");
	CHECK(IS(24, not, "lo") == 1 && IS(24, not, "log") == 0,
	      "a negated text matches other texts");
	CHECK(HAS(24, 0, "oG") == 1 && HAS(24, 0, "lg") == 0,
	      "contains finds a part of a text");
	CHECK(HAS(24, not, "oG") == 0 && HAS(24, not, "lg") == 1,
	      "does not contain");
	CHECK(HAS(24, 0, "") == 1 && IS(24, 0, "") == 0, "an empty text");
	CHECK(IS(27, 0, "") == 1, "an empty text matches");
	CHECK(IS(50, 0, "END") == 1, "ended by the end");
	CHECK(IS(53, 0, "") == 1, "an empty text matches at the end");
	CHECK(IS(50, EVNTRACE_TEXT_REST, "end") == 1, "the rest is compared");
	CHECK(HAS(49, EVNTRACE_TEXT_REST, "d") == 1,
	      "contains searches in the rest");
	CHECK(IS(54, 0, "") == 0 && IS(54, not, "x") == 0,
	      "a text beyond the event neither matches nor differs");
}

/* Whether the data of this text starts with @text */
static int text_is(const char *in_data, const char *text)
{
	struct program p = PROGRAM({ EVNTRACE_OP_TEXT_IS, .jump = 1 }, PASS,
				   REFUSE);

	p.i[0].value = LEN(3) | (u64)strlen(text) << 32;
	memcpy(&p.i[3], text, strlen(text));
	p.p.size += strlen(text);
	return run_on(&p, in_data, strlen(in_data) + 1);
}

static void test_letters(void)
{
	static const char upper[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
	static const char lower[] = "abcdefghijklmnopqrstuvwxyz";

	CHECK(text_is(upper, lower) == 1 && text_is(lower, upper) == 1,
	      "letters from A to Z are the same in either case");
	CHECK(text_is("@", "`") == 0 && text_is("[", "{") == 0 &&
	      text_is("{", "[") == 0 && text_is("`", "@") == 0,
	      "characters beside A and Z have no case");
}

static void test_texts_16(void)
{
	struct program p = PROGRAM({ EVNTRACE_OP_MOVE, .arg = 16 },
		{ EVNTRACE_OP_TEXT_IS, EVNTRACE_TEXT_16, 4, 0,
		  LEN(8) | 6ull << 32 },
		{ EVNTRACE_OP_MOVE_TEXT, EVNTRACE_TEXT_16, 3 },
		{ EVNTRACE_OP_MOVE_TEXT, EVNTRACE_TEXT_8, 2 },
		{ EVNTRACE_OP_TEXT_CONTAINS,
		  EVNTRACE_TEXT_16 | EVNTRACE_TEXT_COUNTED, 1, 0,
		  (LEN(8) + 6) | 2ull << 32 },
		PASS, REFUSE, REFUSE);

	memcpy(&p.i[8], "h\0E\0y\0b\0", 8);
	p.p.size += 8;
	CHECK(run_on(&p, data, sizeof(data)) == 1, "UTF-16, and its lengths");
	p.i[4].value = (LEN(8) + 4) | 2ull << 32;
	CHECK(run_on(&p, data, sizeof(data)) == 0,
	      "another letter does not match");
	p.i[1].how |= EVNTRACE_TEXT_NOT;
	CHECK(run_on(&p, data, sizeof(data)) == 0,
	      "a negated text does not match itself");
}

static void test_moves(void)
{
	struct program p = PROGRAM({ EVNTRACE_OP_LOAD, EVNTRACE_NUMBER_2, 9, 28, 3 },
		{ EVNTRACE_OP_AT, .arg = 30, .jump = 8 },
		{ EVNTRACE_OP_MOVE_BY, .how = 3, .arg = 1, .jump = 7 },
		{ EVNTRACE_OP_MOVE_SID, .jump = 6 },
		{ EVNTRACE_OP_COMPARE, EQUAL, 5, 0, 'e' },
		{ EVNTRACE_OP_AT, .arg = 10, .jump = 4 },
		{ EVNTRACE_OP_MOVE_POINTERS, .arg = 5, .jump = 3 },
		{ EVNTRACE_OP_COMPARE, EQUAL, 2, 1, 'n' },
		PASS, { EVNTRACE_OP_JUMP }, REFUSE);

	CHECK(run_on(&p, data, sizeof(data)) == 1, "a count, a SID, pointers");
	p.i[0].value = 2;
	CHECK(run_on(&p, data, sizeof(data)) == 0, "an unused register is 0");
	p.i[0].value = 3;
	p.i[2].arg = 0xffffffff;
	CHECK(run_on(&p, data, sizeof(data)) == 0,
	      "a move beyond the event does not match");
}

/* Twice the number is 2 modulo 2^64 */
static void test_move_that_overflows(void)
{
	static const u8 far[] = { 1, 0, 0, 0, 0, 0, 0, 0x80 };
	static const u8 near[] = { 1, 0, 0, 0, 0, 0, 0, 0 };
	struct program p = PROGRAM({ EVNTRACE_OP_LOAD, EVNTRACE_NUMBER_8, 2 },
		{ EVNTRACE_OP_MOVE_BY, .arg = 2, .jump = 1 }, PASS, REFUSE);

	CHECK(run_on(&p, near, sizeof(near)) == 1, "a move within the data");
	CHECK(run_on(&p, far, sizeof(far)) == 0,
	      "a move beyond 64 bits does not end within the data");
}

/*
 * A program that passes a text of @chars characters twice: whether both are
 * within the limit of characters to examine.
 */
static int looks_twice(u32 chars)
{
	static u8 long_text[EVNTRACE_MAX_CHARACTERS];
	struct program p = PROGRAM({ EVNTRACE_OP_MOVE_TEXT, .jump = 3 },
		{ EVNTRACE_OP_AT, .jump = 2 },
		{ EVNTRACE_OP_MOVE_TEXT, .jump = 1 }, PASS, REFUSE);

	memset(long_text, 'a', chars);
	long_text[chars] = 0;
	return run_on(&p, long_text, chars + 1);
}

static void test_budget(void)
{
	const u32 half = EVNTRACE_MAX_CHARACTERS / 2;
	static u8 big[60000];
	struct program never = PROGRAM({ EVNTRACE_OP_TEXT_CONTAINS,
		  EVNTRACE_TEXT_REST | EVNTRACE_TEXT_NOT, 1, 0,
		  LEN(3) | 16ull << 32 }, PASS, REFUSE);

	CHECK(looks_twice(half) == 1 && looks_twice(half + 1) == 0,
	      "characters that are passed in looking for a nul are counted");
	memset(big, 'a', sizeof(big));
	memset(&never.i[3], 'a', 16);
	((u8 *)&never.i[3])[15] = 'b';
	never.p.size += 16;
	CHECK(run_on(&never, big, 4000) == 1 &&
	      run_on(&never, big, sizeof(big)) == 0,
	      "a text that was not looked for up to the end is not missing");
}

/* Two conditions on the same text of four characters, with many behind it */
static void test_budget_of_fixed_texts(void)
{
	static u8 big[60000];
	struct program p = PROGRAM({ EVNTRACE_OP_TEXT_IS, EVNTRACE_TEXT_FIXED,
		  2, 4, LEN(4) | 4ull << 32 },
		{ EVNTRACE_OP_TEXT_IS, EVNTRACE_TEXT_FIXED, 1, 4,
		  LEN(4) | 4ull << 32 }, PASS, REFUSE);

	memset(big, 'a', sizeof(big));
	memset(&p.i[4], 'a', 4);
	p.p.size += 4;
	CHECK(run_on(&p, big, sizeof(big)) == 1,
	      "characters behind a text of fixed length are not counted");
}

/* The cost of texts is bounded; beyond the limit, no condition holds */
static void test_bound(void)
{
	static u8 big[60000];
	struct program p = PROGRAM({ EVNTRACE_OP_TEXT_CONTAINS,
		  EVNTRACE_TEXT_REST, 1, 0, LEN(4) | 16ull << 32 },
		REFUSE,
		{ EVNTRACE_OP_TEXT_IS, EVNTRACE_TEXT_FIXED | EVNTRACE_TEXT_NOT,
		  0, 1, LEN(4) | 1ull << 32 },
		PASS);

	memset(big, 'a', sizeof(big));
	memset(&p.i[4], 'a', 16);
	((u8 *)&p.i[4])[15] = 'b';
	p.p.size += 16;
	p.i[2].jump = 0;
	fills = 0;
	CHECK(run_on(&p, big, sizeof(big)) == 1 && fills < 10000,
	      "a search gives up, after %u windows", fills);
	big[sizeof(big) - 1] = 'b';
	CHECK(run_on(&p, big, 4000) == 1, "a text is not found in 4000 bytes");
	CHECK(run_on(&p, big + 58000, 2000) == 0, "found at the end of 2000");
	fills = 0;
	fail_at = 2;
	CHECK(run_on(&p, big + 58000, 2000) == -EFAULT,
	      "an unreadable text is EFAULT");
	fail_at = 0;
}

static unsigned int seed = 1;

static unsigned int pick(unsigned int n)
{
	return rand_r(&seed) / 16 % n;
}

/* Bits of @how that an instruction may have, and whether it has an argument */
static const struct {
	u8 how;
	bool arg;
} takes[] = {
	[EVNTRACE_OP_AT] = { 0, true },
	[EVNTRACE_OP_MOVE] = { 0, true },
	[EVNTRACE_OP_MOVE_BY] = { 7, true },
	[EVNTRACE_OP_MOVE_POINTERS] = { 0, true },
	[EVNTRACE_OP_MOVE_TEXT] = { 0x0f, false },
	[EVNTRACE_OP_LOAD] = { 0x30, true },
	[EVNTRACE_OP_COMPARE] = { 0x3f, true },
	[EVNTRACE_OP_MULTIPLE] = { 0x38, true },
	[EVNTRACE_OP_TEXT_IS] = { 0x1f, false },
	[EVNTRACE_OP_TEXT_CONTAINS] = { 0x1f, false },
};

static struct evntrace_instruction random_instruction(u16 longest_jump)
{
	struct evntrace_instruction i = {
		.op = 1 + pick(13), .jump = pick(longest_jump + 1)
	};

	i.how = pick(256) & takes[i.op].how;
	if (takes[i.op].arg || pick(8) == 0)
		i.arg = pick(40);
	else if ((i.how & 0xe) == EVNTRACE_TEXT_FIXED ||
		 (i.how & 0xe) == EVNTRACE_TEXT_REGISTER)
		i.arg = pick(8);
	if (i.op >= EVNTRACE_OP_TEXT_IS)
		i.value = (LEN(8) + pick(8) * 2) | (u64)pick(4) << 33;
	else if (i.op >= EVNTRACE_OP_LOAD)
		i.value = pick(8);
	return i;
}

/* Programs of random instructions, many of which are accepted */
static void test_random(void)
{
	unsigned int n, k, good = 0, passed = 0;
	static u8 random_data[3000];
	struct program p;
	int result;

	for (n = 0; n < sizeof(random_data); n++)
		random_data[n] = pick(n % 3 ? 256 : 3);
	for (n = 0; n < 100000; n++) {
		memset(&p, 0, sizeof(p));
		p.p = (struct evntrace_program) { LEN(8) + 64, 1, 8 };
		for (k = 0; k < 7; k++)
			p.i[k] = random_instruction(6 - k);
		p.i[7].arg = pick(2);
		memcpy(&p.i[8], random_data + pick(100), 64);
		result = run_on(&p, random_data, pick(sizeof(random_data)));
		good += result >= 0;
		passed += result > 0;
	}
	CHECK(good > n / 10 && passed > n / 100, "%u of %u are programs", good,
	      n);
}

/* Match an event's name that begins @at bytes from the start, after tags */
static bool name_passes(const char *names, u32 len, u16 count, const char *name,
			u32 at, u32 cut)
{
	static u8 metadata[2000], filter[4096] __attribute__((aligned(8)));
	struct evnt_names *n;
	struct evnt_reader r;
	bool pass;

	memset(filter, 0, 20);
	filter[17] = 1;
	memcpy(filter + 18, &count, sizeof(count));
	memcpy(filter + 20, names, len);
	if (evnt_names_create(&n, filter, 20 + len))
		return false;
	memset(metadata, 0x80, sizeof(metadata));
	metadata[at - 1] = 1;
	memcpy(metadata + at, name, strlen(name) + 1);
	read_from(&r, metadata, at + strlen(name) + 1 - cut);
	pass = evnt_names_pass(n, 4, 1, &r);
	evnt_free(n);
	return pass;
}

static void test_names(void)
{
	static char name[600], names[1300];
	u32 at, i, passed = 0, others = 0;

	for (i = 0; i < sizeof(name) - 1; i++)
		name[i] = 'a' + i % 26;
	strcpy(names, "abc");
	memcpy(names + 4, name, strlen(name) + 1);
	memcpy(names + 604, name, 599);
	names[604 + 598] = 0;
	for (at = 3; at < 600; at += 7) {
		passed += name_passes(names, 604 + 599, 3, name, at, 0);
		name[598] ^= 1;
		others += name_passes(names, 604 + 599, 3, name, at, 0);
		name[598] ^= 1;
	}
	CHECK(passed == 86 && !others, "long names, wherever they begin");
	CHECK(!name_passes("abc", 4, 1, "abc", 3, 1),
	      "a name without its nul does not match");
	CHECK(!name_passes("abc", 4, 1, "abc", 3, 4),
	      "an empty name does not match");
	CHECK(!name_passes("abc", 4, 1, "ab", 3, 0) &&
	      !name_passes("abc", 4, 1, "abcd", 3, 0) &&
	      name_passes("abc", 4, 1, "abc", 6, 0), "a name, not its part");
}

static int names_error(const char *names, u32 len, u16 count)
{
	u8 filter[64] __attribute__((aligned(8))) = {};
	struct evnt_names *n = NULL;
	int err;

	memcpy(filter + 18, &count, sizeof(count));
	memcpy(filter + 20, names, len);
	err = evnt_names_create(&n, filter, 20 + len);
	evnt_free(n);
	return err;
}

static void test_malformed_names(void)
{
	CHECK(!names_error("a\0b", 4, 2) && !names_error("", 0, 0),
	      "names that end with the filter, or none");
	CHECK(names_error("ab", 2, 1) == -EINVAL &&
	      names_error("a\0b", 3, 2) == -EINVAL &&
	      names_error("a\0b", 4, 3) == -EINVAL &&
	      names_error("", 0, 1) == -EINVAL,
	      "a name that does not end is refused");
}

/* A filter of @count ids, from 5 in steps of 1000; its result, or the error */
static int ids_pass(u32 count, u32 room, u16 id)
{
	u16 filter[2 + 65] __attribute__((aligned(8))) = { 1, count };
	struct evnt_ids *ids;
	u32 i;
	int err;

	for (i = 0; i < room; i++)
		filter[2 + i] = 5 + i * 1000;
	err = evnt_ids_create(&ids, filter, 4 + 2 * room);
	if (err)
		return err;
	err = evnt_ids_pass(ids, id);
	evnt_free(ids);
	return err;
}

static void test_ids(void)
{
	CHECK(ids_pass(64, 64, 5) == 1 && ids_pass(64, 64, 63005) == 1 &&
	      ids_pass(64, 64, 6) == 0, "a filter of 64 ids");
	CHECK(ids_pass(65, 65, 5) == -EINVAL, "a filter of 65 ids is refused");
	CHECK(ids_pass(63, 64, 63005) == 0 && ids_pass(64, 63, 5) == -EINVAL,
	      "ids are as many as are counted, and are there");
}

static bool level_kw_passes(u64 any, u64 all, u64 keyword)
{
	const struct {
		u64 any, all;
		u8 level, in;
	} filter = { any, all, 4, 1 };
	struct evnt_level_kw *kw;
	bool pass;

	if (evnt_level_kw_create(&kw, &filter, 18))
		return false;
	pass = evnt_level_kw_pass(kw, 4, keyword);
	evnt_free(kw);
	return pass;
}

static void test_level_kw(void)
{
	CHECK(level_kw_passes(1, 6, 7) && !level_kw_passes(1, 6, 3),
	      "keywords that are all demanded");
	CHECK(level_kw_passes(0, 6, 1),
	      "no keyword is required when any keyword will do");
}

static const struct {
	const char *cgroup, *id, *app;
} packages[] = {
	{ "/", NULL, NULL },
	{ "", NULL, NULL },
	{ "/user.slice/user-1000.slice", NULL, NULL },
	{ "/system.slice/nginx.service", "nginx.service", "nginx.service" },
	{ "/system.slice/nginx.service/worker/2", "nginx.service",
	  "nginx.service" },
	{ "/system.slice/docker-0123456789abcdef.scope",
	  "docker-0123456789abcdef.scope", "docker-0123456789abcdef.scope" },
	{ "/user.slice/user-1.slice/user@1.service/app.slice/a.scope",
	  "a.scope", "a.scope" },
	{ "/a/snap.firefox.firefox-0123abcd-0123-4567-89ab-0123456789ab.scope",
	  "firefox", "firefox.firefox" },
	{ "/a/snap.fire-fox.app-x.0123abcd-0123-4567-89ab-0123456789ab.scope",
	  "fire-fox", "fire-fox.app-x" },
	{ "/system.slice/snap.lxd.daemon.service", "lxd", "lxd.daemon" },
	{ "/system.slice/snap.lxd.x-0123abcd.service", "lxd",
	  "lxd.x-0123abcd" },
	{ "/snap..x.service", "snap..x.service", "snap..x.service" },
	{ "/snap.service", "snap.service", "snap.service" },
	{ "/app.slice/app-flatpak-org.gimp.GIMP-1234.scope", "org.gimp.GIMP",
	  "org.gimp.GIMP" },
	{ "/app-flatpak-org.a\\x2db.C-1.scope", "org.a-b.C", "org.a-b.C" },
	{ "/app-flatpak-.scope", ".scope", ".scope" },
	{ "/.service", NULL, NULL },
};

static void test_packages(void)
{
	struct evnt_package p;
	char path[600];
	size_t i;
	bool is;

	for (i = 0; i < sizeof(packages) / sizeof(*packages); i++) {
		is = evnt_package_parse(&p, packages[i].cgroup);
		CHECK(is == !!packages[i].id &&
		      (!is || (!strcmp(p.id, packages[i].id) &&
			       !strcmp(p.app, packages[i].app))),
		      "'%s' is of %s", packages[i].cgroup,
		      is ? p.app : "nothing");
	}
	memset(path, 'x', sizeof(path));
	memcpy(path + 500, ".service", sizeof(".service"));
	CHECK(!evnt_package_parse(&p, path),
	      "a name that is too long is refused");
}

int main(void)
{
	test_forged();
	test_operands();
	test_numbers();
	test_texts();
	test_letters();
	test_texts_16();
	test_moves();
	test_move_that_overflows();
	test_bound();
	test_budget();
	test_budget_of_fixed_texts();
	test_random();
	test_names();
	test_malformed_names();
	test_ids();
	test_level_kw();
	test_packages();
	return tap_end();
}
