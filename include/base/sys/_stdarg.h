/* SPDX-License-Identifier: BSD-2-Clause */
#include <machine/stdarg.h>
