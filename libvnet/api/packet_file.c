/* SPDX-License-Identifier: BSD-2-Clause */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "api.h"
#include "packet_file.h"

extern void __msan_unpoison(const volatile void *, size_t)
    __attribute__((weak));

/*
 * A regular file for reading: libpcap would wait for a FIFO, and read "-"
 * from standard input.
 */
static FILE *
open_regular(const char *who, const char *path, int *error)
{
	struct stat st;
	FILE *f = NULL;
	int fd;

	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (fd < 0) {
		*error = api_fail(errno == ENOENT ? LIBVNET_ENOENT :
		    LIBVNET_EIO, "%s: %s: %s", who, path, strerror(errno));
		return (NULL);
	}
	if (fstat(fd, &st) != 0 || (f = fdopen(fd, "rb")) == NULL)
		*error = api_fail(LIBVNET_EIO, "%s: %s: %s", who, path,
		    strerror(errno));
	else if (!S_ISREG(st.st_mode))
		*error = api_fail(LIBVNET_EIO, "%s: %s: is not a regular file",
		    who, path);
	else
		return (f);
	if (f != NULL)
		fclose(f);
	else
		close(fd);
	return (NULL);
}

pcap_t *
api_packet_open(const char *who, const char *path, int *error)
{
	char reason[PCAP_ERRBUF_SIZE] = "";
	FILE *f = open_regular(who, path, error);
	pcap_t *pcap;

	if (f == NULL)
		return (NULL);
	pcap = pcap_fopen_offline_with_tstamp_precision(f,
	    PCAP_TSTAMP_PRECISION_NANO, reason);
	if (pcap == NULL) {
		fclose(f);
		*error = api_fail(LIBVNET_EIO, "%s: %s: %s", who, path,
		    reason);
	}
	return (pcap);
}

void
api_packet_initialised(const struct pcap_pkthdr *header, const u_char *data)
{
	if (__msan_unpoison == NULL)
		return;
	__msan_unpoison(header, sizeof(*header));
	__msan_unpoison(data, header->caplen);
}
