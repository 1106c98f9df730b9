/* SPDX-License-Identifier: BSD-2-Clause */
/* Virtual CPUs: which there are, when they come up, who is on which. */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/counter.h>
#include <sys/kernel.h>
#include <sys/kthread.h>
#include <sys/lock.h>
#include <sys/malloc.h>
#include <sys/mutex.h>
#include <sys/pcpu.h>
#include <sys/proc.h>
#include <sys/sched.h>
#include <sys/smp.h>

#include <libvnet/test.h>

static void
reboot(struct libvnet_options options)
{
	options.threads = libvnet_threads();
	assert_int_equal(libvnet_shutdown(), 0);
	assert_int_equal(libvnet_boot(&options), 0);
}
#define REBOOT(...) reboot((struct libvnet_options){ __VA_ARGS__ })

static struct mtx m;
static char seen[64];
static int nseen;

static void
make(void)
{
	mtx_init(&m, "m", NULL, MTX_DEF);
}

static void
note_cpu(void)
{
	mtx_lock(&m);
	seen[nseen++] = (char)('0' + curcpu);
	mtx_unlock(&m);
}

/* ---- which there are */

DPCPU_DEFINE_STATIC(int, own) = 7;

LIBVNET_TEST(cpu_ids_can_have_holes)
{
	int cpu, n = 0;

	REBOOT(.cpus = 0x2d);		/* 0, 2, 3, 5 */
	assert_int_equal(mp_ncpus, 4);
	assert_int_equal(mp_maxid, 5);
	assert_int_equal(libvnet_cpus(), 0x2d);
	assert_true(CPU_ABSENT(1) && CPU_ABSENT(4));
	assert_null(pcpu_find(4));
	CPU_FOREACH(cpu) {
		assert_int_equal(pcpu_find(cpu)->pc_cpuid, cpu);
		assert_int_equal(DPCPU_ID_GET(cpu, own), 7);
		DPCPU_ID_SET(cpu, own, cpu);
		n++;
	}
	assert_int_equal(n, 4);
	assert_int_equal(DPCPU_SUM(own), 10);
	assert_int_equal(CPU_FIRST(), 0);
	assert_int_equal(CPU_NEXT(0), 2);
	assert_int_equal(CPU_NEXT(5), 0);
}

static void
add_own(void *arg)
{
	counter_u64_add(arg, 1 + (1 << curcpu) * 100);
}

LIBVNET_TEST(counter_counts_on_every_cpu_that_is_there)
{
	counter_u64_t c;

	REBOOT(.cpus = 0x2d);
	c = counter_u64_alloc(M_WAITOK);
	smp_rendezvous(NULL, add_own, NULL, c);
	assert_int_equal(counter_u64_fetch(c), 4 + 0x2d * 100);
	counter_u64_zero(c);
	assert_int_equal(counter_u64_fetch(c), 0);
	counter_u64_free(c);
}

/* ---- late CPUs: a table that was sized too early */

static int early_ncpus, early_maxid, early_seen;
static int *by_ncpus, *by_maxid;

static void
tables_make(void *arg __unused)
{
	int cpu;

	early_ncpus = mp_ncpus;
	early_maxid = mp_maxid;
	CPU_FOREACH(cpu)
		early_seen++;
	by_ncpus = malloc(mp_ncpus * sizeof(int), M_TEMP, M_WAITOK | M_ZERO);
	by_maxid = malloc((mp_maxid + 1) * sizeof(int), M_TEMP,
	    M_WAITOK | M_ZERO);
}
SYSINIT(test_cpu_tables, SI_SUB_CPU, SI_ORDER_ANY, tables_make, NULL);

static void
tables_free(void *arg __unused)
{
	free(by_ncpus, M_TEMP);
	free(by_maxid, M_TEMP);
}
SYSUNINIT(test_cpu_tables, SI_SUB_CPU, SI_ORDER_ANY, tables_free, NULL);

static void
count_in(void *arg)
{
	((int *)arg)[curcpu]++;
}

LIBVNET_TEST(late_cpus_are_not_in_mp_ncpus_at_first)
{
	REBOOT(.ncpus = 8, .late_cpus = 0xf0);
	assert_int_equal(early_ncpus, 4);
	assert_int_equal(early_seen, 4);
	assert_int_equal(early_maxid, 7);
	assert_int_equal(mp_ncpus, 8);
	smp_rendezvous(NULL, count_in, NULL, by_maxid);
	for (int i = 0; i < 8; i++)
		assert_int_equal(by_maxid[i], 1);
	assert_int_equal(DPCPU_ID_GET(7, own), 7);
}

#if defined(INVARIANTS) && !defined(__SANITIZE_ADDRESS__)
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ASAN
#endif
#endif
#ifndef ASAN	/* which stops at the write itself */
LIBVNET_TEST(table_sized_by_mp_ncpus_is_overrun_by_late_cpus)
{
	libvnet_expect("overrun", "behind");
	REBOOT(.ncpus = 8, .late_cpus = 0xf0);
	smp_rendezvous(NULL, count_in, NULL, by_ncpus);
	free(by_ncpus, M_TEMP);
	by_ncpus = NULL;
}
#endif
#endif

/* ---- who is where */

static void
looks_around(void *arg)
{
	note_cpu();
	pause("a", 1);
	note_cpu();
	kthread_exit();
}

static const char *
migration(enum libvnet_cpu_policy policy)
{
	if (libvnet_threads() == LIBVNET_THREADS_HOST)
		libvnet_skip("in no fixed order");
	REBOOT(.ncpus = 4, .cpu_policy = policy, .seed = 5);
	make();
	for (int i = 0; i < 5; i++)
		kthread_add(looks_around, NULL, NULL, NULL, 0, 0, "t%d", i);
	libvnet_clock_advance_ns(LIBVNET_NS_PER_SECOND);
	assert_int_equal(nseen, 10);
	return (seen);
}

