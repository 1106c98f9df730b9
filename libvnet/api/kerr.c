/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdio.h>

#include "api.h"

/* FreeBSD's numbers, which from 11 on are not the host's. */
static const char *const names[] = {
	[0] = "0: no error",
	[1] = "EPERM: operation not permitted",
	[2] = "ENOENT: no such file or directory",
	[3] = "ESRCH: no such process or entry",
	[4] = "EINTR: interrupted system call",
	[5] = "EIO: input/output error",
	[6] = "ENXIO: device not configured",
	[7] = "E2BIG: argument list too long",
	[8] = "ENOEXEC: exec format error",
	[9] = "EBADF: bad file descriptor",
	[10] = "ECHILD: no child processes",
	[11] = "EDEADLK: resource deadlock avoided",
	[12] = "ENOMEM: cannot allocate memory",
	[13] = "EACCES: permission denied",
	[14] = "EFAULT: bad address",
	[15] = "ENOTBLK: block device required",
	[16] = "EBUSY: device busy",
	[17] = "EEXIST: file exists",
	[18] = "EXDEV: cross-device link",
	[19] = "ENODEV: operation not supported by device",
	[20] = "ENOTDIR: not a directory",
	[21] = "EISDIR: is a directory",
	[22] = "EINVAL: invalid argument",
	[23] = "ENFILE: too many open files in system",
	[24] = "EMFILE: too many open files",
	[25] = "ENOTTY: inappropriate ioctl for device",
	[26] = "ETXTBSY: text file busy",
	[27] = "EFBIG: file too large",
	[28] = "ENOSPC: no space left",
	[29] = "ESPIPE: illegal seek",
	[30] = "EROFS: read-only file system",
	[31] = "EMLINK: too many links",
	[32] = "EPIPE: broken pipe",
	[33] = "EDOM: argument out of domain",
	[34] = "ERANGE: result too large",
	[35] = "EAGAIN, EWOULDBLOCK: resource temporarily unavailable",
	[36] = "EINPROGRESS: operation now in progress",
	[37] = "EALREADY: operation already in progress",
	[38] = "ENOTSOCK: socket operation on non-socket",
	[39] = "EDESTADDRREQ: destination address required",
	[40] = "EMSGSIZE: message too long",
	[41] = "EPROTOTYPE: protocol wrong type for socket",
	[42] = "ENOPROTOOPT: protocol not available",
	[43] = "EPROTONOSUPPORT: protocol not supported",
	[44] = "ESOCKTNOSUPPORT: socket type not supported",
	[45] = "EOPNOTSUPP: operation not supported",
	[46] = "EPFNOSUPPORT: protocol family not supported",
	[47] = "EAFNOSUPPORT: address family not supported",
	[48] = "EADDRINUSE: address already in use",
	[49] = "EADDRNOTAVAIL: can't assign requested address",
	[50] = "ENETDOWN: network is down",
	[51] = "ENETUNREACH: network is unreachable",
	[52] = "ENETRESET: network dropped connection on reset",
	[53] = "ECONNABORTED: software caused connection abort",
	[54] = "ECONNRESET: connection reset by peer",
	[55] = "ENOBUFS: no buffer space available",
	[56] = "EISCONN: socket is already connected",
	[57] = "ENOTCONN: socket is not connected",
	[58] = "ESHUTDOWN: can't send after socket shutdown",
	[59] = "ETOOMANYREFS: too many references",
	[60] = "ETIMEDOUT: operation timed out",
	[61] = "ECONNREFUSED: connection refused",
	[62] = "ELOOP: too many levels of symbolic links",
	[63] = "ENAMETOOLONG: file name too long",
	[64] = "EHOSTDOWN: host is down",
	[65] = "EHOSTUNREACH: no route to host",
	[66] = "ENOTEMPTY: directory not empty",
	[67] = "EPROCLIM: too many processes",
	[68] = "EUSERS: too many users",
	[69] = "EDQUOT: disc quota exceeded",
	[70] = "ESTALE: stale NFS file handle",
	[78] = "ENOSYS: function not implemented",
	[82] = "EIDRM: identifier removed",
	[83] = "ENOMSG: no message of desired type",
	[84] = "EOVERFLOW: value too large to be stored in data type",
	[85] = "ECANCELED: operation canceled",
	[86] = "EILSEQ: illegal byte sequence",
	[87] = "ENOATTR: attribute not found",
	[88] = "EDOOFUS: programming error",
	[89] = "EBADMSG: bad message",
	[92] = "EPROTO: protocol error",
	[93] = "ENOTCAPABLE: capabilities insufficient",
	[94] = "ECAPMODE: not permitted in capability mode",
	[96] = "EOWNERDEAD: previous owner died",
	[97] = "EINTEGRITY: integrity check failed"
};

const char *
libvnet_kerr_text(int kerr)
{
	static __thread char number[48];

	if (kerr >= 0 && (size_t)kerr < sizeof(names) / sizeof(names[0]) &&
	    names[kerr] != NULL)
		return (names[kerr]);
	snprintf(number, sizeof(number), "FreeBSD errno %d", kerr);
	return (number);
}
