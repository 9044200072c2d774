// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Filter programs that examine an event's data: EVNTRACE_FILTER_PAYLOAD.
 *
 * A program is validated once, when a controller passes it in.  Running it then
 * terminates, and accesses nothing beyond the program and the event's data.
 */
#include "core/program.h"

#define NUMBER_WIDTH	0x30u
#define NUMBER_HOW	(NUMBER_WIDTH | EVNTRACE_NUMBER_SIGNED)
#define IS_ANY		(EVNTRACE_CMP_LT | EVNTRACE_CMP_EQ |		\
			 EVNTRACE_CMP_GT)
#define TEXT_LENGTH	0x0eu	/* EVNTRACE_TEXT_NUL to _REST */
#define SIGN		BIT_ULL(63)

/* Offset in the program of the text to compare with */
static u32 text_offset(const struct evntrace_instruction *i)
{
	return (u32)i->value;
}

static u32 text_len(const struct evntrace_instruction *i)
{
	return i->value >> 32;
}

static u32 char_size(const struct evntrace_instruction *i)
{
	return i->how & EVNTRACE_TEXT_16 ? 2 : 1;
}

static bool text_how_valid(const struct evntrace_instruction *i, u8 more)
{
	switch (i->how & TEXT_LENGTH) {
	case EVNTRACE_TEXT_REGISTER:
		if (i->arg >= EVNTRACE_REGISTERS)
			return false;
		break;
	case EVNTRACE_TEXT_FIXED:
		break;
	case EVNTRACE_TEXT_NUL:
	case EVNTRACE_TEXT_COUNTED:
	case EVNTRACE_TEXT_REST:
		if (i->arg)
			return false;
		break;
	default:
		return false;
	}
	return !(i->how & ~(TEXT_LENGTH | EVNTRACE_TEXT_16 | more));
}

static bool text_valid(const struct evntrace_program *p,
		       const struct evntrace_instruction *i)
{
	u32 start = sizeof(*p) + p->count * sizeof(*i);

	return text_how_valid(i, EVNTRACE_TEXT_NOT) &&
	       text_offset(i) >= start && text_offset(i) <= p->size &&
	       text_len(i) <= p->size - text_offset(i) &&
	       text_offset(i) % 2 == 0 && text_len(i) % char_size(i) == 0;
}

static bool operands_valid(const struct evntrace_program *p,
			   const struct evntrace_instruction *i)
{
	switch (i->op) {
	case EVNTRACE_OP_END:
		return !i->how && !i->jump && i->arg <= 1 && !i->value;
	case EVNTRACE_OP_JUMP:
	case EVNTRACE_OP_MOVE_SID:
		return !i->how && !i->arg && !i->value;
	case EVNTRACE_OP_EVENT:
		return !i->how && !(i->arg >> 24) && !i->value;
	case EVNTRACE_OP_AT:
	case EVNTRACE_OP_MOVE:
	case EVNTRACE_OP_MOVE_POINTERS:
		return !i->how && !i->value;
	case EVNTRACE_OP_MOVE_BY:
		return i->how < EVNTRACE_REGISTERS && !i->value;
	case EVNTRACE_OP_MOVE_TEXT:
		return text_how_valid(i, 0) && !i->value;
	case EVNTRACE_OP_LOAD:
		return !(i->how & ~NUMBER_WIDTH) &&
		       i->value < EVNTRACE_REGISTERS;
	case EVNTRACE_OP_COMPARE:
		return !(i->how & ~(NUMBER_HOW | IS_ANY));
	case EVNTRACE_OP_MULTIPLE:
		return !(i->how & ~NUMBER_HOW) && i->value;
	case EVNTRACE_OP_TEXT_IS:
	case EVNTRACE_OP_TEXT_CONTAINS:
		return text_valid(p, i);
	}
	return false;
}

/*
 * Check all instructions.  Execution must stay inside: each instruction but END
 * has a successor, also if it jumps, and jumps only go forward.
 */
