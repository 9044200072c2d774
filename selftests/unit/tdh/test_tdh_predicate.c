// SPDX-License-Identifier: MIT
/*
 * Payload filters: conditions compiled to programs, run on data and compared
 * with a plain evaluator of the same values.
 */
#include "core/program.h"
#include "tdh/predicate.h"
#include "selftests/unit/common/tap.h"

static const u8 *memory;

int evnt_reader_fill(struct evnt_reader *r)
{
	memcpy(r->bytes, memory + r->start, r->len);
	return 0;
}

#define FIELD(n, type, ...)	{ .name = n, .in = TDH_INTYPE_##type, \
				  __VA_ARGS__ }

/* A field of each kind, some before and some after variable ones */
static const struct property fields[] = {
	FIELD("I8", INT8), FIELD("U8", UINT8),
	FIELD("I16", INT16), FIELD("U16", UINT16),
	FIELD("I32", INT32), FIELD("U32", UINT32),
	FIELD("I64", INT64), FIELD("U64", UINT64),
	FIELD("Time", FILETIME), FIELD("Hex", HEXINT32),
	FIELD("Hex64", HEXINT64), FIELD("Bool", BOOLEAN),
	FIELD("Guid", GUID), FIELD("Float", FLOAT),
	FIELD("Wide", UNICODESTRING), FIELD("Ansi", ANSISTRING),
	FIELD("Len", UINT16),					/* 16 */
	FIELD("Fixed", UNICODESTRING, .length = 6),
	FIELD("Sized", ANSISTRING, .length = 16, .flags = PropertyParamLength),
	FIELD("Bytes", BINARY, .length = 16, .flags = PropertyParamLength),
	FIELD("Numbers", UINT32, .count = 16, .flags = PropertyParamCount),
	FIELD("Three", UINT16, .count = 3),
	FIELD("Pointer", POINTER), FIELD("Sid", SID),
	FIELD("Counted", MANIFEST_COUNTEDSTRING),
	FIELD("CountedAnsi", MANIFEST_COUNTEDANSISTRING),
	{ .name = "Pair", .flags = PropertyStruct, .in = 30, .out = 2 },
	{ .name = "Pairs", .flags = PropertyStruct, .in = 30, .out = 2,
	  .count = 2 },
	FIELD("Last", INT32),					/* 28 */
	FIELD("Rest", NONNULLTERMINATEDSTRING),
	FIELD("A", UINT16), FIELD("Text", ANSISTRING),		/* 30 */
};

static const struct event_info info = {
	.descriptor = { .Id = 7, .Version = 2 },
	.properties = fields, .count = 32, .top_level = 30,
};

static const struct evnt_program_event event = { 7 | 2 << 16, 8 };

/* Data of such an event, and its values */
struct data {
	u8 bytes[2048];
	u32 len;
	u64 number[12];		/* the first fields' values */
	u64 a;
	s32 last;
	char text[8][64];	/* values of the text fields, in order */
};

static const char *const text_fields[] = {
	"Wide", "Ansi", "Fixed", "Sized", "Counted", "CountedAnsi", "Pair.Text",
	"Rest",
};

static unsigned int seed = 1;

static unsigned int pick(unsigned int n)
{
	return rand_r(&seed) / 16 % n;
}

static void put(struct data *d, u64 value, u32 len)
{
	memcpy(d->bytes + d->len, &value, len);
	d->len += len;
}

static void put_text(struct data *d, const char *text, u32 len, bool wide)
{
	u32 i;

	for (i = 0; i < len; i++)
		put(d, i < strlen(text) ? text[i] : 0, 1 + wide);
}

static void random_text(char *to, u32 longest)
{
	static const char letters[] = "abAB.";
	u32 i, len = pick(longest + 1);

	for (i = 0; i < len; i++)
		to[i] = letters[pick(5)];
	to[i] = 0;
}

static u64 random_number(u32 bits, bool is_signed)
{
	u64 n = pick(3) ? pick(8) : (u64)pick(1 << 24) << pick(41);

	if (is_signed && pick(2))
		n = -n;
	n <<= 64 - bits;
	return is_signed ? (u64)((s64)n >> (64 - bits)) : n >> (64 - bits);
}

