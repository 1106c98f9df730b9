/* SPDX-License-Identifier: BSD-2-Clause */
/* There is one timecounter, the virtual clock. */
#ifndef _SYS_TIMETC_H_
#define _SYS_TIMETC_H_

#include <sys/types.h>
#include <sys/time.h>

extern int tc_tick;			/* ticks between two of its updates */
uint64_t tc_getfrequency(void);
void	tc_setclock(struct timespec *);

#endif /* _SYS_TIMETC_H_ */
