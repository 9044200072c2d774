// SPDX-License-Identifier: MIT
/*
 * Storage of a kind's properties, and the field classes for it.
 *
 * Names in CTF consist of letters, digits and underscores. CTF has no arrays of
 * arrays with variable length, so an element that is an array is wrapped in a
 * structure.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "babeltrace/classes.h"
#include "babeltrace/field.h"
#include "decode/format.h"
#include "tdh/value.h"

/*
 * Maximum number of labels of a map, as each is compared with all others;
 * larger maps become plain numbers
 */
#define MAX_LABELS	4096

/* Maximum nesting of structures, above the limit of TDH */
#define MAX_DEPTH	16

/*
 * Return the number of elements of an array with constant length, otherwise 0
 */
static unsigned int fixed_count(const EVENT_PROPERTY_INFO *p)
{
	return p->Flags & PropertyParamCount ? 0 : p->count;
}

static bool is_array(const EVENT_PROPERTY_INFO *p)
{
	return p->Flags & (PropertyParamCount | PropertyParamFixedCount) ||
	       p->count > 1;
}

static bool is_enumeration(const EVENT_MAP_INFO *map, u32 len)
{
	return map && len <= 4 && map->EntryCount <= MAX_LABELS &&
	       map->Flag & (EVENTMAP_INFO_FLAG_MANIFEST_VALUEMAP |
			    EVENTMAP_INFO_FLAG_WBEM_VALUEMAP |
			    EVENTMAP_INFO_FLAG_MANIFEST_BITMAP |
			    EVENTMAP_INFO_FLAG_WBEM_BITMAP |
			    EVENTMAP_INFO_FLAG_WBEM_FLAG);
}

static enum field_type integer_type(u16 in, u16 out, const EVENT_MAP_INFO *map)
{
	u32 len = value_fixed_size(in, 8);

	switch (value_shown_as(in, out, len)) {
	case TDH_OUTTYPE_BYTE:
	case TDH_OUTTYPE_SHORT:
	case TDH_OUTTYPE_INT:
	case TDH_OUTTYPE_LONG:
		return FIELD_SIGNED;
	case TDH_OUTTYPE_BOOLEAN:
		return is_enumeration(map, len) ? FIELD_UNSIGNED : FIELD_BOOL;
	case TDH_OUTTYPE_PORT:
		return is_enumeration(map, len) ? FIELD_UNSIGNED : FIELD_PORT;
	case TDH_OUTTYPE_STRING:
	case TDH_OUTTYPE_IPV4:
	case TDH_OUTTYPE_DATETIME:
	case TDH_OUTTYPE_CIMDATETIME:
	case TDH_OUTTYPE_CULTURE_INSENSITIVE_DATETIME:
	case TDH_OUTTYPE_DATETIME_UTC:
		return is_enumeration(map, len) ? FIELD_UNSIGNED :
						  FIELD_FORMATTED;
	}
	return FIELD_UNSIGNED;
}

static enum field_type type_of(const struct schema *schema, ULONG i)
{
	const EVENT_PROPERTY_INFO *p = &schema->info->EventPropertyInfoArray[i];
	u16 in, out;

	if (schema->hidden[i])
		return FIELD_HIDDEN;
	if (p->Flags & PropertyStruct)
		return FIELD_STRUCT;
	in = p->nonStructType.InType;
	out = p->nonStructType.OutType;
	if (value_is_integer(in))
		return integer_type(in, out, schema->maps[i]);
	if (value_is_wide(in))
		return FIELD_WIDE;
	if (value_is_narrow(in))
		return FIELD_NARROW;
	switch (in) {
	case TDH_INTYPE_FLOAT:
		return FIELD_SINGLE;
	case TDH_INTYPE_DOUBLE:
		return FIELD_DOUBLE;
	case TDH_INTYPE_BINARY:
	case TDH_INTYPE_MANIFEST_COUNTEDBINARY:
	case TDH_INTYPE_HEXDUMP:
		return out == TDH_OUTTYPE_IPV4 || out == TDH_OUTTYPE_IPV6 ||
		       out == TDH_OUTTYPE_SOCKETADDRESS ? FIELD_FORMATTED :
							  FIELD_BYTES;
	}
	return FIELD_FORMATTED;
}