static bool program_valid(const struct evntrace_program *p, u32 len)
{
	u32 i;

	if (len < sizeof(*p) || p->size != len || !p->count ||
	    p->version != EVNTRACE_PROGRAM_VERSION ||
	    p->count > (len - sizeof(*p)) / sizeof(*p->instruction))
		return false;
	for (i = 0; i < p->count; i++) {
		if (!operands_valid(p, &p->instruction[i]))
			return false;
		if (p->instruction[i].op != EVNTRACE_OP_END &&
		    p->instruction[i].jump + 1u >= p->count - i)
			return false;
	}
	return true;
}

/**
 * evnt_program_create() - validate and copy a program
 * @program: set to the validated copy, to be freed with evnt_free()
 * @from: program passed in by a controller, aligned to 8 bytes
 * @len: length in bytes
 *
 * Return: 0, -EINVAL if the program is invalid, or -ENOMEM.
 */
int evnt_program_create(struct evntrace_program **program, const void *from,
			u32 len)
{
	if (!program_valid(from, len))
		return -EINVAL;
	*program = evnt_alloc(len);
	if (!*program)
		return -ENOMEM;
	memcpy(*program, from, len);
	return 0;
}

/**
 * struct run - state of a running program
 * @program: program
 * @event: event
 * @data: data of the event
 * @at: current position in @data
 * @left: number of characters that may still be examined
 * @reg: registers
 */
struct run {
	const struct evntrace_program *program;
	const struct evnt_program_event *event;
	struct evnt_reader *data;
	u64 at;
	u32 left;
	u64 reg[EVNTRACE_REGISTERS];
};

/* Advance the position, but not beyond the end of the data */
static bool move(struct run *r, u64 len)
{
	if (len > r->data->total - r->at)
		return false;
	r->at += len;
	return true;
}

static bool move_by(struct run *r, u64 times, u32 len)
{
	return (!len || times <= r->data->total / len) && move(r, times * len);
}

/* evnt_reader_get(), with the common case of loaded bytes inlined */
static __always_inline const u8 *look(struct run *r, u64 offset, u32 len)
{
	struct evnt_reader *data = r->data;
	u64 into = offset - data->start;

	if (likely(into <= data->len && len <= data->len - into))
		return data->bytes + into;
	return offset <= data->total ? evnt_reader_get(data, offset, len) :
				       NULL;
}

/* Return the bytes of the number at the instruction's offset, or NULL */
static __always_inline const u8 *
find_number(struct run *r, const struct evntrace_instruction *i)
{
	return look(r, r->at + i->arg, 1u << (i->how / EVNTRACE_NUMBER_2 % 4));
}

/* Read a number without sign extension */
static __always_inline u64 number_at(const u8 *p, u8 how)
{
	switch (how & NUMBER_WIDTH) {
	case EVNTRACE_NUMBER_4:
		return get_unaligned_le32(p);
	case EVNTRACE_NUMBER_8:
		return get_unaligned_le64(p);
	case EVNTRACE_NUMBER_2:
		return get_unaligned_le16(p);
	default:
		return *p;
	}
}

/* Read a number, with sign extension if it is signed */
static u64 signed_number_at(const u8 *p, u8 how)
{
	switch (how & NUMBER_HOW) {
	case EVNTRACE_NUMBER_SIGNED | EVNTRACE_NUMBER_4:
		return (s64)(s32)get_unaligned_le32(p);
	case EVNTRACE_NUMBER_SIGNED | EVNTRACE_NUMBER_2:
		return (s64)(s16)get_unaligned_le16(p);
	case EVNTRACE_NUMBER_SIGNED | EVNTRACE_NUMBER_1:
		return (s64)(s8)*p;
	default:
		return number_at(p, how);
	}
}

static __always_inline u8 relation(u64 a, u64 b)
{
	return a < b ? EVNTRACE_CMP_LT :
	       a > b ? EVNTRACE_CMP_GT : EVNTRACE_CMP_EQ;
}

/* Compare unsigned numbers of a width known at compile time */
static __always_inline bool
compare_fast(struct run *r, const struct evntrace_instruction *i, u8 width)
{
	const u32 len = 1u << (width / EVNTRACE_NUMBER_2);
	const u8 *p = look(r, r->at + i->arg, len);

	return likely(p) && i->how & relation(number_at(p, width), i->value);
}

