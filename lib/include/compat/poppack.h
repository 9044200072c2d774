/* SPDX-License-Identifier: MIT */
/* As before the last pshpack.h. */
#pragma pack(pop)
