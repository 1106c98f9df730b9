/* SPDX-License-Identifier: BSD-2-Clause */
/* sysctl(9): static nodes, handlers, errors, vnets and tunables. */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/kenv.h>
#include <sys/kernel.h>
#include <sys/limits.h>
#include <sys/lock.h>
#include <sys/malloc.h>
#include <sys/mutex.h>
#include <sys/proc.h>
#include <sys/stdint.h>
#include <sys/sysctl.h>
#include <net/vnet.h>

#include <libvnet/test.h>

SYSCTL_NODE(_net, OID_AUTO, t, CTLFLAG_RW, NULL, "test");
SYSCTL_NODE(_net_t, OID_AUTO, deep, CTLFLAG_RW, NULL, "test");

static int v_int = -5;
static u_int v_uint = 5;
static long v_long = LONG_MIN;
static u_long v_ulong = ULONG_MAX;
static int64_t v_s64 = -6;
static uint64_t v_u64 = UINT64_MAX;
static int32_t v_s32 = -7;
static uint32_t v_u32 = 7;
static uint16_t v_u16 = 65535;
static uint8_t v_u8 = 255;
static bool v_bool = true;
static char v_text[8] = "abc";
static const char v_const[] = "constant";
static struct pair { int left, right; } v_pair = { 1, 2 };
static int v_ticks = 500;

#define LEAF(kind, name, flags) \
	SYSCTL_##kind(_net_t, OID_AUTO, name, flags, &v_##name, 0, "test")
LEAF(INT, int, CTLFLAG_RW);
LEAF(UINT, uint, CTLFLAG_RW);
LEAF(LONG, long, CTLFLAG_RW);
LEAF(ULONG, ulong, CTLFLAG_RW);
LEAF(S64, s64, CTLFLAG_RW);
LEAF(U64, u64, CTLFLAG_RW);
LEAF(S32, s32, CTLFLAG_RW);
LEAF(U32, u32, CTLFLAG_RW);
LEAF(U16, u16, CTLFLAG_RW);
LEAF(U8, u8, CTLFLAG_RW);
LEAF(BOOL, bool, CTLFLAG_RW);
SYSCTL_INT(_net_t, OID_AUTO, ro, CTLFLAG_RD, &v_int, 0, "test");
SYSCTL_INT(_net_t, OID_AUTO, five, CTLFLAG_RW, NULL, 5, "test");
SYSCTL_BOOL(_net_t, OID_AUTO, yes, CTLFLAG_RW, NULL, 2, "test");
SYSCTL_STRING(_net_t, OID_AUTO, text, CTLFLAG_RW, v_text, sizeof(v_text), "");
SYSCTL_STRING(_net_t, OID_AUTO, rotext, CTLFLAG_RD, v_text, sizeof(v_text),
    "");
SYSCTL_STRING(_net_t, OID_AUTO, cstring, CTLFLAG_RD,
    __DECONST(char *, v_const), 0, "");
SYSCTL_STRUCT(_net_t, OID_AUTO, pair, CTLFLAG_RW, &v_pair, pair, "test");
SYSCTL_OPAQUE(_net_t_deep, OID_AUTO, raw, CTLFLAG_RD, &v_pair, sizeof(v_pair),
    "S", "test");
SYSCTL_PROC(_net_t, OID_AUTO, msec, CTLTYPE_INT | CTLFLAG_RW, &v_ticks, 0,
    sysctl_msec_to_ticks, "I", "test");
FEATURE(testing, "test");

/* The answer, and what became of the old length. */
static size_t got;

static int
query(const char *name, void *old, size_t oldlen, const void *newval,
    size_t newlen)
{
	got = 12345;
	return (kernel_sysctlbyname(curthread, __DECONST(char *, name), old,
	    &oldlen, __DECONST(void *, newval), newlen, &got, 0));
}

#define READ(name, var) query(name, &(var), sizeof(var), NULL, 0)
#define WRITE(name, var) query(name, NULL, 0, &(var), sizeof(var))

/* ---- reading and writing */

