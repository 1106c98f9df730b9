/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef _DDB_DDB_H_
#define _DDB_DDB_H_

#include <sys/types.h>
#include <sys/kernel.h>
#include <sys/queue.h>

typedef vm_offset_t db_addr_t;
typedef long db_expr_t;
typedef void db_cmdfcn_t(db_expr_t, bool, db_expr_t, char *);

struct command;
LIST_HEAD(command_table, command);
extern struct command_table db_cmd_table;
extern struct command_table db_show_table;
extern struct command_table db_show_all_table;

struct command {
	char *name;
	db_cmdfcn_t *fcn;
	int flag;
	struct command_table *more;
	LIST_ENTRY(command) next;
};
#define CS_OWN 0x1
#define CS_MORE 0x2
#define CS_SET_DOT 0x100

#define _DB_SET(_suffix, _name, _func, list, _flag, _more)		\
	static struct command __CONCAT(_name, _suffix) = {		\
		.name = __DECONST(char *, __STRING(_name)),		\
		.fcn = (_func),						\
		.flag = (_flag),					\
		.more = (_more)						\
	};								\
	static void							\
	__CONCAT(__CONCAT(_name, _suffix), _add)(void *arg __unused)	\
	{								\
		db_command_register(&list, &__CONCAT(_name, _suffix));	\
	}								\
	SYSINIT(__CONCAT(_name, _suffix), SI_SUB_KLD, SI_ORDER_ANY,	\
	    __CONCAT(__CONCAT(_name, _suffix), _add), NULL);		\
	static void							\
	__CONCAT(__CONCAT(_name, _suffix), _del)(void *arg __unused)	\
	{								\
		db_command_unregister(&list, &__CONCAT(_name, _suffix));	\
	}								\
	SYSUNINIT(__CONCAT(_name, _suffix), SI_SUB_KLD, SI_ORDER_ANY,	\
	    __CONCAT(__CONCAT(_name, _suffix), _del), NULL)
#define _DB_FUNC(_suffix, _name, _func, list, _flag, _more)		\
	static db_cmdfcn_t _func;					\
	_DB_SET(_suffix, _name, _func, list, _flag, _more);		\
	static void							\
	_func(db_expr_t addr __unused, bool have_addr __unused,		\
	    db_expr_t count __unused, char *modif __unused)
#define DB_COMMAND(name, func) \
	_DB_FUNC(_cmd, name, func, db_cmd_table, 0, NULL)
#define DB_SHOW_COMMAND(name, func) \
	_DB_FUNC(_show, name, func, db_show_table, 0, NULL)
#define DB_SHOW_ALL_COMMAND(name, func) \
	_DB_FUNC(_show_all, name, func, db_show_all_table, 0, NULL)

extern int db_indent;
extern volatile int db_pager_quit;

void	db_command_register(struct command_table *, struct command *);
void	db_command_unregister(struct command_table *, struct command *);
void	db_error(const char *);
char	*db_get_line(void);
void	db_iprintf(const char *, ...) __printflike(1, 2);
int	db_printf(const char *, ...) __printflike(1, 2);
void	db_skip_to_eol(void);

#endif
