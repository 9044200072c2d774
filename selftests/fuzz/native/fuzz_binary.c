// SPDX-License-Identifier: MIT
/* Programs that contain a compiled manifest, and tables of messages. */
#include "decode.h"
#include "tdh/binary.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct manifest *m;
	BYTE *copy = malloc(size ? size : 1);
	ULONG code = 0;

	if (!copy)
		return 0;
	memcpy(copy, data, size);
	m = binary_manifest(copy, size, &code);
	check(m || code);
	if (m)
		messages_read(m, "", copy, size);
	manifest_free(m);
	free(copy);
	return 0;
}
