/* SPDX-License-Identifier: BSD-2-Clause */
#include <sys/queue.h>
