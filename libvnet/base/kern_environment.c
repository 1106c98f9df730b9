/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: the kernel environment, FreeBSD's kern/kern_environment.c.
 * Fidelity: exact
 * Differs: the loader is the test, which gives its "name=value" lines to
 * boot; there are no hints.  A name given twice has its last value.
 *
 * The environment belongs to no vnet, and is read before there is a malloc
 * type or a lock: it keeps plain blocks, under a lock below all locks.
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/kernel.h>
#include <sys/kenv.h>
#include <sys/malloc.h>
#include <sys/queue.h>
#include <sys/lock.h>
#include <sys/mutex.h>
#include <sys/eventhandler.h>

#undef malloc
#include <lvk.h>
#include "lvk_boot.h"

#define BLOCK_ALIGN 16

static MALLOC_DEFINE(M_KENV, "kenv", "kernel environment");

struct kenv {
	TAILQ_ENTRY(kenv) k_link;
	char *k_value;			/* behind the name */
	char k_name[];
};
TAILQ_HEAD(kenvhead, kenv);

static struct kenvhead kenvs = TAILQ_HEAD_INITIALIZER(kenvs);
static struct lvk_spin kenv_lock;

static struct kenv *
kenv_new(const char *name, size_t namelen, const char *value, size_t vallen)
{
	struct kenv *k;

	k = lvk_block_alloc(sizeof(*k) + namelen + vallen + 2, BLOCK_ALIGN);
	memcpy(k->k_name, name, namelen);
	k->k_name[namelen] = '\0';
	k->k_value = k->k_name + namelen + 1;
	memcpy(k->k_value, value, vallen);
	k->k_value[vallen] = '\0';
	return (k);
}

static void
kenv_drop(struct kenv *k)
{
	if (k != NULL)
		lvk_block_free(k, BLOCK_ALIGN);
}

static struct kenv *
kenv_find(const char *name)
{
	struct kenv *k;

	TAILQ_FOREACH(k, &kenvs, k_link)
		if (strcmp(k->k_name, name) == 0)
			return (k);
	return (NULL);
}

/* Put `k' (NULL none) in the place of what has the name; returns that. */
static struct kenv *
kenv_replace(const char *name, struct kenv *k)
{
	struct kenv *old;

	lvk_spin_lock(&kenv_lock);
	old = kenv_find(name);
	if (old != NULL)
		TAILQ_REMOVE(&kenvs, old, k_link);
	if (k != NULL)
		TAILQ_INSERT_TAIL(&kenvs, k, k_link);
	lvk_spin_unlock(&kenv_lock);
	return (old);
}

static void
kenv_line(const char *line, size_t len)
{
	const char *eq = memchr(line, '=', len);
	size_t namelen;
	struct kenv *k;

	if (len == 0)
		return;
	if (eq == NULL || eq == line) {
		printf("kenv: \"%.*s\" is not name=value, ignored\n", (int)len,
		    line);
		return;
	}
	namelen = (size_t)(eq - line);
	if (namelen > KENV_MNAMELEN || len - namelen - 1 > KENV_MVALLEN) {
		printf("kenv: \"%.*s\" is too long, ignored\n", (int)len, line);
		return;
	}
	k = kenv_new(line, namelen, eq + 1, len - namelen - 1);
	kenv_drop(kenv_replace(k->k_name, k));
}

void
lvk_kenv_init(const char *lines)
{
	size_t len;

	TAILQ_INIT(&kenvs);
	for (; lines != NULL && *lines != '\0'; lines += len) {
		len = strcspn(lines, "\n");
		kenv_line(lines, len);
		if (lines[len] == '\n')
			len++;
	}
}

int
kern_setenv(const char *name, const char *value)
{
	size_t namelen = strlen(name), vallen = strlen(value);

	if (namelen > KENV_MNAMELEN || vallen > KENV_MVALLEN)
		return (-1);
	kenv_drop(kenv_replace(name, kenv_new(name, namelen, value, vallen)));
	EVENTHANDLER_INVOKE(setenv, name);
	return (0);
}

int
kern_unsetenv(const char *name)
{
	struct kenv *k = kenv_replace(name, NULL);

	if (k == NULL)
		return (-1);
	kenv_drop(k);
	EVENTHANDLER_INVOKE(unsetenv, name);
	return (0);
}

/*
 * A copy, which freeenv() takes back.  It is made with room for the longest
 * value first, for allocating sleeps.
 */
char *
kern_getenv(const char *name)
{
	char *copy;

	copy = malloc(KENV_MVALLEN + 1, M_KENV, M_WAITOK);
	if (getenv_string(name, copy, KENV_MVALLEN + 1))
		return (copy);
	free(copy, M_KENV);
	return (NULL);
}

void
freeenv(char *env)
{
	free(env, M_KENV);
}

int
testenv(const char *name)
{
	struct kenv *k;

	lvk_spin_lock(&kenv_lock);
	k = kenv_find(name);
	lvk_spin_unlock(&kenv_lock);
	return (k != NULL);
}

int
getenv_string(const char *name, char *data, int size)
{
	struct kenv *k;

	lvk_spin_lock(&kenv_lock);
	k = kenv_find(name);
	if (k != NULL)
		strlcpy(data, k->k_value, (size_t)size);
	lvk_spin_unlock(&kenv_lock);
	return (k != NULL);
}