static struct data random_data(void)
{
	static const u8 bits[] = { 8, 8, 16, 16, 32, 32, 64, 64, 64, 32, 64,
				   32 };
	struct data d = { .len = 0 };
	u32 i, len;

	for (i = 0; i < 12; i++) {
		d.number[i] = random_number(bits[i], i < 8 && i % 2 == 0);
		put(&d, d.number[i], bits[i] / 8);
	}
	put(&d, pick(2), 8);
	put(&d, pick(2), 8);
	put(&d, 0, 4);
	for (i = 0; i < 8; i++)
		random_text(d.text[i], i == 2 ? 6 : 5);
	put_text(&d, d.text[0], strlen(d.text[0]) + 1, true);
	put_text(&d, d.text[1], strlen(d.text[1]) + 1, false);
	len = strlen(d.text[3]) + pick(2);
	put(&d, len, 2);
	put_text(&d, d.text[2], 6, true);
	put_text(&d, d.text[3], len, false);
	put_text(&d, "", len, false);
	for (i = 0; i < len; i++)
		put(&d, i, 4);
	put(&d, 0, 6);
	put(&d, 0, 8);
	put(&d, 1 | 1 << 8, 8);
	put(&d, 0, 4);
	put(&d, 2 * strlen(d.text[4]), 2);
	put_text(&d, d.text[4], strlen(d.text[4]), true);
	put(&d, strlen(d.text[5]), 2);
	put_text(&d, d.text[5], strlen(d.text[5]), false);
	d.a = pick(4);
	for (i = 0; i < 3; i++) {
		put(&d, i ? 99 : d.a, 2);
		put_text(&d, i ? "other" : d.text[6],
			 strlen(i ? "other" : d.text[6]) + 1, false);
	}
	d.last = random_number(32, true);
	put(&d, (u32)d.last, 4);
	put_text(&d, d.text[7], strlen(d.text[7]), true);
	return d;
}

/* A condition, and what the evaluator needs to know about it */
struct condition {
	struct predicate p;
	int text;		/* index in text_fields, or -1 */
	int number;		/* index of a first field, or -1: "Last" */
	u64 n[2];
	char value[64];
	char field[16];
};

static struct condition random_condition(void)
{
	static const u16 text_ops[] = {
		PAYLOADFIELD_IS, PAYLOADFIELD_ISNOT, PAYLOADFIELD_CONTAINS,
		PAYLOADFIELD_DOESNTCONTAIN,
	};
	struct condition c = { .text = -1, .number = -1 };
	bool is_signed;
	u32 bits;

	if (pick(2)) {
		c.text = pick(8);
		snprintf(c.field, sizeof(c.field), "%s",
			 text_fields[c.text]);
		c.p.op = text_ops[pick(4)];
		random_text(c.value, pick(3) ? 2 : 5);
		return c;
	}
	c.number = (int)pick(12) - 1;
	snprintf(c.field, sizeof(c.field), "%s",
		 c.number < 0 ? "Last" : fields[c.number].name);
	is_signed = c.number < 0 || (c.number < 8 && c.number % 2 == 0);
	bits = c.number < 0 || c.number == 9 ? 32 :
	       c.number > 7 ? 64 : 8u << c.number / 2;
	c.p.op = pick(9);
	c.n[0] = random_number(bits, is_signed);
	c.n[1] = random_number(bits, is_signed);
	if (c.p.op == PAYLOADFIELD_MODULO && !c.n[0])
		c.n[0] = 3;
	if (c.p.op == PAYLOADFIELD_BETWEEN || c.p.op == PAYLOADFIELD_NOTBETWEEN)
		sprintf(c.value, is_signed ? "%lld,%lld" : "%llu , 0x%llx",
			(long long)c.n[0], (long long)c.n[1]);
	else
		sprintf(c.value, is_signed ? "%lld" : "%llu",
			(long long)c.n[0]);
	return c;
}

