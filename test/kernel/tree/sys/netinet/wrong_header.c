/* SPDX-License-Identifier: BSD-2-Clause */
#include <sys/param.h>
#include <netinet/nowhere.h>
