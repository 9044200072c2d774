/* SPDX-License-Identifier: MIT */
/* Structures without holes, up to poppack.h. */
#pragma pack(push, 1)
