/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: in6addr_any, in6addr_loopback.
 * Fidelity: exact
 * Differs: --
 */
#include <sys/param.h>
#include <netinet/in.h>

const struct in6_addr in6addr_any;
const struct in6_addr in6addr_loopback = { .s6_addr = { [15] = 1 } };