LIBVNET_TEST(numbers_of_every_kind_are_read)
{
	int i; u_int u; long l; u_long ul; int64_t s64; uint64_t u64;
	int32_t s32; uint32_t u32; uint16_t u16; uint8_t u8; bool b;

	assert_int_equal(READ("net.t.int", i), 0);
	assert_int_equal(i, -5);
	assert_int_equal(READ("net.t.uint", u), 0);
	assert_int_equal(u, 5);
	assert_int_equal(READ("net.t.long", l), 0);
	assert_int_equal(l, LONG_MIN);
	assert_int_equal(READ("net.t.ulong", ul), 0);
	assert_int_equal(ul, ULONG_MAX);
	assert_int_equal(READ("net.t.s64", s64), 0);
	assert_int_equal(s64, -6);
	assert_int_equal(READ("net.t.u64", u64), 0);
	assert_int_equal(u64, UINT64_MAX);
	assert_int_equal(READ("net.t.s32", s32), 0);
	assert_int_equal(s32, -7);
	assert_int_equal(READ("net.t.u32", u32), 0);
	assert_int_equal(u32, 7);
	assert_int_equal(READ("net.t.u16", u16), 0);
	assert_int_equal(u16, 65535);
	assert_int_equal(got, 2);
	assert_int_equal(READ("net.t.u8", u8), 0);
	assert_int_equal(u8, 255);
	assert_int_equal(READ("net.t.bool", b), 0);
	assert_true(b);
	assert_int_equal(got, 1);
}

LIBVNET_TEST(numbers_of_every_kind_are_written)
{
	const u_long ul = 1UL << 40;
	const int64_t s64 = INT64_MIN;
	const uint16_t u16 = 17;
	const uint8_t u8 = 2;
	const int i = 77;

	assert_int_equal(WRITE("net.t.int", i), 0);
	assert_int_equal(v_int, 77);
	assert_int_equal(WRITE("net.t.ulong", ul), 0);
	assert_int_equal(v_ulong, 1UL << 40);
	assert_int_equal(WRITE("net.t.s64", s64), 0);
	assert_int_equal(v_s64, INT64_MIN);
	assert_int_equal(WRITE("net.t.u16", u16), 0);
	assert_int_equal(v_u16, 17);
	assert_int_equal(WRITE("net.t.u8", u8), 0);
	assert_int_equal(v_u8, 2);
	v_bool = false;
	assert_int_equal(WRITE("net.t.bool", u8), 0);
	assert_int_equal(*(uint8_t *)&v_bool, 1);
}

LIBVNET_TEST(write_gives_the_old_value_back)
{
	int old = 0, new = 9;

	assert_int_equal(query("net.t.int", &old, sizeof(old), &new,
	    sizeof(new)), 0);
	assert_int_equal(old, -5);
	assert_int_equal(v_int, 9);
}

LIBVNET_TEST(constants_are_read_and_not_written)
{
	int i = 0;
	bool b = false;

	assert_int_equal(READ("net.t.five", i), 0);
	assert_int_equal(i, 5);
	assert_int_equal(WRITE("net.t.five", i), EPERM);
	assert_int_equal(READ("net.t.yes", b), 0);
	assert_true(b);
	assert_int_equal(WRITE("net.t.yes", b), EPERM);
	assert_int_equal(READ("kern.features.testing", i), 0);
	assert_int_equal(i, 1);
}

LIBVNET_TEST(strings_are_read_with_their_end_and_written_without)
{
	char buf[16];

	assert_int_equal(READ("net.t.text", buf), 0);
	assert_string_equal(buf, "abc");
	assert_int_equal(got, 4);
	assert_int_equal(query("net.t.text", NULL, 0, "1234567", 7), 0);
	assert_string_equal(v_text, "1234567");
	assert_int_equal(query("net.t.text", NULL, 0, "12345678", 8), EINVAL);
	assert_string_equal(v_text, "1234567");
	assert_int_equal(query("net.t.text", NULL, 0, "", 0), 0);
	assert_string_equal(v_text, "");
	assert_int_equal(READ("net.t.cstring", buf), 0);
	assert_string_equal(buf, "constant");
	assert_int_equal(query("net.t.rotext", NULL, 0, "x", 1), EPERM);
}

LIBVNET_TEST(structs_are_copied_whole)
{
	struct pair p = { 0, 0 };

	assert_int_equal(READ("net.t.pair", p), 0);
	assert_true(p.left == 1 && p.right == 2);
	p.left = 8;
	assert_int_equal(WRITE("net.t.pair", p), 0);
	assert_int_equal(v_pair.left, 8);
	p.left = 0;
	assert_int_equal(READ("net.t.deep.raw", p), 0);
	assert_int_equal(p.left, 8);
}