/*
 * Plan the members of a structure; return false if fields are nested too
 * deeply or too many. @weight is set to the number of fields created with the
 * structure.
 */
static bool plan_members(const struct schema *schema, struct field *fields,
			 u32 first, u32 count, int depth, u64 *weight)
{
	const TRACE_EVENT_INFO *info = schema->info;
	u16 slot = 0;

	*weight = 1;
	if (depth > MAX_DEPTH || first + count > info->PropertyCount)
		return false;
	for (u32 i = first; i < first + count; i++) {
		const EVENT_PROPERTY_INFO *p = &info->EventPropertyInfoArray[i];
		u64 each = 1;

		fields[i].type = type_of(schema, i);
		/*
		 * Members must follow their structure, which bounds the
		 * recursion
		 */
		if (fields[i].type == FIELD_STRUCT &&
		    (p->structType.StructStartIndex <= i ||
		     !plan_members(schema, fields,
				   p->structType.StructStartIndex,
				   p->structType.NumOfStructMembers, depth + 1,
				   &each)))
			return false;
		/* one for the structure that wraps it in an array */
		if (fields[i].type == FIELD_BYTES)
			each++;
		fields[i].weight = each;
		fields[i].slot = slot;
		slot += fields[i].type != FIELD_HIDDEN;
		*weight += is_array(p) ? 1 + (u64)fixed_count(p) * each : each;
		if (*weight > MAX_FIELDS)
			return false;
	}
	return true;
}

struct field *fields_plan(const struct schema *schema)
{
	const TRACE_EVENT_INFO *info = schema->info;
	struct field *fields = calloc(info->PropertyCount + 1, sizeof(*fields));
	u64 weight;

	if (fields && !plan_members(schema, fields, 0,
				    info->TopLevelPropertyCount, 0, &weight)) {
		free(fields);
		return NULL;
	}
	return fields;
}

/*
 * Return a map entry's name for the caller to free, without the trailing blank
 * that it has on Windows
 */
static char *label_of(const EVENT_MAP_INFO *map, ULONG i)
{
	const WCHAR *wide = EMI_MAP_OUTPUT(map, &map->MapEntryArray[i]);
	size_t len = 0;
	char *label;

	while (wide && wide[len])
		len++;
	while (len && (wide[len - 1] == ' ' || wide[len - 1] == '\n' ||
		       wide[len - 1] == '\r'))
		len--;
	label = malloc(UTF16_TEXT(len));
	return label ? format_utf16(wide, len, label, UTF16_TEXT(len)) : NULL;
}

/**
 * struct labels - labels of a map
 * @map: map
 * @names: names of its entries; NULL for unused entries
 * @bits: size of the values in bits
 */
struct labels {
	const EVENT_MAP_INFO *map;
	char **names;
	unsigned int bits;
};

/* Return an entry's value, which fits the field if is_used() */
static u32 entry_value(const struct labels *l, ULONG i)
{
	return value_mapped(l->map, &l->map->MapEntryArray[i]);
}

/*
 * Return whether an entry's value is possible and differs from all previous
 * ones
 */
static bool is_used(const struct labels *l, ULONG i)
{
	u32 value = entry_value(l, i);

	/* a bitmap entry without a bit */
	if (!value && l->map->Flag & EVENTMAP_INFO_FLAG_WBEM_BITMAP)
		return false;
	if ((u64)value >> l->bits)
		return false;
	for (ULONG j = 0; j < i; j++) {
		if (entry_value(l, j) == value)
			return false;
	}
	return true;
}

/*
 * Map all values that share the name of entry @first, and consume their names
 */
