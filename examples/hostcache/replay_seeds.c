/*-
 * SPDX-License-Identifier: BSD-2-Clause
 */
/*
 * Seeds for the fuzz target from captures: every SEED_PACKETS packets make
 * one file of fuzz_format.h's records, and the first of them, between all
 * operations that no packet stands for, another.
 */
#include <stdio.h>
#include <string.h>

#include <libvnet/libvnet.h>

#include "fuzz_format.h"
#include "replay.h"

#define SEED_PACKETS 10
#define SEED_FILES_MAX 999

struct seeds {
	const char *dir;
	FILE *file;
	int files;
	unsigned packets;
	int64_t time_ns;
};

static void
record(FILE *f, enum fuzz_op op, int flags, uint32_t delay_ms, uint32_t size,
    const uint8_t *address)
{
	uint8_t r[FUZZ_RECORD] = {
		(uint8_t)op, (uint8_t)flags,
		(uint8_t)delay_ms, (uint8_t)(delay_ms >> 8),
		(uint8_t)size, (uint8_t)(size >> 8), (uint8_t)(size >> 16),
		(uint8_t)(size >> 24)
	};

	memcpy(r + 8, address, 16);
	fwrite(r, 1, sizeof(r), f);
}

/* NULL: it cannot be had. */
static FILE *
new_file(struct seeds *s, const char *name, int number)
{
	char path[4096];

	if (++s->files > SEED_FILES_MAX)
		return (NULL);
	snprintf(path, sizeof(path), "%s/%s-%03d", s->dir, name, number);
	return (fopen(path, "wb"));
}

/* Every limit, small, with packets to more hosts than it allows. */
static bool
operations(struct seeds *s, const struct libvnet_packet *p)
{
	static const struct {
		enum fuzz_op op;
		uint32_t size, delay_ms;
	} v[] = {
		{ FUZZ_BUCKETLIMIT, 2, 0 }, { FUZZ_CACHELIMIT, 4, 0 },
		{ FUZZ_EXPIRE, 1, 0 }, { FUZZ_PRUNE, 3, 1500 },
		{ FUZZ_PURGE, 1, 5000 }, { FUZZ_RENEW, 0, 0 }
	};
	FILE *f = new_file(s, "operations", 0);
	int ip6 = p->version == 6 ? 2 : 0;
	uint8_t address[16];

	if (f == NULL)
		return (false);
	memcpy(address, p->src, 16);
	for (size_t i = 0; i < sizeof(v) / sizeof(v[0]); i++) {
		record(f, v[i].op, (int)(i & 1), 0, v[i].size, address);
		for (int k = 0; k < 8; k++, address[3]++, address[15]++)
			record(f, k % 3 ? FUZZ_INPUT : FUZZ_UPDATE,
			    (int)(i & 1) | ip6, k == 5 ? v[i].delay_ms : 0,
			    1400, address);
	}
	return (fclose(f) == 0);
}

/* The file for the next packet; false: it cannot be had. */
static bool
next_file(struct seeds *s, const struct libvnet_packet *p)
{
	if (s->packets == 0 && !operations(s, p))
		return (false);
	if (s->packets++ % SEED_PACKETS != 0)
		return (true);
	if (s->file != NULL && fclose(s->file) != 0) {
		s->file = NULL;
		return (false);
	}
	s->file = new_file(s, "packets", s->files);
	return (s->file != NULL);
}

/* The source goes to vnet 0, the destination to vnet 1, both with news. */
static bool
packet(struct seeds *s, const struct libvnet_packet *p)
{
	int64_t delay_ms = (p->time_ns - s->time_ns) / 1000000;
	int ip6 = p->version == 6 ? 2 : 0;

	if (s->time_ns == 0 || delay_ms < 0 || delay_ms > 0xffff)
		delay_ms = 0;
	s->time_ns = p->time_ns;
	if (!next_file(s, p))
		return (false);
	record(s->file, FUZZ_INPUT, ip6, (uint32_t)delay_ms, p->length, p->src);
	record(s->file, FUZZ_INPUT, ip6 | 1, 0, p->length, p->dst);
	record(s->file, s->packets % 2 ? FUZZ_UPDATE : FUZZ_GET, ip6 | 1, 0,
	    p->length, p->dst);
	return (true);
}

int
replay_seeds(const char *dir, char **files, int n)
{
	struct seeds s = { .dir = dir };
	struct libvnet_capture *c;
	struct libvnet_packet p;
	bool good = true;

	for (int i = 0; i < n && good; i++) {
		if (libvnet_capture_open(files[i], &c) != 0) {
			fprintf(stderr, "%s\n", libvnet_error());
			continue;
		}
		while (good && libvnet_capture_next(c, &p) == 1)
			good = packet(&s, &p);
		libvnet_capture_close(c);
	}
	if (s.file != NULL && fclose(s.file) != 0)
		good = false;
	if (!good) {
		fprintf(stderr, "hostcache_replay: cannot write to %s, or "
		    "more than %d files\n", dir, SEED_FILES_MAX);
		return (1);
	}
	printf("%d seeds in %s\n", s.files, dir);
	return (0);
}
