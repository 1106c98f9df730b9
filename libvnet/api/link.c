/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <libvnet/link.h>

#include "link.h"

#define PPM 1000000u

_Static_assert(LIBVNET_IFNAME == VNK_IFNAME, "one length of names");

int
api_link_begin(const char *who, const struct libvnet_link *link, int end)
{
	int error = api_ready(who);

	if (error != 0)
		return (error);
	if (vnk_link_create == NULL)
		return (api_no_stack(who));
	if (link == NULL || !vnk_link_alive((const void *)link))
		return (api_fail(LIBVNET_EINVAL, "%s: %p is no link, or was "
		    "destroyed", who, (const void *)link));
	if (end != LIBVNET_LINK_A && end != LIBVNET_LINK_B)
		return (api_fail(LIBVNET_EINVAL, "%s: %d is no end; say "
		    "LIBVNET_LINK_A or LIBVNET_LINK_B", who, end));
	return (0);
}

static int
chance(const char *who, const char *what, uint32_t ppm)
{
	if (ppm <= PPM)
		return (0);
	return (api_fail(LIBVNET_EINVAL, "%s: %s of %u is above %u, always",
	    who, what, ppm, PPM));
}

static int
wire_check(const char *who, const struct libvnet_wire *w)
{
	int error = 0;

	if (w->delay_ns > LIBVNET_LINK_DELAY_MAX ||
	    w->jitter_ns > LIBVNET_LINK_DELAY_MAX ||
	    w->reorder_ns > LIBVNET_LINK_DELAY_MAX)
		return (api_fail(LIBVNET_EINVAL, "%s: a time is above "
		    "LIBVNET_LINK_DELAY_MAX, 1000 seconds", who));
	if (w->queue_bytes != 0 && w->rate_bps == 0)
		return (api_fail(LIBVNET_EINVAL, "%s: queue_bytes without "
		    "rate_bps: nothing ever waits", who));
	if (w->reorder_ppm != 0 && w->reorder_ns == 0)
		return (api_fail(LIBVNET_EINVAL, "%s: reorder_ppm without "
		    "reorder_ns: nothing would be overtaken", who));
	if ((error = chance(who, "loss_ppm", w->loss_ppm)) == 0 &&
	    (error = chance(who, "duplicate_ppm", w->duplicate_ppm)) == 0 &&
	    (error = chance(who, "reorder_ppm", w->reorder_ppm)) == 0)
		error = chance(who, "corrupt_ppm", w->corrupt_ppm);
	return (error);
}

static void
wire_set(struct libvnet_link *link, int from, const struct libvnet_wire *w)
{
	struct vnk_wire_options o = {
		.delay_ns = w->delay_ns, .jitter_ns = w->jitter_ns,
		.rate_bps = w->rate_bps, .queue_bytes = w->queue_bytes,
		.loss_ppm = w->loss_ppm, .duplicate_ppm = w->duplicate_ppm,
		.reorder_ppm = w->reorder_ppm, .corrupt_ppm = w->corrupt_ppm,
		.reorder_ns = w->reorder_ns
	};

	vnk_wire_set(api_link(link), from, &o);
}

static int
create(const char *who, struct vnet *v[2], uint64_t seed,
    struct libvnet_link **link, char name[2][VNK_IFNAME], int *kerr)
{
	struct vnk_link *l = NULL;
	struct api_was was;
	int answer, error;

	error = api_stack_begin(who, v[0] != NULL ? v[0] : v[1], kerr, &was);
	if (error != 0)
		return (error);
	answer = vnk_link_create(v[0], v[1], seed, &l, name);
	error = api_stack_end(who, "link", answer, kerr, was);
	*link = (struct libvnet_link *)(void *)l;
	for (int e = 0; e < 2 && error == 0; e++)
		if (v[e] != NULL)
			error = libvnet_if_up(v[e], name[e], kerr);
	return (error);
}

int
libvnet_link_create(struct vnet *a, struct vnet *b,
    const struct libvnet_wire *wire, uint64_t seed, struct libvnet_link **link,
    char a_name[LIBVNET_IFNAME], char b_name[LIBVNET_IFNAME], int *kerr)
{
	static const char who[] = "libvnet_link_create";
	struct vnet *v[2] = { a, b };
	char name[2][VNK_IFNAME];
	int error;

	if (kerr != NULL)
		*kerr = 0;
	if (link == NULL)
		return (api_fail(LIBVNET_EINVAL, "%s: give a place for the "
		    "link, not NULL", who));
	*link = NULL;
	if (a == NULL && b == NULL)
		return (api_fail(LIBVNET_EINVAL, "%s: both ends are NULL; one "
		    "must be a vnet", who));
	for (int e = 0; e < 2; e++)
		if (v[e] != NULL && (error = api_vnet(who, v[e])) != 0)
			return (error);
	if (wire != NULL && (error = wire_check(who, wire)) != 0)
		return (error);
	error = create(who, v, seed, link, name, kerr);
	if (error != 0) {
		if (*link != NULL)
			vnk_link_destroy(api_link(*link));
		*link = NULL;
		return (error);
	}
	if (wire != NULL)
		for (int e = 0; e < 2; e++)
			wire_set(*link, e, wire);
	if (a_name != NULL)
		memcpy(a_name, name[0], LIBVNET_IFNAME);
	if (b_name != NULL)
		memcpy(b_name, name[1], LIBVNET_IFNAME);
	return (0);
}

