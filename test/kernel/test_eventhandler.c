/* SPDX-License-Identifier: BSD-2-Clause */
/* EVENTHANDLER(9). */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/eventhandler.h>
#include <sys/kernel.h>
#include <sys/malloc.h>
#include <net/vnet.h>

#include <libvnet/test.h>

typedef void (*bell_fn)(void *, const char *);
EVENTHANDLER_DECLARE(bell, bell_fn);
EVENTHANDLER_DECLARE(gong, bell_fn);
EVENTHANDLER_LIST_DEFINE(gong);

static char heard[64];

static void
hear(void *arg, const char *text)
{
	strlcat(heard, arg, sizeof(heard));
	strlcat(heard, text, sizeof(heard));
}

static char always[] = "always";
EVENTHANDLER_DEFINE(gong, hear, always, EVENTHANDLER_PRI_ANY);

static char a[] = "a", b[] = "b", c[] = "c";

LIBVNET_TEST(event_without_handlers_is_silent)
{
	EVENTHANDLER_INVOKE(bell, "!");
	assert_string_equal(heard, "");
}

LIBVNET_TEST(handlers_run_by_priority_and_then_by_age)
{
	EVENTHANDLER_REGISTER(bell, hear, c, EVENTHANDLER_PRI_LAST);
	EVENTHANDLER_REGISTER(bell, hear, a, EVENTHANDLER_PRI_ANY);
	EVENTHANDLER_REGISTER(bell, hear, b, EVENTHANDLER_PRI_ANY);
	EVENTHANDLER_REGISTER(bell, hear, always, EVENTHANDLER_PRI_FIRST);
	EVENTHANDLER_INVOKE(bell, ".");
	assert_string_equal(heard, "always.a.b.c.");
}

LIBVNET_TEST(handler_defined_statically_is_called_directly)
{
	EVENTHANDLER_DIRECT_INVOKE(gong, "!");
	assert_string_equal(heard, "always!");
	EVENTHANDLER_INVOKE(gong, "?");
	assert_string_equal(heard, "always!always?");
}

LIBVNET_TEST(deregistered_handler_is_silent)
{
	eventhandler_tag tag;

	EVENTHANDLER_REGISTER(bell, hear, a, EVENTHANDLER_PRI_ANY);
	tag = EVENTHANDLER_REGISTER(bell, hear, b, EVENTHANDLER_PRI_ANY);
	EVENTHANDLER_DEREGISTER(bell, tag);
	EVENTHANDLER_INVOKE(bell, ".");
	assert_string_equal(heard, "a.");
}

LIBVNET_TEST(no_tag_means_all_handlers)
{
	EVENTHANDLER_REGISTER(bell, hear, a, EVENTHANDLER_PRI_ANY);
	EVENTHANDLER_REGISTER(bell, hear, b, EVENTHANDLER_PRI_ANY);
	EVENTHANDLER_DEREGISTER(bell, NULL);
	EVENTHANDLER_INVOKE(bell, ".");
	assert_string_equal(heard, "");
}

static eventhandler_tag self_tag, other_tag;

static void
deregister_nowait(void *arg, const char *text)
{
	EVENTHANDLER_DEREGISTER_NOWAIT(bell, self_tag);
	EVENTHANDLER_DEREGISTER_NOWAIT(bell, other_tag);
	hear(arg, text);
}

LIBVNET_TEST(handler_can_deregister_itself_and_later_ones)
{
	self_tag = EVENTHANDLER_REGISTER(bell, deregister_nowait, a,
	    EVENTHANDLER_PRI_FIRST);
	other_tag = EVENTHANDLER_REGISTER(bell, hear, b, EVENTHANDLER_PRI_ANY);
	EVENTHANDLER_REGISTER(bell, hear, c, EVENTHANDLER_PRI_LAST);
	EVENTHANDLER_INVOKE(bell, ".");
	assert_string_equal(heard, "a.c.");
	EVENTHANDLER_INVOKE(bell, "!");
	assert_string_equal(heard, "a.c.c!");
}

static void
register_another(void *arg, const char *text)
{
	hear(arg, text);
	EVENTHANDLER_REGISTER(bell, hear, c, EVENTHANDLER_PRI_LAST);
}

LIBVNET_TEST(handler_can_register_another)
{
	EVENTHANDLER_REGISTER(bell, register_another, a,
	    EVENTHANDLER_PRI_ANY);
	EVENTHANDLER_INVOKE(bell, ".");
	assert_string_equal(heard, "a.c.");
}

