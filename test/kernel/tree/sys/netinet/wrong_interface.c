/* SPDX-License-Identifier: BSD-2-Clause */
#include <sys/param.h>
#include "nowhere_if.h"
