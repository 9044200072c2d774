// SPDX-License-Identifier: MIT
/*
 * Payload filters: compilation of conditions on an event's fields.
 *
 * A program first checks the id and version of the event; other events pass.
 * For each condition it then advances from the start of the data to the field:
 * over fields of fixed size by adding their sizes, over others by instructions
 * that examine the data.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "tdh/assembly.h"
#include "tdh/predicate.h"
#include "tdh/value.h"

/* Not the index of any property */
#define NO_PROPERTY	0xffffffffu

/**
 * struct predicate_walk - compilation of the path to a field
 * @a: program under construction
 * @info: the event
 * @offset: distance from the program's position to the current field in bytes
 * @property: for each register, index of the property whose value it contains
 * @registers: number of registers in use
 */
struct predicate_walk {
	struct assembly *a;
	const struct event_info *info;
	u32 offset;
	u32 property[EVNTRACE_REGISTERS];
	u32 registers;
};

static bool is_signed(u16 type)
{
	return type == TDH_INTYPE_INT8 || type == TDH_INTYPE_INT16 ||
	       type == TDH_INTYPE_INT32 || type == TDH_INTYPE_INT64;
}

static bool is_integer(u16 type)
{
	return (type >= TDH_INTYPE_INT8 && type <= TDH_INTYPE_UINT64) ||
	       type == TDH_INTYPE_FILETIME || type == TDH_INTYPE_HEXINT32 ||
	       type == TDH_INTYPE_HEXINT64;
}

/* EVNTRACE_NUMBER_* of an integer */
static u8 number_how(u16 type)
{
	u8 how = is_signed(type) ? EVNTRACE_NUMBER_SIGNED : 0;

	switch (value_fixed_size(type, 0)) {
	case 1:
		return how | EVNTRACE_NUMBER_1;
	case 2:
		return how | EVNTRACE_NUMBER_2;
	case 4:
		return how | EVNTRACE_NUMBER_4;
	}
	return how | EVNTRACE_NUMBER_8;
}

/* Advance the position of the program to the current field */
static void settle(struct predicate_walk *w)
{
	if (w->offset)
		assembly_add(w->a, (struct evntrace_instruction) {
			.op = EVNTRACE_OP_MOVE, .jump = IF_FALSE,
			.arg = w->offset });
	w->offset = 0;
}

/* Return the register with the value of a property, or NO_PROPERTY */
static u32 register_of(const struct predicate_walk *w, u32 property)
{
	u32 i;

	for (i = 0; i < w->registers; i++) {
		if (w->property[i] == property)
			return i;
	}
	return NO_PROPERTY;
}

/* Check whether a property is the length or count of another */
static bool is_referred_to(const struct event_info *info, u32 property)
{
	const struct property *p = info->properties;
	u32 i;

	for (i = 0; i < info->count; i++, p++) {
		if ((p->flags & PropertyParamLength && p->length == property) ||
		    (p->flags & PropertyParamCount && p->count == property))
			return true;
	}
	return false;
}

/* Load the current property, which others depend on, into a register */
static void remember(struct predicate_walk *w, u32 property)
{
	const struct property *p = &w->info->properties[property];

	if (w->registers == EVNTRACE_REGISTERS || !is_integer(p->in) ||
	    register_of(w, property) != NO_PROPERTY)
		return;
	assembly_add(w->a, (struct evntrace_instruction) {
		.op = EVNTRACE_OP_LOAD, .jump = IF_FALSE,
		.how = number_how(p->in) & ~EVNTRACE_NUMBER_SIGNED,
		.arg = w->offset, .value = w->registers });
	w->property[w->registers++] = property;
}

/* Length of a text or of binary data: EVNTRACE_TEXT_* */
struct extent {
	u8 how;
	u32 arg;
};

