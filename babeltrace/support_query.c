// SPDX-License-Identifier: MIT
/*
 * babeltrace.support-info: reports whether an input is a log file.
 *
 * All log files are assigned to one component, so that metadata of providers
 * from one file is used for all.
 */
#include <fcntl.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "lib/consume/etl_index.h"
#include "babeltrace/source.h"

#define IS_LOG		0.8
/* weak, but this component then reports the error */
#define IS_NAMED_LOG	0.2

/* Beginning of the first buffer and its first record */
struct first_time {
	struct etl_buffer_header buffer;
	struct etl_system_header record;
};

static bool is_log(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct first_time b;
	bool is;

	if (fd < 0)
		return false;
	is = read(fd, &b, sizeof(b)) == sizeof(b) &&
	     b.buffer.buffer_size > sizeof(b) &&
	     b.buffer.buffer_size <= ETL_MAX_BUFFER && !b.record.hook &&
	     (b.record.kind == ETL_RECORD_SYSTEM32 ||
	      b.record.kind == ETL_RECORD_SYSTEM64);
	close(fd);
	return is;
}

static const char *text_of(const bt_value *params, const char *key)
{
	const bt_value *value =
		bt_value_map_borrow_entry_value_const(params, key);

	return value && bt_value_is_string(value) ? bt_value_string_get(value) :
						    "";
}

bt_component_class_query_method_status
component_query(bt_self_component_class_source *self,
		bt_private_query_executor *executor, const char *object,
		const bt_value *params, void *data, const bt_value **result)
{
	double weight = 0;
	const char *path;
	bt_value *map;
	bool is_file;
	size_t len;

	(void)self;
	(void)executor;
	(void)data;
	if (strcmp(object, "babeltrace.support-info") != 0)
		return BT_COMPONENT_CLASS_QUERY_METHOD_STATUS_UNKNOWN_OBJECT;
	if (!bt_value_is_map(params))
		return BT_COMPONENT_CLASS_QUERY_METHOD_STATUS_ERROR;
	path = text_of(params, "input");
	len = strlen(path);
	is_file = !strcmp(text_of(params, "type"), "file");
	if (is_file && is_log(path))
		weight = IS_LOG;
	else if (is_file && len >= 4 && !strcasecmp(path + len - 4, ".etl"))
		weight = IS_NAMED_LOG;
	map = bt_value_map_create();
	if (!map)
		return BT_COMPONENT_CLASS_QUERY_METHOD_STATUS_MEMORY_ERROR;
	if (bt_value_map_insert_real_entry(map, "weight", weight) ||
	    (weight > 0 &&
	     bt_value_map_insert_string_entry(map, "group", "evntprov"))) {
		bt_value_put_ref(map);
		return BT_COMPONENT_CLASS_QUERY_METHOD_STATUS_MEMORY_ERROR;
	}
	*result = map;
	return BT_COMPONENT_CLASS_QUERY_METHOD_STATUS_OK;
}
