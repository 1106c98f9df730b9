/* SPDX-License-Identifier: BSD-2-Clause */
/* Between restored_main.c (host world) and restored.c (kernel world). */
#ifndef RESTORED_H
#define RESTORED_H
/* Three steps of a case: before the take, after it, after the restore. */
int	restored_step(const char *name, int step, int twin);
#endif