static void fold(char *text)
{
	for (; *text; text++) {
		if (*text >= 'A' && *text <= 'Z')
			*text += 'a' - 'A';
	}
}

static int order(bool is_signed, u64 a, u64 b)
{
	if (is_signed)
		return ((s64)a > (s64)b) - ((s64)a < (s64)b);
	return (a > b) - (a < b);
}

/* Reference evaluator: whether a condition holds */
static bool holds(const struct condition *c, const struct data *d)
{
	bool is_signed = c->number < 0 ||
			 (c->number < 8 && c->number % 2 == 0);
	u64 n = c->number < 0 ? (u64)(s64)d->last : d->number[c->number];
	char text[64], value[64];
	int low, high;

	if (c->text >= 0) {
		snprintf(text, sizeof(text), "%s", d->text[c->text]);
		snprintf(value, sizeof(value), "%s", c->value);
		fold(text);
		fold(value);
		switch (c->p.op) {
		case PAYLOADFIELD_IS:
			return !strcmp(text, value);
		case PAYLOADFIELD_ISNOT:
			return strcmp(text, value);
		case PAYLOADFIELD_CONTAINS:
			return strstr(text, value);
		}
		return !strstr(text, value);
	}
	low = order(is_signed, n, c->n[0]);
	high = order(is_signed, n, c->n[1]);
	switch (c->p.op) {
	case PAYLOADFIELD_EQ:
		return low == 0;
	case PAYLOADFIELD_NE:
		return low != 0;
	case PAYLOADFIELD_LE:
		return low <= 0;
	case PAYLOADFIELD_GT:
		return low > 0;
	case PAYLOADFIELD_LT:
		return low < 0;
	case PAYLOADFIELD_GE:
		return low >= 0;
	case PAYLOADFIELD_BETWEEN:
		return low >= 0 && high <= 0;
	case PAYLOADFIELD_NOTBETWEEN:
		return low < 0 || high > 0;
	}
	return is_signed ? (s64)n % (s64)c->n[0] == 0 : n % c->n[0] == 0;
}

static int run(const struct bytes *b, const struct evnt_program_event *e,
	       const struct data *d)
{
	struct evntrace_program *p;
	struct evnt_reader r;
	int passes;

	if (evnt_program_create(&p, b->data, b->len))
		return -1;
	memory = d->bytes;
	evnt_reader_init(&r, d->len);
	passes = evnt_program_run(p, e, &r);
	evnt_free(p);
	return passes;
}

/* Make a filter of @count conditions, and its expected result */
static bool make_filter(struct bytes *b, struct condition *c, u32 count,
			bool any)
{
	struct predicate p[MAX_PREDICATES];
	u32 i;

	for (i = 0; i < count; i++) {
		c[i].p.field = c[i].field;
		c[i].p.value = c[i].value;
		p[i] = c[i].p;
	}
	*b = (struct bytes) { 0 };
	return !predicates_compile(b, &info, p, count, any);
}

static bool expected(const struct condition *c, u32 count, bool any,
		     const struct data *d)
{
	u32 i;

	for (i = 0; i < count; i++) {
		if (holds(&c[i], d) == any)
			return any;
	}
	return !any;
}

#define CASES	10000

static void test_random(void)
{
	u32 i, n, count, wrong = 0, passed = 0, failed = 0;
	struct condition c[MAX_PREDICATES];
	struct bytes b;
	struct data d;
	bool any;

	for (n = 0; n < CASES; n++) {
		count = 1 + pick(MAX_PREDICATES) * !pick(2);
		if (count > MAX_PREDICATES)
			count = MAX_PREDICATES;
		any = pick(2);
		for (i = 0; i < count; i++)
			c[i] = random_condition();
		d = random_data();
		if (!make_filter(&b, c, count, any)) {
			failed++;
		} else {
			wrong += run(&b, &event, &d) !=
				 expected(c, count, any, &d);
			passed += expected(c, count, any, &d);
		}
		bytes_free(&b);
	}
	CHECK(!wrong && !failed, "%u cases: %u wrong, %u not compiled", n,
	      wrong, failed);
	CHECK(passed > CASES / 5 && passed < CASES * 4 / 5,
	      "%u predicates passed",
	      passed);
}