static void
invoke_again(void *arg, const char *text)
{
	strlcat(heard, text, sizeof(heard));
	if (strlen(text) > 1)
		EVENTHANDLER_INVOKE(bell, text + 1);
	EVENTHANDLER_DEREGISTER_NOWAIT(bell, other_tag);
	other_tag = EVENTHANDLER_REGISTER(bell, hear, b, EVENTHANDLER_PRI_ANY);
}

LIBVNET_TEST(event_can_come_again_within_itself)
{
	EVENTHANDLER_REGISTER(bell, invoke_again, NULL,
	    EVENTHANDLER_PRI_FIRST);
	other_tag = EVENTHANDLER_REGISTER(bell, hear, a, EVENTHANDLER_PRI_ANY);
	EVENTHANDLER_INVOKE(bell, "xy");
	/* Dead ones are skipped, and gone when the outermost walk ends. */
	assert_string_equal(heard, "xy" "y" "by" "bxy");
	EVENTHANDLER_DEREGISTER(bell, other_tag);
}

LIBVNET_TEST(create_list_gives_the_list_of_the_name)
{
	struct eventhandler_list *list = eventhandler_create_list("bell");

	assert_ptr_equal(eventhandler_create_list("bell"), list);
	eventhandler_register(list, "bell", hear, a, EVENTHANDLER_PRI_ANY);
	EVENTHANDLER_INVOKE(bell, ".");
	assert_string_equal(heard, "a.");
	assert_null(eventhandler_find_list("no such event"));
}

/* ---- who owns what */

LIBVNET_TEST_VNET(list_made_in_a_vnet_is_no_leak, v)
{
	(void)eventhandler_create_list("a new one");
}

#ifdef VIMAGE
LIBVNET_TEST_VNET(entry_that_outlives_its_vnet_is_a_leak, v)
{
	libvnet_expect("leak", "1 item of .* of malloc type \"eventhandler\"");
	EVENTHANDLER_REGISTER(bell, hear, a, EVENTHANDLER_PRI_ANY);
}

static void
iterate(void *arg, ...)
{
	struct eventhandler_entry_vimage *ee = arg;

	((void (*)(void *, const char *))ee->func)(ee->ee_arg, "(1)");
	((void (*)(void *, const char *))ee->func)(ee->ee_arg, "(2)");
}

LIBVNET_TEST_VNET(vimage_entry_calls_through_its_iterator, v)
{
	vimage_eventhandler_register(NULL, "bell", hear, a,
	    EVENTHANDLER_PRI_ANY, iterate);
	EVENTHANDLER_INVOKE(bell, ".");
	assert_string_equal(heard, "a(1)a(2)");
	/* It serves every vnet, so it is not this one's leak. */
}
#endif

LIBVNET_TEST_VNET(entry_deregistered_by_its_vnet_is_none, v)
{
	eventhandler_tag tag;

	tag = EVENTHANDLER_REGISTER(bell, hear, a, EVENTHANDLER_PRI_ANY);
	EVENTHANDLER_DEREGISTER(bell, tag);
}

/* ---- misuse */

#ifdef INVARIANTS
LIBVNET_TEST(deregistering_twice_panics)
{
	eventhandler_tag tag;

	libvnet_expect_panic("eventhandler_deregister: .* is not registered "
	    "for \"bell\"");
	tag = EVENTHANDLER_REGISTER(bell, hear, a, EVENTHANDLER_PRI_ANY);
	EVENTHANDLER_DEREGISTER(bell, tag);
	EVENTHANDLER_DEREGISTER(bell, tag);
}

LIBVNET_TEST(deregistering_from_another_list_panics)
{
	eventhandler_tag tag;

	libvnet_expect_panic("is not registered for \"gong\"");
	tag = EVENTHANDLER_REGISTER(bell, hear, a, EVENTHANDLER_PRI_ANY);
	EVENTHANDLER_DEREGISTER(gong, tag);
}

LIBVNET_TEST(dead_priority_panics)
{
	libvnet_expect_panic("\"bell\" registered with the priority that "
	    "marks dead ones");
	EVENTHANDLER_REGISTER(bell, hear, a, EHE_DEAD_PRIORITY);
}
#endif

static void
deregister_wait(void *arg, const char *text)
{
	EVENTHANDLER_DEREGISTER(bell, self_tag);
}

LIBVNET_TEST(handler_that_waits_for_itself_panics)
{
	libvnet_expect_panic("eventhandler_deregister: waits for ever for a "
	    "handler of \"bell\".*use eventhandler_deregister_nowait");
	self_tag = EVENTHANDLER_REGISTER(bell, deregister_wait, a,
	    EVENTHANDLER_PRI_ANY);
	EVENTHANDLER_INVOKE(bell, ".");
}
