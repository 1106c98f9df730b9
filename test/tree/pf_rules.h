/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Rule sets of pf, put there as pfctl(8) does it: by ioctls of /dev/pf, opened
 * in a vnet.  The calls return 0 or a FreeBSD errno.
 */
#ifndef PF_RULES_H
#define PF_RULES_H

struct libvnet_device;
struct vnet;

/* What is not said does not matter to the rule. */
struct pf_terms {
	uint8_t action;			/* PF_PASS, PF_DROP */
	uint8_t direction;		/* PF_IN, PF_OUT, PF_INOUT */
	uint8_t protocol;		/* IPPROTO_* */
	bool quick, keep_state;
};

/* The device; fails the test where there is none. */
struct libvnet_device *pf_rules_open(struct vnet *);
void	pf_rules_close(struct libvnet_device *);

/* An ioctl(2). */
int	pf_rules_ask(struct libvnet_device *, unsigned long command,
	    void *data);

int	pf_rules_start(struct libvnet_device *);
int	pf_rules_stop(struct libvnet_device *);

/* These rules, of which the last that matches holds, instead of all others. */
int	pf_rules_load(struct libvnet_device *, const struct pf_terms *,
	    unsigned n);
/* How many there are. */
int	pf_rules_count(struct libvnet_device *, unsigned *n);
/* What the n-th rule, from 0, has seen, both ways. */
int	pf_rules_counters(struct libvnet_device *, unsigned n,
	    uint64_t *packets, uint64_t *bytes);

/* Entries in the vnet's state table. */
int	pf_rules_states(struct libvnet_device *, unsigned *n);

#endif /* PF_RULES_H */
