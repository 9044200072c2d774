// SPDX-License-Identifier: MIT
/* One-time loading of the libxml2 version that matches the headers. */
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "tdh/xml.h"

#if LIBXML_VERSION >= 21400
#define LIBRARY		"libxml2.so.16"
#else
#define LIBRARY		"libxml2.so.2"
#endif

static pthread_once_t once = PTHREAD_ONCE_INIT;
static struct xml_functions functions;
static char why[512];

static void find(void *library, const char *name, void *to)
{
	void *function = dlsym(library, name);

	memcpy(to, &function, sizeof(function));
	if (!function)
		snprintf(why, sizeof(why),
			 "%s, which reads manifests, has no %s(): "
			 "install the version that this library was built for",
			 LIBRARY, name);
}

#define FIND(name)	find(library, #name, &functions.name)

static void load(void)
{
	/* RTLD_LOCAL, as the program may use another version of the library */
	void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
	const char *error = library ? NULL : dlerror();

	if (!library) {
		snprintf(why, sizeof(why),
			 "libxml2, which reads manifests, cannot be loaded (%s): "
			 "install the package that has %s",
			 error ? error : "no reason is known", LIBRARY);
		return;
	}
	FIND(xmlInitParser);
	FIND(xmlCreateMemoryParserCtxt);
	FIND(xmlCtxtUseOptions);
	FIND(xmlParseDocument);
	FIND(xmlByteConsumed);
	FIND(xmlStopParser);
	FIND(xmlFreeParserCtxt);
	if (!*why)
		functions.xmlInitParser();
}

const struct xml_functions *xml_load(const char **problem)
{
	pthread_once(&once, load);
	*problem = why;
	return *why ? NULL : &functions;
}
