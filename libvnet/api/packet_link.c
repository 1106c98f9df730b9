/* SPDX-License-Identifier: BSD-2-Clause */
/* Captures of the test's links, and captures played into them. */
#include <errno.h>
#include <pcap/pcap.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <libvnet/link.h>
#include <libvnet/packet.h>

#include "link.h"
#include "packet_file.h"

#define NS 1000000000LL

/* ---- into a file */

/*
 * Of a link, and of those that had its address before.  Never freed: a restored
 * snapshot can bring back a link that is watched by it.
 */
struct writing {
	struct writing *next;
	struct libvnet_link *link;
	enum libvnet_link_tap which;
	pcap_t *pcap;
	pcap_dumper_t *file;		/* NULL: it has ended */
	char *path;
};
static struct writing *writings;

static int
write_frame(void *arg, vnh_i64 now_ns, int arrived, const unsigned char *frame,
    unsigned len)
{
	struct writing *w = arg;
	struct pcap_pkthdr header = { .caplen = len, .len = len };

	if (w->file == NULL || arrived != (w->which == LIBVNET_TAP_ARRIVED))
		return (0);
	/* libpcap writes nanoseconds where it says microseconds. */
	header.ts.tv_sec = (time_t)(now_ns / NS);
	header.ts.tv_usec = (suseconds_t)(now_ns % NS);
	host_foreign_enter();		/* its own header is on its stack */
	pcap_dump((u_char *)w->file, &header, frame);
	host_foreign_exit();
	return (0);
}

static struct writing *
find(struct libvnet_link *link)
{
	struct writing *w;

	for (w = writings; w != NULL; w = w->next)
		if (w->link == link)
			return (w);
	w = calloc(1, sizeof(*w));
	if (w == NULL)
		abort();
	w->link = link;
	w->next = writings;
	writings = w;
	return (w);
}

/* Whether it is this link's, not that of one which had its address before. */
static bool
watching(const struct writing *w)
{
	return (w->file != NULL && vnk_link_alive != NULL &&
	    vnk_link_alive(api_link(w->link)) &&
	    vnk_wire_watcher(api_link(w->link), 0) == w);
}

/* Whether all was written; the link may be gone. */
static int
finish(struct writing *w)
{
	bool on = watching(w);
	int error = 0;

	for (int e = 0; on && e < 2; e++)
		vnk_wire_watch(api_link(w->link), e, NULL, NULL);
	if (pcap_dump_flush(w->file) != 0 ||
	    ferror(pcap_dump_file(w->file)) != 0)
		error = api_fail(LIBVNET_EIO, "libvnet_link_capture_end: %s: "
		    "could not be written whole: %s", w->path, strerror(errno));
	pcap_dump_close(w->file);
	pcap_close(w->pcap);
	free(w->path);
	w->file = NULL;
	w->pcap = NULL;
	w->path = NULL;
	return (error);
}

static int
begin(const char *who, struct writing *w, const char *path)
{
	int error;

	w->pcap = pcap_open_dead_with_tstamp_precision(DLT_EN10MB,
	    LIBVNET_FRAME_MAX, PCAP_TSTAMP_PRECISION_NANO);
	if (w->pcap == NULL || (w->path = strdup(path)) == NULL)
		abort();
	host_foreign_enter();
	w->file = pcap_dump_open(w->pcap, path);
	host_foreign_exit();
	if (w->file != NULL)
		return (0);
	error = api_fail(LIBVNET_EIO, "%s: %s", who, pcap_geterr(w->pcap));
	pcap_close(w->pcap);
	free(w->path);
	w->pcap = NULL;
	w->path = NULL;
	return (error);
}

int
libvnet_link_capture(struct libvnet_link *link, const char *path,
    enum libvnet_link_tap which)
{
	static const char who[] = "libvnet_link_capture";
	int error = api_link_begin(who, link, 0);
	struct writing *w;

	if (error != 0)
		return (error);
	if (path == NULL || (which != LIBVNET_TAP_SENT &&
	    which != LIBVNET_TAP_ARRIVED))
		return (api_fail(LIBVNET_EINVAL, "%s: give a path, and "
		    "LIBVNET_TAP_SENT or LIBVNET_TAP_ARRIVED", who));
	w = find(link);
	if (watching(w))
		return (api_fail(LIBVNET_EBUSY, "%s: the link is captured to "
		    "%s already; end that first", who, w->path));
	if (w->file != NULL)
		(void)finish(w);
	error = begin(who, w, path);
	if (error != 0)
		return (error);
	w->which = which;
	for (int e = 0; e < 2; e++)
		vnk_wire_watch(api_link(link), e, write_frame, w);
	return (0);
}

int
libvnet_link_capture_end(struct libvnet_link *link)
{
	struct writing *w = find(link);

	/* What is there may be of a link that had this one's address before. */
	if (w->file != NULL && !watching(w) && vnk_link_alive != NULL &&
	    vnk_link_alive(api_link(link)))
		(void)finish(w);
	if (w->file == NULL)
		return (api_fail(LIBVNET_EINVAL, "libvnet_link_capture_end: "
		    "the link is not captured"));
	return (finish(w));
}

/* ---- out of a file */

static int
play_frame(struct libvnet_link *link, int end, const u_char *data,
    const struct pcap_pkthdr *header, int64_t after_ns)
{
	int error = after_ns > 0 ? libvnet_clock_advance_ns(after_ns) : 0;

	if (error == 0 && header->caplen >= 14)
		error = libvnet_port_send(link, (enum libvnet_link_end)end,
		    data, header->caplen, NULL);
	if (error == 0 && libvnet_run_until_idle() < 0)
		error = LIBVNET_ELIMIT;
	return (error);
}

static int
play(struct libvnet_link *link, int end, pcap_t *pcap, const char *path,
    bool timed)
{
	struct pcap_pkthdr *header = NULL;
	const u_char *data = NULL;
	int64_t last = 0, now;
	int r, error, n = 0;

	while ((r = pcap_next_ex(pcap, &header, &data)) == 1) {
		api_packet_initialised(header, data);
		now = header->ts.tv_sec * NS + header->ts.tv_usec;
		error = play_frame(link, end, data, header,
		    timed && n > 0 && now > last ? now - last : 0);
		if (error != 0)
			return (error);
		last = now;
		n++;
	}
	if (r != PCAP_ERROR_BREAK)
		return (api_fail(LIBVNET_EIO, "libvnet_port_play: %s: after "
		    "frame %d: %s", path, n, pcap_geterr(pcap)));
	return (n);
}

int
libvnet_port_play(struct libvnet_link *link, enum libvnet_link_end end,
    const char *path, bool timed)
{
	static const char who[] = "libvnet_port_play";
	int error = api_link_begin(who, link, (int)end);
	pcap_t *pcap;

	if (error != 0)
		return (error);
	if (path == NULL)
		return (api_fail(LIBVNET_EINVAL, "%s: give a path, not NULL",
		    who));
	pcap = api_packet_open(who, path, &error);
	if (pcap == NULL)
		return (error);
	if (pcap_datalink(pcap) != DLT_EN10MB)
		error = api_fail(LIBVNET_ETYPE, "%s: %s: only Ethernet "
		    "captures can be played into a port", who, path);
	else
		error = play(link, (int)end, pcap, path, timed);
	pcap_close(pcap);
	return (error);
}
