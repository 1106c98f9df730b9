/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Switching stacks: what a callee must preserve goes on the stack, the stack
 * pointer into a variable.  Signal masks and floating-point modes stay as
 * they are: kernel code touches neither.  Machines without a version of their
 * own use ucontext(3), whose contexts lie on the stacks as well, so that the
 * stack and one pointer are all there is to a parked flow.
 */
#include <stdint.h>
#include <string.h>

#include "coroutine.h"

#if defined(__x86_64__) && !defined(LIBVNET_UCONTEXT)

__asm__(
"	.text\n"
"	.p2align 4\n"
"	.globl	host_co_swap\n"
"	.hidden	host_co_swap\n"
"	.type	host_co_swap, @function\n"
"host_co_swap:\n"
"	.cfi_startproc\n"
"	endbr64\n"
"	pushq	%rbp\n"
"	pushq	%rbx\n"
"	pushq	%r12\n"
"	pushq	%r13\n"
"	pushq	%r14\n"
"	pushq	%r15\n"
"	movq	%rsp, (%rdi)\n"
"	movq	%rsi, %rsp\n"
"	popq	%r15\n"
"	popq	%r14\n"
"	popq	%r13\n"
"	popq	%r12\n"
"	popq	%rbx\n"
"	popq	%rbp\n"
"	ret\n"
"	.cfi_endproc\n"
"	.size	host_co_swap, .-host_co_swap\n"
/* The end of every backtrace: there is no caller. */
"	.type	host_co_begin, @function\n"
"host_co_begin:\n"
"	.cfi_startproc\n"
"	.cfi_undefined rip\n"
"	endbr64\n"
"	xorl	%ebp, %ebp\n"
"	callq	*%r12\n"
"	ud2\n"
"	.cfi_endproc\n"
"	.size	host_co_begin, .-host_co_begin\n"
"	.globl	host_co_begin_address\n"
"	.hidden	host_co_begin_address\n"
"	.section .data.rel.ro, \"aw\"\n"
"	.p2align 3\n"
"host_co_begin_address:\n"
"	.quad	host_co_begin\n"
"	.text\n"
);
extern void *const host_co_begin_address;

void *
host_co_prepare(char *stack, size_t size, void (*entry)(void))
{
	uintptr_t *sp = (uintptr_t *)
	    (((uintptr_t)stack + size) & ~(uintptr_t)15);

	*--sp = 0;
	*--sp = 0;
	*--sp = (uintptr_t)host_co_begin_address;
	*--sp = 0;			/* rbp */
	*--sp = 0;			/* rbx */
	*--sp = (uintptr_t)entry;	/* r12 */
	*--sp = 0;
	*--sp = 0;
	*--sp = 0;
	return (sp);
}

#elif defined(__aarch64__) && !defined(LIBVNET_UCONTEXT)

__asm__(
"	.text\n"
"	.p2align 4\n"
"	.globl	host_co_swap\n"
"	.hidden	host_co_swap\n"
"	.type	host_co_swap, %function\n"
"host_co_swap:\n"
"	.cfi_startproc\n"
"	sub	sp, sp, #160\n"
"	stp	x19, x20, [sp, #0]\n"
"	stp	x21, x22, [sp, #16]\n"
"	stp	x23, x24, [sp, #32]\n"
"	stp	x25, x26, [sp, #48]\n"
"	stp	x27, x28, [sp, #64]\n"
"	stp	x29, x30, [sp, #80]\n"
"	stp	d8, d9, [sp, #96]\n"
"	stp	d10, d11, [sp, #112]\n"
"	stp	d12, d13, [sp, #128]\n"
"	stp	d14, d15, [sp, #144]\n"
"	mov	x2, sp\n"
"	str	x2, [x0]\n"
"	mov	sp, x1\n"
"	ldp	x19, x20, [sp, #0]\n"
"	ldp	x21, x22, [sp, #16]\n"
"	ldp	x23, x24, [sp, #32]\n"
"	ldp	x25, x26, [sp, #48]\n"
"	ldp	x27, x28, [sp, #64]\n"
"	ldp	x29, x30, [sp, #80]\n"
"	ldp	d8, d9, [sp, #96]\n"
"	ldp	d10, d11, [sp, #112]\n"
"	ldp	d12, d13, [sp, #128]\n"
"	ldp	d14, d15, [sp, #144]\n"
"	add	sp, sp, #160\n"
"	ret\n"
"	.cfi_endproc\n"
"	.size	host_co_swap, .-host_co_swap\n"
"	.globl	host_co_begin\n"
"	.hidden	host_co_begin\n"
"	.type	host_co_begin, %function\n"
"host_co_begin:\n"
"	.cfi_startproc\n"
"	.cfi_undefined x30\n"
"	mov	x29, xzr\n"
"	mov	x30, xzr\n"
"	blr	x19\n"
"	brk	#1\n"
"	.cfi_endproc\n"
"	.size	host_co_begin, .-host_co_begin\n"
);
extern void host_co_begin(void);

void *
host_co_prepare(char *stack, size_t size, void (*entry)(void))
{
	uintptr_t *sp = (uintptr_t *)
	    ((((uintptr_t)stack + size) & ~(uintptr_t)15) - 160);

	memset(sp, 0, 160);
	sp[0] = (uintptr_t)entry;		/* x19 */
	sp[11] = (uintptr_t)host_co_begin;	/* x30 */
	return (sp);
}

#else

#include <ucontext.h>

void
host_co_swap(void **save, void *sp)
{
	ucontext_t here;

	*save = &here;
	swapcontext(&here, sp);
}

void *
host_co_prepare(char *stack, size_t size, void (*entry)(void))
{
	size_t room = (sizeof(ucontext_t) + 63) & ~(size_t)63;
	ucontext_t *uc = (ucontext_t *)
	    ((((uintptr_t)stack + size) & ~(uintptr_t)63) - room);

	getcontext(uc);
	uc->uc_stack.ss_sp = stack;
	uc->uc_stack.ss_size = (size_t)((char *)uc - stack);
	uc->uc_link = NULL;
	makecontext(uc, entry, 0);
	return (uc);
}

#endif
