/* SPDX-License-Identifier: MIT */
/*
 * Objects that the dynamic linker has loaded.
 */
#ifndef EVNT_LOADED_CODE_H
#define EVNT_LOADED_CODE_H

const void *evnt_loaded_code(const void *address);

#endif /* EVNT_LOADED_CODE_H */
