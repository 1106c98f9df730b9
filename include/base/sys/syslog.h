/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef _SYS_SYSLOG_H_
#define _SYS_SYSLOG_H_

#define LOG_EMERG 0
#define LOG_ALERT 1
#define LOG_CRIT 2
#define LOG_ERR 3
#define LOG_WARNING 4
#define LOG_NOTICE 5
#define LOG_INFO 6
#define LOG_DEBUG 7
#define LOG_PRIMASK 0x07
#define LOG_PRI(p) ((p) & LOG_PRIMASK)

#endif
