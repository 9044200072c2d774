/* SPDX-License-Identifier: MIT */
/*
 * Annotations of the first generation, used by samples and by mc.exe before
 * 2012.
 *
 * The C++ library has variables of these names.  Its headers that do are
 * included before the names become macros, and are not read again.  <regex>,
 * which is large, has a header here instead that undefines the names while it
 * is read.
 */
#ifndef EVNT_SAL1_H
#define EVNT_SAL1_H

#include "evntcxx.h"

#define __in
#define __in_opt
#define __in_z
#define __in_z_opt
#define __inout
#define __inout_opt
#define __inout_z
#define __out
#define __out_opt
#define __out_z
#define __deref_out
#define __deref_out_opt
#define __deref_in
#define __deref_inout
#define __deref_out_z
#define __deref_opt_out
#define __deref_opt_in
#define __deref_opt_inout
#define __deref_opt_in_opt
#define __deref_opt_inout_opt
#define __deref_opt_out_opt
#define __deref_out_z_opt
#define __deref_inout_opt
#define __deref_inout_z
#define __deref_in_opt
#define __deref
#define __deref_opt
#define __inout_z_opt
#define __out_z_opt
#define __field_nullterminated
#define __nullterminated_opt
#define __useHeader
#define __checkReturn
#define __nullterminated
#define __nullnullterminated
#define __notnull
#define __maybenull
#define __format_string
#define __RPC__in
#define __RPC__out

#define __in_ecount(...)
#define __in_ecount_opt(...)
#define __in_bcount(...)
#define __in_bcount_opt(...)
#define __in_ecount_z(...)
#define __in_ecount_z_opt(...)
#define __in_range(...)
#define __inout_ecount(...)
#define __inout_ecount_opt(...)
#define __inout_bcount(...)
#define __inout_bcount_opt(...)
#define __inout_ecount_z(...)
#define __out_ecount(...)
#define __out_ecount_opt(...)
#define __out_bcount(...)
#define __out_bcount_opt(...)
#define __out_ecount_z(...)
#define __out_ecount_z_opt(...)
#define __deref_out_ecount(...)
#define __deref_out_bcount(...)
#define __deref_out_ecount_opt(...)
#define __deref_out_bcount_opt(...)
#define __out_ecount_part(...)
#define __out_bcount_part(...)
#define __out_ecount_part_opt(...)
#define __out_bcount_part_opt(...)
#define __out_ecount_full(...)
#define __out_bcount_full(...)
#define __in_data_source(...)
#define __in_ecount_c(...)
#define __in_bcount_c(...)
#define __in_xcount(...)
#define __in_xcount_opt(...)
#define __inout_xcount(...)
#define __out_xcount(...)
#define __inout_ecount_part(...)
#define __inout_bcount_part(...)
#define __inout_ecount_full(...)
#define __inout_bcount_full(...)
#define __inout_ecount_z_opt(...)
#define __inout_ecount_part_opt(...)
#define __inout_bcount_part_opt(...)
#define __in_bcount_z(...)
#define __out_bcount_z(...)
#define __out_ecount_part_z(...)
#define __out_ecount_full_opt(...)
#define __out_bcount_full_opt(...)
#define __deref_ecount(...)
#define __deref_bcount(...)
#define __deref_out_range(...)
#define __deref_in_range(...)
#define __deref_inout_ecount(...)
#define __deref_inout_bcount(...)
#define __deref_out_ecount_part(...)
#define __deref_out_bcount_part(...)
#define __deref_out_ecount_z(...)
#define __deref_out_ecount_z_opt(...)
#define __deref_opt_out_ecount(...)
#define __deref_opt_out_bcount(...)
#define __deref_opt_out_ecount_z(...)
#define __ecount(...)
#define __bcount(...)
#define __ecount_opt(...)
#define __bcount_opt(...)
#define __xcount(...)
#define __out_range(...)
#define __field_range(...)
#define __field_ecount_opt(...)
#define __field_bcount_opt(...)
#define __field_ecount_part(...)
#define __field_bcount_part(...)
#define __field_ecount_full(...)
#define __field_bcount_full(...)
#define __struct_bcount(...)
#define __typefix(...)
#define __kernel_entry
#define __success(...)
#define __field_ecount(...)
#define __field_bcount(...)
#define __drv_maxIRQL(...)
#define __drv_minIRQL(...)
#define __drv_requiresIRQL(...)
#define __drv_raisesIRQL(...)
#define __drv_sameIRQL
#define __drv_allocatesMem(...)
#define __drv_freesMem(...)
#define __drv_aliasesMem
#define __drv_functionClass(...)

#endif /* EVNT_SAL1_H */
