/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Sessions that start with the module.
 */
#ifndef EVNT_AUTOLOGGER_H
#define EVNT_AUTOLOGGER_H

void evnt_autologger_run(void);

#endif /* EVNT_AUTOLOGGER_H */
