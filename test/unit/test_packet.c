/* SPDX-License-Identifier: BSD-2-Clause */
/* <libvnet/packet.h>: whole, damaged, foreign and absurd captures. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

#include <libvnet/error.h>
#include <libvnet/packet.h>

#include "test_packet.h"

/* ---- the decoder */

/* In memory of exactly its size, so that AddressSanitizer sees over-reads. */
static enum libvnet_drop
decode(int link, const void *frame, size_t n, size_t wire,
    struct libvnet_packet *p)
{
	uint8_t *copy = malloc(n != 0 ? n : 1);
	enum libvnet_drop drop;

	assert_non_null(copy);
	memcpy(copy, frame, n);
	drop = libvnet_packet_decode(link, copy, (uint32_t)n, (uint32_t)wire, p);
	free(copy);
	return (drop);
}

static void
check(int link, const struct bytes *b, enum libvnet_drop drop)
{
	struct libvnet_packet p;

	assert_string_equal(libvnet_drop_name(decode(link, b->d, b->n, b->n,
	    &p)), libvnet_drop_name(drop));
}

static void
ethernet_ipv4_is_decoded(void **state)
{
	static const uint8_t src[16] = { 192, 0, 2, 1 };
	static const uint8_t dst[16] = { 192, 0, 2, 2 };
	struct libvnet_packet p;
	struct bytes b = { 0 };

	(void)state;
	put_ethernet(&b, 0x0800);
	put_ipv4(&b, 100, 17);
	assert_int_equal(decode(1, b.d, b.n, b.n, &p), LIBVNET_DROP_NONE);
	assert_int_equal(p.version, 4);
	assert_int_equal(p.length, 100);
	assert_int_equal(p.protocol, 17);
	assert_int_equal(p.vlan, -1);
	assert_int_equal(p.tags, 0);
	assert_false(p.fragment);
	assert_memory_equal(p.src, src, 16);
	assert_memory_equal(p.dst, dst, 16);
}

static void
ethernet_ipv6_is_decoded(void **state)
{
	struct libvnet_packet p;
	struct bytes b = { 0 };

	(void)state;
	put_ethernet(&b, 0x86dd);
	put_ipv6(&b, 60, 6);
	assert_int_equal(decode(1, b.d, b.n, b.n, &p), LIBVNET_DROP_NONE);
	assert_int_equal(p.version, 6);
	assert_int_equal(p.length, 100);
	assert_int_equal(p.protocol, 6);
	assert_int_equal(p.src[0], 0x20);
	assert_int_equal(p.src[15], 1);
	assert_int_equal(p.dst[15], 2);
}

static void
vlan_tags_are_followed_to_the_limit(void **state)
{
	struct libvnet_packet p;
	struct bytes b;

	(void)state;
	for (int tags = 1; tags <= LIBVNET_VLAN_MAX + 1; tags++) {
		b.n = 0;
		put_ethernet(&b, 0x88a8);
		for (int i = 1; i <= tags; i++) {
			put16(&b, 0xe000U | (unsigned)(10 * i));
			put16(&b, i < tags ? 0x8100 : 0x0800);
		}
		put_ipv4(&b, 40, 6);
		if (tags > LIBVNET_VLAN_MAX) {
			check(1, &b, LIBVNET_DROP_VLAN);
			continue;
		}
		assert_int_equal(decode(1, b.d, b.n, b.n, &p), 0);
		assert_int_equal(p.tags, tags);
		assert_int_equal(p.vlan, 10);
		assert_int_equal(p.inner_vlan, 10 * tags);
	}
}

