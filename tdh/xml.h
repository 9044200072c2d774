/* SPDX-License-Identifier: MIT */
/*
 * The functions of libxml2 that read a document.
 *
 * The library is loaded with the first manifest: with what it needs itself it takes as
 * long to load as the rest of a program that reads logs, most of which have none.
 */
#ifndef TDH_XML_H
#define TDH_XML_H

#include <libxml/parser.h>
#include <libxml/parserInternals.h>

/* The functions under their own names */
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
 * xml_load() - load libxml2, if that has not been done
 * @problem: why that failed, and the remedy; valid for ever
 *
 * Threads may call it at the same time.
 *
 * Return: NULL when it cannot be loaded.
 */
const struct xml_functions *xml_load(const char **problem);

#endif /* TDH_XML_H */