static bool extent_of(const struct predicate_walk *w, const struct property *p,
		      struct extent *x)
{
	switch (p->in) {
	case TDH_INTYPE_MANIFEST_COUNTEDSTRING:
	case TDH_INTYPE_COUNTEDSTRING:
		*x = (struct extent) {
			EVNTRACE_TEXT_16 | EVNTRACE_TEXT_COUNTED, 0 };
		return true;
	case TDH_INTYPE_MANIFEST_COUNTEDANSISTRING:
	case TDH_INTYPE_COUNTEDANSISTRING:
	case TDH_INTYPE_MANIFEST_COUNTEDBINARY:
		*x = (struct extent) { EVNTRACE_TEXT_COUNTED, 0 };
		return true;
	case TDH_INTYPE_NONNULLTERMINATEDSTRING:
		*x = (struct extent) {
			EVNTRACE_TEXT_16 | EVNTRACE_TEXT_REST, 0 };
		return true;
	case TDH_INTYPE_NONNULLTERMINATEDANSISTRING:
		*x = (struct extent) { EVNTRACE_TEXT_REST, 0 };
		return true;
	case TDH_INTYPE_UNICODESTRING:
	case TDH_INTYPE_ANSISTRING:
	case TDH_INTYPE_BINARY:
		break;
	default:
		return false;
	}
	x->how = p->in == TDH_INTYPE_UNICODESTRING ? EVNTRACE_TEXT_16 : 0;
	x->arg = p->length;
	if (p->flags & PropertyParamLength) {
		x->how |= EVNTRACE_TEXT_REGISTER;
		x->arg = register_of(w, p->length);
		return x->arg != NO_PROPERTY;
	}
	if (p->in == TDH_INTYPE_BINARY && p->out == TDH_OUTTYPE_IPV6 &&
	    !p->length)
		x->arg = 16;
	if (x->arg || p->in == TDH_INTYPE_BINARY ||
	    p->flags & PropertyParamFixedLength)
		x->how |= EVNTRACE_TEXT_FIXED;
	return true;
}

static bool pass(struct predicate_walk *w, u32 property);

/* Size of one element in bytes, or 0 if it depends on the data */
static u32 element_size(const struct predicate_walk *w,
			const struct property *p)
{
	const struct property *member = w->info->properties + p->in;
	u32 i, size, sum = 0;

	if (!(p->flags & PropertyStruct)) {
		if (p->in == TDH_INTYPE_BINARY &&
		    !(p->flags & PropertyParamLength))
			return p->length ? p->length :
			       p->out == TDH_OUTTYPE_IPV6 ? 16 : 0;
		/* The size of a pointer depends on the event */
		return value_fixed_size(p->in, 0);
	}
	for (i = 0; i < p->out; i++, member++) {
		size = element_size(w, member);
		if (!size || member->flags & (PropertyParamCount |
					      PropertyStruct))
			return 0;
		sum += size * (member->count ? member->count : 1);
	}
	return sum;
}

/* Advance past one element whose size depends on the data */
static bool pass_element(struct predicate_walk *w, const struct property *p)
{
	struct evntrace_instruction i = {
		.op = EVNTRACE_OP_MOVE_TEXT, .jump = IF_FALSE,
	};
	struct extent x;
	u32 n;

	if (p->flags & PropertyStruct) {
		for (n = 0; n < p->out; n++) {
			if (!pass(w, p->in + n))
				return false;
		}
		return true;
	}
	settle(w);
	if (p->in == TDH_INTYPE_SID) {
		i.op = EVNTRACE_OP_MOVE_SID;
	} else if (p->in == TDH_INTYPE_POINTER || p->in == TDH_INTYPE_SIZET) {
		i.op = EVNTRACE_OP_MOVE_POINTERS;
		i.arg = 1;
	} else if (extent_of(w, p, &x)) {
		i.how = x.how;
		i.arg = x.arg;
	} else {
		return false;
	}
	assembly_add(w->a, i);
	return true;
}

