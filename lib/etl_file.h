/* SPDX-License-Identifier: MIT */
/*
 * An .etl file as a source of buffers.
 */
#ifndef EVNT_ETL_FILE_H
#define EVNT_ETL_FILE_H

#include "trace_source.h"

ULONG etl_file_open(struct trace_source **src, const char *path);
s64 etl_file_written(const struct trace_source *src);

#endif /* EVNT_ETL_FILE_H */
