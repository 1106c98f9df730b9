/* SPDX-License-Identifier: BSD-2-Clause */
/* Rules of ipfw instruction by instruction, and what they refer to. */
#ifndef IPFW_CODE_H
#define IPFW_CODE_H

struct vnet;

#define IPFW_CODE_WORDS 48

struct ipfw_code {
	uint32_t words[IPFW_CODE_WORDS];
	unsigned n, action;
};

/*
 * One instruction more; `operand' (NULL: zeroes) follows its first word and
 * is `size' octets.  Those behind ipfw_code_act() are the rule's action.
 */
void	ipfw_code(struct ipfw_code *, uint8_t opcode, uint8_t flags,
	    uint16_t arg, const void *operand, size_t size);
void	ipfw_code_act(struct ipfw_code *);
/* An address as text, or "me" or with "/bits"; of either family. */
void	ipfw_code_from(struct ipfw_code *, const char *address);
void	ipfw_code_to(struct ipfw_code *, const char *address);
/* All these return 0 or a FreeBSD errno. */
int	ipfw_code_add(struct vnet *, uint32_t number,
	    const struct ipfw_code *);

/* What libalias shall do; `redirect' (or NULL) is where a port leads. */
struct ipfw_redirect {
	const char *to;
	uint16_t port;		/* there and here */
	uint8_t protocol;
};
int	ipfw_nat(struct vnet *, int number, const char *address, uint32_t mode,
	    const struct ipfw_redirect *);
int	ipfw_nat_destroy(struct vnet *, int number);
/* A rule's action. */
void	ipfw_code_nat(struct ipfw_code *, int number);

#endif /* IPFW_CODE_H */
