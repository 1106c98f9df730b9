/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TEST_API_DEVICE_H
#define TEST_API_DEVICE_H

struct adder {
	int term;
	int sum;
};
/* _IOWR('a', 1, struct adder) of FreeBSD's <sys/ioccom.h> */
#define ADDER_ADD 0xc0086101ul

#endif
