// SPDX-License-Identifier: MIT
// Order in which the slot of a session of the kernel's events is used by probes
// and changed: a race of a few instructions, which no test runs into.

virtual report

// A probe that has seen the slot's flags may still use its session
@freed@
struct evnt_system_slot *slot;
position p;
@@

set_slot(slot, 0);
... when != synchronize_rcu();
slot@p->session = NULL;

@script:python depends on report@
p << freed.p;
@@

coccilib.report.print_report(p[0], "ERROR: no grace period between clearing the flags and the session")

// A probe that sees the flags must also see the session
@unordered@
struct evnt_system_slot *slot;
expression value;
position p;
@@

(
WRITE_ONCE(slot@p->flags, value);
|
smp_store_mb(slot@p->flags, value);
|
slot@p->flags = value;
)

@script:python depends on report@
p << unordered.p;
@@

coccilib.report.print_report(p[0], "ERROR: the flags of a slot are stored without release")
