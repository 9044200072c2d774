// SPDX-License-Identifier: MIT
/*
 * XML form of an event: in the binary encoding that its template contains, and
 * as text, from which the id of the template is derived.
 */
#include "tdh/dom.h"
#include "tdh/sha256.h"
#include "tdh/wevt.h"

#define FRAGMENT_HEADER	0x0f
#define OPEN_ELEMENT	0x01
#define CLOSE_START	0x02
#define END_ELEMENT	0x04
#define VALUE		0x05
#define ATTRIBUTE	0x06
#define SUBSTITUTION	0x0d
#define END_FRAGMENT	0x00
#define MORE		0x40	/* flag: more items follow */

#define TYPE_STRING	1
#define TYPE_BINARY	14
#define TYPE_ARRAY	0x80

static u8 type_of(const struct property *property)
{
	u8 type = property->flags & PropertyStruct ? TYPE_BINARY : property->in;

	return property->flags & (PropertyParamCount |
				  PropertyParamFixedCount) ?
	       type | TYPE_ARRAY : type;
}

/* Append hash, number of units, units, and a nul */
static void add_name(struct bytes *b, const char *name)
{
	size_t at = bytes_reserve(b, 4);
	u32 hash = 0;
	u16 count;

	bytes_add_wide(b, name);
	if (b->failed)
		return;
	count = (b->len - at - 4) / 2;
	for (u16 i = 0; i < count; i++)
		hash = hash * 65599 + get_u16(b->data + at + 4 + 2 * (size_t)i);
	bytes_put_u16(b, at, hash);
	bytes_put_u16(b, at + 2, count);
	bytes_add_u16(b, 0);
}

static void add_value(struct bytes *b, const char *text)
{
	size_t at;

	bytes_add_u8(b, VALUE);
	bytes_add_u8(b, TYPE_STRING);
	at = bytes_reserve(b, 2);
	bytes_add_wide(b, text);
	bytes_put_u16(b, at, (b->len - at - 2) / 2);
}

static void end_size(struct bytes *b, size_t at)
{
	bytes_put_u32(b, at, b->len - at - 4);
}

/* Append an element up to its content; returns the argument of end_element() */
static size_t begin_element(struct bytes *b, const char *name,
			    const struct attribute *attributes)
{
	size_t size, list;

	bytes_add_u8(b, attributes ? OPEN_ELEMENT | MORE : OPEN_ELEMENT);
	bytes_add_u16(b, 0xffff);
	size = bytes_reserve(b, 4);
	add_name(b, name);
	if (attributes) {
		list = bytes_reserve(b, 4);
		for (; attributes; attributes = attributes->next) {
			bytes_add_u8(b, attributes->next ? ATTRIBUTE | MORE :
							   ATTRIBUTE);
			add_name(b, attributes->name);
			add_value(b, attributes->value);
		}
		end_size(b, list);
	}
	bytes_add_u8(b, CLOSE_START);
	return size;
}

static void end_element(struct bytes *b, size_t size)
{
	bytes_add_u8(b, END_ELEMENT);
	end_size(b, size);
}

static void add_substitution(struct bytes *b, const struct template *t,
			     unsigned long index)
{
	bytes_add_u8(b, SUBSTITUTION);
	bytes_add_u16(b, index);
	bytes_add_u8(b, index < t->top_level ? type_of(&t->properties[index]) :
					       0);
}

/*
 * Return the length of a reference %N at the beginning of a text, 0 if there is
 * none; stores the number of the field
 */
static size_t reference_at(const char *text, unsigned long *number)
{
	size_t len = 1;

	*number = 0;
	while (*text == '%' && text[len] >= '0' && text[len] <= '9' &&
	       *number < 65536)
		*number = 10 * *number + text[len++] - '0';
	return *number ? len : 0;
}

/*
 * Append the text of an element: constant parts, and fields by their numbers.
 * Spaces at both ends belong to the layout of the manifest.
 */
static void add_content(struct bytes *b, const struct template *t,
			const char *text)
{
	static const char spaces[] = " \t\r\n";
	const char *end = text + strlen(text);
	struct bytes part = { 0 };
	unsigned long number;
	size_t len;

	text += strspn(text, spaces);
	while (end > text && strchr(spaces, end[-1]))
		end--;
	while (text < end) {
		len = reference_at(text, &number);
		if (len) {
			add_substitution(b, t, number - 1);
			text += len;
			continue;
		}
		part.len = 0;
		do
			bytes_add_u8(&part, *text++);
		while (text < end && !reference_at(text, &number));
		bytes_add_u8(&part, 0);
		b->failed |= part.failed;
		if (!b->failed)
			add_value(b, (char *)part.data);
	}
	bytes_free(&part);
}

/* Append an element of the manifest */
static void add_own(struct bytes *b, const struct template *t,
		    const struct node *node)
{
	size_t size = begin_element(b, node->name, node->attributes);

	if (node->text)
		add_content(b, t, node->text);
	for (const struct node *child = node->children; child;
	     child = child->next)
		add_own(b, t, child);
	end_element(b, size);
}

