/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef _SYS_MODULE_H_
#define _SYS_MODULE_H_

#include <sys/kernel.h>

typedef enum modeventtype {
	MOD_LOAD,
	MOD_UNLOAD,
	MOD_SHUTDOWN,
	MOD_QUIESCE
} modeventtype_t;
typedef struct module *module_t;
typedef int (*modeventhand_t)(module_t, int, void *);
typedef struct moduledata {
	const char *name;
	modeventhand_t evhand;
	void *priv;
} moduledata_t;

void	module_register_init(const void *);

#define DECLARE_MODULE(name, data, sub, order)				\
	SYSINIT(name##module, sub, order, module_register_init, &data);	\
	struct __hack
#define MODULE_VERSION(name, version) struct __hack
#define MODULE_DEPEND(name, on, vmin, vpref, vmax) struct __hack

#endif
