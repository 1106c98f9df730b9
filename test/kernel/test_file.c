/* SPDX-License-Identifier: BSD-2-Clause */
/* Open files and their table: falloc(9), fget(9), fdrop(9), fsetown(9). */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/capsicum.h>
#include <sys/errno.h>
#include <sys/fcntl.h>
#include <sys/file.h>
#include <sys/filedesc.h>
#include <sys/filio.h>
#include <sys/kernel.h>
#include <sys/kthread.h>
#include <sys/lock.h>
#include <sys/mutex.h>
#include <sys/proc.h>
#include <sys/sigio.h>
#include <sys/signalvar.h>
#include <sys/syscallsubr.h>
#include <sys/ucred.h>
#include <sys/uio.h>

#include <libvnet/test.h>

static int closed, cmd_seen;

static int
thing_close(struct file *fp, struct thread *td __unused)
{
	closed++;
	assert_int_equal(fp->f_count, 0);
	return (0);
}

static int
thing_ioctl(struct file *fp __unused, u_long cmd, void *data,
    struct ucred *cr __unused, struct thread *td __unused)
{
	cmd_seen++;
	return (cmd == FIONBIO && *(int *)data <= 1 ? 0 : ENOTTY);
}

static int
thing_read(struct file *fp, struct uio *uio, struct ucred *cr __unused,
    int flags __unused, struct thread *td __unused)
{
	return (uiomove(fp->f_data, (int)strlen(fp->f_data), uio));
}

static const struct fileops thing_ops = {
	.fo_read = thing_read,
	.fo_write = invfo_rdwr,
	.fo_ioctl = thing_ioctl,
	.fo_poll = invfo_poll,
	.fo_kqfilter = invfo_kqfilter,
	.fo_close = thing_close
};

/* A file with one reference, the table's. */
static int
thing(u_int flag)
{
	static char text[] = "thing";
	struct file *fp;
	int fd;

	assert_int_equal(falloc(curthread, &fp, &fd, 0), 0);
	finit(fp, flag, DTYPE_PIPE, text, &thing_ops);
	fdrop(fp, curthread);
	return (fd);
}

LIBVNET_TEST(falloc_gives_two_references_and_the_lowest_descriptor)
{
	struct file *fp, *same;
	int fd, next;

	assert_int_equal(falloc(curthread, &fp, &fd, 0), 0);
	assert_int_equal(fd, 0);
	assert_int_equal(fp->f_count, 2);
	assert_ptr_equal(fp->f_ops, &badfileops);
	assert_ptr_equal(fp->f_cred, curthread->td_ucred);
	assert_int_equal(fget(curthread, fd, &cap_no_rights, &same), EBADF);
	finit(fp, FREAD, DTYPE_PIPE, NULL, &thing_ops);
	assert_int_equal(fget(curthread, fd, &cap_no_rights, &same), 0);
	assert_ptr_equal(same, fp);
	assert_int_equal(fp->f_count, 3);
	fdrop(same, curthread);
	next = thing(FREAD);
	assert_int_equal(next, 1);
	assert_int_equal(kern_close(curthread, fd), 0);
	assert_int_equal(closed, 0);
	fdrop(fp, curthread);
	assert_int_equal(closed, 1);
	assert_int_equal(thing(FREAD), 0);
	assert_int_equal(kern_close(curthread, 0), 0);
	assert_int_equal(kern_close(curthread, 1), 0);
	assert_int_equal(closed, 3);
}

LIBVNET_TEST(fdclose_undoes_falloc_unless_it_was_closed)
{
	struct file *fp;
	int fd;

	assert_int_equal(falloc(curthread, &fp, &fd, 0), 0);
	fdclose(curthread, fp, fd);
	assert_int_equal(fp->f_count, 1);
	fdclose(curthread, fp, fd);
	assert_int_equal(fp->f_count, 1);
	fdrop(fp, curthread);
	assert_int_equal(closed, 0);		/* it never became a thing */
	assert_int_equal(kern_close(curthread, fd), EBADF);
}

LIBVNET_TEST(fget_looks_at_the_mode)
{
	int fd = thing(FREAD);
	struct file *fp;

	assert_int_equal(fget_read(curthread, fd, &cap_read_rights, &fp), 0);
	fdrop(fp, curthread);
	assert_int_equal(fget_write(curthread, fd, &cap_write_rights, &fp),
	    EBADF);
	assert_int_equal(fget_unlocked(curthread, fd, &cap_no_rights, &fp),
	    0);
	assert_int_equal(fp->f_count, 2);
	fdrop(fp, curthread);
	assert_int_equal(fget(curthread, -1, &cap_no_rights, &fp), EBADF);
	assert_int_equal(fget(curthread, 1 << 20, &cap_no_rights, &fp),
	    EBADF);
	kern_close(curthread, fd);
}