static void add_field(struct bytes *b, const struct template *t,
		      unsigned int index)
{
	const struct property *property = &t->properties[index];
	struct attribute name = { .name = "Name", .value = property->name };
	size_t size = begin_element(b, property->flags & PropertyStruct ?
				    "ComplexData" : "Data", &name);

	add_substitution(b, t, index);
	end_element(b, size);
}

void binxml_write(struct bytes *b, const struct template *t)
{
	struct attribute name = { .name = "Name", .value = t->name };
	size_t start = b->len, size;

	bytes_add_u8(b, FRAGMENT_HEADER);
	bytes_add_u8(b, 1);
	bytes_add_u8(b, 1);
	bytes_add_u8(b, 0);
	if (t->user_data) {
		add_own(b, t, t->user_data);
	} else {
		size = begin_element(b, "EventData", t->name ? &name : NULL);
		for (unsigned int i = 0; i < t->top_level; i++)
			add_field(b, t, i);
		end_element(b, size);
	}
	bytes_add_u8(b, END_FRAGMENT);
	while ((b->len - start) % 4 && !b->failed)
		bytes_add_u8(b, 0);
}

/* Append text in UTF-8; the caller converts all of it to UTF-16 at the end */
static void add_text(struct bytes *b, const char *text)
{
	bytes_add(b, text, strlen(text));
}

static void add_escaped(struct bytes *b, const char *text, bool quoted)
{
	for (; *text; text++) {
		if (*text == '<')
			add_text(b, "&lt;");
		else if (*text == '>')
			add_text(b, "&gt;");
		else if (*text == '&')
			add_text(b, "&amp;");
		else if (*text == '"' && quoted)
			add_text(b, "&quot;");
		else
			bytes_add_u8(b, *text);
	}
}

static void add_attribute_text(struct bytes *b, const char *name,
			       const char *value)
{
	add_text(b, " ");
	add_text(b, name);
	add_text(b, "=\"");
	add_escaped(b, value, true);
	add_text(b, "\"");
}

static void add_own_text(struct bytes *b, const struct node *node,
			 unsigned int depth)
{
	add_text(b, "<");
	add_text(b, node->name);
	for (const struct attribute *a = node->attributes; a; a = a->next)
		add_attribute_text(b, a->name, a->value);
	if (!node->text && !node->children) {
		add_text(b, "/>");
		return;
	}
	add_text(b, ">");
	if (node->text)
		add_escaped(b, node->text, false);
	for (const struct node *child = node->children; child;
	     child = child->next) {
		if (!depth)
			add_text(b, "\r\n\t\t");
		add_own_text(b, child, depth + 1);
	}
	if (!depth && node->children)
		add_text(b, "\r\n\t");
	add_text(b, "</");
	add_text(b, node->name);
	add_text(b, ">");
}

static void add_field_text(struct bytes *b, const struct property *property,
			   unsigned int number)
{
	const char *name = property->flags & PropertyStruct ? "ComplexData" :
							      "Data";
	char percent[16];
	int len = 0;

	add_text(b, "<");
	add_text(b, name);
	add_attribute_text(b, "Name", property->name);
	add_text(b, ">%");
	do {
		percent[len++] = '0' + number % 10;
		number /= 10;
	} while (number);
	while (len)
		bytes_add_u8(b, percent[--len]);
	add_text(b, "</");
	add_text(b, name);
	add_text(b, ">");
}

static void add_template_text(struct bytes *b, const struct template *t)
{
	if (t->user_data) {
		add_own_text(b, t->user_data, 0);
		return;
	}
	add_text(b, "<EventData");
	if (t->name)
		add_attribute_text(b, "Name", t->name);
	if (!t->top_level) {
		add_text(b, "/>");
		return;
	}
	add_text(b, ">");
	for (unsigned int i = 0; i < t->top_level; i++)
		add_field_text(b, &t->properties[i], i + 1);
	add_text(b, "</EventData>");
}

/* Templates with equal XML text and equal field types have the same id */
void binxml_template_id(const struct template *t, GUID *id)
{
	struct bytes text = { 0 }, hashed = { 0 };
	u8 digest[32];

	add_template_text(&text, t);
	bytes_add_u8(&text, 0);
	bytes_add(&hashed, "MS-WEVT", 8);
	if (!text.failed)
		bytes_add_wide(&hashed, (const char *)text.data);
	for (unsigned int i = 0; i < t->top_level; i++)
		bytes_add_u32(&hashed, type_of(&t->properties[i]));
	sha256(hashed.data, hashed.len, digest);
	digest[7] = (digest[7] & 0x0f) | 0x50;
	memcpy(id, digest, sizeof(*id));
	bytes_free(&text);
	bytes_free(&hashed);
}
