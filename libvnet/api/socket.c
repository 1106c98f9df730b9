/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdio.h>
#include <string.h>

#include <libvnet/socket.h>

#include "seam_socket.h"
#include "stack.h"

static int
begin(const char *who, int *kerr)
{
	int error = api_ready(who);

	if (kerr != NULL)
		*kerr = 0;
	if (error == 0 && vnk_socket == NULL)
		error = api_no_stack(who);
	return (error);
}

static int
end(const char *who, int fd, int answer, int *kerr)
{
	if (kerr != NULL)
		*kerr = answer;
	if (answer == 0)
		return (0);
	return (api_fail(LIBVNET_EKERNEL, "%s(%d): the kernel answers %d, %s",
	    who, fd, answer, libvnet_kerr_text(answer)));
}

static int
endpoint(const char *who, const char *address, unsigned port,
    struct vnk_endpoint *e)
{
	int error = api_address_parse(who, address, &e->ip);

	if (error == 0 && port > 65535)
		error = api_fail(LIBVNET_EINVAL, "%s: %u is no port", who,
		    port);
	e->port = port;
	return (error);
}

static void
told(struct libvnet_endpoint *out, const struct vnk_endpoint *e)
{
	if (out == NULL)
		return;
	memset(out, 0, sizeof(*out));
	api_address_text(&e->ip, out->address);
	out->port = e->port;
}

int
libvnet_socket(struct vnet *vnet, int family, int type, int protocol,
    int *kerr)
{
	static const char who[] = "libvnet_socket";
	struct api_was was;
	int error, fd = -1;

	error = api_stack_begin(who, vnet, kerr, &was);
	if (error != 0)
		return (error);
	error = api_stack_end(who, NULL, vnk_socket(family, type, protocol, &fd),
	    kerr, was);
	return (error != 0 ? error : fd);
}

int
libvnet_socket_close(int fd, int *kerr)
{
	static const char who[] = "libvnet_socket_close";
	int error = begin(who, kerr);

	return (error != 0 ? error : end(who, fd, vnk_socket_close(fd), kerr));
}

int
libvnet_socket_bind(int fd, const char *address, unsigned port, int *kerr)
{
	static const char who[] = "libvnet_socket_bind";
	struct vnk_endpoint e;
	int error = begin(who, kerr);

	if (error == 0)
		error = endpoint(who, address, port, &e);
	return (error != 0 ? error :
	    end(who, fd, vnk_socket_bind(fd, &e), kerr));
}

int
libvnet_socket_listen(int fd, int backlog, int *kerr)
{
	static const char who[] = "libvnet_socket_listen";
	int error = begin(who, kerr);

	return (error != 0 ? error :
	    end(who, fd, vnk_socket_listen(fd, backlog), kerr));
}

int
libvnet_socket_connect(int fd, const char *address, unsigned port, int *kerr)
{
	static const char who[] = "libvnet_socket_connect";
	struct vnk_endpoint e;
	int error = begin(who, kerr);

	if (error == 0)
		error = endpoint(who, address, port, &e);
	return (error != 0 ? error :
	    end(who, fd, vnk_socket_connect(fd, &e), kerr));
}

int
libvnet_socket_accept(int fd, struct libvnet_endpoint *peer, int *kerr)
{
	static const char who[] = "libvnet_socket_accept";
	struct vnk_endpoint e = { .port = 0 };
	int accepted = -1, error = begin(who, kerr);

	if (error == 0)
		error = end(who, fd, vnk_socket_accept(fd, &accepted, &e),
		    kerr);
	if (error != 0)
		return (error);
	told(peer, &e);
	return (accepted);
}

static int
name(const char *who, int fd, int peer, struct libvnet_endpoint *out,
    int *kerr)
{
	struct vnk_endpoint e = { .port = 0 };
	int error = begin(who, kerr);

	if (error == 0 && out == NULL)
		error = api_fail(LIBVNET_EINVAL, "%s: give a place for the "
		    "address, not NULL", who);
	if (error == 0)
		error = end(who, fd, vnk_socket_name(fd, peer, &e), kerr);
	if (error == 0)
		told(out, &e);
	return (error);
}

int
libvnet_socket_name(int fd, struct libvnet_endpoint *own, int *kerr)
{
	return (name("libvnet_socket_name", fd, 0, own, kerr));
}

int
libvnet_socket_peer(int fd, struct libvnet_endpoint *peer, int *kerr)
{
	return (name("libvnet_socket_peer", fd, 1, peer, kerr));
}

/* ---- data */

