/* SPDX-License-Identifier: MIT */
/* Pack structures without padding, up to poppack.h. */
#pragma pack(push, 1)