LIBVNET_TEST(milliseconds_become_ticks)
{
	int ms = 0;

	assert_int_equal(READ("net.t.msec", ms), 0);
	assert_int_equal(ms, 500 * 1000 / hz);
	ms = 2000;
	assert_int_equal(WRITE("net.t.msec", ms), 0);
	assert_int_equal(v_ticks, 2 * hz);
	ms = 0;
	assert_int_equal(WRITE("net.t.msec", ms), EINVAL);
}

/* ---- errors */

LIBVNET_TEST(unknown_names_are_enoent)
{
	static const char *const names[] = {
		"", "nonesuch", "net.t.nonesuch", "net.t.int.more", "net..t",
		".net.t", "net.t.in", "net.t.intt"
	};
	int i;

	for (size_t n = 0; n < nitems(names); n++)
		assert_int_equal(READ(names[n], i), ENOENT);
	/* As in FreeBSD a dot at the end does no harm. */
	assert_int_equal(READ("net.t.int.", i), 0);
}

LIBVNET_TEST(inner_node_is_eisdir)
{
	int i;

	assert_int_equal(READ("net.t", i), EISDIR);
	assert_int_equal(READ("net", i), EISDIR);
	assert_int_equal(WRITE("net.t", i), EISDIR);
}

LIBVNET_TEST(write_to_read_only_is_eperm)
{
	int i = 3;

	assert_int_equal(WRITE("net.t.ro", i), EPERM);
	assert_int_equal(query("net.t.ro", &i, sizeof(i), &i, sizeof(i)),
	    EPERM);
	assert_int_equal(v_int, -5);
	assert_int_equal(READ("net.t.ro", i), 0);
	assert_int_equal(i, -5);
}

LIBVNET_TEST(short_old_buffer_is_enomem_and_takes_what_fits)
{
	char buf[3] = "zz";
	int new = 1;

	assert_int_equal(query("net.t.text", buf, 2, NULL, 0), ENOMEM);
	assert_int_equal(got, 2);
	assert_string_equal(buf, "ab");
	/* And then nothing is written. */
	assert_int_equal(query("net.t.int", buf, 2, &new, sizeof(new)),
	    ENOMEM);
	assert_int_equal(v_int, -5);
}

LIBVNET_TEST(no_old_buffer_asks_for_the_size)
{
	assert_int_equal(query("net.t.text", NULL, 0, NULL, 0), 0);
	assert_int_equal(got, 4);
	assert_int_equal(query("net.t.pair", NULL, 0, NULL, 0), 0);
	assert_int_equal(got, sizeof(struct pair));
}

LIBVNET_TEST(short_new_value_is_einval)
{
	int i = 1;

	assert_int_equal(query("net.t.int", NULL, 0, &i, 2), EINVAL);
	assert_int_equal(query("net.t.s64", NULL, 0, &i, sizeof(i)), EINVAL);
	assert_int_equal(v_int, -5);
}

LIBVNET_TEST(too_long_name_is_enametoolong)
{
	static char name[MAXPATHLEN + 1];
	int i;

	memset(name, 'n', MAXPATHLEN);
	assert_int_equal(READ(name, i), ENAMETOOLONG);
	name[MAXPATHLEN - 1] = '\0';
	assert_int_equal(READ(name, i), ENOENT);
}

LIBVNET_TEST(length_is_left_alone_on_other_errors)
{
	int i;

	assert_int_equal(READ("nonesuch", i), ENOENT);
	assert_int_equal(got, 12345);
}

LIBVNET_TEST(old_length_may_be_absent)
{
	int i = 12;

	assert_int_equal(kernel_sysctlbyname(curthread,
	    __DECONST(char *, "net.t.int"), NULL, NULL, &i, sizeof(i), NULL,
	    0), 0);
	assert_int_equal(v_int, 12);
}

static int64_t
value_of(const char *name)
{
	int64_t value = 12345;
	int kerr;

	assert_int_equal(libvnet_sysctl_get(NULL, name, &value, &kerr), 0);
	assert_int_equal(kerr, 0);
	return (value);
}

LIBVNET_TEST_VNET(host_world_knows_each_kind, v)
{
	assert_int_equal(value_of("net.t.int"), -5);
	assert_int_equal(value_of("net.t.uint"), 5);
	assert_int_equal(value_of("net.t.long"), LONG_MIN);
	assert_int_equal(value_of("net.t.s64"), -6);
	assert_int_equal(value_of("net.t.s32"), -7);
	assert_int_equal(value_of("net.t.u32"), 7);
	assert_int_equal(value_of("net.t.u16"), 65535);
	assert_int_equal(value_of("net.t.u8"), 255);
	assert_int_equal(value_of("net.t.bool"), 1);
}

