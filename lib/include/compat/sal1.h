/* SPDX-License-Identifier: MIT */
/*
 * Annotations of the first generation.  A program that wants them includes this
 * itself, behind all headers of the C++ library, which uses these names; or is
 * built with -include sal1.h, when it is C.
 */
#ifndef EVNT_SAL1_H
#define EVNT_SAL1_H

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
#define __reserved
#define __checkReturn
#define __nullterminated
#define __nullnullterminated
#define __notnull
#define __maybenull
#define __override
#define __callback
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
#define __success(...)
#define __field_ecount(...)
#define __field_bcount(...)
#define __drv_maxIRQL(...)

#endif /* EVNT_SAL1_H */
