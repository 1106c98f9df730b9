/* SPDX-License-Identifier: BSD-2-Clause */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"

static const char usage[] =
    "usage: %s [--list] [--kinds] [--filter=PATTERN] [--seed=N] [--verbose]\n"
    "       [--format=tap|junit|plain] [--output=FILE]\n"
    "       [--no-restore]\n"
    "       [--findings=text|json|json:FILE] [--policy=KIND=POLICY]\n"
    "       [--threads=coroutine|host|baton] [--cpus=N] [--repeat=N]\n"
    "       [--kenv=NAME=VALUE[;NAME=VALUE...]]\n"
    "  --list     print the tests' names and stop\n"
    "  --kinds    print the kinds of findings and stop\n"
    "  --filter   run those whose name matches, with * and ?\n"
    "  --seed     of all randomness in the kernel world (default 1)\n"
    "  --verbose  echo the kernel's console to stderr\n"
    "  --threads  what carries kernel threads (default coroutine)\n"
    "  --cpus     virtual CPUs, 1 to 64 (default 1)\n"
    "  --kenv     tunables to boot with, before those of LIBVNET_KENV\n"
    "  --repeat   run each test N times in a row\n"
    "  --no-restore  run all in one kernel world, to find tests that depend on\n"
    "             each other (also LIBVNET_NO_RESTORE=1)\n"
    "  --format   tap (default), junit (XML) or plain (cmocka's own)\n"
    "  --output   where the JUnit XML goes (default: standard output)\n"
    "  --findings text (default), or also a line of JSON each, to stderr or FILE\n"
    "  --policy   fail, collect or abort for one kind of finding, or for all\n"
    "Exit status: 0 all passed, 1 some failed, 2 wrong usage, 77 all skipped\n";

static int
complain(const char *self, const char *what, const char *value)
{
	fprintf(stderr, "%s: %s \"%s\"\n", self, what, value);
	fprintf(stderr, usage, self);
	return (3);
}

static int
parse_seed(const char *text, uint64_t *seed)
{
	char *end;

	errno = 0;
	*seed = strtoull(text, &end, 0);
	return (errno != 0 || end == text || *end != '\0' || *text == '-');
}

static int
parse_format(const char *text, enum test_format *format)
{
	static const char *const names[] = { "tap", "junit", "plain" };

	for (int i = 0; i < 3; i++)
		if (strcmp(text, names[i]) == 0) {
			*format = (enum test_format)i;
			return (0);
		}
	return (1);
}

static int
parse_repeat(const char *text, unsigned *repeat)
{
	uint64_t n;

	if (parse_seed(text, &n) != 0 || n < 1 || n > 1000000)
		return (1);
	*repeat = (unsigned)n;
	return (0);
}

static int
parse_cpus(const char *text, int *cpus)
{
	uint64_t n;

	if (parse_seed(text, &n) != 0 || n < 1 || n > LIBVNET_MAXCPU)
		return (1);
	*cpus = (int)n;
	return (0);
}

static int
parse_threads(const char *text, enum libvnet_threads *threads)
{
	static const char *const names[] = { "coroutine", "host", "baton" };

	for (int i = 0; i < 3; i++)
		if (strcmp(text, names[i]) == 0) {
			*threads = (enum libvnet_threads)i;
			return (0);
		}
	return (1);
}

static void
print_kinds(void)
{
	const struct host_kind *k;

	for (unsigned long n = 0; (k = host_kind_nth(n)) != NULL; n++)
		printf("%s\t%s\n", k->name, k->meaning);
}

/* NULL or what is wrong. */
static const char *
parse_findings(const char *text)
{
	if (strcmp(text, "text") == 0)
		return (NULL);
	if (strcmp(text, "json") == 0)
		return (host_json_open(NULL, false));
	if (strncmp(text, "json:", 5) == 0 && text[5] != '\0')
		return (host_json_open(text + 5, false));
	return ("it is text, json or json:FILE");
}

