/* SPDX-License-Identifier: BSD-2-Clause */
/* Capture files, as packet_capture.c and packet_link.c open them. */
#ifndef LIBVNET_API_PACKET_FILE_H
#define LIBVNET_API_PACKET_FILE_H

#include <pcap/pcap.h>

/* A regular file with times in nanoseconds; NULL: *error says why not. */
pcap_t	*api_packet_open(const char *who, const char *path, int *error);
/* libpcap is not instrumented: MemorySanitizer does not see it write. */
void	api_packet_initialised(const struct pcap_pkthdr *header,
	    const u_char *data);

#endif /* LIBVNET_API_PACKET_FILE_H */
