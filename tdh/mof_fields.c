// SPDX-License-Identifier: MIT
/* Representation of a class's properties in the payload of an event. */
#include <stdlib.h>

#include "tdh/mof.h"

#define ALLOC(mof, type) \
	((type *)arena_alloc(&(mof)->manifest->arena, sizeof(type)))

/**
 * struct type - a type of the language
 * @name: name of the type
 * @in: TDH_INTYPE_*
 * @hex: TDH_INTYPE_* with Format("x")
 * @hex_out: TDH_OUTTYPE_* with Format("x")
 */
static const struct type {
	const char *name;
	u16 in;
	u16 hex;
	u16 hex_out;
} types[] = {
	{ "sint8", TDH_INTYPE_INT8, TDH_INTYPE_INT8, TDH_OUTTYPE_HEXINT8 },
	{ "uint8", TDH_INTYPE_UINT8, TDH_INTYPE_UINT8, TDH_OUTTYPE_HEXINT8 },
	{ "sint16", TDH_INTYPE_INT16, TDH_INTYPE_INT16, TDH_OUTTYPE_HEXINT16 },
	{ "uint16", TDH_INTYPE_UINT16, TDH_INTYPE_UINT16,
	  TDH_OUTTYPE_HEXINT16 },
	{ "sint32", TDH_INTYPE_INT32, TDH_INTYPE_HEXINT32, 0 },
	{ "uint32", TDH_INTYPE_UINT32, TDH_INTYPE_HEXINT32, 0 },
	{ "sint64", TDH_INTYPE_INT64, TDH_INTYPE_HEXINT64, 0 },
	{ "uint64", TDH_INTYPE_UINT64, TDH_INTYPE_HEXINT64, 0 },
	{ "real32", TDH_INTYPE_FLOAT, TDH_INTYPE_FLOAT, 0 },
	{ "real64", TDH_INTYPE_DOUBLE, TDH_INTYPE_DOUBLE, 0 },
	{ "boolean", TDH_INTYPE_BOOLEAN, TDH_INTYPE_BOOLEAN, 0 },
	{ "char16", TDH_INTYPE_UNICODECHAR, TDH_INTYPE_UNICODECHAR, 0 },
};

/* Values of the qualifier Extension, which override the type */
static const struct extension {
	const char *name;
	u16 in;
	u16 out;
	u16 length;
} extensions[] = {
	{ "Guid", TDH_INTYPE_GUID, 0, 0 },
	{ "IPAddr", TDH_INTYPE_UINT32, TDH_OUTTYPE_IPV4, 0 },
	{ "IPAddrV4", TDH_INTYPE_UINT32, TDH_OUTTYPE_IPV4, 0 },
	{ "IPAddrV6", TDH_INTYPE_BINARY, TDH_OUTTYPE_IPV6, 16 },
	{ "Port", TDH_INTYPE_UINT16, TDH_OUTTYPE_PORT, 0 },
	{ "RString", TDH_INTYPE_ANSISTRING, TDH_OUTTYPE_REDUCEDSTRING, 0 },
	{ "RWString", TDH_INTYPE_UNICODESTRING, TDH_OUTTYPE_REDUCEDSTRING, 0 },
	{ "Sid", TDH_INTYPE_WBEMSID, 0, 0 },
	{ "SizeT", TDH_INTYPE_SIZET, 0, 0 },
	{ "Variant", TDH_INTYPE_HEXDUMP, 0, 0 },
	{ "WmiTime", TDH_INTYPE_UINT64, TDH_OUTTYPE_ETWTIME, 0 },
};

/* Terminations of strings in UTF-16 and in bytes; the first is the default */
static const struct termination {
	const char *name;
	u16 wide;
	u16 narrow;
} terminations[] = {
	{ "NullTerminated", TDH_INTYPE_UNICODESTRING, TDH_INTYPE_ANSISTRING },
	{ "Counted", TDH_INTYPE_COUNTEDSTRING, TDH_INTYPE_COUNTEDANSISTRING },
	{ "ReverseCounted", TDH_INTYPE_REVERSEDCOUNTEDSTRING,
	  TDH_INTYPE_REVERSEDCOUNTEDANSISTRING },
	{ "NotCounted", TDH_INTYPE_NONNULLTERMINATEDSTRING,
	  TDH_INTYPE_NONNULLTERMINATEDANSISTRING },
};