/* The exit status + 1 of an option whose value is wrong, 0 for a right one. */
static int
verdict(const char *self, const char *option, const char *value,
    const char *wrong)
{
	if (wrong == NULL)
		return (0);
	fprintf(stderr, "%s: %s=%s: %s\n", self, option, value, wrong);
	fprintf(stderr, usage, self);
	return (3);
}

/* Options for findings and for boot: they hold at once. */
static int
immediate_option(const char *self, int c, const char *value)
{
	if (c == 'e')
		return (verdict(self, "--kenv", value, test_kenv_add(value)));
	if (c == 'j')
		return (verdict(self, "--findings", value,
		    parse_findings(value)));
	return (verdict(self, "--policy", value, host_policy_parse(value)));
}

static int
environment(const char *self)
{
	const char *kenv = getenv("LIBVNET_KENV");

	return (kenv == NULL ? 0 :
	    verdict(self, "LIBVNET_KENV", kenv, test_kenv_add(kenv)));
}

int
test_args_parse(int argc, char **argv, struct test_args *a)
{
	static const struct option options[] = {
		{ "list", no_argument, NULL, 'l' },
		{ "filter", required_argument, NULL, 'f' },
		{ "seed", required_argument, NULL, 's' },
		{ "verbose", no_argument, NULL, 'v' },
		{ "no-restore", no_argument, NULL, 'n' },
		{ "format", required_argument, NULL, 'F' },
		{ "output", required_argument, NULL, 'o' },
		{ "findings", required_argument, NULL, 'j' },
		{ "policy", required_argument, NULL, 'p' },
		{ "repeat", required_argument, NULL, 'r' },
		{ "threads", required_argument, NULL, 't' },
		{ "cpus", required_argument, NULL, 'c' },
		{ "kenv", required_argument, NULL, 'e' },
		{ "kinds", no_argument, NULL, 'k' },
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 }
	};
	const char *wrong;
	int c, r;

	wrong = host_policy_environment();
	if (wrong != NULL) {
		fprintf(stderr, "%s: %s\n", argv[0], wrong);
		return (3);
	}
	*a = (struct test_args){ .seed = 1, .repeat = 1 };
	while ((c = getopt_long(argc, argv, "", options, NULL)) != -1)
		switch (c) {
		case 'l': a->list = true; break;
		case 'f': a->filter = optarg; break;
		case 'v': a->verbose = true; break;
		case 'n': a->no_restore = true; break;
		case 'o': a->output = optarg; break;
		case 's':
			if (parse_seed(optarg, &a->seed) != 0)
				return (complain(argv[0], "--seed wants a "
				    "number, not", optarg));
			break;
		case 'F':
			if (parse_format(optarg, &a->format) != 0)
				return (complain(argv[0], "--format is tap, "
				    "junit or plain, not", optarg));
			break;
		case 'r':
			if (parse_repeat(optarg, &a->repeat) != 0)
				return (complain(argv[0], "--repeat wants 1 "
				    "to 1000000, not", optarg));
			break;
		case 't':
			if (parse_threads(optarg, &a->threads) != 0)
				return (complain(argv[0], "--threads is "
				    "coroutine, host or baton, not", optarg));
			break;
		case 'c':
			if (parse_cpus(optarg, &a->cpus) != 0)
				return (complain(argv[0], "--cpus wants 1 to "
				    "64, not", optarg));
			break;
		case 'e':
		case 'j':
		case 'p':
			r = immediate_option(argv[0], c, optarg);
			if (r != 0)
				return (r);
			break;
		case 'k':
			print_kinds();
			return (1);
		case 'h':
			printf(usage, argv[0]);
			return (1);
		default:
			fprintf(stderr, usage, argv[0]);
			return (3);
		}
	if (optind != argc)
		return (complain(argv[0], "no arguments are taken, found",
		    argv[optind]));
	return (environment(argv[0]));
}
