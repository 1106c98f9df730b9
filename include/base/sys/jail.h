/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef _SYS_JAIL_H_
#define _SYS_JAIL_H_

#include <sys/param.h>
#include <sys/lock.h>
#include <sys/mutex.h>
#include <sys/queue.h>
#include <sys/sysctl.h>

#define HOSTUUIDLEN 64
#define OSRELEASELEN 32
#define JAIL_MAX 999999

struct prison_ip;
struct sockaddr;
struct ucred;

enum prison_state {
	PRISON_STATE_INVALID = 0,
	PRISON_STATE_ALIVE,
	PRISON_STATE_DYING
};
typedef enum {
	PR_INET = 0,
	PR_INET6 = 1,
	PR_FAMILY_MAX = 2
} pr_family_t;

struct prison {
	TAILQ_ENTRY(prison) pr_list;
	int pr_id;
	volatile u_int pr_ref;
	volatile u_int pr_uref;
	unsigned pr_flags;
	LIST_HEAD(, prison) pr_children;
	LIST_ENTRY(prison) pr_sibling;
	struct prison *pr_parent;
	struct mtx pr_mtx;
	struct vnet *pr_vnet;
	struct prison_ip *pr_addrs[PR_FAMILY_MAX];
	int pr_childcount;
	int pr_childmax;
	unsigned pr_allow;
	int pr_securelevel;
	enum prison_state pr_state;
	int pr_osreldate;
	unsigned long pr_hostid;
	char pr_name[MAXHOSTNAMELEN];
	char pr_path[MAXPATHLEN];
	char pr_hostname[MAXHOSTNAMELEN];
	char pr_domainname[MAXHOSTNAMELEN];
	char pr_hostuuid[HOSTUUIDLEN];
	char pr_osrelease[OSRELEASELEN];
};

#define PR_PERSIST 0x00000001
#define PR_HOST 0x00000002
#define PR_IP4_USER 0x00000004
#define PR_IP6_USER 0x00000008
#define PR_VNET 0x00000010
#define PR_IP4_SADDRSEL 0x00000080
#define PR_IP6_SADDRSEL 0x00000100
#define PR_IP4 0x02000000
#define PR_IP6 0x04000000

#define PR_ALLOW_SET_HOSTNAME 0x00000001
#define PR_ALLOW_SYSVIPC 0x00000002
#define PR_ALLOW_RAW_SOCKETS 0x00000004
#define PR_ALLOW_CHFLAGS 0x00000008
#define PR_ALLOW_MOUNT 0x00000010
#define PR_ALLOW_QUOTAS 0x00000020
#define PR_ALLOW_SOCKET_AF 0x00000040
#define PR_ALLOW_MLOCK 0x00000080
#define PR_ALLOW_READ_MSGBUF 0x00000100
#define PR_ALLOW_UNPRIV_DEBUG 0x00000200
#define PR_ALLOW_SUSER 0x00000400
#define PR_ALLOW_RESERVED_PORTS 0x00008000
#define PR_ALLOW_ALL_STATIC 0x000187ff

static __inline void
prison_lock(struct prison *pr)
{
	mtx_lock(&pr->pr_mtx);
}
static __inline void
prison_unlock(struct prison *pr)
{
	mtx_unlock(&pr->pr_mtx);
}

#define FOREACH_PRISON_CHILD(ppr, cpr) \
	LIST_FOREACH(cpr, &(ppr)->pr_children, pr_sibling)

extern struct prison prison0;
TAILQ_HEAD(prisonlist, prison);
extern struct prisonlist allprison;
extern struct sx allprison_lock;

#define jailed(cred) ((cred)->cr_prison != &prison0)
bool	jailed_without_vnet(struct ucred *);
void	getcredhostname(struct ucred *, char *, size_t);
void	getcreddomainname(struct ucred *, char *, size_t);
void	getcredhostuuid(struct ucred *, char *, size_t);
void	getcredhostid(struct ucred *, unsigned long *);
void	getjailname(struct ucred *, char *, size_t);
bool	prison_allow(struct ucred *, unsigned);
int	prison_check(struct ucred *, struct ucred *);
int	prison_check_af(struct ucred *, int);
struct prison *prison_find(int);
struct prison *prison_find_child(struct prison *, int);
struct prison *prison_find_name(struct prison *, const char *);
bool	prison_flag(struct ucred *, unsigned);
void	prison_free(struct prison *);
void	prison_free_locked(struct prison *);
void	prison_hold(struct prison *);
void	prison_hold_locked(struct prison *);
int	prison_if(struct ucred *, const struct sockaddr *);
bool	prison_isalive(const struct prison *);
bool	prison_ischild(struct prison *, struct prison *);
bool	prison_isvalid(struct prison *);
char	*prison_name(struct prison *, struct prison *);
bool	prison_owns_vnet(struct ucred *);
int	prison_priv_check(struct ucred *, int);
void	prison_proc_free(struct prison *);
void	prison_proc_hold(struct prison *);
void	prison_set_allow(struct ucred *, unsigned, int);

#endif /* _SYS_JAIL_H_ */
