/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: module(9), as far as modules that are linked in need it.
 * Fidelity: modelled
 * Differs: there is no linker, so no module_t: handlers are given NULL, are
 * told to load once at boot, and to unload only when they refused.
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/kernel.h>
#include <sys/lock.h>
#include <sys/mutex.h>
#include <sys/module.h>

void
module_register_init(const void *arg)
{
	const moduledata_t *data = arg;
	int error;

	if (data->evhand == NULL)
		return;
	mtx_lock(&Giant);
	error = data->evhand(NULL, MOD_LOAD, data->priv);
	if (error != 0) {
		(void)data->evhand(NULL, MOD_UNLOAD, data->priv);
		printf("module_register_init: MOD_LOAD (%s) error %d\n",
		    data->name, error);
	}
	mtx_unlock(&Giant);
}
