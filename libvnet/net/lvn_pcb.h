/* SPDX-License-Identifier: BSD-2-Clause */
/* What the files share that list sockets. */
#ifndef LVN_PCB_H
#define LVN_PCB_H

int	lvn_pcb_sctp(void (*fn)(void *, const struct vnk_socket *), void *arg);

#endif /* LVN_PCB_H */
