/* SPDX-License-Identifier: BSD-2-Clause */
/* Between main.c (host world) and faults.c (kernel world). */
#ifndef FAULTS_H
#define FAULTS_H
/* Runs the fault, or its twin.  Returns 0, or -1 for an unknown name. */
int	fault_run(const char *name, int twin);
/* What two threads do at once. */
void	fault_vnet_write(int twin);
void	fault_global_write(int twin);
#endif