/* ---- handlers */

static int handler_calls;
static bool under_giant;

static int
doubled(SYSCTL_HANDLER_ARGS)
{
	int value = *(int *)arg1 * 2 + (int)arg2, error;

	handler_calls++;
	under_giant = mtx_owned(&Giant);
	error = sysctl_handle_int(oidp, &value, 0, req);
	if (error != 0 || req->newptr == NULL)
		return (error);
	if (value < 0)
		return (EDOM);
	*(int *)arg1 = value / 2;
	return (0);
}
SYSCTL_PROC(_net_t, OID_AUTO, doubled, CTLTYPE_INT | CTLFLAG_RW |
    CTLFLAG_MPSAFE, &v_int, 1, doubled, "I", "test");
SYSCTL_PROC(_net_t, OID_AUTO, giant, CTLTYPE_INT | CTLFLAG_RW |
    CTLFLAG_NEEDGIANT, &v_int, 0, doubled, "I", "test");

LIBVNET_TEST(handler_gets_its_arguments_and_may_refuse)
{
	int i;

	assert_int_equal(READ("net.t.doubled", i), 0);
	assert_int_equal(i, -9);
	i = 20;
	assert_int_equal(WRITE("net.t.doubled", i), 0);
	assert_int_equal(v_int, 10);
	i = -1;
	assert_int_equal(WRITE("net.t.doubled", i), EDOM);
	assert_int_equal(v_int, 10);
	assert_false(under_giant);
	assert_int_equal(READ("net.t.giant", i), 0);
	assert_true(under_giant);
	assert_int_equal(handler_calls, 4);
}

static int
whole_node(SYSCTL_HANDLER_ARGS)
{
	assert_int_equal(arg2, 0);
	return (SYSCTL_OUT_STR(req, "whole"));
}
SYSCTL_NODE(_net_t, OID_AUTO, whole, CTLFLAG_RD, whole_node, "test");

LIBVNET_TEST(node_with_a_handler_is_read)
{
	char buf[8];

	assert_int_equal(READ("net.t.whole", buf), 0);
	assert_string_equal(buf, "whole");
	assert_int_equal(READ("net.t.whole.part", buf), ENOENT);
}

static int
nested(SYSCTL_HANDLER_ARGS)
{
	int i;

	assert_int_equal(READ("net.t.int", i), 0);
	return (SYSCTL_OUT(req, &i, sizeof(i)));
}
SYSCTL_PROC(_net_t, OID_AUTO, nested, CTLTYPE_INT | CTLFLAG_RD, NULL, 0,
    nested, "I", "test");

LIBVNET_TEST(handler_can_ask_for_another_node)
{
	int i;

	assert_int_equal(READ("net.t.nested", i), 0);
	assert_int_equal(i, -5);
}

/* ---- vnets */

VNET_DEFINE_STATIC(int, limit) = 10;
VNET_DEFINE_STATIC(char, label[8]) = "init";
VNET_DEFINE_STATIC(uint16_t, port) = 80;
VNET_DEFINE_STATIC(int, fixed) = 1;
#define V_limit VNET(limit)
#define V_label VNET(label)
#define V_port VNET(port)
#define V_fixed VNET(fixed)
SYSCTL_INT(_net_t, OID_AUTO, limit, CTLFLAG_VNET | CTLFLAG_RWTUN,
    &VNET_NAME(limit), 0, "test");
SYSCTL_STRING(_net_t, OID_AUTO, label, CTLFLAG_VNET | CTLFLAG_RWTUN,
    &VNET_NAME(label), sizeof(VNET_NAME(label)), "test");
SYSCTL_U16(_net_t, OID_AUTO, port, CTLFLAG_VNET | CTLFLAG_RDTUN,
    &VNET_NAME(port), 0, "test");
SYSCTL_INT(_net_t, OID_AUTO, fixed, CTLFLAG_VNET | CTLFLAG_RWTUN |
    CTLFLAG_NOFETCH, &VNET_NAME(fixed), 0, "test");

LIBVNET_TEST_VNETS(variable_is_the_current_vnets, a, b)
{
	int i = 20;

	LIBVNET_IN(a) {
		assert_int_equal(WRITE("net.t.limit", i), 0);
		assert_int_equal(query("net.t.label", NULL, 0, "a", 1), 0);
	}
	LIBVNET_IN(b) {
		assert_int_equal(READ("net.t.limit", i), 0);
		assert_int_equal(i, 10);
		assert_string_equal(V_label, "init");
	}
	LIBVNET_IN(a) {
		assert_int_equal(V_limit, 20);
		assert_string_equal(V_label, "a");
	}
}

