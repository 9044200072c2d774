/* SPDX-License-Identifier: MIT */
/*
 * Functions of libxml2 for reading a document.
 *
 * The library is loaded with the first manifest.  Loading it with its
 * dependencies takes as long as loading the rest of a program that reads logs,
 * and most logs need none.
 */
#ifndef TDH_XML_H
#define TDH_XML_H

#include <libxml/parser.h>
#include <libxml/parserInternals.h>

/* The functions under their original names */
struct xml_functions {
	__typeof__(xmlInitParser) *xmlInitParser;
	__typeof__(xmlCreateMemoryParserCtxt) *xmlCreateMemoryParserCtxt;
	__typeof__(xmlCtxtUseOptions) *xmlCtxtUseOptions;
	__typeof__(xmlParseDocument) *xmlParseDocument;
	__typeof__(xmlByteConsumed) *xmlByteConsumed;
	__typeof__(xmlStopParser) *xmlStopParser;
	__typeof__(xmlFreeParserCtxt) *xmlFreeParserCtxt;
};

/**
 * xml_load() - load libxml2, unless it is loaded
 * @problem: out: reason of a failure and its remedy, in static memory
 *
 * Thread-safe.
 *
 * Return: the functions, or NULL if the library cannot be loaded.
 */
const struct xml_functions *xml_load(const char **problem);

#endif /* TDH_XML_H */