/* Advance past a property; false if its size cannot be determined */
static bool pass(struct predicate_walk *w, u32 property)
{
	const struct property *p = &w->info->properties[property];
	u32 i, size = element_size(w, p), count = p->count ? p->count : 1;
	u32 reg;

	if (is_referred_to(w->info, property) && !(p->flags & PropertyStruct))
		remember(w, property);
	if (p->flags & PropertyParamCount) {
		/* A preceding property contains the number of elements */
		reg = register_of(w, p->count);
		if (reg == NO_PROPERTY || !size)
			return false;
		settle(w);
		assembly_add(w->a, (struct evntrace_instruction) {
			.op = EVNTRACE_OP_MOVE_BY, .jump = IF_FALSE,
			.how = reg, .arg = size });
		return true;
	}
	if (size) {
		w->offset += size * count;
		return w->offset < EVNTRACE_MAX_CHARACTERS;
	}
	for (i = 0; i < count; i++) {
		if (!pass_element(w, p) || w->a->overflow)
			return false;
	}
	return true;
}

/*
 * Advance to the property named by a path, among @count properties from @first
 * on, and return it in *@found
 */
static ULONG go_to(struct predicate_walk *w, const char *path, u32 first,
		   u32 count, const struct property **found)
{
	const struct property *p = NULL;
	size_t len = strcspn(path, ".");
	u32 i;

	for (i = first; i < first + count; i++) {
		p = &w->info->properties[i];
		if (strlen(p->name) == len && !memcmp(p->name, path, len))
			break;
	}
	if (!p || i == first + count)
		return ERROR_NOT_FOUND;
	/* Conditions on elements of arrays are not supported */
	if (p->flags & PropertyParamCount || p->count > 1)
		return ERROR_NOT_SUPPORTED;
	for (count = i, i = first; i < count; i++) {
		if (!pass(w, i))
			return ERROR_NOT_SUPPORTED;
	}
	*found = p;
	if (!(p->flags & PropertyStruct))
		return path[len] ? ERROR_NOT_FOUND : ERROR_SUCCESS;
	return path[len] ? go_to(w, path + len + 1, p->in, p->out, found) :
			   ERROR_INVALID_PARAMETER;
}

/* Parse a number of a type, and advance *@text past it */
static bool parse_number(const char **text, u16 type, u64 *number)
{
	u32 bits = 8 * value_fixed_size(type, 0);
	const char *start = *text + strspn(*text, " \t");
	bool negative = *start == '-';
	char *end;

	errno = 0;
	/* A leading 0 does not select octal */
	if (strncasecmp(start + negative, "0x", 2) != 0)
		*number = negative ? (u64)strtoll(start, &end, 10) :
				     strtoull(start, &end, 10);
	else
		*number = strtoull(start, &end, 16);
	if (errno || end == start || *start == '+' ||
	    (negative && !is_signed(type)))
		return false;
	*text = end + strspn(end, " \t");
	if (!is_signed(type))
		return bits == 64 || *number >> bits == 0;
	/* All bits from the sign bit upwards must be equal */
	return (*number && negative ? ~*number : *number) >> (bits - 1) == 0;
}

static ULONG parse_numbers(const char *text, u16 type, u64 *number, u32 count)
{
	u32 i;

	for (i = 0; i < count; i++) {
		if (i && *text++ != ',')
			return ERROR_INVALID_PARAMETER;
		if (!parse_number(&text, type, &number[i]))
			return ERROR_INVALID_PARAMETER;
	}
	return *text ? ERROR_INVALID_PARAMETER : ERROR_SUCCESS;
}

static void compare(struct predicate_walk *w, u8 how, u16 jump, u32 more,
		    u64 value)
{
	assembly_add(w->a, (struct evntrace_instruction) {
		.op = EVNTRACE_OP_COMPARE, .how = how, .jump = jump,
		.arg = w->offset + more, .value = value });
}

#define IS_THERE							\
	(EVNTRACE_CMP_LT | EVNTRACE_CMP_EQ | EVNTRACE_CMP_GT)

