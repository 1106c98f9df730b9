/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Included before every kernel-world file.
 *
 * Kernel functions whose names libc also has, with another meaning, get
 * names of their own in the object file, so that kernel world and libc can
 * live in one process.  The source never sees it.  gcc honours the pragma
 * for these names only with -ffreestanding.
 *
 * mem*, str* and bcopy's kin keep their names: libc's are the same functions,
 * and sanitizers watch them.  Not strlcpy and strlcat: a library's own would
 * write unseen by them.
 */
#ifndef KERN_NAMES_H
#define KERN_NAMES_H

#pragma redefine_extname malloc lvk_malloc
#pragma redefine_extname free lvk_free
#pragma redefine_extname realloc lvk_realloc
#pragma redefine_extname reallocf lvk_reallocf
#pragma redefine_extname zfree lvk_zfree
#pragma redefine_extname mallocarray lvk_mallocarray
#pragma redefine_extname malloc_usable_size lvk_malloc_usable_size
#pragma redefine_extname log lvk_log
#pragma redefine_extname printf lvk_printf
#pragma redefine_extname vprintf lvk_vprintf
#pragma redefine_extname sprintf lvk_sprintf
#pragma redefine_extname vsprintf lvk_vsprintf
#pragma redefine_extname snprintf lvk_snprintf
#pragma redefine_extname vsnprintf lvk_vsnprintf
#pragma redefine_extname asprintf lvk_asprintf
#pragma redefine_extname sscanf lvk_sscanf
#pragma redefine_extname vsscanf lvk_vsscanf
#pragma redefine_extname random lvk_random
#pragma redefine_extname srandom lvk_srandom
#pragma redefine_extname arc4random lvk_arc4random
#pragma redefine_extname arc4random_buf lvk_arc4random_buf
#pragma redefine_extname arc4random_uniform lvk_arc4random_uniform
#pragma redefine_extname inet_ntoa lvk_inet_ntoa
#pragma redefine_extname inet_ntop lvk_inet_ntop
#pragma redefine_extname inet_pton lvk_inet_pton
#pragma redefine_extname inet_aton lvk_inet_aton
#pragma redefine_extname in6addr_any lvk_in6addr_any
#pragma redefine_extname in6addr_loopback lvk_in6addr_loopback
#pragma redefine_extname qsort lvk_qsort
#pragma redefine_extname bsearch lvk_bsearch
#pragma redefine_extname fnmatch lvk_fnmatch
#pragma redefine_extname strtol lvk_strtol
#pragma redefine_extname strtoul lvk_strtoul
#pragma redefine_extname strtoq lvk_strtoq
#pragma redefine_extname strtouq lvk_strtouq
#pragma redefine_extname strdup lvk_strdup
#pragma redefine_extname strndup lvk_strndup
#pragma redefine_extname strlcpy lvk_strlcpy
#pragma redefine_extname strlcat lvk_strlcat
#pragma redefine_extname getenv lvk_getenv
#pragma redefine_extname setenv lvk_kern_setenv

#ifdef LVK_INSTRUMENTED
/*
 * Trees call the builtins by name, and what a compiler makes inline of them
 * an exploration would not see.
 */
void	*lvx_memcpy(void *, const void *, __SIZE_TYPE__);
void	*lvx_memmove(void *, const void *, __SIZE_TYPE__);
void	*lvx_memset(void *, int, __SIZE_TYPE__);
int	 lvx_memcmp(const void *, const void *, __SIZE_TYPE__);
#define __builtin_memcpy lvx_memcpy
#define __builtin_memmove lvx_memmove
#define __builtin_memset lvx_memset
#define __builtin_memcmp lvx_memcmp
#endif

#endif /* KERN_NAMES_H */