int
libvnet_link_destroy(struct libvnet_link *link)
{
	int error;

	if (link == NULL)
		return (0);
	error = api_link_begin("libvnet_link_destroy", link, 0);
	if (error == 0)
		vnk_link_destroy(api_link(link));
	return (error);
}

int
libvnet_link_set(struct libvnet_link *link, enum libvnet_link_end from,
    const struct libvnet_wire *wire)
{
	static const char who[] = "libvnet_link_set";
	int error = api_link_begin(who, link, (int)from);

	if (error == 0 && wire == NULL)
		error = api_fail(LIBVNET_EINVAL, "%s: give a wire, not NULL",
		    who);
	if (error == 0)
		error = wire_check(who, wire);
	if (error == 0)
		wire_set(link, (int)from, wire);
	return (error);
}

int
libvnet_link_stats(struct libvnet_link *link, enum libvnet_link_end from,
    struct libvnet_wire_stats *stats)
{
	static const char who[] = "libvnet_link_stats";
	struct vnk_wire_stats s;
	int error = api_link_begin(who, link, (int)from);

	if (error == 0 && stats == NULL)
		error = api_fail(LIBVNET_EINVAL, "%s: give a place for the "
		    "numbers, not NULL", who);
	if (error != 0)
		return (error);
	vnk_wire_stats(api_link(link), (int)from, &s);
	*stats = (struct libvnet_wire_stats){
		.sent = s.sent, .bytes = s.bytes, .delivered = s.delivered,
		.lost = s.lost, .overflowed = s.overflowed,
		.filtered = s.filtered, .duplicated = s.duplicated,
		.reordered = s.reordered, .corrupted = s.corrupted
	};
	return (0);
}

/* ---- filters: one of each direction, of any number of links */

struct filter {
	struct filter *next;
	struct libvnet_link *link;
	int from;
	libvnet_link_filter_fn *fn;
	void *arg;
};
static struct filter *filters;

static int
ask(void *arg, vnh_i64 now_ns, int arrived, const unsigned char *frame,
    unsigned len)
{
	struct filter *f = arg;

	(void)now_ns;
	(void)arrived;
	return (f->fn(f->arg, frame, len));
}

int
libvnet_link_filter(struct libvnet_link *link, enum libvnet_link_end from,
    libvnet_link_filter_fn *fn, void *arg)
{
	int error = api_link_begin("libvnet_link_filter", link, (int)from);
	struct filter *f;

	if (error != 0)
		return (error);
	for (f = filters; f != NULL; f = f->next)
		if (f->link == link && f->from == (int)from)
			break;
	if (f == NULL) {
		f = calloc(1, sizeof(*f));
		if (f == NULL)
			abort();
		f->next = filters;
		f->link = link;
		f->from = (int)from;
		filters = f;
	}
	f->fn = fn;
	f->arg = arg;
	vnk_wire_filter(api_link(link), (int)from, fn != NULL ? ask : NULL, f);
	return (0);
}

/* ---- ports */

int
libvnet_port_send(struct libvnet_link *link, enum libvnet_link_end end,
    const void *frame, uint32_t length, int *kerr)
{
	static const char who[] = "libvnet_port_send";
	int answer, error = api_link_begin(who, link, (int)end);

	if (kerr != NULL)
		*kerr = 0;
	if (error == 0 && frame == NULL)
		error = api_fail(LIBVNET_EINVAL, "%s: give a frame, not NULL",
		    who);
	if (error != 0)
		return (error);
	answer = vnk_port_send(api_link(link), (int)end, frame, length);
	if (kerr != NULL)
		*kerr = answer;
	if (answer != 0)
		return (api_fail(LIBVNET_EKERNEL, "%s: a frame of %u octets "
		    "from end %c: %s; the end must be the test's, and a frame "
		    "has 14 to %u octets", who, length, 'A' + (int)end,
		    libvnet_kerr_text(answer), LIBVNET_FRAME_MOST));
	return (0);
}

int
libvnet_port_receive(struct libvnet_link *link, enum libvnet_link_end end,
    void *buf, uint32_t size, int64_t *when_ns)
{
	static const char who[] = "libvnet_port_receive";
	int length, error = api_link_begin(who, link, (int)end);
	vnh_i64 when = 0;

	if (error == 0 && buf == NULL && size != 0)
		error = api_fail(LIBVNET_EINVAL, "%s: give room for the frame, "
		    "not NULL", who);
	if (error != 0)
		return (error);
	length = vnk_port_receive(api_link(link), (int)end, buf, size, &when);
	if (length < 0)
		return (api_fail(LIBVNET_ENOENT, "%s: no frame waits; let the "
		    "machine run", who));
	if (when_ns != NULL)
		*when_ns = when;
	return (length);
}