static ULONG on_integer(struct predicate_walk *w, const struct predicate *p,
			u16 type)
{
	static const u8 relation[] = {
		[PAYLOADFIELD_EQ] = EVNTRACE_CMP_EQ,
		[PAYLOADFIELD_NE] = EVNTRACE_CMP_LT | EVNTRACE_CMP_GT,
		[PAYLOADFIELD_LE] = EVNTRACE_CMP_LT | EVNTRACE_CMP_EQ,
		[PAYLOADFIELD_GT] = EVNTRACE_CMP_GT,
		[PAYLOADFIELD_LT] = EVNTRACE_CMP_LT,
		[PAYLOADFIELD_GE] = EVNTRACE_CMP_GT | EVNTRACE_CMP_EQ,
	};
	bool is_range = p->op == PAYLOADFIELD_BETWEEN ||
			p->op == PAYLOADFIELD_NOTBETWEEN;
	u8 how = number_how(type);
	u64 n[2];

	if (p->op > PAYLOADFIELD_MODULO ||
	    parse_numbers(p->value, type, n, 1 + is_range))
		return ERROR_INVALID_PARAMETER;
	if (p->op == PAYLOADFIELD_MODULO) {
		if (!n[0])
			return ERROR_INVALID_PARAMETER;
		assembly_add(w->a, (struct evntrace_instruction) {
			.op = EVNTRACE_OP_MULTIPLE, .how = how,
			.jump = IF_FALSE, .arg = w->offset, .value = n[0] });
	} else if (p->op == PAYLOADFIELD_BETWEEN) {
		compare(w, how | relation[PAYLOADFIELD_GE], IF_FALSE, 0, n[0]);
		compare(w, how | relation[PAYLOADFIELD_LE], IF_FALSE, 0, n[1]);
	} else if (p->op == PAYLOADFIELD_NOTBETWEEN) {
		compare(w, how | IS_THERE, IF_FALSE, 0, 0);
		compare(w, how | relation[PAYLOADFIELD_GE], IF_TRUE, 0, n[0]);
		compare(w, how | relation[PAYLOADFIELD_GT], IF_FALSE, 0, n[1]);
	} else {
		compare(w, how | relation[p->op], IF_FALSE, 0, n[0]);
	}
	return ERROR_SUCCESS;
}

/* Compare with "true", "false", or a number, of which any but 0 is true */
static ULONG on_boolean(struct predicate_walk *w, const struct predicate *p)
{
	bool is = p->op == PAYLOADFIELD_IS || p->op == PAYLOADFIELD_EQ;
	u64 value;

	if (!is && p->op != PAYLOADFIELD_ISNOT && p->op != PAYLOADFIELD_NE)
		return ERROR_INVALID_PARAMETER;
	if (!strcasecmp(p->value, "true"))
		value = 1;
	else if (!strcasecmp(p->value, "false"))
		value = 0;
	else if (parse_numbers(p->value, TDH_INTYPE_UINT32, &value, 1))
		return ERROR_INVALID_PARAMETER;
	compare(w, EVNTRACE_NUMBER_4 | (is == !value ? EVNTRACE_CMP_EQ :
					EVNTRACE_CMP_GT), IF_FALSE, 0, 0);
	return ERROR_SUCCESS;
}

/* Parse a GUID in braces into its memory layout */
static bool parse_guid(const char *text, u8 guid[16])
{
	static const char form[] = "{xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx}";
	static const u8 place[] = {
		3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15
	};
	unsigned int i, n = 0, byte;

	if (strlen(text) != sizeof(form) - 1)
		return false;
	for (i = 0; form[i]; i++) {
		if (form[i] != 'x' ? text[i] != form[i] :
		    !strchr("0123456789abcdefABCDEF", text[i]))
			return false;
	}
	for (i = 0; form[i]; i++) {
		if (form[i] != 'x')
			continue;
		sscanf(text + i++, "%2x", &byte);
		guid[place[n++]] = byte;
	}
	return true;
}