static void
extension_headers_lead_to_the_protocol(void **state)
{
	static const uint8_t chain[] = {
		43, 0, 0, 0, 0, 0, 0, 0,			/* hop by hop */
		51, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, /* routing */
		60, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,		/* AH */
		17, 0, 0, 0, 0, 0, 0, 0				/* options */
	};
	struct libvnet_packet p;
	struct bytes b = { 0 };

	(void)state;
	put_ipv6(&b, sizeof(chain) + 8, 0);
	memcpy(b.d + 40, chain, sizeof(chain));
	assert_int_equal(decode(101, b.d, b.n, b.n, &p), 0);
	assert_int_equal(p.protocol, 17);
	/* What was not captured is not followed. */
	assert_int_equal(decode(101, b.d, 40 + 8 + 16, b.n, &p), 0);
	assert_int_equal(p.protocol, 51);
}

static void
later_fragments_are_marked(void **state)
{
	struct libvnet_packet p;
	struct bytes b = { 0 };

	(void)state;
	put_ipv4(&b, 40, 17);
	b.d[6] = 0x20;				/* more fragments, the first */
	assert_int_equal(decode(101, b.d, b.n, b.n, &p), 0);
	assert_false(p.fragment);
	b.d[7] = 1;
	assert_int_equal(decode(101, b.d, b.n, b.n, &p), 0);
	assert_true(p.fragment);

	b.n = 0;
	put_ipv6(&b, 16, 44);
	b.d[40] = 58;
	b.d[43] = 1;				/* more fragments */
	assert_int_equal(decode(101, b.d, b.n, b.n, &p), 0);
	assert_false(p.fragment);
	assert_int_equal(p.protocol, 58);
	b.d[43] = 8;
	for (size_t cut = 40; cut < 48; cut++) {
		assert_int_equal(decode(101, b.d, cut, b.n, &p), 0);
		assert_false(p.fragment);
		assert_int_equal(p.protocol, 44);
	}
	assert_int_equal(decode(101, b.d, b.n, b.n, &p), 0);
	assert_true(p.fragment);
	assert_int_equal(p.protocol, 58);
}

static void
every_link_type_is_decoded(void **state)
{
	static const struct {
		int link, version;
		uint8_t head[20];
		size_t n;
	} v[] = {
		{ 101, 4, { 0 }, 0 }, { 12, 6, { 0 }, 0 }, { 228, 4, { 0 }, 0 },
		{ 229, 6, { 0 }, 0 }, { 0, 4, { 2, 0, 0, 0 }, 4 },
		{ 0, 4, { 0, 0, 0, 2 }, 4 }, { 0, 6, { 28, 0, 0, 0 }, 4 },
		{ 0, 6, { 0, 0, 0, 24 }, 4 }, { 108, 6, { 0, 0, 0, 30 }, 4 },
		{ 113, 4, { [14] = 8, [15] = 0 }, 16 },
		{ 113, 6, { [14] = 0x86, [15] = 0xdd }, 16 },
		{ 276, 4, { [0] = 8 }, 20 }, { 276, 6, { 0x86, 0xdd }, 20 }
	};
	struct libvnet_packet p;
	struct bytes b;

	(void)state;
	for (size_t i = 0; i < sizeof(v) / sizeof(v[0]); i++) {
		b.n = 0;
		memcpy(b.d, v[i].head, b.n = v[i].n);
		if (v[i].version == 4)
			put_ipv4(&b, 60, 6);
		else
			put_ipv6(&b, 60, 6);
		assert_int_equal(decode(v[i].link, b.d, b.n, b.n, &p), 0);
		assert_int_equal(p.version, v[i].version);
	}
}

