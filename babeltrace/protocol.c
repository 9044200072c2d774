// SPDX-License-Identifier: MIT
/*
 * Versions of babeltrace2's message interchange protocol (MIP): 0, and 1, which
 * babeltrace2 2.1 added and its CTF 2 writer needs. A plugin built with an
 * older babeltrace2 supports 0 only. This file contains the differences between
 * the versions.
 */
#include <stdio.h>

#include "babeltrace/source.h"

bt_component_class_get_supported_mip_versions_method_status
component_protocols(bt_self_component_class_source *self,
		    const bt_value *params, void *data,
		    bt_logging_level level,
		    bt_integer_range_set_unsigned *versions)
{
	u64 last = 0;

	(void)self;
	(void)params;
	(void)data;
	(void)level;
#ifdef HAVE_PROTOCOL_1
	last = 1;
#endif
	if (bt_integer_range_set_unsigned_add_range(versions, 0, last))
		return BT_COMPONENT_CLASS_GET_SUPPORTED_MIP_VERSIONS_METHOD_STATUS_MEMORY_ERROR;
	return BT_COMPONENT_CLASS_GET_SUPPORTED_MIP_VERSIONS_METHOD_STATUS_OK;
}

#ifdef HAVE_PROTOCOL_1

static bool is_protocol_1(const struct component *c)
{
	return bt_self_component_get_graph_mip_version(c->self) == 1;
}

#define array_class_of_1 \
	bt_field_class_array_dynamic_without_length_field_location_create

bt_field_class *protocol_array_class(struct component *c,
				     bt_field_class *element)
{
	if (is_protocol_1(c))
		return array_class_of_1(c->trace_class, element);
	return bt_field_class_array_dynamic_create(c->trace_class, element,
						   NULL);
}

bool protocol_identify(struct component *c, bt_trace *trace, const u8 *uuid)
{
	char text[37], *end = text;

	if (!is_protocol_1(c)) {
		bt_trace_set_uuid(trace, uuid);
		return true;
	}
	/* The uid, which identifies traces under MIP 1, is the UUID's text */
	for (int i = 0; i < 16; i++)
		end += sprintf(end, i == 4 || i == 6 || i == 8 || i == 10 ?
			       "-%02x" : "%02x", uuid[i]);
	return !bt_trace_set_uid(trace, text);
}

#else /* HAVE_PROTOCOL_1 */

bt_field_class *protocol_array_class(struct component *c,
				     bt_field_class *element)
{
	return bt_field_class_array_dynamic_create(c->trace_class, element,
						   NULL);
}

bool protocol_identify(struct component *c, bt_trace *trace, const u8 *uuid)
{
	(void)c;
	bt_trace_set_uuid(trace, uuid);
	return true;
}

#endif /* HAVE_PROTOCOL_1 */
