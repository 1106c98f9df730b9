/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * netlink(4), which 14 has beside routing sockets: each vnet answers for its
 * own interfaces and routes, and tells its own listeners.
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/errno.h>
#include <sys/poll.h>
#include <sys/socket.h>
#include <netinet/in.h>

#include <libvnet/test.h>

#if __has_include(<netlink/netlink.h>) && defined(NETLINK)
#include <netlink/netlink.h>
#include <netlink/route/common.h>
#include <netlink/route/interface.h>
#include <netlink/route/route.h>

#define OK(call) do {							\
	if ((call) != 0)						\
		fail_msg("%s", libvnet_error());			\
} while (0)

static struct {
	struct nlmsghdr h;
	char body[512];
} request;
static _Alignas(struct nlmsghdr) char answer[16384];

static int
open_netlink(struct vnet *v)
{
	int kerr, fd = libvnet_socket(v, AF_NETLINK, LIBVNET_RAW,
	    NETLINK_ROUTE, &kerr);

	if (fd < 0)
		fail_msg("%s", libvnet_error());
	return (fd);
}

static void
begin(uint16_t type, uint16_t flags, const void *head, size_t len)
{
	memset(&request, 0, sizeof(request));
	request.h.nlmsg_len = (uint32_t)(sizeof(request.h) + NLMSG_ALIGN(len));
	request.h.nlmsg_type = type;
	request.h.nlmsg_flags = NLM_F_REQUEST | flags;
	request.h.nlmsg_seq = 7;
	memcpy(request.body, head, len);
}

static struct nlattr *
attribute(uint16_t type, const void *data, size_t len)
{
	struct nlattr *a = (struct nlattr *)((char *)&request +
	    request.h.nlmsg_len);

	a->nla_len = (uint16_t)(sizeof(*a) + len);
	a->nla_type = type;
	if (len > 0)
		memcpy(a + 1, data, len);
	request.h.nlmsg_len += (uint32_t)NLMSG_ALIGN(a->nla_len);
	return (a);
}

/* Attributes since `a' are inside it. */
static void
end_nested(struct nlattr *a)
{
	a->nla_len = (uint16_t)((char *)&request + request.h.nlmsg_len -
	    (char *)a);
}

static void
ask(int fd)
{
	assert_int_equal(libvnet_socket_send(fd, &request,
	    request.h.nlmsg_len, 0, NULL), request.h.nlmsg_len);
}

typedef void each_f(const struct nlmsghdr *, void *);

/* Until the last; the error that the kernel answers, in FreeBSD's numbers. */
static int
answers(int fd, each_f *each, void *arg)
{
	for (;;) {
		long len = libvnet_socket_recv(fd, answer, sizeof(answer),
		    NULL);
		const char *p = answer;

		assert_true(len >= (long)sizeof(struct nlmsghdr));
		while (p < answer + len) {
			const struct nlmsghdr *h =
			    (const struct nlmsghdr *)(const void *)p;

			assert_true(h->nlmsg_len >= sizeof(*h));
			if (h->nlmsg_type == NLMSG_ERROR)
				return (((const struct nlmsgerr *)
				    (const void *)(h + 1))->error);
			if (h->nlmsg_type == NLMSG_DONE)
				return (0);
			if (each != NULL)
				each(h, arg);
			p += NLMSG_ALIGN(h->nlmsg_len);
		}
	}
}

/* Of a message whose own head is `head' long; NULL: it has none. */
static const void *
find(const struct nlmsghdr *h, size_t head, uint16_t type)
{
	const char *p = (const char *)(h + 1) + NLMSG_ALIGN(head);
	const char *end = (const char *)h + h->nlmsg_len;

	while (p < end) {
		const struct nlattr *a = (const struct nlattr *)(const void *)p;

		if (a->nla_type == type)
			return (a + 1);
		p += NLMSG_ALIGN(a->nla_len);
	}
	return (NULL);
}

/* ---- interfaces */

struct names {
	char name[16][LIBVNET_IFNAME];
	unsigned n;
};

static void
take_name(const struct nlmsghdr *h, void *arg)
{
	const char *name = find(h, sizeof(struct ifinfomsg), IFLA_IFNAME);
	struct names *names = arg;

	assert_int_equal(h->nlmsg_type, NL_RTM_NEWLINK);
	assert_non_null(name);
	assert_true(names->n < nitems(names->name));
	strlcpy(names->name[names->n++], name, LIBVNET_IFNAME);
}

static void
assert_same_interfaces(struct vnet *v)
{
	static struct ifinfomsg all;
	struct names names = { .n = 0 };
	struct libvnet_if i;
	int fd = open_netlink(v);
	unsigned n, k;

	begin(NL_RTM_GETLINK, NLM_F_DUMP, &all, sizeof(all));
	ask(fd);
	assert_int_equal(answers(fd, take_name, &names), 0);
	for (n = 0; libvnet_if_nth(v, n, &i) == 0; n++) {
		for (k = 0; k < names.n; k++)
			if (strcmp(names.name[k], i.name) == 0)
				break;
		assert_true(k < names.n);
	}
	assert_int_equal(names.n, n);
	OK(libvnet_socket_close(fd, NULL));
}

