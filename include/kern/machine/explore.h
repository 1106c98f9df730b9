/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What is one instruction on a machine, and here is not: between these two
 * the threads of other CPUs may come in, but none of this one, nor does this
 * one leave its CPU.
 */
#ifndef _MACHINE_EXPLORE_H_
#define _MACHINE_EXPLORE_H_

#ifdef LIBVNET_EXPLORE
void	lvk_insn_begin(void);
void	lvk_insn_end(void);
#define LVK_INSN_BEGIN() lvk_insn_begin()
#define LVK_INSN_END() lvk_insn_end()
#else
#define LVK_INSN_BEGIN() do { } while (0)
#define LVK_INSN_END() do { } while (0)
#endif

#endif /* _MACHINE_EXPLORE_H_ */