/* Several filters of the event, some of which must pass, and one of another */
static void test_join(void)
{
	const struct evnt_program_event other = { 8, 8 };
	const struct evntrace_program *p[4];
	u32 i, n, count, wrong = 0;
	struct condition c[4];
	struct bytes b[4], joined;
	bool all[4], flags, must, some, enough;
	struct data d;

	for (n = 0; n < CASES / 10; n++) {
		count = 1 + pick(4);
		flags = pick(4);
		d = random_data();
		must = true, some = false, enough = false;
		for (i = 0; i < count; i++) {
			c[i] = random_condition();
			wrong += !make_filter(&b[i], &c[i], 1, pick(2));
			p[i] = (void *)b[i].data;
			all[i] = pick(2);
			if (flags && all[i])
				must &= holds(&c[i], &d);
			else
				some = true, enough |= holds(&c[i], &d);
		}
		joined = (struct bytes) { 0 };
		wrong += !!programs_join(&joined, p, flags ? all : NULL, count);
		wrong += run(&joined, &event, &d) !=
			 (must && (!some || enough));
		wrong += run(&joined, &other, &d) != 1;
		bytes_free(&joined);
		for (i = 0; i < count; i++)
			bytes_free(&b[i]);
	}
	CHECK(!wrong, "%u joined filters, %u wrong", n, wrong);
}

static ULONG compile(const char *field, u16 op, const char *value)
{
	const struct predicate p = { field, op, value };
	struct bytes b = { 0 };
	ULONG code = predicates_compile(&b, &info, &p, 1, false);

	bytes_free(&b);
	return code;
}

