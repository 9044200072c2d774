// SPDX-License-Identifier: MIT
/*
 * Generate a C program that includes the header of a manifest and writes each
 * of its events once, together with the expected bytes of each payload.
 *
 * usage: mc_driver MANIFEST HEADER
 *
 * Fields that count others have the value 2.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

#include "tdh/model.h"

/* The generated program has the same macro */
#define FILL(i)	((i) % 251 + 1)

static struct bytes want;

static void want_fill(size_t len)
{
	for (size_t i = 0; i < len; i++)
		bytes_add_u8(&want, FILL(i));
}

static bool counts_others(const struct template *t, unsigned int index)
{
	for (unsigned int i = 0; i < t->count; i++) {
		const struct property *p = &t->properties[i];

		if ((p->flags & PropertyParamCount && p->count == index) ||
		    (p->flags & PropertyParamLength && p->length == index))
			return true;
	}
	return false;
}

static unsigned int count_of(const struct property *p)
{
	return p->flags & PropertyParamCount ? 2 : p->count;
}

static bool is_array(const struct property *p)
{
	return p->flags & PropertyParamCount || p->count > 1;
}

static bool has_length(const struct property *p)
{
	return p->flags & (PropertyParamLength | PropertyParamFixedLength);
}

static unsigned int length_of(const struct property *p)
{
	if (p->flags & PropertyParamLength)
		return 2;
	return has_length(p) ? p->length : 16;
}

static unsigned int unit_of(u16 in)
{
	return in == TDH_INTYPE_UNICODESTRING ||
	       in == TDH_INTYPE_MANIFEST_COUNTEDSTRING ? 2 : 1;
}

static unsigned int fixed_size(u16 in)
{
	static const unsigned char sizes[32] = {
		[3] = 1, [4] = 1, [5] = 2, [6] = 2, [7] = 4, [8] = 4, [9] = 8,
		[10] = 8, [11] = 4, [12] = 8, [13] = 4, [15] = 16, [16] = 8,
		[17] = 8, [18] = 16, [20] = 4, [21] = 8,
	};

	return sizes[in];
}

/* Size of a field that is all zeros, in a struct of zeros */
static size_t zero_size(const struct template *t, const struct property *p)
{
	unsigned int count = p->flags & PropertyParamCount ?
			     (p->count < t->top_level ? 2 : 0) : p->count;
	size_t size = fixed_size(p->in);

	if (!size && has_length(p) && (p->in <= 2 || p->in == 14))
		size = (size_t)unit_of(p->in) *
		       (p->flags & PropertyParamLength ?
			(p->length < t->top_level ? 2 : 0) : p->length);
	else if (p->in == TDH_INTYPE_ANSISTRING)
		size = 1;
	else if (p->in == TDH_INTYPE_SID)
		size = 8;
	else if (p->in == TDH_INTYPE_BINARY)
		size = 16;
	else if (!size)
		size = 2;	/* a nul, or a count */
	return size * count;
}

static void put_struct(const struct template *t, const struct property *p)
{
	size_t size = 0;

	for (unsigned int i = 0; i < p->out; i++)
		size += zero_size(t, &t->properties[p->in + i]);
	size *= count_of(p);
	printf("%zu, zeros", size);
	bytes_reserve(&want, size);
}

static void put_sid(void)
{
	static const u8 sid[] = { 1, 1, 0, 0, 0, 0, 0, 5, 18, 0, 0, 0 };

	bytes_add(&want, sid, sizeof(sid));
}

/* Put a field of empty elements; SIDs cannot be empty */
static void put_blob(const struct property *p)
{
	unsigned int count = count_of(p);

	if (p->in == TDH_INTYPE_SID) {
		printf("%u, sids", 12 * count);
		while (count--)
			put_sid();
		return;
	}
	if (p->in == TDH_INTYPE_UNICODESTRING ||
	    p->in == TDH_INTYPE_ANSISTRING) {
		printf("%u, (const %s *)zeros", count,
		       unit_of(p->in) == 2 ? "WCHAR" : "char");
		bytes_reserve(&want, (size_t)count * unit_of(p->in));
		return;
	}
	printf("%u, (const %s *)zeros", 2 * count / unit_of(p->in),
	       p->in == TDH_INTYPE_MANIFEST_COUNTEDSTRING ? "WCHAR" :
	       p->in == TDH_INTYPE_MANIFEST_COUNTEDBINARY ? "UCHAR" : "char");
	bytes_reserve(&want, 2 * (size_t)count);
}