static bool map_signed(bt_field_class *fc, struct labels *l, ULONG first)
{
	bt_integer_range_set_signed *set = bt_integer_range_set_signed_create();
	unsigned int shift = 64 - l->bits;
	char *name = l->names[first];
	bool ok = set;

	for (ULONG i = first; ok && i < l->map->EntryCount; i++) {
		s64 value = (s64)((u64)entry_value(l, i) << shift) >> shift;

		if (!l->names[i] || strcmp(l->names[i], name) != 0)
			continue;
		ok = !bt_integer_range_set_signed_add_range(set, value, value);
		if (i > first)
			free(l->names[i]);
		l->names[i] = NULL;
	}
	ok = ok && !bt_field_class_enumeration_signed_add_mapping(fc, name,
								  set);
	bt_integer_range_set_signed_put_ref(set);
	free(name);
	l->names[first] = NULL;
	return ok;
}

static bool map_unsigned(bt_field_class *fc, struct labels *l, ULONG first)
{
	bt_integer_range_set_unsigned *set =
		bt_integer_range_set_unsigned_create();
	char *name = l->names[first];
	bool ok = set;

	for (ULONG i = first; ok && i < l->map->EntryCount; i++) {
		u32 value = entry_value(l, i);

		if (!l->names[i] || strcmp(l->names[i], name) != 0)
			continue;
		ok = !bt_integer_range_set_unsigned_add_range(set, value,
							      value);
		if (i > first)
			free(l->names[i]);
		l->names[i] = NULL;
	}
	ok = ok && !bt_field_class_enumeration_unsigned_add_mapping(fc, name,
								    set);
	bt_integer_range_set_unsigned_put_ref(set);
	free(name);
	l->names[first] = NULL;
	return ok;
}

static bool add_mappings(bt_field_class *fc, const EVENT_MAP_INFO *map,
			 unsigned int bits, bool is_signed)
{
	struct labels l = { .map = map, .bits = bits };
	bool ok;

	l.names = calloc(map->EntryCount + 1, sizeof(*l.names));
	ok = l.names;
	for (ULONG i = 0; ok && i < map->EntryCount; i++) {
		if (!is_used(&l, i))
			continue;
		l.names[i] = label_of(map, i);
		ok = l.names[i];
	}
	for (ULONG i = 0; ok && i < map->EntryCount; i++) {
		if (l.names[i])
			ok = is_signed ? map_signed(fc, &l, i) :
					 map_unsigned(fc, &l, i);
	}
	for (ULONG i = 0; l.names && i < map->EntryCount; i++)
		free(l.names[i]);
	free(l.names);
	return ok;
}

static bool is_hexadecimal(u16 shown)
{
	switch (shown) {
	case TDH_OUTTYPE_HEXINT8 ... TDH_OUTTYPE_HEXINT64:
	case TDH_OUTTYPE_ERRORCODE ... TDH_OUTTYPE_HRESULT:
	case TDH_OUTTYPE_CODE_POINTER:
		return true;
	}
	return false;
}

static bt_field_class *integer_class(struct component *c,
				     const EVENT_PROPERTY_INFO *p,
				     const EVENT_MAP_INFO *map, bool is_signed)
{
	u16 in = p->nonStructType.InType;
	u32 len = value_fixed_size(in, 8);
	u16 shown = value_shown_as(in, p->nonStructType.OutType, len);
	bool has_names = is_enumeration(map, len);
	bt_trace_class *tc = c->trace_class;
	bt_field_class *fc;

	if (has_names)
		fc = is_signed ? bt_field_class_enumeration_signed_create(tc) :
				 bt_field_class_enumeration_unsigned_create(tc);
	else
		fc = is_signed ? bt_field_class_integer_signed_create(tc) :
				 bt_field_class_integer_unsigned_create(tc);
	if (!fc)
		return NULL;
	bt_field_class_integer_set_field_value_range(fc, 8 * len);
	if (is_hexadecimal(shown) ||
	    (has_names && map->Flag & (EVENTMAP_INFO_FLAG_MANIFEST_BITMAP |
				       EVENTMAP_INFO_FLAG_WBEM_BITMAP |
				       EVENTMAP_INFO_FLAG_WBEM_FLAG)))
		field_class_set_hex(fc);
	if (!has_names || add_mappings(fc, map, 8 * len, is_signed))
		return fc;
	bt_field_class_put_ref(fc);
	return NULL;
}

