/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Findings, inside host world: recorded in finding.c, their kinds and what
 * is done about each in finding_kind.c, written for people in finding_text.c
 * and for programs in finding_json.c.
 *
 * A finding is recorded with addresses only.  Functions and lines are looked
 * up when somebody reads them: an expected finding costs microseconds.
 */
#ifndef LIBVNET_HOST_FINDING_H
#define LIBVNET_HOST_FINDING_H

#include <stdio.h>

#include "host.h"

#define HOST_TRACE_MAX 48

enum host_fate {
	HOST_FAILED,		/* nobody expected it */
	HOST_EXPECTED,
	HOST_COLLECTED,		/* by policy */
	HOST_KNOWN		/* by a list: is not recorded */
};
#define HOST_FATES 3

/* The same order as in <libvnet/finding.h>. */
enum host_policy { HOST_FAIL, HOST_COLLECT, HOST_ABORT };

/* Belongs to the list in finding.c until host_findings_reset(). */
struct host_finding {
	char	*kind, *message;
	char	*object, *file;	/* may be NULL */
	char	*text;		/* message and sites, made on demand */
	char	*report;	/* everything, made on demand */
	int	 line, vnet, cpu;
	uint64_t seed;
	uintptr_t pc, freed;	/* sites of allocation (or of a call, see
				   host_finding_called) and release, 0 none */
	enum host_fate fate;
	bool	 told;		/* counted, and written as JSON */
	bool	 known;		/* unless it is expected */
	int	 depth;
	uintptr_t *trace;
	struct host_finding *next;
};

/* ---- finding.c */
struct host_finding *host_findings(void);
unsigned long host_finding_count(void);
/*
 * Who decides the fate of a finding; the default prints it on stderr.  It is
 * counted and written as JSON when host_finding_tell() is called, at the
 * latest when it is forgotten.
 */
typedef enum host_fate host_finding_fn(struct host_finding *);
void	host_finding_sink(host_finding_fn *fn);
bool	host_finding_caught(void);	/* somebody does */
/* vnh_finding(), of what may be known; what became of it. */
enum host_fate host_finding_take(const struct vnh_finding *, bool known);
/* What the policy makes of one that was not expected. */
enum host_fate host_finding_fate(const struct host_finding *);
void	host_finding_tell(struct host_finding *);
/* Called by vnh_panic() before all else: records where it came from. */
void	host_panic_note(const char *message);
/* The last panic, or NULL.  Not among host_findings(). */
struct host_finding *host_panic_last(void);
/* Print the report on stderr, write all the JSON there is, and abort(). */
__attribute__((noreturn)) void host_finding_abort(struct host_finding *);
/*
 * Somebody tries things out: findings, and assertions that fail, are his and
 * are not recorded; nor are panics.  assertion() does not return.  NULL: none.
 */
struct host_probe {
	void	(*finding)(const struct vnh_finding *);
	void	(*assertion)(const char *file, int line);
};
void	host_probe_set(const struct host_probe *);
const struct host_probe *host_probe(void);
/* The name of the running test, or NULL. */
void	host_finding_test(const char *name);
/* True in a fuzz target, whatever drives it. */
bool	host_fuzzing(void);

/* ---- finding_kind.c */
struct host_kind {
	const char *name, *meaning;
	enum host_policy policy;
	unsigned long count[HOST_FATES];	/* told, by fate */
};
struct host_kind *host_kind_find(const char *name);
struct host_kind *host_kind_nth(unsigned long n);	/* NULL beyond the last */
bool	host_kind_known(const char *name);
/* Its pc is where something was called, not allocated. */
bool	host_finding_called(const struct host_finding *);
/* All names, with a blank between. */
const char *host_kind_names(void);
/* Both return NULL or what is wrong, in a static buffer. */
const char *host_policy_set(const char *kind, enum host_policy);
/* "leak=collect,novnet=abort"; "all" is every kind. */
const char *host_policy_parse(const char *text);
const char *host_policy_name(enum host_policy);
/* What the environment asks for; looked at once. */
const char *host_policy_environment(void);

/* ---- known.c: what a list of known faults covers is no finding */
/* Both add to the list; NULL or what is wrong, in a static buffer. */
const char *host_known_read(const char *file);
const char *host_known_linked(void);
/*
 * Items, or reports of sanitizers, covered since the program began, and how
 * many lines of the list did.
 */
unsigned long host_known_count(bool reports, unsigned long *lines);
/* The line for a report of a sanitizer's at that place, or NULL. */
struct host_known *host_known_report(const char *kind, const char *name,
	    uintptr_t pc);
void	host_known_covers(struct host_known *);

/* ---- finding_text.c */
/* The message, and where or by whom. */
const char *host_finding_text(struct host_finding *);
/* Lines, the first "kind: text", then facts and the backtrace. */
const char *host_finding_report(struct host_finding *);
/* Calls `fn' for each frame worth showing. */
typedef void host_trace_fn(uintptr_t pc, const struct host_frame *, void *);
void	host_finding_trace(const struct host_finding *, host_trace_fn *, void *);

/* ---- finding_json.c */
/* NULL or what is wrong.  `file' NULL is stderr. */
const char *host_json_open(const char *file, bool append);
void	host_json_write(const struct host_finding *, const char *test);
/* A JSON string, quotes included; what is no UTF-8 becomes U+FFFD. */
void	host_json_string(FILE *, const char *);

#endif /* LIBVNET_HOST_FINDING_H */