static void
frames_are_dropped_for_their_reason(void **state)
{
	struct libvnet_packet p;
	struct bytes b = { 0 };

	(void)state;
	assert_int_equal(decode(1, b.d, 0, 0, &p), LIBVNET_DROP_RECORD);
	assert_int_equal(decode(1, b.d, 60, 59, &p), LIBVNET_DROP_RECORD);
	check(105, (put_ipv4(&b, 40, 6), &b), LIBVNET_DROP_NOTIP);
	b.n = 0;
	put_ethernet(&b, 0x0806);
	put_ipv4(&b, 46, 6);
	check(1, &b, LIBVNET_DROP_NOTIP);
	b.d[12] = 0x86, b.d[13] = 0xdd;
	check(1, &b, LIBVNET_DROP_VERSION);
	b.d[12] = 0x08, b.d[13] = 0x00;
	b.d[14] = 0x44;
	check(1, &b, LIBVNET_DROP_HEADER);
	b.d[14] = 0x4f;				/* 60 octets of header, 46 long */
	check(1, &b, LIBVNET_DROP_LENGTH);
	b.d[14] = 0x45;
	b.d[17] = 47;				/* one more than there is */
	check(1, &b, LIBVNET_DROP_LENGTH);
	b.n = 14 + 19;
	check(1, &b, LIBVNET_DROP_SHORT);
	b.n = 0;
	put_ipv6(&b, 0, 0);			/* jumbogram */
	check(101, &b, LIBVNET_DROP_LENGTH);
	b.n = 0;
	put_ipv6(&b, 0, 59);			/* nothing behind: legal */
	check(101, &b, LIBVNET_DROP_NONE);
	b.d[0] = 0x50;
	check(101, &b, LIBVNET_DROP_VERSION);
}

static void
every_reason_has_a_name(void **state)
{
	(void)state;
	for (int i = 0; i < LIBVNET_DROP_REASONS; i++) {
		assert_non_null(libvnet_drop_name((enum libvnet_drop)i));
		for (int j = 0; j < i; j++)
			assert_string_not_equal(
			    libvnet_drop_name((enum libvnet_drop)i),
			    libvnet_drop_name((enum libvnet_drop)j));
	}
	assert_string_equal(libvnet_drop_name((enum libvnet_drop)99), "unknown");
}

/* Every prefix, with every octet of the first 80 damaged in three ways. */
static void
decoder_survives_damage(void **state)
{
	static const int links[] = { 1, 101, 228, 229, 0, 108, 113, 276, 105 };
	struct libvnet_packet p;
	struct bytes b = { 0 };

	(void)state;
	put_ethernet(&b, 0x8100);
	put16(&b, 7);
	put16(&b, 0x86dd);
	put_ipv6(&b, 32, 0);
	for (size_t l = 0; l < sizeof(links) / sizeof(links[0]); l++)
		for (size_t n = 0; n <= b.n; n++)
			for (size_t at = 0; at < n; at++) {
				uint8_t was = b.d[at];

				b.d[at] = 0xff;
				(void)decode(links[l], b.d, n, b.n, &p);
				b.d[at] = 0;
				(void)decode(links[l], b.d, n, n, &p);
				b.d[at] = was ^ 0x40;
				(void)decode(links[l], b.d, n, 1U << 31, &p);
				b.d[at] = was;
			}
}

/* ---- files */

/* All packets of a file: how many, or how it failed. */
static int
read_all(const struct bytes *b, uint64_t *frames, uint64_t *records)
{
	struct libvnet_capture *c;
	struct libvnet_packet p;
	const char *path = write_file(b);
	int n = 0, r;

	r = libvnet_capture_open(path, &c);
	assert_int_equal(unlink(path), 0);
	if (r != 0) {
		assert_null(c);
		assert_non_null(strstr(libvnet_error(), path));
		return (r);
	}
	while ((r = libvnet_capture_next(c, &p)) == 1)
		n++;
	assert_int_equal(libvnet_capture_next(c, &p), r);
	if (r < 0)
		assert_non_null(strstr(libvnet_error(), path));
	if (frames != NULL)
		*frames = libvnet_capture_frames(c);
	if (records != NULL)
		*records = libvnet_capture_drops(c, LIBVNET_DROP_RECORD);
	libvnet_capture_close(c);
	return (r < 0 ? r : n);
}

