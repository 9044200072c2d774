/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A device that refuses to be suspended, for tests.
 */
#ifndef EVNT_TEST_FREEZE_H
#define EVNT_TEST_FREEZE_H

int freeze_init(void);
void freeze_exit(void);

/* Write an event of the first provider */
void freeze_write_event(void);

#endif /* EVNT_TEST_FREEZE_H */
