/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The make of an ioctl command: direction, length of its argument, group and
 * number.
 */
#ifndef _SYS_IOCCOM_H_
#define _SYS_IOCCOM_H_

#define IOCPARM_SHIFT 13
#define IOCPARM_MASK ((1 << IOCPARM_SHIFT) - 1)
#define IOCPARM_MAX (1 << IOCPARM_SHIFT)
#define IOCPARM_LEN(cmd) (((cmd) >> 16) & IOCPARM_MASK)
#define IOCBASECMD(cmd) ((cmd) & ~(IOCPARM_MASK << 16))
#define IOCGROUP(cmd) (((cmd) >> 8) & 0xff)

#define IOC_VOID 0x20000000UL
#define IOC_OUT 0x40000000UL
#define IOC_IN 0x80000000UL
#define IOC_INOUT (IOC_IN | IOC_OUT)
#define IOC_DIRMASK (IOC_VOID | IOC_OUT | IOC_IN)

#define _IOC(dir, group, num, len)					\
	((unsigned long)((dir) | (((len) & IOCPARM_MASK) << 16) |	\
	    ((group) << 8) | (num)))
#define _IO(g, n) _IOC(IOC_VOID, (g), (n), 0)
#define _IOWINT(g, n) _IOC(IOC_VOID, (g), (n), sizeof(int))
#define _IOR(g, n, t) _IOC(IOC_OUT, (g), (n), sizeof(t))
#define _IOW(g, n, t) _IOC(IOC_IN, (g), (n), sizeof(t))
#define _IOWR(g, n, t) _IOC(IOC_INOUT, (g), (n), sizeof(t))

#endif /* _SYS_IOCCOM_H_ */