static void
capture_is_read_whole(void **state)
{
	struct bytes b = { 0 };
	uint64_t frames;

	(void)state;
	put_capture(&b, 1, 65535);
	assert_int_equal(read_all(&b, &frames, NULL), 2);
	assert_int_equal(frames, 3);
}

static void
packet_tells_number_and_time(void **state)
{
	struct libvnet_capture *c;
	struct libvnet_packet p;
	struct bytes b = { 0 };
	const char *path;

	(void)state;
	put_capture(&b, 1, 65535);
	path = write_file(&b);
	assert_int_equal(libvnet_capture_open(path, &c), 0);
	assert_int_equal(libvnet_capture_next(c, &p), 1);
	assert_int_equal(p.number, 1);
	assert_int_equal(p.time_ns, 1000000000LL * 7 + 5000);
	assert_int_equal(libvnet_capture_next(c, &p), 1);
	assert_int_equal(p.number, 3);
	assert_int_equal(libvnet_capture_drops(c, LIBVNET_DROP_NOTIP), 1);
	assert_int_equal(libvnet_capture_drops(c, LIBVNET_DROP_NONE), 0);
	assert_int_equal(libvnet_capture_drops(c, LIBVNET_DROP_REASONS), 0);
	libvnet_capture_close(c);
	libvnet_capture_close(NULL);
	unlink(path);
}

/* A cut between records gives fewer packets, any other an error. */
static void
capture_cut_anywhere_is_noticed(void **state)
{
	struct bytes b = { 0 };
	size_t whole;
	uint64_t frames;
	int r;

	(void)state;
	put_capture(&b, 1, 65535);
	whole = b.n;
	for (b.n = 0; b.n < whole; b.n++) {
		bool between = b.n == 24 || b.n == 24 + 16 + 54 ||
		    b.n == 24 + 16 + 54 + 16 + 60;

		frames = 0;
		r = read_all(&b, &frames, NULL);
		if (between)
			assert_true(r >= 0 && frames < 3);
		else
			assert_int_equal(r, LIBVNET_EIO);
	}
}

static void
pcapng_is_read_and_its_cuts_noticed(void **state)
{
	struct bytes b = { 0 };
	size_t whole;
	int r;

	(void)state;
	put_pcapng(&b, 1, 1);
	assert_int_equal(read_all(&b, NULL, NULL), 2);
	whole = b.n;
	for (b.n = 0; b.n < whole; b.n++) {
		r = read_all(&b, NULL, NULL);
		assert_true(r == LIBVNET_EIO || r == 0 || r == 1);
	}
}

static void
pcapng_of_two_link_types_is_refused(void **state)
{
	struct bytes b = { 0 };

	(void)state;
	put_pcapng(&b, 1, 101);
	assert_int_equal(read_all(&b, NULL, NULL), LIBVNET_EIO);
	assert_non_null(strstr(libvnet_error(), "type"));
}

static void
foreign_files_are_refused(void **state)
{
	struct bytes b = { 0 };

	(void)state;
	assert_int_equal(read_all(&b, NULL, NULL), LIBVNET_EIO);
	memcpy(b.d, "\177ELF and more that is no capture", b.n = 32);
	assert_int_equal(read_all(&b, NULL, NULL), LIBVNET_EIO);
	memset(b.d, 0, b.n = 4096);
	assert_int_equal(read_all(&b, NULL, NULL), LIBVNET_EIO);
	b.n = 0;
	put_capture(&b, 105, 65535);		/* 802.11 */
	assert_int_equal(read_all(&b, NULL, NULL), LIBVNET_ETYPE);
	assert_non_null(strstr(libvnet_error(), "IEEE802_11"));
	b.d[23] = b.d[22] = b.d[21] = b.d[20] = 0x5a;
	assert_int_equal(read_all(&b, NULL, NULL), LIBVNET_ETYPE);
	b.d[4] = 99;				/* file format version */
	assert_int_equal(read_all(&b, NULL, NULL), LIBVNET_EIO);
}

