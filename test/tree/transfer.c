/* SPDX-License-Identifier: BSD-2-Clause */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/kernel.h>
#include <sys/kthread.h>
#include <sys/lock.h>
#include <sys/malloc.h>
#include <sys/mutex.h>
#include <sys/proc.h>
#include <sys/socket.h>
#include <netinet/in.h>
#include <netinet/tcp.h>

#include <libvnet/clock.h>
#include <libvnet/error.h>
#include <libvnet/socket.h>

#include "transfer.h"

#define PORT 4711
#define CHUNK 65536
#define PERIOD 65521		/* a prime: no buffer's size divides it */

/* What stands at each offset, for two chunks so that none wraps. */
static u_char pattern[PERIOD + CHUNK];
static u_char room[CHUNK];

struct receiver {
	struct transfer *t;
	int listening;
	bool done;
};

static void
pattern_make(void)
{
	uint32_t x = 1;

	if (pattern[1] != 0)
		return;
	for (size_t i = 0; i < sizeof(pattern); i++) {
		if (i >= PERIOD) {
			pattern[i] = pattern[i - PERIOD];
			continue;
		}
		x = x * 1664525 + 1013904223;
		pattern[i] = (u_char)(x >> 24);
	}
}

static void
failed(struct transfer *t, const char *what)
{
	if (t->error[0] == '\0')
		snprintf(t->error, sizeof(t->error), "%s at %zu of %zu: %s",
		    what, t->received, t->bytes, libvnet_error());
}

static void
receive(struct transfer *t, int fd)
{
	long n;

	while ((n = libvnet_socket_recv(fd, room, sizeof(room), NULL)) > 0) {
		if (memcmp(room, pattern + t->received % PERIOD, (size_t)n) !=
		    0) {
			failed(t, "other data than was sent");
			return;
		}
		t->received += (size_t)n;
	}
	if (n < 0)
		failed(t, "receive");
	else if (t->received != t->bytes)
		failed(t, "the stream ends early");
}

static void
receiver(void *arg)
{
	struct receiver *r = arg;
	int fd = libvnet_socket_accept(r->listening, NULL, NULL);

	if (fd < 0)
		failed(r->t, "accept");
	else {
		receive(r->t, fd);
		(void)libvnet_socket_close(fd, NULL);
	}
	r->done = true;
	wakeup(r);
	kthread_exit();
}

static int
open_socket(struct transfer *t, struct vnet *v)
{
	int fd = libvnet_socket(v, t->family, LIBVNET_STREAM, t->protocol,
	    NULL);
	struct tcp_function_set set = { .pcbcnt = 0 };
	int error = 0;

	if (fd < 0)
		return (fd);
	if (t->buffer != 0)
		error = libvnet_socket_set_int(fd, SOL_SOCKET, SO_SNDBUF,
		    t->buffer, NULL);
	if (error == 0 && t->buffer != 0)
		error = libvnet_socket_set_int(fd, SOL_SOCKET, SO_RCVBUF,
		    t->buffer, NULL);
	if (error == 0 && t->stack != NULL) {
		strlcpy(set.function_set_name, t->stack,
		    sizeof(set.function_set_name));
		error = libvnet_socket_set(fd, IPPROTO_TCP, TCP_FUNCTION_BLK,
		    &set, sizeof(set), NULL);
	}
	if (error == 0 && t->congestion != NULL)
		error = libvnet_socket_set(fd, IPPROTO_TCP, TCP_CONGESTION,
		    t->congestion, strlen(t->congestion), NULL);
	if (error == 0)
		return (fd);
	failed(t, "options");
	(void)libvnet_socket_close(fd, NULL);
	return (error);
}

static void
send_all(struct transfer *t, int fd)
{
	size_t sent = 0;
	long n;

	while (sent < t->bytes) {
		n = libvnet_socket_send(fd, pattern + sent % PERIOD,
		    MIN(t->bytes - sent, CHUNK), 0, NULL);
		if (n <= 0) {
			failed(t, "send");
			return;
		}
		sent += (size_t)n;
	}
	if (libvnet_socket_shutdown(fd, 1, NULL) != 0)
		failed(t, "shutdown");
}

static void
go(struct transfer *t, struct receiver *r, int fd)
{
	int64_t began = libvnet_clock_ns();

	if (libvnet_socket_connect(fd, t->address, PORT, NULL) != 0) {
		failed(t, "connect");
		return;
	}
	send_all(t, fd);
	while (!r->done && t->error[0] == '\0')
		(void)tsleep(r, 0, "transfer", hz);
	t->elapsed_ns = libvnet_clock_ns() - began;
}

bool
transfer_run(struct transfer *t)
{
	static struct receiver r;	/* outlives a failed run */
	int fd = -1;

	pattern_make();
	t->received = 0;
	t->error[0] = '\0';
	r = (struct receiver){ .t = t };
	r.listening = open_socket(t, t->to);
	if (r.listening < 0)
		failed(t, "socket");
	else if (libvnet_socket_bind(r.listening, t->address, PORT, NULL) !=
	    0 || libvnet_socket_listen(r.listening, 5, NULL) != 0)
		failed(t, "listen");
	else if ((fd = open_socket(t, t->from)) < 0)
		failed(t, "socket");
	else if (kthread_add(receiver, &r, NULL, NULL, 0, 0, "receiver") != 0)
		failed(t, "thread");
	else
		go(t, &r, fd);
	if (fd >= 0)
		(void)libvnet_socket_close(fd, NULL);
	if (r.listening >= 0)
		(void)libvnet_socket_close(r.listening, NULL);
	return (t->error[0] == '\0');
}