static void
reboot_with(const char *kenv)
{
	struct libvnet_options options = { .kenv = kenv };

	assert_int_equal(libvnet_shutdown(), 0);
	assert_int_equal(libvnet_boot(&options), 0);
}

/* The value in each vnet there is, and in a new one. */
static void
expect_everywhere(int want)
{
	VNET_ITERATOR_DECL(i);
	struct vnet *new = NULL;

	if (libvnet_has_vimage())
		assert_int_equal(libvnet_create(&new), 0);
	VNET_FOREACH(i) {
		CURVNET_SET(i);
		assert_int_equal(V_limit, want);
		CURVNET_RESTORE();
	}
	if (new != NULL)
		assert_int_equal(libvnet_destroy(new), 0);
}

LIBVNET_TEST(tunable_reaches_vnet0_and_every_new_vnet)
{
	expect_everywhere(10);
	reboot_with("net.t.limit=0x2a\nnet.t.label=tuned\nnet.t.port=8k\n"
	    "net.t.fixed=7");
	expect_everywhere(42);
#ifdef VIMAGE
	assert_int_equal(VNET_NAME(limit), 42);
	LIBVNET_IN(vnet0) {
		assert_string_equal(V_label, "tuned");
		assert_int_equal(V_port, 8192);
		assert_int_equal(V_fixed, 1);
	}
#endif
}

#ifdef VIMAGE
/* The case where a later change stayed without effect. */
LIBVNET_TEST(tunable_changed_later_is_for_vnets_to_come)
{
	struct vnet *old, *new;

	assert_int_equal(libvnet_create(&old), 0);
	assert_int_equal(kern_setenv("net.t.limit", "99"), 0);
	assert_int_equal(kern_setenv("net.t.fixed", "99"), 0);
	assert_int_equal(kern_setenv("net.nonesuch", "99"), 0);
	assert_int_equal(libvnet_create(&new), 0);
	LIBVNET_IN(new) {
		assert_int_equal(V_limit, 99);
		assert_int_equal(V_fixed, 1);
	}
	LIBVNET_IN(old)
		assert_int_equal(V_limit, 10);
	LIBVNET_IN(vnet0)
		assert_int_equal(V_limit, 10);
}
#endif

static int t_int = 1;
static uint8_t t_small = 1;
static char t_text[4] = "def";
static int t_array[3];
static int t_checked = 4;
SYSCTL_INT(_net_t, OID_AUTO, tint, CTLFLAG_RDTUN, &t_int, 0, "test");
SYSCTL_U8(_net_t, OID_AUTO, tsmall, CTLFLAG_RWTUN, &t_small, 0, "test");
SYSCTL_STRING(_net_t, OID_AUTO, ttext, CTLFLAG_RWTUN, t_text, sizeof(t_text),
    "test");
SYSCTL_OID(_net_t, OID_AUTO, tarray, CTLTYPE_INT | CTLFLAG_RWTUN |
    CTLFLAG_MPSAFE, t_array, sizeof(t_array), sysctl_handle_opaque, "I", "");
SYSCTL_PROC(_net_t, OID_AUTO, tchecked, CTLTYPE_INT | CTLFLAG_RWTUN,
    &t_checked, 0, doubled, "I", "test");

LIBVNET_TEST(tunables_of_ordinary_variables)
{
	reboot_with("net.t.tint=5\nnet.t.tsmall=200\nnet.t.ttext=abc\n"
	    "net.t.tarray=1,2,3k\nnet.t.tchecked=8");
	assert_int_equal(t_int, 5);
	assert_int_equal(t_small, 200);
	assert_string_equal(t_text, "abc");
	assert_true(t_array[0] == 1 && t_array[1] == 2 && t_array[2] == 3072);
	assert_int_equal(t_checked, 4);
	assert_int_equal(handler_calls, 1);
	/* Fetched once: a later change is not for them. */
	assert_int_equal(kern_setenv("net.t.tint", "6"), 0);
	assert_int_equal(t_int, 5);
}

LIBVNET_TEST(tunable_that_does_not_fit_is_refused)
{
	reboot_with("net.t.tint=12x\nnet.t.tsmall=256\nnet.t.ttext=abcd\n"
	    "net.t.tchecked=-2");
	assert_int_equal(t_int, 1);
	assert_int_equal(t_small, 1);
	assert_string_equal(t_text, "def");
	assert_int_equal(libvnet_log_count("Setting sysctl net.t.ttext failed: "
	    "22"), 1);
	assert_int_equal(libvnet_log_count("Setting sysctl net.t.tchecked "
	    "failed: 33"), 1);
}

