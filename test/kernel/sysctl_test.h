/* SPDX-License-Identifier: BSD-2-Clause */
/* What the tests of sysctl(9) share. */
#ifndef SYSCTL_TEST_H
#define SYSCTL_TEST_H

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
static size_t got;

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

static int
whole_node(SYSCTL_HANDLER_ARGS)
{
	assert_int_equal(arg2, 0);
	return (SYSCTL_OUT_STR(req, "whole"));
}
SYSCTL_NODE(_net_t, OID_AUTO, whole, CTLFLAG_RD, whole_node, "test");

static int
nested(SYSCTL_HANDLER_ARGS)
{
	int i;

	assert_int_equal(READ("net.t.int", i), 0);
	return (SYSCTL_OUT(req, &i, sizeof(i)));
}
SYSCTL_PROC(_net_t, OID_AUTO, nested, CTLTYPE_INT | CTLFLAG_RD, NULL, 0,
    nested, "I", "test");

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

#endif /* SYSCTL_TEST_H */