static void put_text(const struct property *p)
{
	static const char text[] = "edge \xe2\x82\xac";
	const char *type = unit_of(p->in) == 2 ? "WCHAR" : "char";

	if (has_length(p)) {
		printf("(const %s *)fill", type);
		want_fill((size_t)unit_of(p->in) * length_of(p) * count_of(p));
	} else if (unit_of(p->in) == 2) {
		fputs("wide", stdout);
		bytes_add_wide(&want, text);
		bytes_add_u16(&want, 0);
	} else {
		fputs("narrow", stdout);
		bytes_add(&want, text, sizeof(text));
	}
}

static void put_counted(const struct property *p)
{
	printf("3, (const %s *)fill", unit_of(p->in) == 2 ? "WCHAR" :
	       p->in == TDH_INTYPE_MANIFEST_COUNTEDBINARY ? "UCHAR" : "char");
	bytes_add_u16(&want, 3 * unit_of(p->in));
	want_fill((size_t)3 * unit_of(p->in));
}

static const char *const types[32] = {
	[3] = "CHAR", [4] = "UCHAR", [5] = "short", [6] = "USHORT",
	[7] = "LONG", [8] = "ULONG", [9] = "LONGLONG", [10] = "ULONGLONG",
	[11] = "float", [12] = "double", [13] = "LONG", [15] = "GUID",
	[16] = "void *const", [17] = "FILETIME", [18] = "SYSTEMTIME",
	[20] = "LONG", [21] = "LONGLONG",
};

/* Put the highest or lowest number of the type */
static void put_number(u16 in)
{
	static const struct {
		const char *text;
		u64 value;
	} edges[32] = {
		[3] = { "-128", 0x80 }, [4] = { "255", 0xff },
		[5] = { "-32768", 0x8000 }, [6] = { "65535", 0xffff },
		[7] = { "(-2147483647 - 1)", 0x80000000 },
		[8] = { "0xffffffffu", 0xffffffff },
		[9] = { "(-9223372036854775807ll - 1)", 1ull << 63 },
		[10] = { "0xffffffffffffffffull", ~0ull },
		[11] = { "-2.0f", 0xc0000000 },
		[12] = { "-2.0", 0xc000000000000000 },
		[13] = { "1", 1 }, [20] = { "-2", 0xfffffffe },
		[21] = { "-2", ~1ull },
	};

	fputs(edges[in].text, stdout);
	bytes_add(&want, &edges[in].value, fixed_size(in));
}

static void put_value(const struct template *t, unsigned int i)
{
	const struct property *p = &t->properties[i];
	static const u64 two = 2, address = 0x123456789abcull;
	unsigned int size = fixed_size(p->in);

	if (is_array(p) || p->in == TDH_INTYPE_GUID ||
	    p->in == TDH_INTYPE_FILETIME || p->in == TDH_INTYPE_SYSTEMTIME) {
		printf("(const %s *)fill", types[p->in]);
		want_fill((size_t)size * count_of(p));
	} else if (p->in == TDH_INTYPE_POINTER) {
		fputs("(const void *)0x123456789abcull", stdout);
		bytes_add(&want, &address, size);
	} else if (counts_others(t, i)) {
		fputs("2", stdout);
		bytes_add(&want, &two, size);
	} else {
		put_number(p->in);
	}
}