static void set_string(const struct mof_field *field, struct property *p)
{
	const struct termination *t = terminations;

	for (size_t i = 0; i < EVNT_ARRAY_SIZE(terminations); i++) {
		if (mof_says(field->qualifiers, "StringTermination",
			     terminations[i].name))
			t = &terminations[i];
	}
	p->in = mof_says(field->qualifiers, "Format", "w") ? t->wide :
							      t->narrow;
}

static const struct extension *extension_of(const struct mof_field *field)
{
	for (size_t i = 0; i < EVNT_ARRAY_SIZE(extensions); i++) {
		if (mof_says(field->qualifiers, "Extension",
			     extensions[i].name))
			return &extensions[i];
	}
	return NULL;
}

static const struct type *type_of(const struct mof_field *field)
{
	for (size_t i = 0; i < EVNT_ARRAY_SIZE(types); i++) {
		if (mof_is(types[i].name, field->type))
			return &types[i];
	}
	return NULL;
}

static bool set_plain(struct mof *mof, const struct mof_field *field,
		      struct property *p)
{
	const struct type *type = type_of(field);

	if (mof_is(field->type, "string")) {
		set_string(field, p);
		return true;
	}
	if (!type)
		return mof_refuse(mof, &field->place, mof_is(field->type,
				  "object") ?
				  "an object needs the qualifier Extension" :
				  "'%s' is no type of events", field->type);
	p->in = type->in;
	if (mof_says(field->qualifiers, "Format", "x")) {
		p->in = type->hex;
		p->out = type->hex_out;
	} else if (mof_says(field->qualifiers, "Format", "c")) {
		p->out = TDH_OUTTYPE_STRING;
	}
	return true;
}

static bool set_type(struct mof *mof, const struct mof_field *field,
		     struct property *p)
{
	const struct extension *extension = extension_of(field);

	if (mof_qualifier(field->qualifiers, "Pointer") ||
	    mof_qualifier(field->qualifiers, "PointerType")) {
		p->in = TDH_INTYPE_POINTER;
	} else if (extension) {
		p->in = extension->in;
		p->out = extension->out;
		p->length = extension->length;
		if (p->length)
			p->flags |= PropertyParamFixedLength;
	} else if (!set_plain(mof, field, p)) {
		return false;
	}
	if (mof_says(field->qualifiers, "Extension", "NoPrint"))
		p->out = TDH_OUTTYPE_NOPRINT;
	if (mof_qualifier(field->qualifiers, "XMLFragment"))
		p->flags |= PropertyWBEMXmlFragment;
	return true;
}

static bool find_count(const struct template *t, const char *name, u16 *index)
{
	for (unsigned int i = 0; name && i < t->count; i++) {
		if (!mof_is(t->properties[i].name, name))
			continue;
		*index = i;
		return true;
	}
	return false;
}

/* Set the number of elements; @t contains the preceding properties */
static bool set_array(struct mof *mof, const struct template *t,
		      const struct mof_field *field, struct property *p)
{
	p->count = 1;
	if (!field->is_array)
		return true;
	if (field->elements && mof_says(field->qualifiers, "Format", "s")) {
		/* An array of characters that represents a string */
		p->in = mof_is(field->type, "char16") ?
			TDH_INTYPE_UNICODESTRING : TDH_INTYPE_ANSISTRING;
		p->flags |= PropertyParamFixedLength;
		p->length = field->elements;
	} else if (field->elements) {
		p->flags |= PropertyParamFixedCount;
		p->count = field->elements;
	} else if (find_count(t, mof_text(field->qualifiers, "WmiSizeIs"),
			      &p->count)) {
		p->flags |= PropertyParamCount;
	} else {
		return mof_refuse(mof, &field->place, "how many elements '%s'"
				  " has is not said: WmiSizeIs names a"
				  " property in front of it", field->name);
	}
	return true;
}

/* Create a localized string in the only language of the file */
struct message *mof_message(struct mof *mof, const char *text)
{
	struct message *m = ALLOC(mof, struct message);
	const char **texts = ALLOC(mof, const char *);

	if (!m || !texts)
		return NULL;
	*texts = text;
	m->texts = texts;
	m->number = NO_MESSAGE;
	return m;
}

/* Read a number, which may be written as a text */
static bool number_of(const struct mof_value *value, u64 *number)
{
	char *end;

	*number = value->number;
	if (!value->text)
		return true;
	*number = strtoull(value->text, &end, 0);
	return end != value->text && !*end;
}

