/* SPDX-License-Identifier: BSD-2-Clause */
/* What a vnet leaves behind is reported; what it gave back is not. */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/counter.h>
#include <sys/epoch.h>
#include <sys/kernel.h>
#include <sys/malloc.h>
#include <vm/uma.h>
#include <net/vnet.h>

#include <libvnet/test.h>
#include "leak/vm/uma.h"

static MALLOC_DEFINE(M_LEAKY, "leaky", "test");
static uma_zone_t zone;

static void
zone_init(void *unused __unused)
{
	zone = uma_zcreate("leakzone", 48, NULL, NULL, NULL, NULL,
	    UMA_ALIGN_PTR, 0);
}
SYSINIT(zone_init, SI_SUB_INIT_IF, SI_ORDER_ANY, zone_init, NULL);

static void
zone_uninit(void *unused __unused)
{
	uma_zdestroy(zone);
}
SYSUNINIT(zone_uninit, SI_SUB_INIT_IF, SI_ORDER_ANY, zone_uninit, NULL);

/* Not inlined: the report names this function. */
static __noinline void *
grab_memory(size_t size)
{
	void *p = malloc(size, M_LEAKY, M_WAITOK);

	memset(p, 1, size);
	return (p);
}

LIBVNET_TEST_VNET(malloc_leak_names_type_size_count_vnet_and_site, v)
{
	libvnet_expect("leak", "3 items of 40 bytes of malloc type \"leaky\" "
	    "still allocated after vnet [1-9].*grab_memory[^ ]* at "
	    ".*test_vnet_leak.c:[0-9]+");
	for (int i = 0; i < 3; i++)
		(void)grab_memory(40);
}

LIBVNET_TEST_VNET(freed_memory_is_no_leak, v)
{
	void *p[3];

	for (int i = 0; i < 3; i++)
		p[i] = grab_memory(40);
	for (int i = 0; i < 3; i++)
		free(p[i], M_LEAKY);
}

LIBVNET_TEST_VNET(each_size_is_a_report_of_its_own, v)
{
	libvnet_expect("leak", "1 item of 100 bytes of malloc type \"leaky\"");
	libvnet_expect("leak", "2 items of 50 bytes of malloc type \"leaky\"");
	(void)grab_memory(50);
	(void)grab_memory(50);
	(void)grab_memory(100);
}

static __noinline void
grab_item(void)
{
	void *p;

	p = zalloc_of_a_header(zone);
	memset(p, 1, 48);
}

/* What a header's function was inlined into, which wanted it. */
LIBVNET_TEST_VNET(uma_leak_names_who_called_the_inline_function, v)
{
	libvnet_expect("leak", "UMA zone \"leakzone\".*grab_item[^ ]* at "
	    ".*test_vnet_leak.c:[0-9]+");
	libvnet_expect("zone", "\"leakzone\" destroyed with 1 item");
	grab_item();
}

LIBVNET_TEST_VNET(uma_leak_names_the_zone, v)
{
	void *p[2];

	libvnet_expect("leak", "1 item of 48 bytes of UMA zone \"leakzone\"");
	libvnet_expect("zone", "leakzone.*1 item");
	for (int i = 0; i < 2; i++)
		p[i] = uma_zalloc(zone, M_WAITOK);
	uma_zfree(zone, p[0]);
}

LIBVNET_TEST_VNET(uma_item_given_back_is_no_leak, v)
{
	uma_zfree(zone, uma_zalloc(zone, M_WAITOK));
}

LIBVNET_TEST_VNET(counter_leak_is_reported, v)
{
	libvnet_expect("leak", "1 item of 8 bytes of UMA zone");
	(void)counter_u64_alloc(M_WAITOK);
}

LIBVNET_TEST_VNETS(leak_is_charged_to_the_vnet_that_was_current, a, b)
{
	char text[64];

	snprintf(text, sizeof(text), "after vnet %d was destroyed",
	    libvnet_number(b));
	libvnet_expect("leak", text);
	LIBVNET_IN(b)
		(void)grab_memory(16);
}

LIBVNET_TEST(memory_of_no_vnet_is_no_vnets_leak)
{
	struct vnet *v;
	void *p;

	assert_int_equal(libvnet_create(&v), 0);
	p = grab_memory(16);
	assert_int_equal(libvnet_destroy(v), 0);
	assert_int_equal(libvnet_finding_count(), 0);
	free(p, M_LEAKY);
}

struct deferred {
	struct epoch_context ctx;
};

static void
deferred_free(epoch_context_t ctx)
{
	free(__containerof(ctx, struct deferred, ctx), M_LEAKY);
}

LIBVNET_TEST_VNET(memory_on_its_way_through_an_epoch_is_no_leak, v)
{
	struct deferred *d = malloc(sizeof(*d), M_LEAKY, M_WAITOK);

	NET_EPOCH_CALL(deferred_free, &d->ctx);
}