static void test_errors(void)
{
	static const struct {
		const char *field, *value;
		u16 op;
		ULONG code;
	} wrong[] = {
		{ "I32", "5", PAYLOADFIELD_EQ, 0 },
		{ "i32", "5", PAYLOADFIELD_EQ, ERROR_NOT_FOUND },
		{ "Nothing", "5", PAYLOADFIELD_EQ, ERROR_NOT_FOUND },
		{ "I32.A", "5", PAYLOADFIELD_EQ, ERROR_NOT_FOUND },
		{ "Pair", "5", PAYLOADFIELD_EQ, 87 },
		{ "Pair.A", "5", PAYLOADFIELD_EQ, 0 },
		{ "Pair.B", "5", PAYLOADFIELD_EQ, ERROR_NOT_FOUND },
		{ "Pairs.A", "5", PAYLOADFIELD_EQ, ERROR_NOT_SUPPORTED },
		{ "Three", "5", PAYLOADFIELD_EQ, ERROR_NOT_SUPPORTED },
		{ "Numbers", "5", PAYLOADFIELD_EQ, ERROR_NOT_SUPPORTED },
		{ "I32", "5", PAYLOADFIELD_CONTAINS, 87 },
		{ "I32", "5", PAYLOADFIELD_IS, 87 },
		{ "I32", "5", PAYLOADFIELD_INVALID, 87 },
		{ "I32", "5", 9, 87 },
		{ "I32", "", PAYLOADFIELD_EQ, 87 },
		{ "I32", "x", PAYLOADFIELD_EQ, 87 },
		{ "I32", "5x", PAYLOADFIELD_EQ, 87 },
		{ "I32", "5,6", PAYLOADFIELD_EQ, 87 },
		{ "I32", "5", PAYLOADFIELD_BETWEEN, 87 },
		{ "I32", "5,6,7", PAYLOADFIELD_BETWEEN, 87 },
		{ "I32", "0", PAYLOADFIELD_MODULO, 87 },
		{ "I32", "2147483647", PAYLOADFIELD_EQ, 0 },
		{ "I32", "2147483648", PAYLOADFIELD_EQ, 87 },
		{ "I32", "-2147483648", PAYLOADFIELD_EQ, 0 },
		{ "I32", "-2147483649", PAYLOADFIELD_EQ, 87 },
		{ "I32", "+5", PAYLOADFIELD_EQ, 87 },
		{ "U8", "-1", PAYLOADFIELD_EQ, 87 },
		{ "U64", "-1", PAYLOADFIELD_EQ, 87 },
		{ "U8", "256", PAYLOADFIELD_EQ, 87 },
		{ "U8", "0xff", PAYLOADFIELD_EQ, 0 },
		{ "U64", "18446744073709551615", PAYLOADFIELD_EQ, 0 },
		{ "U64", "18446744073709551616", PAYLOADFIELD_EQ, 87 },
		{ "Float", "1", PAYLOADFIELD_EQ, 87 },
		{ "Bytes", "1", PAYLOADFIELD_IS, 87 },
		{ "Pointer", "1", PAYLOADFIELD_EQ, 87 },
		{ "Sid", "S-1-1-0", PAYLOADFIELD_IS, 87 },
		{ "Wide", "x", PAYLOADFIELD_EQ, 87 },
		{ "Bool", "TRUE", PAYLOADFIELD_IS, 0 },
		{ "Bool", "maybe", PAYLOADFIELD_IS, 87 },
		{ "Bool", "1", PAYLOADFIELD_GT, 87 },
		{ "Guid", "{00000001-0002-0003-0405-060708090a0B}",
		  PAYLOADFIELD_IS, 0 },
		{ "Guid", "00000001-0002-0003-0405-060708090a0b",
		  PAYLOADFIELD_IS, 87 },
		{ "Guid", "{00000001-0002-0003-0405-060708090a0g}",
		  PAYLOADFIELD_IS, 87 },
		{ "Guid", "{00000001-0002-0003-0405-060708090a0b}",
		  PAYLOADFIELD_EQ, 87 },
		{ NULL, "1", PAYLOADFIELD_EQ, 87 },
		{ "I32", NULL, PAYLOADFIELD_EQ, 87 },
	};
	const struct predicate p[9] = { { "I32", PAYLOADFIELD_EQ, "1" } };
	char text[5000];
	struct bytes b = { 0 };
	ULONG code;
	size_t i;

	for (i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		code = compile(wrong[i].field, wrong[i].op, wrong[i].value);
		CHECK(code == wrong[i].code, "condition %zu: %s", i,
		      wrong[i].field ?: "no field");
	}
	CHECK(predicates_compile(&b, &info, p, 0, false) == 87,
	      "zero conditions are refused");
	CHECK(predicates_compile(&b, &info, p, 9, false) == 87,
	      "nine conditions are refused");
	CHECK(programs_join(&b, NULL, NULL, 0) == 87,
	      "zero programs are refused");
	memset(text, 'x', sizeof(text) - 1);
	text[sizeof(text) - 1] = 0;
	CHECK(compile("Wide", PAYLOADFIELD_IS, text) ==
	      ERROR_INSUFFICIENT_BUFFER, "a text that is too long is refused");
	text[1900] = 0;
	CHECK(!compile("Wide", PAYLOADFIELD_IS, text),
	      "a long text is accepted");
}

/* Check a condition on a number after @size bytes, all of which are 2 */
static void check_behind(const char *what, const struct property *properties,
			 u32 count, u32 top_level, u32 size)
{
	const struct event_info behind = {
		.descriptor = { .Id = 7, .Version = 2 },
		.properties = properties, .count = count,
		.top_level = top_level,
	};
	const struct predicate p = { "Last", PAYLOADFIELD_EQ, "7" };
	struct data d = { .len = size };
	struct bytes b = { 0 };

	memset(d.bytes, 2, sizeof(d.bytes));
	put(&d, 7, 4);
	CHECK(!predicates_compile(&b, &behind, &p, 1, false) &&
	      run(&b, &event, &d) == 1, "a number behind %s", what);
	d.bytes[size] = 8;
	CHECK(run(&b, &event, &d) == 0,
	      "a different number behind %s does not match", what);
	bytes_free(&b);
}