/* Compare both halves: all must be equal, or one must differ */
static ULONG on_guid(struct predicate_walk *w, const struct predicate *p)
{
	const u8 other = EVNTRACE_CMP_LT | EVNTRACE_CMP_GT;
	const u8 how = EVNTRACE_NUMBER_8;
	u64 half[2];

	if (!parse_guid(p->value, (u8 *)half))
		return ERROR_INVALID_PARAMETER;
	if (p->op == PAYLOADFIELD_IS) {
		compare(w, how | EVNTRACE_CMP_EQ, IF_FALSE, 0, half[0]);
		compare(w, how | EVNTRACE_CMP_EQ, IF_FALSE, 8, half[1]);
	} else if (p->op == PAYLOADFIELD_ISNOT) {
		compare(w, how | IS_THERE, IF_FALSE, 8, 0);
		compare(w, how | EVNTRACE_CMP_EQ, IF_TRUE, 0, half[0]);
		compare(w, how | other, IF_FALSE, 8, half[1]);
	} else {
		return ERROR_INVALID_PARAMETER;
	}
	return ERROR_SUCCESS;
}

static ULONG on_text(struct predicate_walk *w, const struct predicate *p,
		     const struct extent *x)
{
	struct evntrace_instruction i = {
		.op = EVNTRACE_OP_TEXT_IS, .how = x->how, .jump = IF_FALSE,
		.arg = x->arg,
	};

	switch (p->op) {
	case PAYLOADFIELD_DOESNTCONTAIN:
		i.how |= EVNTRACE_TEXT_NOT;
		/* fall through */
	case PAYLOADFIELD_CONTAINS:
		i.op = EVNTRACE_OP_TEXT_CONTAINS;
		break;
	case PAYLOADFIELD_ISNOT:
		i.how |= EVNTRACE_TEXT_NOT;
		/* fall through */
	case PAYLOADFIELD_IS:
		break;
	default:
		return ERROR_INVALID_PARAMETER;
	}
	settle(w);
	i.value = assembly_text(w->a, p->value, x->how & EVNTRACE_TEXT_16);
	assembly_add(w->a, i);
	return ERROR_SUCCESS;
}

/* Check whether a type is text; binary data and SIDs cannot be compared */
static bool is_text(u16 type)
{
	return type == TDH_INTYPE_UNICODESTRING ||
	       type == TDH_INTYPE_ANSISTRING ||
	       type == TDH_INTYPE_MANIFEST_COUNTEDSTRING ||
	       type == TDH_INTYPE_MANIFEST_COUNTEDANSISTRING ||
	       (type >= TDH_INTYPE_COUNTEDSTRING &&
		type <= TDH_INTYPE_COUNTEDANSISTRING) ||
	       (type >= TDH_INTYPE_NONNULLTERMINATEDSTRING &&
		type <= TDH_INTYPE_NONNULLTERMINATEDANSISTRING);
}

static ULONG on_field(struct predicate_walk *w, const struct predicate *p,
		      const struct property *field)
{
	struct extent x;

	if (is_integer(field->in))
		return on_integer(w, p, field->in);
	if (field->in == TDH_INTYPE_BOOLEAN)
		return on_boolean(w, p);
	if (field->in == TDH_INTYPE_GUID)
		return on_guid(w, p);
	if (!is_text(field->in))
		return ERROR_INVALID_PARAMETER;
	return extent_of(w, field, &x) ? on_text(w, p, &x) :
					 ERROR_NOT_SUPPORTED;
}

static ULONG compile_one(struct assembly *a, const struct event_info *info,
			 const struct predicate *p)
{
	struct predicate_walk w = { .a = a, .info = info };
	const struct property *field;
	ULONG code;

	if (!p->field || !p->value)
		return ERROR_INVALID_PARAMETER;
	assembly_add(a, (struct evntrace_instruction) {
		.op = EVNTRACE_OP_AT, .jump = IF_FALSE });
	code = go_to(&w, p->field, 0, info->top_level, &field);
	return code ? code : on_field(&w, p, field);
}