LIBVNET_TEST_VNETS(interfaces_are_those_of_the_vnet, a, b)
{
	char an[LIBVNET_IFNAME], bn[LIBVNET_IFNAME], name[LIBVNET_IFNAME];

	OK(libvnet_if_epair(a, b, an, bn, NULL));
	OK(libvnet_if_create(b, "lo", name, NULL));
	assert_same_interfaces(a);
	assert_same_interfaces(b);
}

LIBVNET_TEST_VNETS(interface_is_made_in_its_vnet, a, b)
{
	static struct ifinfomsg any;
	struct libvnet_if i;
	struct nlattr *info;
	int fd = open_netlink(a);

	begin(NL_RTM_NEWLINK, NLM_F_CREATE | NLM_F_EXCL | NLM_F_ACK, &any,
	    sizeof(any));
	(void)attribute(IFLA_IFNAME, "lo7", sizeof("lo7"));
	info = attribute(IFLA_LINKINFO, NULL, 0);
	(void)attribute(IFLA_INFO_KIND, "lo", sizeof("lo"));
	end_nested(info);
	ask(fd);
	assert_int_equal(answers(fd, NULL, NULL), 0);
	OK(libvnet_if_get(a, "lo7", &i));
	assert_int_equal(libvnet_if_get(b, "lo7", &i), LIBVNET_ENOENT);
	ask(fd);
	assert_int_equal(answers(fd, NULL, NULL), EEXIST);
	OK(libvnet_socket_close(fd, NULL));
}

/* ---- routes */

static int
route(int fd, uint16_t type, uint16_t flags)
{
	struct rtmsg head = { .rtm_family = AF_INET, .rtm_dst_len = 16,
	    .rtm_type = RTN_UNICAST };
	in_addr_t dst = htonl(0x0a090000), gateway = htonl(0x0a000002);

	begin(type, flags | NLM_F_ACK, &head, sizeof(head));
	(void)attribute(NL_RTA_DST, &dst, sizeof(dst));
	(void)attribute(NL_RTA_GATEWAY, &gateway, sizeof(gateway));
	ask(fd);
	return (answers(fd, NULL, NULL));
}

LIBVNET_TEST_VNETS(route_is_added_and_deleted_in_its_vnet, a, b)
{
	char an[LIBVNET_IFNAME], bn[LIBVNET_IFNAME];
	struct libvnet_route r;
	int fd = open_netlink(a);

	OK(libvnet_if_epair(a, b, an, bn, NULL));
	OK(libvnet_if_address_add(a, an, "10.0.0.1/24", NULL));
	OK(libvnet_if_address_add(b, bn, "10.0.0.2/24", NULL));
	assert_int_equal(route(fd, NL_RTM_NEWROUTE,
	    NLM_F_CREATE | NLM_F_EXCL), 0);
	OK(libvnet_route_get(a, "10.9.8.7", &r, NULL));
	assert_string_equal(r.dst, "10.9.0.0/16");
	assert_string_equal(r.gateway, "10.0.0.2");
	assert_string_equal(r.name, an);
	assert_int_not_equal(libvnet_route_get(b, "10.9.8.7", &r, NULL), 0);
	assert_int_equal(route(fd, NL_RTM_NEWROUTE,
	    NLM_F_CREATE | NLM_F_EXCL), EEXIST);
	assert_int_equal(route(fd, NL_RTM_DELROUTE, 0), 0);
	assert_int_not_equal(libvnet_route_get(a, "10.9.8.7", &r, NULL), 0);
	assert_int_equal(route(fd, NL_RTM_DELROUTE, 0), ESRCH);
	OK(libvnet_socket_close(fd, NULL));
}

LIBVNET_TEST_VNETS(listeners_hear_of_their_vnet, a, b)
{
	char an[LIBVNET_IFNAME], bn[LIBVNET_IFNAME];
	struct libvnet_poll p[2] = {
		{ .fd = open_netlink(a), .events = POLLIN },
		{ .fd = open_netlink(b), .events = POLLIN }
	};
	const struct nlmsghdr *h = (const void *)answer;
	const in_addr_t *dst;

	OK(libvnet_if_epair(a, b, an, bn, NULL));
	OK(libvnet_if_address_add(a, an, "10.0.0.1/24", NULL));
	OK(libvnet_if_address_add(b, bn, "10.0.0.2/24", NULL));
	for (int i = 0; i < 2; i++)
		OK(libvnet_socket_set_int(p[i].fd, SOL_NETLINK,
		    NETLINK_ADD_MEMBERSHIP, RTNLGRP_IPV4_ROUTE, NULL));
	OK(libvnet_route_add(a, "10.9.0.0/16", "10.0.0.2", NULL));
	assert_int_equal(libvnet_socket_poll(p, 2, 0, NULL), 1);
	assert_int_equal(p[0].revents, POLLIN);
	assert_true(libvnet_socket_recv(p[0].fd, answer, sizeof(answer),
	    NULL) > 0);
	assert_int_equal(h->nlmsg_type, NL_RTM_NEWROUTE);
	dst = find(h, sizeof(struct rtmsg), NL_RTA_DST);
	assert_non_null(dst);
	assert_int_equal(*dst, htonl(0x0a090000));
	for (int i = 0; i < 2; i++)
		OK(libvnet_socket_close(p[i].fd, NULL));
}
#else
LIBVNET_TEST(netlink)
{
	libvnet_skip("this tree has no netlink, or option NETLINK is not set");
}
#endif
