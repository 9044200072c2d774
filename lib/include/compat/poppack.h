/* SPDX-License-Identifier: MIT */
/* Restore the packing in effect before the last pshpack1.h. */
#pragma pack(pop)
