/* SPDX-License-Identifier: MIT */
/* Short names for common operations on fields */
#ifndef EVNT_FIELD_H
#define EVNT_FIELD_H

#include <babeltrace2/babeltrace.h>

#include "core/port/port.h"

#define BASE_16	BT_FIELD_CLASS_INTEGER_PREFERRED_DISPLAY_BASE_HEXADECIMAL

static inline bt_field *field_member(bt_field *structure, u64 i)
{
	return bt_field_structure_borrow_member_field_by_index(structure, i);
}

static inline bt_field *field_element(bt_field *array, u64 i)
{
	return bt_field_array_borrow_element_field_by_index(array, i);
}

static inline void field_set(bt_field *field, u64 number)
{
	bt_field_integer_unsigned_set_value(field, number);
}

/* Set hexadecimal display */
static inline void field_class_set_hex(bt_field_class *fc)
{
	bt_field_class_integer_set_preferred_display_base(fc, BASE_16);
}

#endif /* EVNT_FIELD_H */