static void
absurd_lengths_end_in_errors_or_drops(void **state)
{
	static const uint32_t snaps[] = { 0, 1U << 31, UINT32_MAX, 0x7fffffff };
	struct bytes b, frame = { 0 };
	uint64_t frames, records;

	(void)state;
	put_ethernet(&frame, 0x0800);
	put_ipv4(&frame, 40, 6);
	for (size_t i = 0; i < 4; i++) {
		b.n = 0;
		put_capture(&b, 1, snaps[i]);
		assert_int_equal(read_all(&b, NULL, NULL), 2);
	}
	b.n = 0;				/* more captured than there was */
	put_pcap(&b, 1, 65535);
	put_record(&b, &frame, (uint32_t)frame.n, 20);
	put_record(&b, &frame, 0, (uint32_t)frame.n);
	put_record(&b, &frame, (uint32_t)frame.n, UINT32_MAX);
	assert_int_equal(read_all(&b, &frames, &records), 1);
	assert_int_equal(frames, 3);
	assert_int_equal(records, 2);
	for (uint32_t n = 1; n != 0; n <<= 1) {	/* longer than the file */
		b.n = 0;
		put_pcap(&b, 1, 65535);
		put_record(&b, &frame, (uint32_t)frame.n, (uint32_t)frame.n);
		memcpy(b.d + 24 + 8, &n, 4);
		if (n > frame.n)
			assert_int_equal(read_all(&b, NULL, NULL), LIBVNET_EIO);
		else
			assert_true(read_all(&b, NULL, NULL) <= 0);
	}
}

static void
what_is_no_file_is_refused(void **state)
{
	char dir[] = "/tmp/test_packet.XXXXXX", fifo[64];
	struct libvnet_capture *c;
	struct libvnet_packet p;

	(void)state;
	assert_non_null(mkdtemp(dir));
	snprintf(fifo, sizeof(fifo), "%s/fifo", dir);
	assert_int_equal(mkfifo(fifo, 0600), 0);
	assert_int_equal(libvnet_capture_open(dir, &c), LIBVNET_EIO);
	assert_int_equal(libvnet_capture_open(fifo, &c), LIBVNET_EIO);
	assert_int_equal(libvnet_capture_open("-", &c), LIBVNET_ENOENT);
	assert_int_equal(libvnet_capture_open("", &c), LIBVNET_ENOENT);
	assert_int_equal(libvnet_capture_open(NULL, &c), LIBVNET_EINVAL);
	assert_int_equal(libvnet_capture_open(dir, NULL), LIBVNET_EINVAL);
	assert_int_equal(libvnet_capture_next(NULL, &p), LIBVNET_EINVAL);
	assert_int_equal(libvnet_capture_frames(NULL), 0);
	unlink(fifo);
	rmdir(dir);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(ethernet_ipv4_is_decoded),
		cmocka_unit_test(ethernet_ipv6_is_decoded),
		cmocka_unit_test(vlan_tags_are_followed_to_the_limit),
		cmocka_unit_test(extension_headers_lead_to_the_protocol),
		cmocka_unit_test(later_fragments_are_marked),
		cmocka_unit_test(every_link_type_is_decoded),
		cmocka_unit_test(frames_are_dropped_for_their_reason),
		cmocka_unit_test(every_reason_has_a_name),
		cmocka_unit_test(decoder_survives_damage),
		cmocka_unit_test(capture_is_read_whole),
		cmocka_unit_test(packet_tells_number_and_time),
		cmocka_unit_test(capture_cut_anywhere_is_noticed),
		cmocka_unit_test(pcapng_is_read_and_its_cuts_noticed),
		cmocka_unit_test(pcapng_of_two_link_types_is_refused),
		cmocka_unit_test(foreign_files_are_refused),
		cmocka_unit_test(absurd_lengths_end_in_errors_or_drops),
		cmocka_unit_test(what_is_no_file_is_refused)
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
