/* SPDX-License-Identifier: BSD-2-Clause */
/* Frames and capture files, made octet by octet for test_packet.c. */
#ifndef TEST_PACKET_H
#define TEST_PACKET_H

struct bytes {
	uint8_t d[8192];
	size_t n;
};

static inline void
put(struct bytes *b, const void *p, size_t n)
{
	assert_true(b->n + n <= sizeof(b->d));
	memcpy(b->d + b->n, p, n);
	b->n += n;
}

/* Network order, for frames. */
static inline void
put16(struct bytes *b, unsigned v)
{
	put(b, (uint8_t[]){ (uint8_t)(v >> 8), (uint8_t)v }, 2);
}

/* This machine's order, for capture files. */
static inline void
put32h(struct bytes *b, uint32_t v)
{
	put(b, &v, 4);
}

static inline void
put16h(struct bytes *b, uint16_t v)
{
	put(b, &v, 2);
}

static inline void
put_ethernet(struct bytes *b, unsigned type)
{
	put(b, "\2\0\0\0\0\2\2\0\0\0\0\1", 12);
	put16(b, type);
}

/* `length' octets of it, header included. */
static inline void
put_ipv4(struct bytes *b, unsigned length, unsigned protocol)
{
	uint8_t p[512] = { 0x45, 0, (uint8_t)(length >> 8), (uint8_t)length,
	    0, 1, 0, 0, 64, (uint8_t)protocol, 0, 0, 192, 0, 2, 1,
	    192, 0, 2, 2 };

	put(b, p, length);
}

/* `payload' octets behind the header. */
static inline void
put_ipv6(struct bytes *b, size_t payload, unsigned next)
{
	uint8_t p[512] = { 0x60, 0, 0, 0, (uint8_t)(payload >> 8),
	    (uint8_t)payload, (uint8_t)next, 64, 0x20, 1, 0xd, 0xb8,
	    [23] = 1, [24] = 0x20, 1, 0xd, 0xb8, [39] = 2 };

	put(b, p, 40 + payload);
}

static inline void
put_pcap(struct bytes *b, uint32_t link, uint32_t snap)
{
	put32h(b, 0xa1b2c3d4);
	put16h(b, 2);
	put16h(b, 4);
	put32h(b, 0);
	put32h(b, 0);
	put32h(b, snap);
	put32h(b, link);
}

static inline void
put_record(struct bytes *b, const struct bytes *frame, uint32_t captured,
    uint32_t wire)
{
	put32h(b, 7);
	put32h(b, 5);
	put32h(b, captured);
	put32h(b, wire);
	put(b, frame->d, captured < frame->n ? captured : frame->n);
}

/* Three frames: IPv4 of 54 octets, ARP of 60, IPv6 of 62. */
static inline void
put_capture(struct bytes *b, uint32_t link, uint32_t snap)
{
	struct bytes f = { 0 };

	put_pcap(b, link, snap);
	put_ethernet(&f, 0x0800);
	put_ipv4(&f, 40, 6);
	put_record(b, &f, (uint32_t)f.n, (uint32_t)f.n);
	f.n = 0;
	put_ethernet(&f, 0x0806);
	put_ipv4(&f, 46, 6);
	put_record(b, &f, (uint32_t)f.n, (uint32_t)f.n);
	f.n = 0;
	put_ethernet(&f, 0x86dd);
	put_ipv6(&f, 8, 17);
	put_record(b, &f, (uint32_t)f.n, (uint32_t)f.n);
}

/* Two interfaces, an IPv4 packet of each. */
static inline void
put_pcapng(struct bytes *b, uint16_t link0, uint16_t link1)
{
	struct bytes f = { 0 };

	put_ethernet(&f, 0x0800);
	put_ipv4(&f, 42, 6);			/* 56 octets: no padding */
	put32h(b, 0x0a0d0d0a);			/* section header */
	put32h(b, 28);
	put32h(b, 0x1a2b3c4d);
	put16h(b, 1);
	put16h(b, 0);
	put32h(b, 0xffffffff);
	put32h(b, 0xffffffff);
	put32h(b, 28);
	for (int i = 0; i < 2; i++) {		/* interface descriptions */
		put32h(b, 1);
		put32h(b, 20);
		put16h(b, i == 0 ? link0 : link1);
		put16h(b, 0);
		put32h(b, 65535);
		put32h(b, 20);
	}
	for (uint32_t i = 0; i < 2; i++) {	/* enhanced packets */
		put32h(b, 6);
		put32h(b, 32 + (uint32_t)f.n);
		put32h(b, i);
		put32h(b, 0);
		put32h(b, 1000);
		put32h(b, (uint32_t)f.n);
		put32h(b, (uint32_t)f.n);
		put(b, f.d, f.n);
		put32h(b, 32 + (uint32_t)f.n);
	}
}

/* In a new file; the name is good until the next call. */
static inline const char *
write_file(const struct bytes *b)
{
	static char path[64];
	int fd;

	snprintf(path, sizeof(path), "/tmp/test_packet.XXXXXX");
	fd = mkstemp(path);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, b->d, b->n), (ssize_t)b->n);
	assert_int_equal(close(fd), 0);
	return (path);
}

#endif /* TEST_PACKET_H */
