/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A pointer that smr(9) protects can only be reached by these: in a section
 * (entered), by a writer whose lock `ex' tells of (serialized), or while
 * nobody else sees it (unserialized).
 */
#ifndef _SYS_SMR_TYPES_H_
#define _SYS_SMR_TYPES_H_

#include <sys/_smr.h>
#include <machine/atomic.h>

#define SMR_POINTER(type) struct { type __ptr; }

#define smr_entered_load(p, smr) __extension__ ({			\
	SMR_ASSERT(SMR_ENTERED((smr)), "smr_entered_load");		\
	(__typeof((p)->__ptr))atomic_load_acq_ptr(			\
	    (uintptr_t *)&(p)->__ptr);					\
})
#define smr_serialized_load(p, ex) __extension__ ({			\
	SMR_ASSERT(ex, "smr_serialized_load");				\
	(__typeof((p)->__ptr))atomic_load_ptr(&(p)->__ptr);		\
})
#define smr_serialized_store(p, v, ex) do {				\
	SMR_ASSERT(ex, "smr_serialized_store");				\
	__typeof((p)->__ptr) _v = (v);					\
	atomic_store_rel_ptr((uintptr_t *)&(p)->__ptr, (uintptr_t)_v);	\
} while (0)
#define smr_serialized_swap(p, v, ex) __extension__ ({			\
	SMR_ASSERT(ex, "smr_serialized_swap");				\
	__typeof((p)->__ptr) _v = (v);					\
	atomic_thread_fence_rel();					\
	(__typeof((p)->__ptr))atomic_swap_ptr(				\
	    (uintptr_t *)&(p)->__ptr, (uintptr_t)_v);			\
})
#define smr_unserialized_load(p, ex) __extension__ ({			\
	SMR_ASSERT(ex, "smr_unserialized_load");			\
	(__typeof((p)->__ptr))atomic_load_ptr(&(p)->__ptr);		\
})
#define smr_unserialized_store(p, v, ex) do {				\
	SMR_ASSERT(ex, "smr_unserialized_store");			\
	__typeof((p)->__ptr) _v = (v);					\
	atomic_store_ptr((uintptr_t *)&(p)->__ptr, (uintptr_t)_v);	\
} while (0)

#endif /* _SYS_SMR_TYPES_H_ */
