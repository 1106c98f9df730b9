/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * libvnet: FreeBSD's virtual network stacks in a process.
 *
 * Everything of the API for programs in host world.  A test file, which is
 * written against kernel headers, includes <libvnet/test.h> instead.
 */
#ifndef LIBVNET_LIBVNET_H
#define LIBVNET_LIBVNET_H

#define LIBVNET_VERSION_MAJOR 0
#define LIBVNET_VERSION_MINOR 1
#define LIBVNET_VERSION "0.1.0"

#include <libvnet/boot.h>
#include <libvnet/clock.h>
#include <libvnet/device.h>
#include <libvnet/counter.h>
#include <libvnet/cpu.h>
#include <libvnet/cred.h>
#include <libvnet/ddb.h>
#include <libvnet/error.h>
#include <libvnet/explore.h>
#include <libvnet/fail.h>
#include <libvnet/finding.h>
#include <libvnet/heap.h>
#include <libvnet/interface.h>
#include <libvnet/link.h>
#include <libvnet/log.h>
#include <libvnet/random.h>
#include <libvnet/route.h>
#include <libvnet/show.h>
#include <libvnet/snapshot.h>
#include <libvnet/socket.h>
#include <libvnet/stub.h>
#include <libvnet/sysctl.h>
#include <libvnet/thread.h>
#include <libvnet/types.h>
#include <libvnet/user.h>
#include <libvnet/vnet.h>

#endif /* LIBVNET_LIBVNET_H */
