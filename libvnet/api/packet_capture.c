/* SPDX-License-Identifier: BSD-2-Clause */
/* Capture files, through libpcap. */
#include <pcap/pcap.h>
#include <stdlib.h>
#include <string.h>

#include <libvnet/packet.h>

#include "api.h"
#include "packet_file.h"

#define NS 1000000000LL

struct libvnet_capture {
	pcap_t *pcap;
	char *path;
	int link;
	int end;		/* 0 reading, 1 at the end, or the error */
	uint64_t frames;
	uint64_t drops[LIBVNET_DROP_REASONS];
};

static bool
link_known(int link)
{
	static const int known[] = { DLT_EN10MB, DLT_RAW, DLT_NULL, DLT_LOOP,
	    DLT_LINUX_SLL, DLT_LINUX_SLL2, DLT_IPV4, DLT_IPV6 };

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (known[i] == link)
			return (true);
	return (false);
}

static int
link_foreign(const char *who, const char *path, int link)
{
	const char *name = pcap_datalink_val_to_name(link);

	return (api_fail(LIBVNET_ETYPE, "%s: %s: link type %d (%s) is not "
	    "read; Ethernet, raw IP, BSD loopback and Linux SLL are", who, path,
	    link, name != NULL ? name : "unknown"));
}

int
libvnet_capture_open(const char *path, struct libvnet_capture **capture)
{
	static const char who[] = "libvnet_capture_open";
	struct libvnet_capture *c;
	pcap_t *pcap;
	int error = 0;

	if (capture != NULL)
		*capture = NULL;
	if (path == NULL || capture == NULL)
		return (api_fail(LIBVNET_EINVAL, "%s: give a path and a place "
		    "for the handle, not NULL", who));
	pcap = api_packet_open(who, path, &error);
	if (pcap == NULL)
		return (error);
	if (!link_known(pcap_datalink(pcap))) {
		error = link_foreign(who, path, pcap_datalink(pcap));
		pcap_close(pcap);
		return (error);
	}
	c = calloc(1, sizeof(*c));
	if (c == NULL || (c->path = strdup(path)) == NULL)
		abort();
	c->pcap = pcap;
	c->link = pcap_datalink(pcap);
	*capture = c;
	return (0);
}

/* A time that 64 bits of nanoseconds cannot hold is no time. */
static int64_t
nanoseconds(const struct timeval *tv)
{
	if (tv->tv_sec < 0 || tv->tv_sec >= INT64_MAX / NS ||
	    tv->tv_usec < 0 || tv->tv_usec >= NS)
		return (0);
	return (tv->tv_sec * NS + tv->tv_usec);
}

/* One frame; true: it is a packet. */
static bool
one(struct libvnet_capture *c, const struct pcap_pkthdr *header,
    const u_char *data, struct libvnet_packet *packet)
{
	enum libvnet_drop drop;

	api_packet_initialised(header, data);
	c->frames++;
	drop = libvnet_packet_decode(c->link, data, header->caplen,
	    header->len, packet);
	c->drops[drop]++;
	if (drop != LIBVNET_DROP_NONE)
		return (false);
	packet->number = c->frames;
	packet->time_ns = nanoseconds(&header->ts);
	return (true);
}

static int
damaged(const struct libvnet_capture *c)
{
	return (api_fail(LIBVNET_EIO, "libvnet_capture_next: %s: after frame "
	    "%llu: %s", c->path, (unsigned long long)c->frames,
	    pcap_geterr(c->pcap)));
}

int
libvnet_capture_next(struct libvnet_capture *c, struct libvnet_packet *packet)
{
	struct pcap_pkthdr *header = NULL;
	const u_char *data = NULL;
	int r;

	if (c == NULL || packet == NULL)
		return (api_fail(LIBVNET_EINVAL, "libvnet_capture_next: give a "
		    "capture and a packet, not NULL"));
	while (c->end == 0) {
		r = pcap_next_ex(c->pcap, &header, &data);
		if (r == 1 && one(c, header, data, packet))
			return (1);
		if (r == PCAP_ERROR_BREAK)
			c->end = 1;
		else if (r != 1)
			c->end = LIBVNET_EIO;
	}
	return (c->end == 1 ? 0 : damaged(c));
}

void
libvnet_capture_close(struct libvnet_capture *c)
{
	if (c == NULL)
		return;
	pcap_close(c->pcap);
	free(c->path);
	free(c);
}

uint64_t
libvnet_capture_frames(const struct libvnet_capture *c)
{
	return (c != NULL ? c->frames : 0);
}

uint64_t
libvnet_capture_drops(const struct libvnet_capture *c, enum libvnet_drop reason)
{
	if (c == NULL || (unsigned)reason >= LIBVNET_DROP_REASONS ||
	    reason == LIBVNET_DROP_NONE)
		return (0);
	return (c->drops[reason]);
}
