/* SPDX-License-Identifier: MIT */
/* What filters see of an event that is written: its data, in the program's memory. */
#ifndef EVNT_PRIVATE_READER_H
#define EVNT_PRIVATE_READER_H

#include "evntprov.h"
#include "reader.h"

/**
 * struct evnt_private_reader - the data of one kind, of all blocks that have it
 * @reader: what filters know
 * @blocks: the event's blocks of data
 * @types: bits of a block's type that are looked at: all or none
 * @kind: EVNTPROV_DATA_*
 */
struct evnt_private_reader {
	struct evnt_reader reader;
	const EVENT_DATA_DESCRIPTOR *blocks;
	u8 types;
	u8 kind;
};

#endif /* EVNT_PRIVATE_READER_H */
