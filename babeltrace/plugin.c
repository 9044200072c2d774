// SPDX-License-Identifier: MIT
/* The plugin evntprov of babeltrace2, with one source: source.evntprov.etl. */
#include "source.h"

#define HELP	"See the babeltrace2-source.evntprov.etl(7) manual page."

/* By shorter names */
#define BEGIN_METHOD \
	BT_PLUGIN_SOURCE_COMPONENT_CLASS_MESSAGE_ITERATOR_CLASS_INITIALIZE_METHOD
#define END_METHOD \
	BT_PLUGIN_SOURCE_COMPONENT_CLASS_MESSAGE_ITERATOR_CLASS_FINALIZE_METHOD
#define SEEK_METHODS \
	BT_PLUGIN_SOURCE_COMPONENT_CLASS_MESSAGE_ITERATOR_CLASS_SEEK_BEGINNING_METHODS
#define PROTOCOLS_METHOD \
	BT_PLUGIN_SOURCE_COMPONENT_CLASS_GET_SUPPORTED_MIP_VERSIONS_METHOD

BT_PLUGIN_MODULE();

BT_PLUGIN(evntprov);
BT_PLUGIN_DESCRIPTION("Event trace logs of Windows and of evntprov");
BT_PLUGIN_LICENSE("MIT");

BT_PLUGIN_SOURCE_COMPONENT_CLASS(etl, iterator_next);
BT_PLUGIN_SOURCE_COMPONENT_CLASS_DESCRIPTION(etl, "Read .etl files");
BT_PLUGIN_SOURCE_COMPONENT_CLASS_HELP(etl, HELP);
PROTOCOLS_METHOD(etl, component_protocols);
BT_PLUGIN_SOURCE_COMPONENT_CLASS_INITIALIZE_METHOD(etl, component_initialize);
BT_PLUGIN_SOURCE_COMPONENT_CLASS_FINALIZE_METHOD(etl, component_finalize);
BT_PLUGIN_SOURCE_COMPONENT_CLASS_QUERY_METHOD(etl, component_query);
BEGIN_METHOD(etl, iterator_initialize);
END_METHOD(etl, iterator_finalize);
SEEK_METHODS(etl, iterator_seek_beginning, iterator_can_seek_beginning);
