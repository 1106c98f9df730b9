/* SPDX-License-Identifier: BSD-2-Clause */
/* kqueue(2) over a tree's sockets. */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/event.h>
#include <sys/kthread.h>
#include <sys/socket.h>

#include <libvnet/test.h>

#define MS 1000000LL

#define OK(call) do {							\
	if ((call) < 0)							\
		fail_msg("%s", libvnet_error());			\
} while (0)

struct pair {
	int a, b, kq;
	char a_name[LIBVNET_IFNAME], b_name[LIBVNET_IFNAME];
};

static void
pair(struct pair *p, struct vnet *a, struct vnet *b, int type)
{
	OK(libvnet_if_epair(a, b, p->a_name, p->b_name, NULL));
	OK(libvnet_if_address_add(a, p->a_name, "10.0.0.1/24", NULL));
	OK(libvnet_if_address_add(b, p->b_name, "10.0.0.2/24", NULL));
	OK(p->a = libvnet_socket(a, 4, type, 0, NULL));
	OK(p->b = libvnet_socket(b, 4, type, 0, NULL));
	OK(libvnet_socket_bind(p->b, "10.0.0.2", 7, NULL));
	OK(p->kq = libvnet_kqueue(NULL));
}

static void
unpair(struct pair *p)
{
	OK(libvnet_kqueue_close(p->kq, NULL));
	OK(libvnet_socket_close(p->a, NULL));
	OK(libvnet_socket_close(p->b, NULL));
}

static void
watch(int kq, int fd, short filter, int flags)
{
	struct libvnet_kevent k = { .ident = fd, .filter = filter,
	    .flags = flags, .udata = &watch };

	OK(libvnet_kevent(kq, &k, 1, NULL, 0, 0, NULL));
}

LIBVNET_TEST_VNETS(a_datagram_is_an_event_with_its_length, a, b)
{
	struct libvnet_kevent k[2];
	struct pair p;
	char buf[8];

	pair(&p, a, b, LIBVNET_DGRAM);
	watch(p.kq, p.b, EVFILT_READ, EV_ADD);
	assert_int_equal(libvnet_kevent(p.kq, NULL, 0, k, 2, 0, NULL), 0);
	OK(libvnet_socket_sendto(p.a, "hello", 5, 0, "10.0.0.2", 7, NULL));
	assert_int_equal(libvnet_kevent(p.kq, NULL, 0, k, 2, -1, NULL), 1);
	assert_int_equal(k[0].ident, p.b);
	assert_int_equal(k[0].filter, EVFILT_READ);
	assert_true(k[0].data >= 5);
	assert_ptr_equal(k[0].udata, &watch);
	assert_int_equal(libvnet_socket_recv(p.b, buf, 8, NULL), 5);
	assert_int_equal(libvnet_kevent(p.kq, NULL, 0, k, 2, 0, NULL), 0);
	unpair(&p);
}

LIBVNET_TEST_VNETS(a_timeout_takes_virtual_time, a, b)
{
	int64_t then = libvnet_clock_ns();
	struct libvnet_kevent k;
	struct pair p;

	pair(&p, a, b, LIBVNET_DGRAM);
	watch(p.kq, p.b, EVFILT_READ, EV_ADD);
	assert_int_equal(libvnet_kevent(p.kq, NULL, 0, &k, 1, 70 * MS, NULL),
	    0);
	assert_true(libvnet_clock_ns() - then >= 70 * MS);
	assert_true(libvnet_clock_ns() - then < 100 * MS);
	unpair(&p);
}

static void
sender(void *arg)
{
	OK(libvnet_socket_sendto((int)(intptr_t)arg, "x", 1, 0, "10.0.0.2", 7,
	    NULL));
	kthread_exit();
}

LIBVNET_TEST_VNETS(a_thread_wakes_who_waits, a, b)
{
	struct libvnet_kevent k;
	struct pair p;

	pair(&p, a, b, LIBVNET_DGRAM);
	watch(p.kq, p.b, EVFILT_READ, EV_ADD | EV_ONESHOT);
	assert_int_equal(kthread_add(sender, (void *)(intptr_t)p.a, NULL, NULL,
	    0, 0, "sender"), 0);
	assert_int_equal(libvnet_kevent(p.kq, NULL, 0, &k, 1, -1, NULL), 1);
	assert_int_equal(libvnet_kevent(p.kq, NULL, 0, &k, 1, 0, NULL), 0);
	unpair(&p);
}

LIBVNET_TEST_VNETS(a_connection_and_its_end_are_events, a, b)
{
	struct libvnet_kevent k;
	struct pair p;
	int fd;

	pair(&p, a, b, LIBVNET_STREAM);
	OK(libvnet_socket_listen(p.b, 5, NULL));
	watch(p.kq, p.b, EVFILT_READ, EV_ADD);
	OK(libvnet_socket_connect(p.a, "10.0.0.2", 7, NULL));
	assert_int_equal(libvnet_kevent(p.kq, NULL, 0, &k, 1, -1, NULL), 1);
	assert_int_equal(k.data, 1);
	OK(fd = libvnet_socket_accept(p.b, NULL, NULL));
	watch(p.kq, p.b, EVFILT_READ, EV_DELETE);
	watch(p.kq, fd, EVFILT_READ, EV_ADD | EV_CLEAR);
	OK(libvnet_socket_shutdown(p.a, 1, NULL));
	assert_int_equal(libvnet_kevent(p.kq, NULL, 0, &k, 1, -1, NULL), 1);
	assert_int_equal(k.ident, fd);
	assert_true((k.flags & EV_EOF) != 0);
	OK(libvnet_socket_close(fd, NULL));
	assert_int_equal(libvnet_clock_advance_ns(120000 * MS), 0);
	unpair(&p);
}

LIBVNET_TEST_VNETS(wrong_changes_and_queues_are_refused, a, b)
{
	struct libvnet_kevent k = { .ident = 12345, .filter = EVFILT_READ,
	    .flags = EV_ADD }, out;
	struct pair p;
	int kerr;

	pair(&p, a, b, LIBVNET_DGRAM);
	assert_int_equal(libvnet_kevent(p.kq, &k, 1, NULL, 0, 0, &kerr),
	    LIBVNET_EKERNEL);
	assert_int_equal(kerr, EBADF);
	assert_int_equal(libvnet_kevent(p.kq, &k, 1, &out, 1, 0, &kerr), 1);
	assert_int_equal(out.flags, EV_ERROR);
	assert_int_equal(out.data, EBADF);
	assert_int_equal(libvnet_kevent(p.a, NULL, 0, &out, 1, 0, &kerr),
	    LIBVNET_EKERNEL);
	assert_int_equal(libvnet_kevent(p.kq, NULL, 1, &out, 1, 0, &kerr),
	    LIBVNET_EINVAL);
	assert_int_equal(libvnet_kevent(p.kq, &k, LIBVNET_KEVENT_MAX + 1, &out,
	    1, 0, &kerr), LIBVNET_EINVAL);
	assert_int_equal(libvnet_kqueue_close(p.a, &kerr), LIBVNET_EKERNEL);
	unpair(&p);
	assert_int_equal(libvnet_kqueue_close(p.kq, &kerr), LIBVNET_EKERNEL);
}