ULONG predicates_compile(struct bytes *b, const struct event_info *info,
			 const struct predicate *predicate, unsigned int count,
			 bool any)
{
	struct assembly a = { 0 };
	unsigned int i, start;
	ULONG code = ERROR_SUCCESS;

	if (!count || count > MAX_PREDICATES)
		return ERROR_INVALID_PARAMETER;
	assembly_add(&a, (struct evntrace_instruction) {
		.op = EVNTRACE_OP_EVENT, .jump = IF_OTHER,
		.arg = info->descriptor.Id | info->descriptor.Version << 16 });
	for (i = 0; i < count && !code; i++) {
		start = a.count;
		code = compile_one(&a, info, &predicate[i]);
		assembly_set(&a, start, IF_TRUE, a.count);
		if (!any)
			continue;
		assembly_end(&a, true);
		assembly_set(&a, start, IF_FALSE, a.count);
	}
	if (!any)
		assembly_end(&a, true);
	assembly_set(&a, 0, IF_FALSE, a.count);
	assembly_end(&a, false);
	assembly_set(&a, 0, IF_OTHER, a.count);
	assembly_end(&a, true);
	return code ? code : assembly_finish(&a, b);
}

/* Return the event of a program, which its first instruction checks */
static u32 event_of(const struct evntrace_program *p)
{
	return p->instruction[0].arg;
}

static bool is_filter(const struct evntrace_program *p)
{
	return p && p->version == EVNTRACE_PROGRAM_VERSION && p->count >= 3 &&
	       p->size >= sizeof(*p) + p->count * sizeof(*p->instruction) &&
	       p->instruction[0].op == EVNTRACE_OP_EVENT;
}

/* Append the conditions of a program with other exits */
static void add_body(struct assembly *a, const struct evntrace_program *p,
		     u16 if_true, u16 if_false)
{
	struct evntrace_instruction i;
	unsigned int n;

	/*
	 * Skip the first instruction, and the last one, the exit for other
	 * events
	 */
	for (n = 1; n + 1 < p->count; n++) {
		i = p->instruction[n];
		if (i.op == EVNTRACE_OP_TEXT_IS ||
		    i.op == EVNTRACE_OP_TEXT_CONTAINS)
			i.value = assembly_copy_text(a, p, i.value);
		if (i.op == EVNTRACE_OP_END)
			i = (struct evntrace_instruction) {
				.op = EVNTRACE_OP_JUMP,
				.jump = i.arg ? if_true : if_false,
			};
		assembly_add(a, i);
	}
}

/* Append all filters of one event, starting with those that must all pass */
static void add_event(struct assembly *a,
		      const struct evntrace_program *const *program,
		      const bool *all, unsigned int count, u32 event)
{
	unsigned int i, at, start = a->count;
	bool some = false;

	assembly_add(a, (struct evntrace_instruction) {
		.op = EVNTRACE_OP_EVENT, .jump = IF_OTHER, .arg = event });
	for (i = 0; i < count; i++) {
		if (event_of(program[i]) != event || !all || !all[i])
			continue;
		at = a->count;
		add_body(a, program[i], IF_NEXT, IF_FALSE);
		assembly_set(a, at, IF_NEXT, a->count);
	}
	for (i = 0; i < count; i++) {
		if (event_of(program[i]) != event || (all && all[i]))
			continue;
		some = true;
		at = a->count;
		add_body(a, program[i], IF_TRUE, IF_NEXT);
		assembly_set(a, at, IF_NEXT, a->count);
	}
	assembly_end(a, !some);
	assembly_set(a, start, IF_TRUE, a->count);
	assembly_end(a, true);
	assembly_set(a, start, IF_FALSE, a->count);
	assembly_end(a, false);
	assembly_set(a, start, IF_OTHER, a->count);
}

ULONG programs_join(struct bytes *b,
		    const struct evntrace_program *const *program,
		    const bool *all, unsigned int count)
{
	struct assembly a = { 0 };
	unsigned int i, k;

	if (!count)
		return ERROR_INVALID_PARAMETER;
	for (i = 0; i < count; i++) {
		if (!is_filter(program[i]))
			return ERROR_INVALID_PARAMETER;
	}
	for (i = 0; i < count; i++) {
		for (k = 0; k < i; k++) {
			if (event_of(program[k]) == event_of(program[i]))
				break;
		}
		if (k == i)
			add_event(&a, program, all, count,
				  event_of(program[i]));
	}
	assembly_end(&a, true);
	return assembly_finish(&a, b);
}