static bt_field_class *struct_class(struct component *c,
				    const struct schema *schema,
				    const struct field *fields, u32 first,
				    u32 count);

/* Create the class of a field that is not an array, or of an array's element */
static bt_field_class *element_class(struct component *c,
				     const struct schema *schema,
				     const struct field *fields, ULONG i)
{
	const EVENT_PROPERTY_INFO *p = &schema->info->EventPropertyInfoArray[i];

	switch (fields[i].type) {
	case FIELD_STRUCT:
		return struct_class(c, schema, fields,
				    p->structType.StructStartIndex,
				    p->structType.NumOfStructMembers);
	case FIELD_UNSIGNED:
	case FIELD_SIGNED:
		return integer_class(c, p, schema->maps[i],
				     fields[i].type == FIELD_SIGNED);
	case FIELD_PORT:
		return unsigned_class(c, 16, false);
	case FIELD_BOOL:
		return bt_field_class_bool_create(c->trace_class);
	case FIELD_SINGLE:
		return bt_field_class_real_single_precision_create(c->trace_class);
	case FIELD_DOUBLE:
		return bt_field_class_real_double_precision_create(c->trace_class);
	case FIELD_BYTES:
		return bytes_class(c);
	}
	return bt_field_class_string_create(c->trace_class);
}

static bt_field_class *property_class(struct component *c,
				      const struct schema *schema,
				      const struct field *fields, ULONG i)
{
	const EVENT_PROPERTY_INFO *p = &schema->info->EventPropertyInfoArray[i];
	bt_field_class *element = element_class(c, schema, fields, i), *fc;

	if (!element || !is_array(p))
		return element;
	if (fields[i].type == FIELD_BYTES) {
		/* Wrap bytes in a structure with a single member, "bytes" */
		fc = bt_field_class_structure_create(c->trace_class);
		if (!fc)
			bt_field_class_put_ref(element);
		if (!fc || !add_member(fc, "bytes", element)) {
			bt_field_class_put_ref(fc);
			return NULL;
		}
		element = fc;
	}
	if (fixed_count(p))
		fc = bt_field_class_array_static_create(c->trace_class, element,
							fixed_count(p));
	else
		fc = protocol_array_class(c, element);
	bt_field_class_put_ref(element);
	return fc;
}

char *member_name(const bt_field_class *s, const char *name)
{
	u64 i = bt_field_class_structure_get_member_count(s);
	size_t size = (name ? strlen(name) : 0) + sizeof("field") + NUMBER_TEXT;
	char *unique = malloc(size), *end;

	if (!unique)
		return NULL;
	snprintf(unique, size, "%s", name && *name ? name : "field");
	for (char *at = unique; *at; at++) {
		if (!isascii((unsigned char)*at) || !isalnum(*at))
			*at = '_';
	}
	end = unique + strlen(unique);
	while (bt_field_class_structure_borrow_member_by_name_const(s, unique))
		snprintf(end, NUMBER_TEXT, "_%llu", (unsigned long long)++i);
	return unique;
}

static bt_field_class *struct_class(struct component *c,
				    const struct schema *schema,
				    const struct field *fields, u32 first,
				    u32 count)
{
	bt_field_class *s = bt_field_class_structure_create(c->trace_class);
	bool ok = s;
	char *name;

	for (u32 i = first; ok && i < first + count; i++) {
		if (fields[i].type == FIELD_HIDDEN)
			continue;
		name = member_name(s, schema->names[i]);
		ok = name && add_member(s, name, property_class(c, schema,
								fields, i));
		free(name);
	}
	if (ok)
		return s;
	bt_field_class_put_ref(s);
	return NULL;
}

bt_field_class *fields_class(struct component *c, const struct schema *schema,
			     const struct field *fields)
{
	return struct_class(c, schema, fields, 0,
			    schema->info->TopLevelPropertyCount);
}