static void put_field(const struct template *t, unsigned int i)
{
	const struct property *p = &t->properties[i];

	if (p->flags & PropertyStruct) {
		put_struct(t, p);
		return;
	}
	switch (p->in) {
	case TDH_INTYPE_UNICODESTRING:
	case TDH_INTYPE_ANSISTRING:
		if (is_array(p) && !has_length(p))
			put_blob(p);
		else
			put_text(p);
		break;
	case TDH_INTYPE_BINARY:
		fputs("fill", stdout);
		want_fill((size_t)length_of(p) * count_of(p));
		break;
	case TDH_INTYPE_SID:
		if (is_array(p)) {
			put_blob(p);
			break;
		}
		fputs("sids", stdout);
		put_sid();
		break;
	case TDH_INTYPE_MANIFEST_COUNTEDSTRING:
	case TDH_INTYPE_MANIFEST_COUNTEDANSISTRING:
	case TDH_INTYPE_MANIFEST_COUNTEDBINARY:
		if (is_array(p))
			put_blob(p);
		else
			put_counted(p);
		break;
	default:
		put_value(t, i);
	}
}

/*
 * Print the name that the compiler gives an event without a symbol; with
 * traits, the default channel is 12.
 */
static void put_symbol(const struct provider *p, const struct event *e)
{
	const EVENT_DESCRIPTOR *d = &e->descriptor;
	bool traits = p->name_in_traits || p->has_control_guid ||
		      p->has_group_guid;

	if (e->symbol)
		fputs(e->symbol, stdout);
	else
		printf("%s_EVENT_0x%x_%x_%x_%x_%x_%x_%llx", p->symbol, d->Id,
		       d->Version, traits && !e->channel ? 12 : d->Channel,
		       d->Level, d->Opcode, d->Task,
		       (unsigned long long)d->Keyword);
}

static void put_event(const struct provider *p, const struct event *e)
{
	const struct template *t = e->template;

	fputs("\texpect(EventWrite", stdout);
	put_symbol(p, e);
	fputs("_AssumeEnabled(", stdout);
	for (unsigned int i = 0; t && i < t->top_level; i++) {
		if (i)
			fputs(", ", stdout);
		put_field(t, i);
	}
	printf("), %zu, \"", want.len);
	for (size_t i = 0; i < want.len; i++)
		printf("\\x%02x", want.data[i]);
	fputs("\");\n\tEventWrite", stdout);
	bytes_free(&want);
	put_symbol(p, e);
	fputc('(', stdout);
	for (unsigned int i = 0; t && i < t->top_level; i++) {
		if (i)
			fputs(", ", stdout);
		put_field(t, i);
	}
	fputs(");\n", stdout);
	bytes_free(&want);
}

/* Check for the symbol of an earlier provider's event, which the header defines */
static bool is_twin(const struct manifest *m, const struct provider *p,
		    const struct event *event)
{
	for (struct provider *q = m->providers; q != p && event->symbol;
	     q = q->next) {
		for (struct event *e = q->events; e; e = e->next) {
			if (e->symbol && !strcmp(e->symbol, event->symbol))
				return true;
		}
	}
	return false;
}

static void put_name(const char *name)
{
	if (isdigit((unsigned char)*name))
		fputc('_', stdout);
	for (; *name; name++)
		fputc(isalnum((unsigned char)*name) ? *name : '_', stdout);
}

int main(int argc, char **argv)
{
	struct bytes b = { 0 };
	struct manifest *m;
	FILE *file = argc == 3 ? fopen(argv[1], "rb") : NULL;
	int c;

	if (!file)
		return 2;
	while ((c = getc(file)) != EOF)
		bytes_add_u8(&b, c);
	fclose(file);
	m = manifest_parse(argv[1], b.data, b.len, NULL, NULL);
	if (!m)
		return 1;
	printf("#include \"mc_expect.h\"\n#include \"%s\"\n\nint %s(int argc, char **argv)\n{\n\tbegin(argc, argv);\n",
	       argv[2], "main");
	for (struct provider *p = m->providers; p; p = p->next) {
		printf("\tprovider(&%s, EventRegister", p->symbol);
		put_name(p->name);
		printf("(), &%s_Context);\n", p->symbol);
		for (struct event *e = p->events; e; e = e->next) {
			if (!e->not_logged && !is_twin(m, p, e))
				put_event(p, e);
		}
		fputs("\tcheck(!EventUnregister", stdout);
		put_name(p->name);
		fputs("());\n", stdout);
	}
	fputs("\treturn finish();\n}\n", stdout);
	manifest_free(m);
	bytes_free(&b);
	return 0;
}
