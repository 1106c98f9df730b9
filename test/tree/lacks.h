/* SPDX-License-Identifier: BSD-2-Clause */
/* What a copy of a tree may lack, or a version of it by mistake. */
#ifndef LACKS_H
#define LACKS_H

struct vnet;

/* A stack of TCP, as TCP_FUNCTION_BLK names it. */
bool	lacks_stack(struct vnet *, const char *name);
/*
 * A fault of 14: ip6_input.c registers SCTP where SCTP is defined, and does
 * not include opt_sctp.h, so that packets are answered as of no protocol.
 */
bool	lacks_sctp6(void);

#endif /* LACKS_H */