static long
send_to(const char *who, int fd, const void *buf, size_t len, int flags,
    const struct vnk_endpoint *to, int *kerr)
{
	vnh_size_t sent = 0;
	int error = 0;

	if (buf == NULL && len != 0)
		error = api_fail(LIBVNET_EINVAL, "%s: give data, not NULL",
		    who);
	if (error == 0)
		error = end(who, fd, vnk_socket_send(fd, buf, len, flags, to,
		    &sent), kerr);
	return (error != 0 ? error : (long)sent);
}

long
libvnet_socket_send(int fd, const void *buf, size_t len, int flags, int *kerr)
{
	static const char who[] = "libvnet_socket_send";
	int error = begin(who, kerr);

	return (error != 0 ? error :
	    send_to(who, fd, buf, len, flags, NULL, kerr));
}

long
libvnet_socket_sendto(int fd, const void *buf, size_t len, int flags,
    const char *address, unsigned port, int *kerr)
{
	static const char who[] = "libvnet_socket_sendto";
	struct vnk_endpoint to;
	int error = begin(who, kerr);

	if (error == 0)
		error = endpoint(who, address, port, &to);
	return (error != 0 ? error :
	    send_to(who, fd, buf, len, flags, &to, kerr));
}

long
libvnet_socket_recvfrom(int fd, void *buf, size_t len, int *flags,
    struct libvnet_endpoint *from, int *kerr)
{
	static const char who[] = "libvnet_socket_recv";
	struct vnk_endpoint e = { .port = 0 };
	vnh_size_t received = 0;
	int none = 0, error = begin(who, kerr);

	if (error == 0 && buf == NULL && len != 0)
		error = api_fail(LIBVNET_EINVAL, "%s: give room for the data, "
		    "not NULL", who);
	if (error == 0)
		error = end(who, fd, vnk_socket_receive(fd, buf, len,
		    flags != NULL ? flags : &none, &e, &received), kerr);
	if (error != 0)
		return (error);
	told(from, &e);
	return ((long)received);
}

long
libvnet_socket_recv(int fd, void *buf, size_t len, int *kerr)
{
	return (libvnet_socket_recvfrom(fd, buf, len, NULL, NULL, kerr));
}

int
libvnet_socket_shutdown(int fd, int how, int *kerr)
{
	static const char who[] = "libvnet_socket_shutdown";
	int error = begin(who, kerr);

	return (error != 0 ? error :
	    end(who, fd, vnk_socket_shutdown(fd, how), kerr));
}

/* ---- options */

int
libvnet_socket_set(int fd, int level, int option, const void *value,
    size_t len, int *kerr)
{
	static const char who[] = "libvnet_socket_set";
	int error = begin(who, kerr);

	if (error == 0 && ((value == NULL && len != 0) || len > 0x7fffffff))
		error = api_fail(LIBVNET_EINVAL, "%s: give the value and its "
		    "size", who);
	return (error != 0 ? error : end(who, fd, vnk_socket_set(fd, level,
	    option, value, (unsigned)len), kerr));
}

int
libvnet_socket_set_int(int fd, int level, int option, int value, int *kerr)
{
	return (libvnet_socket_set(fd, level, option, &value, sizeof(value),
	    kerr));
}

int
libvnet_socket_get(int fd, int level, int option, void *value, size_t *len,
    int *kerr)
{
	static const char who[] = "libvnet_socket_get";
	int error = begin(who, kerr);
	unsigned size;

	if (error == 0 && (value == NULL || len == NULL || *len > 0x7fffffff))
		error = api_fail(LIBVNET_EINVAL, "%s: give room for the value "
		    "and its size", who);
	if (error != 0)
		return (error);
	size = (unsigned)*len;
	error = end(who, fd, vnk_socket_get(fd, level, option, value, &size),
	    kerr);
	if (error == 0)
		*len = size;
	return (error);
}

int
libvnet_socket_nonblocking(int fd, bool on, int *kerr)
{
	static const char who[] = "libvnet_socket_nonblocking";
	int error = begin(who, kerr);

	return (error != 0 ? error :
	    end(who, fd, vnk_socket_nonblocking(fd, on), kerr));
}

_Static_assert(sizeof(struct libvnet_poll) == sizeof(struct vnk_poll),
    "one layout");

int
libvnet_socket_poll(struct libvnet_poll *polls, unsigned n,
    int64_t timeout_ns, int *kerr)
{
	static const char who[] = "libvnet_socket_poll";
	int ready = 0, error = begin(who, kerr);

	if (error == 0 && ((polls == NULL && n != 0) || n > LIBVNET_POLL_MAX ||
	    timeout_ns < -1))
		error = api_fail(LIBVNET_EINVAL, "%s: give 0 to "
		    "LIBVNET_POLL_MAX descriptors, and -1 or more of time",
		    who);
	if (error == 0)
		error = end(who, -1, vnk_socket_poll((void *)polls, n,
		    timeout_ns, &ready), kerr);
	return (error != 0 ? error : ready);
}