static bool compare_signed(struct run *r, const struct evntrace_instruction *i)
{
	const u8 *p = find_number(r, i);

	/* With flipped sign bits, unsigned and signed order agree */
	return p && i->how & relation(signed_number_at(p, i->how) ^ SIGN,
				      i->value ^ SIGN);
}

static __always_inline bool compare(struct run *r,
				    const struct evntrace_instruction *i)
{
	const u8 how = i->how & NUMBER_HOW;

	/* The most common width first */
	if (likely(how == EVNTRACE_NUMBER_4))
		return compare_fast(r, i, EVNTRACE_NUMBER_4);
	switch (how) {
	case EVNTRACE_NUMBER_8:
		return compare_fast(r, i, EVNTRACE_NUMBER_8);
	case EVNTRACE_NUMBER_2:
		return compare_fast(r, i, EVNTRACE_NUMBER_2);
	case EVNTRACE_NUMBER_1:
		return compare_fast(r, i, EVNTRACE_NUMBER_1);
	default:
		return compare_signed(r, i);
	}
}

static bool is_multiple(struct run *r, const struct evntrace_instruction *i)
{
	const u8 *p = find_number(r, i);
	u64 n, of = i->value;

	if (!p)
		return false;
	n = signed_number_at(p, i->how);
	/* Use absolute values: divisibility does not depend on the sign */
	if (i->how & EVNTRACE_NUMBER_SIGNED) {
		n = n & SIGN ? -n : n;
		of = of & SIGN ? -of : of;
	}
	return !(n % of);
}

static bool load(struct run *r, const struct evntrace_instruction *i)
{
	const u8 *p = find_number(r, i);

	if (!p)
		return false;
	r->reg[i->value] = number_at(p, i->how);
	return true;
}

static bool move_sid(struct run *r)
{
	const u8 *p = look(r, r->at, 2);

	return p && move(r, 8 + 4 * p[1]);
}

/*
 * Compute the length in bytes of a text without its nul.  The text ends at a
 * nul, after @most bytes, or at the end of the data.
 */
static bool nul_len(struct run *r, u32 size, u64 most, u64 *len)
{
	const u8 *p;
	u64 at;

	for (at = r->at; at - r->at < most; at += size) {
		p = look(r, at, size);
		if (!p || (!p[0] && (size == 1 || !p[1])))
			break;
		if (!r->left)
			return false;
		r->left--;
	}
	*len = at - r->at;
	return !r->data->err;
}

static bool counted_len(struct run *r, u64 *start, u64 *len)
{
	const u8 *p = look(r, r->at, sizeof(u16));

	if (!p)
		return false;
	*start += sizeof(u16);
	*len = get_unaligned_le16(p);
	return true;
}

/* Locate the text at the current position: start and length in bytes */
static bool find_text(struct run *r, const struct evntrace_instruction *i,
		      u64 *start, u64 *len)
{
	u32 size = char_size(i);
	u64 chars;

	*start = r->at;
	switch (i->how & TEXT_LENGTH) {
	case EVNTRACE_TEXT_NUL:
		return nul_len(r, size, r->data->total, len);
	case EVNTRACE_TEXT_COUNTED:
		if (!counted_len(r, start, len))
			return false;
		break;
	case EVNTRACE_TEXT_REST:
		*len = r->data->total - r->at;
		break;
	default:
		chars = (i->how & TEXT_LENGTH) == EVNTRACE_TEXT_REGISTER ?
			r->reg[i->arg] : i->arg;
		if (chars > r->data->total)
			return false;
		*len = chars * size;
	}
	return *start <= r->data->total && *len <= r->data->total - *start;
}

static bool move_text(struct run *r, const struct evntrace_instruction *i)
{
	u64 start, len;

	if (!find_text(r, i, &start, &len))
		return false;
	r->at = start + len;
	/* Skip the nul, which may be missing at the end of the data */
	if (!(i->how & TEXT_LENGTH) && !move(r, char_size(i)))
		r->at = r->data->total;
	return true;
}

