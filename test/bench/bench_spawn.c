/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * usage: bench_spawn N PROGRAM
 * Runs the program N times and prints the microseconds from start to exit:
 * for a program of one test, no less than from start to first test.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>

extern char **environ;

static double
now_us(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ((double)ts.tv_sec * 1e6 + (double)ts.tv_nsec / 1e3);
}

int
main(int argc, char **argv)
{
	long n = argc == 3 ? strtol(argv[1], NULL, 10) : 0;
	posix_spawn_file_actions_t quiet;

	if (n <= 0) {
		fprintf(stderr, "usage: bench_spawn N PROGRAM\n");
		return (2);
	}
	posix_spawn_file_actions_init(&quiet);
	posix_spawn_file_actions_addopen(&quiet, 1, "/dev/null", O_WRONLY, 0);
	posix_spawn_file_actions_adddup2(&quiet, 1, 2);
	for (long i = -3; i < n; i++) {
		char *args[] = { argv[2], NULL };
		double t = now_us();
		int status;
		pid_t pid;

		if (posix_spawn(&pid, argv[2], &quiet, NULL, args, environ) != 0 ||
		    waitpid(pid, &status, 0) != pid || status != 0) {
			fprintf(stderr, "bench_spawn: %s failed\n", argv[2]);
			return (1);
		}
		if (i >= 0)
			printf("%.1f\n", now_us() - t);
	}
	return (0);
}
