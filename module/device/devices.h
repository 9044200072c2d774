/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Creation and removal of the two devices.
 */
#ifndef EVNT_DEVICES_H
#define EVNT_DEVICES_H

int evnt_dev_provider_init(void);
void evnt_dev_provider_start(void);
void evnt_dev_provider_exit(void);
int evnt_dev_control_init(void);
void evnt_dev_control_exit(void);

#endif /* EVNT_DEVICES_H */
