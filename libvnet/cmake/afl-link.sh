#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# Called by the build in place of the linking compiler: AFL-CC, then the
# command line that begins with the compiler it replaces.
afl=$1
shift 2
exec "$afl" "$@"
