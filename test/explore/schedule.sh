#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# schedule.sh TEST_LOST_UPDATE: the token of a test's finding makes it fail
# again by the environment, in one schedule; a token of nonsense is told.
set -eu
prog=$1
run() {
	LIBVNET_SCHEDULE=$1 "$prog" --filter=failing_schedule_is_a_finding --findings=json 2>&1
}
token=$(run "" | sed -n 's/.*LIBVNET_SCHEDULE=\([^ ]*\) .*/\1/p' | sed -n 1p)
[ -n "$token" ] || { echo "no token was printed"; exit 1; }
run "$token" | grep -q "LIBVNET_SCHEDULE=$token (schedule 1," || {
	echo "$token did not make it fail again"
	exit 1
}
if run nonsense >/dev/null; then
	echo "a token of nonsense was taken"
	exit 1
fi
echo "schedule: $token"
