// SPDX-License-Identifier: MIT
/*
 * Packed buffers: the input has the method in a byte, the unpacked size in two,
 * and the packed data.
 */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "lib/consume/etl_index.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static bool (*const unpackers[])(u8 *to, u32 room, const u8 *from,
					 u32 len) = {
		etl_unpack, etl_unpack_lznt1, etl_unpack_huffman,
	};
	uint16_t room;
	uint8_t *to, *from;

	if (size < 3)
		return 0;
	memcpy(&room, data + 1, sizeof(room));
	/* Memory of the exact sizes, so that accesses beyond it are detected */
	to = malloc(room ? room : 1);
	from = malloc(size - 3 ? size - 3 : 1);
	if (to && from) {
		memcpy(from, data + 3, size - 3);
		unpackers[data[0] % 3](to, room, from, size - 3);
	}
	free(to);
	free(from);
	return 0;
}
