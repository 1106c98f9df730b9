/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: inet_ntop, inet_ntoa_r, of FreeBSD's libkern.
 * Fidelity: exact
 * Differs: --
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <netinet/in.h>

#define WORDS 8

static char *
hand_out(const char *text, char *dst, socklen_t size)
{
	if (strlcpy(dst, text, size) >= size)
		return (NULL);
	return (dst);
}

static char *
ntop4(const uint8_t *a, char *dst, socklen_t size)
{
	char text[INET_ADDRSTRLEN];

	snprintf(text, sizeof(text), "%u.%u.%u.%u", a[0], a[1], a[2], a[3]);
	return (hand_out(text, dst, size));
}

/* The first of the longest runs of zero words; a single one is left alone. */
static int
longest_run(const uint16_t *w, int *len)
{
	int start = -1, n;

	*len = 1;
	for (int i = 0; i < WORDS; i += n + 1) {
		for (n = 0; i + n < WORDS && w[i + n] == 0; n++)
			;
		if (n > *len) {
			start = i;
			*len = n;
		}
	}
	return (start);
}

/* An address that holds an IPv4 one: ::a.b.c.d and ::ffff:a.b.c.d */
static bool
holds_v4(const uint16_t *w, int start, int len)
{
	return (start == 0 && (len == 6 || (len == 7 && w[7] != 1) ||
	    (len == 5 && w[5] == 0xffff)));
}

static char *
ntop6(const uint8_t *a, char *dst, socklen_t size)
{
	char text[INET6_ADDRSTRLEN];
	uint16_t w[WORDS];
	size_t n = 0;
	int run, len;

	for (int i = 0; i < WORDS; i++)
		w[i] = (uint16_t)(a[2 * i] << 8 | a[2 * i + 1]);
	run = longest_run(w, &len);
	for (int i = 0; i < WORDS; i++) {
		if (run >= 0 && i >= run && i < run + len) {
			if (i == run)
				text[n++] = ':';
			continue;
		}
		if (i != 0)
			text[n++] = ':';
		if (i == 6 && holds_v4(w, run, len)) {
			(void)ntop4(a + 12, text + n,
			    (socklen_t)(sizeof(text) - n));
			return (hand_out(text, dst, size));
		}
		n += (size_t)snprintf(text + n, sizeof(text) - n, "%x", w[i]);
	}
	if (run >= 0 && run + len == WORDS)
		text[n++] = ':';
	text[n] = '\0';
	return (hand_out(text, dst, size));
}

/* NULL: the address family is unknown, or `dst' too small. */
char *
inet_ntop(int af, const void *src, char *dst, socklen_t size)
{
	switch (af) {
	case AF_INET:
		return (ntop4(src, dst, size));
	case AF_INET6:
		return (ntop6(src, dst, size));
	default:
		return (NULL);
	}
}

/* `buf' has room for INET_ADDRSTRLEN. */
char *
inet_ntoa_r(struct in_addr ina, char *buf)
{
	return (ntop4((const uint8_t *)&ina, buf, INET_ADDRSTRLEN));
}