LIBVNET_TEST(fget_cap_copies_what_the_descriptor_may)
{
	struct filecaps caps;
	int fd = thing(FREAD);
	struct file *fp;

	assert_int_equal(fget_cap(curthread, fd, &cap_no_rights, &fp, &caps),
	    0);
	assert_int_equal(caps.fc_nioctls, -1);
	assert_true(caps.fc_rights.cr_rights[0] == ~(uint64_t)0);
	filecaps_free(&caps);
	fdrop(fp, curthread);
	kern_close(curthread, fd);
}

LIBVNET_TEST(a_table_grows_up_to_its_limit)
{
	struct file *fp;
	int fd, n = 300;

	for (int i = 0; i < n; i++)
		assert_int_equal(thing(FREAD), i);
	maxfilesperproc = n;
	assert_int_equal(falloc(curthread, &fp, &fd, 0), EMFILE);
	maxfilesperproc = n + 1;
	assert_int_equal(thing(FREAD), n);
	for (int i = 0; i <= n; i++)
		assert_int_equal(kern_close(curthread, i), 0);
	assert_int_equal(closed, n + 1);
}

LIBVNET_TEST(read_answers_what_was_moved)
{
	char buf[16];
	struct iovec iov = { buf, sizeof(buf) };
	struct uio uio = { .uio_iov = &iov, .uio_iovcnt = 1,
	    .uio_resid = sizeof(buf), .uio_segflg = UIO_SYSSPACE };
	int fd = thing(FREAD);

	assert_int_equal(kern_readv(curthread, fd, &uio), 0);
	assert_int_equal(curthread->td_retval[0], 5);
	assert_memory_equal(buf, "thing", 5);
	assert_int_equal(kern_writev(curthread, fd, &uio), EBADF);
	kern_close(curthread, fd);
}

LIBVNET_TEST(FIONBIO_keeps_a_flag_and_asks_the_file)
{
	int fd = thing(FREAD), on = 5;
	struct file *fp;

	assert_int_equal(fget(curthread, fd, &cap_no_rights, &fp), 0);
	assert_int_equal(kern_ioctl(curthread, fd, FIONBIO, (caddr_t)&on), 0);
	assert_int_equal(fp->f_flag & FNONBLOCK, FNONBLOCK);
	on = 0;
	assert_int_equal(kern_ioctl(curthread, fd, FIONBIO, (caddr_t)&on), 0);
	assert_int_equal(fp->f_flag & FNONBLOCK, 0);
	assert_int_equal(cmd_seen, 2);
	assert_int_equal(kern_ioctl(curthread, fd, FIOCLEX, NULL), 0);
	assert_int_equal(cmd_seen, 2);
	fdrop(fp, curthread);
	kern_close(curthread, fd);
	fd = thing(0);
	assert_int_equal(kern_ioctl(curthread, fd, FIONBIO, (caddr_t)&on),
	    EBADF);
	kern_close(curthread, fd);
}

/* ---- a process's files end with it */

static void
lives(void *arg)
{
	int fd = thing(FREAD);

	assert_int_equal(fd, 0);
	*(pid_t *)arg = curproc->p_pid;
	tsleep(arg, 0, "lives", 10 * hz);
	kproc_exit(0);
}

LIBVNET_TEST(a_process_has_files_of_its_own_and_closes_them)
{
	struct proc *p;
	pid_t pid = 0;
	int fd = thing(FREAD);

	kproc_create(lives, &pid, &p, 0, 0, "other");
	libvnet_run_until_idle();
	assert_int_equal(pid, p->p_pid);
	assert_int_equal(closed, 0);
	wakeup(&pid);
	libvnet_run_until_idle();
	assert_int_equal(closed, 1);
	assert_int_equal(kern_close(curthread, fd), 0);
}

/* ---- SIGIO */

