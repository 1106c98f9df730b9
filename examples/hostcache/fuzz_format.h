/*-
 * SPDX-License-Identifier: BSD-2-Clause
 */
/*
 * The input of fuzz_hostcache: records of FUZZ_RECORD octets, one after the
 * other; what is left at the end is ignored.  No record is invalid.
 *
 *	0	operation, modulo FUZZ_OPS
 *	1	bit 0: which vnet; bit 1: IPv6
 *	2	milliseconds that pass before, 16 bits, little endian
 *	4	size, 32 bits, little endian: packet length, MTU or limit
 *	8	address, 16 octets; IPv4 uses the first 4
 */
#ifndef FUZZ_FORMAT_H
#define FUZZ_FORMAT_H

#define FUZZ_RECORD	24
#define FUZZ_RECORDS_MAX 128	/* of an input; the rest is ignored */
#define FUZZ_DELAY_MAX	200000	/* milliseconds in an input; then none pass */

enum fuzz_op {
	FUZZ_INPUT,		/* hc_input() */
	FUZZ_UPDATE,		/* hc_update() */
	FUZZ_GET,		/* hc_get() */
	FUZZ_CACHELIMIT,	/* net.inet.hostcache.cachelimit = size */
	FUZZ_BUCKETLIMIT,
	FUZZ_EXPIRE,
	FUZZ_PRUNE,
	FUZZ_PURGE,		/* net.inet.hostcache.purgenow = size */
	FUZZ_RENEW,		/* destroy the vnet and make a new one */
	FUZZ_OPS
};

#endif /* FUZZ_FORMAT_H */