static u32 lower(u32 c)
{
	return c >= 'A' && c <= 'Z' ? c | 0x20 : c;
}

static u32 char_at(const u8 *p, u32 size)
{
	return size == 1 ? *p : get_unaligned_le16(p);
}

/* Return whether the data at @at equals the text, ignoring ASCII case */
static bool text_at(struct run *r, const struct evntrace_instruction *i, u64 at)
{
	const u8 *text = (const u8 *)r->program + text_offset(i), *p;
	u32 size = char_size(i), len = text_len(i), k;

	for (k = 0; k < len; k += size) {
		p = look(r, at + k, size);
		if (!p || !r->left)
			return false;
		r->left--;
		if (lower(char_at(p, size)) != lower(char_at(text + k, size)))
			return false;
	}
	return true;
}

static bool text_is_in(struct run *r, const struct evntrace_instruction *i,
		       u64 start, u64 len)
{
	u64 at, last = start + len - text_len(i);

	for (at = start; at <= last; at += char_size(i)) {
		if (text_at(r, i, at))
			return true;
		if (!r->left || r->data->err)
			break;
	}
	return false;
}

static bool has_text(struct run *r, const struct evntrace_instruction *i)
{
	bool has = false;
	u64 start, len;

	if (!find_text(r, i, &start, &len))
		return false;
	len -= len % char_size(i);
	/* A fixed-size field is padded with nuls */
	if (i->how & EVNTRACE_TEXT_FIXED &&
	    !nul_len(r, char_size(i), len, &len))
		return false;
	if (i->op == EVNTRACE_OP_TEXT_IS)
		has = len == text_len(i) && text_at(r, i, start);
	else if (len >= text_len(i))
		has = text_is_in(r, i, start, len);
	return r->left && has == !(i->how & EVNTRACE_TEXT_NOT);
}

/* Execute any instruction but END and COMPARE; false takes the jump */
static bool step(struct run *r, const struct evntrace_instruction *i)
{
	switch (i->op) {
	case EVNTRACE_OP_EVENT:
		return r->event->id == i->arg;
	case EVNTRACE_OP_AT:
		r->at = 0;
		return move(r, i->arg);
	case EVNTRACE_OP_MOVE:
		return move(r, i->arg);
	case EVNTRACE_OP_MOVE_BY:
		return move_by(r, r->reg[i->how], i->arg);
	case EVNTRACE_OP_MOVE_POINTERS:
		return move_by(r, i->arg, r->event->pointer_size);
	case EVNTRACE_OP_MOVE_TEXT:
		return move_text(r, i);
	case EVNTRACE_OP_MOVE_SID:
		return move_sid(r);
	case EVNTRACE_OP_LOAD:
		return load(r, i);
	case EVNTRACE_OP_MULTIPLE:
		return is_multiple(r, i);
	case EVNTRACE_OP_TEXT_IS:
	case EVNTRACE_OP_TEXT_CONTAINS:
		return has_text(r, i);
	}
	return false;	/* EVNTRACE_OP_JUMP */
}

/**
 * evnt_program_run() - run a program on an event
 * @program: program from evnt_program_create()
 * @event: event
 * @data: data of the event
 *
 * Return: whether the event passes; meaningless if @data->err is set on return.
 */
bool evnt_program_run(const struct evntrace_program *program,
		      const struct evnt_program_event *event,
		      struct evnt_reader *data)
{
	const struct evntrace_instruction *i = program->instruction;
	struct run r = {
		.program = program,
		.event = event,
		.data = data,
		.left = EVNTRACE_MAX_CHARACTERS,
	};

	for (;; i++) {
		if (likely(i->op == EVNTRACE_OP_COMPARE)) {
			if (compare(&r, i))
				continue;
		} else if (i->op == EVNTRACE_OP_END) {
			return i->arg;
		} else if (step(&r, i)) {
			continue;
		}
		if (unlikely(data->err))
			return false;
		i += i->jump;
	}
}