static void test_behind(void)
{
	static const struct property systemtime[] = {
		FIELD("Time", SYSTEMTIME), FIELD("Last", INT32),
	};
	static const struct property address[] = {
		FIELD("Address", BINARY, .out = TDH_OUTTYPE_IPV6),
		FIELD("Last", INT32),
	};
	static const struct property addresses[] = {
		FIELD("Count", UINT8),
		FIELD("Addresses", BINARY, .out = TDH_OUTTYPE_IPV6, .count = 0,
		      .flags = PropertyParamCount),
		FIELD("Last", INT32),
	};
	static const struct property array[] = {
		{ .name = "Pair", .flags = PropertyStruct, .in = 2, .out = 2,
		  .count = 2 },
		FIELD("Last", INT32), FIELD("Three", UINT16, .count = 3),
		FIELD("One", UINT8),
	};

	check_behind("a SYSTEMTIME", systemtime, 2, 2, 16);
	check_behind("an IPv6 address without a length", address, 2, 2, 16);
	check_behind("two such addresses", addresses, 3, 3, 1 + 2 * 16);
	check_behind("structs with an array", array, 4, 2, 2 * (3 * 2 + 1));
}

/* A text that ends with the data, in bytes and in UTF-16 */
static void check_rest(const char *what, const struct property *rest, u32 size)
{
	const struct event_info only = {
		.descriptor = { .Id = 7, .Version = 2 },
		.properties = rest, .count = 1, .top_level = 1,
	};
	const struct predicate p = { "Rest", PAYLOADFIELD_IS, "ab" };
	struct data d = { .len = 0 };
	struct bytes b = { 0 };

	put(&d, 'a', size);
	put(&d, 'b', size);
	CHECK(!predicates_compile(&b, &only, &p, 1, false) &&
	      run(&b, &event, &d) == 1, "%s ends with the data", what);
	put(&d, 'c', size);
	CHECK(run(&b, &event, &d) == 0, "%s does not end before it", what);
	bytes_free(&b);
}

static void test_rest(void)
{
	static const struct property ansi =
		FIELD("Rest", NONNULLTERMINATEDANSISTRING);
	static const struct property wide =
		FIELD("Rest", NONNULLTERMINATEDSTRING);

	check_rest("a text of bytes", &ansi, 1);
	check_rest("a text of UTF-16", &wide, 2);
}

/* Fields that are neither numbers nor texts, and data that ends too early */
static void test_others(void)
{
	struct condition c[1] = { { .field = "Guid" } };
	struct data d = random_data(), cut = d;
	struct bytes b;
	u64 guid[2] = { 0x0003000200000001, 0x0b0a090807060504 };

	memcpy(d.bytes + 54, guid, 16);
	strcpy(c->value, "{00000001-0002-0003-0405-060708090A0B}");
	c->p.op = PAYLOADFIELD_IS;
	make_filter(&b, c, 1, false);
	CHECK(run(&b, &event, &d) == 1, "a GUID matches");
	d.bytes[69]++;
	CHECK(run(&b, &event, &d) == 0, "another GUID does not match");
	cut.len = 69;
	bytes_free(&b);
	c->p.op = PAYLOADFIELD_ISNOT;
	make_filter(&b, c, 1, false);
	CHECK(run(&b, &event, &d) == 1, "another GUID matches a negation");
	d.bytes[69]--;
	CHECK(run(&b, &event, &d) == 0,
	      "the same GUID does not match a negation");
	CHECK(run(&b, &event, &cut) == 0, "no GUID is not another one");
	bytes_free(&b);
	strcpy(c->field, "Last");
	strcpy(c->value, "1,2");
	c->p.op = PAYLOADFIELD_NOTBETWEEN;
	make_filter(&b, c, 1, true);
	CHECK(run(&b, &event, &cut) == 0, "no number is not another one");
	CHECK(run(&b, &(struct evnt_program_event) { 7, 8 }, &cut) == 1,
	      "an event of another version");
	bytes_free(&b);
}

int main(void)
{
	test_errors();
	test_behind();
	test_rest();
	test_others();
	test_random();
	test_join();
	return tap_end();
}