LIBVNET_TEST(fsetown_names_who_gets_SIGIO)
{
	struct sigio *sigio = NULL, *other = NULL;
	struct proc *p;
	pid_t pid = 0;

	assert_int_equal(fgetown(&sigio), 0);
	pgsigio(&sigio, SIGIO, 0);
	assert_int_equal(fsetown(4711, &sigio), ESRCH);
	kproc_create(lives, &pid, &p, 0, 0, "owner");
	libvnet_run_until_idle();
	assert_int_equal(fsetown(pid, &sigio), 0);
	assert_int_equal(fsetown(pid, &other), 0);
	assert_int_equal(fgetown(&sigio), pid);
	assert_false(SIGISMEMBER(p->p_siglist, SIGIO));
	pgsigio(&sigio, SIGIO, 0);
	assert_true(SIGISMEMBER(p->p_siglist, SIGIO));
	assert_int_equal(fsetown(0, &sigio), 0);
	assert_null(sigio);
	assert_non_null(other);
	wakeup(&pid);
	libvnet_run_until_idle();
	assert_null(other);			/* its process is gone */
	funsetown(&other);
}

/* ---- rules */

#ifdef INVARIANTS
static struct file *
dropped(void)
{
	struct file *fp;
	int fd;

	assert_int_equal(falloc(curthread, &fp, &fd, 0), 0);
	finit(fp, FREAD, DTYPE_PIPE, NULL, &thing_ops);
	assert_int_equal(kern_close(curthread, fd), 0);
	assert_int_equal(fp->f_count, 1);
	return (fp);
}

LIBVNET_TEST(kcmp_orders_files_of_one_kind)
{
	struct file *a, *b;
	int fd = thing(FREAD), other;
	void *data;

	assert_int_equal(fget(curthread, fd, &cap_no_rights, &a), 0);
	assert_int_equal(file_kcmp_generic(a, a, curthread), 0);
	assert_int_equal(curthread->td_retval[0], 0);
	assert_int_equal(falloc(curthread, &b, &other, 0), 0);
	data = (char *)a->f_data + 1;
	finit(b, FREAD, DTYPE_PIPE, data, &thing_ops);
	assert_int_equal(file_kcmp_generic(a, b, curthread), 0);
	assert_int_equal(curthread->td_retval[0], 1);
	assert_int_equal(file_kcmp_generic(b, a, curthread), 0);
	assert_int_equal(curthread->td_retval[0], 2);
	finit(b, FREAD, DTYPE_SOCKET, data, &thing_ops);
	assert_int_equal(file_kcmp_generic(a, b, curthread), 3);
	fdrop(b, curthread);
	fdrop(a, curthread);
}

LIBVNET_TEST(fdrop_of_the_last_reference_closes)
{
	fdrop(dropped(), curthread);
	assert_int_equal(closed, 1);
}

LIBVNET_TEST(fdrop_that_was_counted_wrong_panics)
{
	struct file *fp = dropped();

	libvnet_expect_panic("fdrop: fp .* count 1");
	(void)_fdrop(fp, curthread);
}

static int
drops_again(struct file *fp, struct thread *td)
{
	fdrop(fp, td);
	return (0);
}

LIBVNET_TEST(fdrop_below_zero_panics)
{
	static struct fileops ops;
	struct file *fp = dropped();

	libvnet_expect_panic("refcount .* wraparound");
	ops = thing_ops;
	ops.fo_close = drops_again;
	fp->f_ops = &ops;
	fdrop(fp, curthread);
}

LIBVNET_TEST(finstall_of_a_descriptor_in_use_panics)
{
	struct filedesc *fdp;
	int fd = thing(FREAD);
	struct file *fp;

	libvnet_expect_panic("finstall: descriptor 0 is in use");
	assert_int_equal(fget(curthread, fd, &cap_no_rights, &fp), 0);
	fdp = curproc->p_fd;
	FILEDESC_XLOCK(fdp);
	_finstall(fdp, fp, fd, 0, NULL);
}

LIBVNET_TEST(fdalloc_without_the_lock_panics)
{
	int fd;

	libvnet_expect_panic("filedesc structure.* not exclusively|"
	    "Lock filedesc structure not");
	(void)fdalloc(curthread, 0, &fd);
}

LIBVNET_TEST(kern_psignal_without_the_lock_panics)
{
	libvnet_expect_panic("mutex process lock not owned");
	kern_psignal(curproc, SIGIO);
}

LIBVNET_TEST(kern_psignal_of_no_signal_panics)
{
	libvnet_expect_panic("kern_psignal: invalid signal 0");
	PROC_LOCK(curproc);
	kern_psignal(curproc, 0);
}
#endif
