/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The integer types of the public API, in whichever world includes it: host
 * world takes them from libc, a test file from the kernel's headers.
 */
#ifndef LIBVNET_TYPES_H
#define LIBVNET_TYPES_H

#ifdef _KERNEL
#include <sys/types.h>
#else
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#endif

#ifdef __cplusplus
#define LIBVNET_BEGIN extern "C" {
#define LIBVNET_END }
#else
#define LIBVNET_BEGIN
#define LIBVNET_END
#endif

/* A virtual network stack.  Opaque in host world; the kernel's own struct. */
struct vnet;

#endif /* LIBVNET_TYPES_H */