/* ---- misuse */

#ifdef INVARIANTS
#ifdef VIMAGE
LIBVNET_TEST(vnet_variable_without_vnet_panics)
{
	int i;

	libvnet_expect_panic("V_limit used with no vnet set");
	READ("net.t.limit", i);
}

static int
leaves_vnet(SYSCTL_HANDLER_ARGS)
{
	curvnet = vnet0;
	return (0);
}
SYSCTL_PROC(_net_t, OID_AUTO, leaves_vnet, CTLTYPE_INT | CTLFLAG_RD, NULL, 0,
    leaves_vnet, "I", "test");

LIBVNET_TEST_VNET(handler_that_changes_the_vnet_panics, v)
{
	int i;

	libvnet_expect_panic("sysctl handler of net.t.leaves_vnet returned "
	    "with another vnet set");
	READ("net.t.leaves_vnet", i);
}

LIBVNET_TEST_VNET(handler_that_keeps_the_vnet_is_right, v)
{
	int i;

	assert_int_equal(READ("net.t.limit", i), 0);
	assert_ptr_equal(curvnet, v);
}

LIBVNET_TEST(vnet_flag_on_an_ordinary_variable_panics)
{
	libvnet_expect_panic("sysctl net.t.wrong: CTLFLAG_VNET, but its "
	    "variable is not a VNET_DEFINE one");
	SYSCTL_ADD_INT(NULL, SYSCTL_STATIC_CHILDREN(_net_t), OID_AUTO, "wrong",
	    CTLFLAG_VNET | CTLFLAG_RW, &v_int, 0, "test");
}

LIBVNET_TEST(vnet_variable_without_the_flag_panics)
{
	libvnet_expect_panic("sysctl net.t.wrong: its variable is a "
	    "VNET_DEFINE one, but CTLFLAG_VNET is missing");
	SYSCTL_ADD_INT(NULL, SYSCTL_STATIC_CHILDREN(_net_t), OID_AUTO, "wrong",
	    CTLFLAG_RW, &VNET_NAME(limit), 0, "test");
}

LIBVNET_TEST_VNET(vnet_variable_with_the_flag_is_right, v)
{
	struct sysctl_ctx_list ctx;
	int i;

	sysctl_ctx_init(&ctx);
	SYSCTL_ADD_INT(&ctx, SYSCTL_STATIC_CHILDREN(_net_t), OID_AUTO, "right",
	    CTLFLAG_VNET | CTLFLAG_RW, &VNET_NAME(limit), 0, "test");
	assert_int_equal(READ("net.t.right", i), 0);
	assert_int_equal(i, 10);
	assert_int_equal(sysctl_ctx_free(&ctx), 0);
}
#endif

static struct mtx kept;

static int
keeps_lock(SYSCTL_HANDLER_ARGS)
{
	mtx_init(&kept, "kept", NULL, MTX_DEF);
	mtx_lock(&kept);
	return (0);
}
SYSCTL_PROC(_net_t, OID_AUTO, keeps_lock, CTLTYPE_INT | CTLFLAG_RD, NULL, 0,
    keeps_lock, "I", "test");

LIBVNET_TEST_VNET(handler_that_keeps_a_lock_panics, v)
{
	int i;

	libvnet_expect_panic("sysctl handler of net.t.keeps_lock returned "
	    "holding a lock");
	READ("net.t.keeps_lock", i);
}

LIBVNET_TEST(request_without_a_thread_panics)
{
	int i;
	size_t len = sizeof(i);

	libvnet_expect_panic("sysctl: called without a thread");
	kernel_sysctlbyname(NULL, __DECONST(char *, "net.t.int"), &i, &len,
	    NULL, 0, NULL, 0);
}

LIBVNET_TEST(registration_without_the_lock_panics)
{
	static struct sysctl_oid oid = {
		.oid_parent = &sysctl___net_t.oid_children,
		.oid_number = OID_AUTO,
		.oid_kind = CTLTYPE_INT | CTLFLAG_RD,
		.oid_name = "unlocked"
	};

	libvnet_expect_panic("sysctl lock not exclusively locked|sysctl lock");
	sysctl_register_oid(&oid);
}
#endif /* INVARIANTS */
