/* SPDX-License-Identifier: MIT */
/*
 * Messages of WPP in the debug information of a program of Windows (PDB), in
 * which the preprocessor of WPP has its compiler store them, line by line as in
 * a trace message format file.
 */
#ifndef TDH_PDB_H
#define TDH_PDB_H

#include "tdh/bytes.h"

bool is_pdb(const u8 *data, size_t len);

/*
 * Append the messages as the text of a trace message format file.  A damaged
 * file has the messages before the damage.
 */
void pdb_messages(struct bytes *b, const u8 *data, size_t len);

#endif /* TDH_PDB_H */