LIBVNET_TEST(policy_stay_leaves_threads_where_they_were)
{
	assert_string_equal(migration(LIBVNET_CPU_STAY), "1230112301");
}

LIBVNET_TEST(policy_first_packs_threads)
{
	assert_string_equal(migration(LIBVNET_CPU_FIRST), "0000000000");
}

LIBVNET_TEST(policy_rotate_moves_threads_each_time)
{
	const char *s = migration(LIBVNET_CPU_ROTATE);

	for (int i = 0; i < 5; i++)
		assert_true(s[i] != s[i + 5]);
}

LIBVNET_TEST(policy_random_repeats_with_its_seed)
{
	char first[sizeof(seen)];

	memcpy(first, migration(LIBVNET_CPU_RANDOM), sizeof(first));
	nseen = 0;
	assert_string_equal(migration(LIBVNET_CPU_RANDOM), first);
}

LIBVNET_TEST(policy_must_be_one)
{
	assert_int_equal(libvnet_cpu_policy((enum libvnet_cpu_policy)9),
	    LIBVNET_EINVAL);
	assert_int_equal(libvnet_cpu_policy(LIBVNET_CPU_ROTATE), 0);
	assert_int_equal(libvnet_cpu(), curcpu);
}

/* With one CPU, whoever is in the middle of something has it. */
static void
checks_alone(void *arg)
{
	volatile int *inside = arg;

	for (int i = 0; i < 100; i++) {
		assert_int_equal(*inside, 0);
		++*inside;
		assert_ptr_equal(PCPU_GET(curthread), curthread);
		--*inside;
		kern_yield(PRI_UNCHANGED);
	}
	kthread_exit();
}

LIBVNET_TEST(one_cpu_has_one_thread_at_a_time)
{
	static volatile int inside;

	for (int i = 0; i < 4; i++)
		kthread_add(checks_alone, __DEVOLATILE(void *, &inside), NULL,
		    NULL, 0, 0, "t%d", i);
	libvnet_run_until_idle();
	assert_int_equal(inside, 0);
}

/* ---- rendezvous */

struct steps {
	char text[32];
	int n;
};

static void
step(struct steps *s, char c)
{
	assert_true(curthread->td_critnest > 0);
	s->text[s->n++] = c;
	s->text[s->n++] = (char)('0' + curcpu);
}

static void setup(void *arg) { step(arg, 's'); }
static void action(void *arg) { step(arg, 'a'); }
static void teardown(void *arg) { step(arg, 't'); }

LIBVNET_TEST(rendezvous_steps_are_apart)
{
	struct steps s = { .n = 0 };
	uint64_t calls, calls_now, actions, actions_now;
	cpuset_t map;

	REBOOT(.cpus = 0xd);
	libvnet_rendezvous_count(&calls, &actions);
	smp_rendezvous(setup, action, teardown, &s);
	assert_int_equal(s.n, 18);
	s.n = 0;
	CPU_ZERO(&map);
	CPU_SET(2, &map);
	CPU_SET(3, &map);
	CPU_SET(9, &map);	/* which is not there */
	smp_rendezvous_cpus(map, smp_no_rendezvous_barrier, action, NULL, &s);
	smp_rendezvous_cpu(3, NULL, action, NULL, &s);
	assert_int_equal(s.n, 6);
	libvnet_rendezvous_count(&calls_now, &actions_now);
	assert_int_equal(calls_now - calls, 3);
	assert_int_equal(actions_now - actions, 12);
	cpus_fence_seq_cst();
	assert_int_equal(quiesce_all_cpus("test", 0), 0);
	quiesce_all_critical();
}

LIBVNET_TEST(rendezvous_of_no_cpu_panics)
{
	cpuset_t map;

	libvnet_expect_panic("smp_rendezvous_cpus: no CPU of the map exists");
	CPU_SETOF(5, &map);
	smp_rendezvous_cpus(map, NULL, action, NULL, NULL);
}

#ifdef INVARIANTS
LIBVNET_TEST(rendezvous_with_interrupts_off_panics)
{
	libvnet_expect_panic("smp_rendezvous: with a spin lock held");
	spinlock_enter();
	smp_rendezvous(NULL, action, NULL, NULL);
}
#endif

static void
nothing(void *arg __unused)
{
}

LIBVNET_TEST(rendezvous_in_a_critical_section_is_legal)
{
	critical_enter();
	smp_rendezvous(NULL, nothing, NULL, NULL);
	critical_exit();
}

/* ---- boot options */

static void
refused(struct libvnet_options options, const char *why)
{
	assert_int_equal(libvnet_boot(&options), LIBVNET_EINVAL);
	if (strstr(libvnet_error(), why) == NULL)
		fail_msg("%s", libvnet_error());
}
#define REFUSED(why, ...) refused((struct libvnet_options){ __VA_ARGS__ }, why)

LIBVNET_TEST(boot_refuses_cpus_that_cannot_be)
{
	assert_int_equal(libvnet_shutdown(), 0);
	REFUSED("CPU 0, which boots", .cpus = 6);
	REFUSED("cpus has 2 bits", .cpus = 3, .ncpus = 3);
	REFUSED("not CPU 0", .ncpus = 2, .late_cpus = 1);
	REFUSED("not CPU 0", .ncpus = 2, .late_cpus = 4);
	REFUSED("cpu_policy", .cpu_policy = (enum libvnet_cpu_policy)7);
	assert_int_equal(libvnet_boot(NULL), 0);
}
