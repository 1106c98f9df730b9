/* SPDX-License-Identifier: BSD-2-Clause */
/* What boot calls in the other files of libvnet/kern. */
#ifndef LVK_BOOT_H
#define LVK_BOOT_H

#include <seam.h>

void	lvk_region_init(void);
void	lvk_uma_init(void);
void	lvk_malloc_init(void);
/* Which CPUs there are, and those of them that come up late. */
void	lvk_cpus_init(vnh_u64 mask, vnh_u64 late);
/* `carrier' is an enum vnh_carrier. */
void	lvk_threads_init(int carrier);
int	lvk_tid_new(void);
/* After the kernel environment; `hz' 0 is what that says. */
void	lvk_param_init(int hz);
void	lvk_clock_init(void);
void	lvk_mi_startup(void);
/* The stack's own lock against detaching; NULL: there is no stack. */
struct sx *lvk_detach_lock(void);
void	lvk_kenv_init(const char *lines);

#endif