/* Add entries of a map; if @counted, @numbers is NULL and names count from 0 */
static void add_entries(struct mof *mof, struct map *map,
			const struct mof_value *names,
			const struct mof_value *numbers, bool counted)
{
	struct map_entry **last = &map->entries;

	for (u64 n = 0; names && (counted || numbers); names = names->next) {
		struct map_entry *entry;
		u64 number = n++;
		bool is_number = counted || number_of(numbers, &number);

		numbers = numbers ? numbers->next : NULL;
		if (!is_number || number > UINT32_MAX || !names->text)
			continue;
		entry = ALLOC(mof, struct map_entry);
		if (!entry)
			return;
		entry->value = number;
		entry->message = mof_message(mof, names->text);
		*last = entry;
		last = &entry->next;
		map->count++;
	}
}

static struct map *new_map(struct mof *mof, struct mof_class *class,
			   const struct mof_field *field)
{
	const struct mof_qualifier *list = field->qualifiers;
	const struct mof_qualifier *values = mof_qualifier(list, "Values");
	const struct mof_qualifier *bits = mof_qualifier(list, "BitValues");
	const struct mof_qualifier *names = values ? values : bits, *numbers;
	struct map *map;

	if (!names)
		return NULL;
	map = ALLOC(mof, struct map);
	if (!map)
		return NULL;
	numbers = mof_qualifier(list, values ? "ValueMap" : "BitMap");
	map->name = arena_format(&mof->manifest->arena, "%s_%s", class->name,
				 field->name);
	map->wbem = values ? EVENTMAP_INFO_FLAG_WBEM_VALUEMAP :
			     EVENTMAP_INFO_FLAG_WBEM_BITMAP;
	if (values && mof_says(list, "ValueType", "flag"))
		map->wbem |= EVENTMAP_INFO_FLAG_WBEM_FLAG;
	if (!numbers)
		map->wbem |= EVENTMAP_INFO_FLAG_WBEM_NO_MAP;
	add_entries(mof, map, names->values, numbers ? numbers->values : NULL,
		    !numbers);
	return map;
}

static bool add_property(struct mof *mof, struct mof_class *class,
			 const struct mof_field *field)
{
	struct template *t = &class->template;
	struct property *p = &t->properties[t->count];
	struct map *map;

	p->name = field->name;
	if (!set_type(mof, field, p) || !set_array(mof, t, field, p))
		return false;
	map = new_map(mof, class, field);
	if (map) {
		*LAST_OF(class->maps) = map;
		p->map = map->name;
	}
	t->count++;
	t->top_level++;
	return !mof->manifest->arena.failed;
}

/* Return the property's position in the payload, or 0 if it has none */
static long long data_id(const struct mof_field *field)
{
	const struct mof_qualifier *q = mof_qualifier(field->qualifiers,
						      "WmiDataId");

	return q && q->values && q->values->number > 0 ? q->values->number : 0;
}

/* Find the property with the lowest position above @id, or NULL */
static const struct mof_field *next_field(const struct mof_field *fields,
					  long long id)
{
	const struct mof_field *first = NULL;

	for (; fields; fields = fields->next) {
		if (data_id(fields) > id &&
		    (!first || data_id(fields) < data_id(first)))
			first = fields;
	}
	return first;
}

/* Maximum number of properties; no real event reaches it */
#define MAX_FIELDS	1024

static unsigned int count_fields(const struct mof_field *fields)
{
	unsigned int count = 0;

	for (; fields; fields = fields->next)
		count += data_id(fields) != 0;
	return count;
}

bool mof_template(struct mof *mof, struct mof_class *class)
{
	const struct mof_class *from = class;
	const struct mof_field *field;
	unsigned int count;

	/*
	 * A class without properties inherits the properties of its base class
	 */
	while (from && !count_fields(from->fields))
		from = from->base;
	if (!from)
		return true;
	count = count_fields(from->fields);
	if (count > MAX_FIELDS)
		return mof_refuse(mof, &from->place, "class '%s' has more than"
				  " %d properties", from->name, MAX_FIELDS);
	class->template.properties = arena_alloc(&mof->manifest->arena,
						 count * sizeof(struct property));
	if (!class->template.properties)
		return false;
	field = next_field(from->fields, 0);
	while (field && class->template.count < count) {
		if (!add_property(mof, class, field))
			return false;
		field = next_field(from->fields, data_id(field));
	}
	return true;
}
