/* SPDX-License-Identifier: BSD-2-Clause */
/* The debugger's commands, run by a test. */
#include <sys/param.h>
#include <sys/systm.h>
#include <sys/kdb.h>
#include <sys/kernel.h>
#include <ddb/ddb.h>

#include <libvnet/test.h>

DB_COMMAND(poke, db_poke)
{
	db_printf("poke %lx %d %s active %d\n", (long)addr, have_addr, modif,
	    kdb_active);
}

DB_SHOW_COMMAND(vnetlist, db_show_vnetlist)
{
	db_printf("the list of vnets\n");
}

DB_SHOW_COMMAND(vnetlock, db_show_vnetlock)
{
	db_printf("the lock of vnets\n");
}

DB_SHOW_ALL_COMMAND(vnets, db_show_all_vnets)
{
	db_printf("all vnets\n");
}

/* Reads its own words. */
_DB_FUNC(_show, route, db_show_route, db_show_table, CS_OWN, NULL)
{
	db_printf("route to%s\n", db_get_line());
	db_skip_to_eol();
	db_indent = 2;
	db_iprintf("via nobody\n");
}

LIBVNET_TEST(command_gets_its_address_and_modifier)
{
	assert_int_equal(libvnet_ddb("poke/x 0x1f"), 0);
	assert_int_equal(libvnet_log_count("poke 1f 1 x active 1"), 1);
	assert_int_equal(libvnet_ddb("poke"), 0);
	assert_int_equal(libvnet_log_count("poke 0 0  active 1"), 1);
	assert_int_equal(kdb_active, 0);
}

LIBVNET_TEST(show_and_show_all_have_commands_of_their_own)
{
	assert_int_equal(libvnet_ddb("show vnetlist"), 0);
	assert_int_equal(libvnet_log_count("the list of vnets"), 1);
	assert_int_equal(libvnet_ddb("show all vnets"), 0);
	assert_int_equal(libvnet_log_count("all vnets"), 1);
	assert_int_equal(libvnet_ddb("vnetlist"), LIBVNET_ENOENT);
}

LIBVNET_TEST(name_may_be_cut_short_while_it_is_one)
{
	assert_int_equal(libvnet_ddb("show vnetli"), 0);
	assert_int_equal(libvnet_ddb("show vnetl"), LIBVNET_ENOENT);
	assert_int_equal(libvnet_ddb("show all v"), 0);
	assert_int_equal(libvnet_ddb("show"), LIBVNET_ENOENT);
	assert_int_equal(libvnet_ddb(""), LIBVNET_ENOENT);
	assert_int_equal(libvnet_ddb(NULL), LIBVNET_EINVAL);
}

LIBVNET_TEST(command_may_read_the_rest_of_the_line_itself)
{
	assert_int_equal(libvnet_ddb("show route 10.0.0.1"), 0);
	assert_int_equal(libvnet_log_count("route to 10\\.0\\.0\\.1"), 1);
	assert_int_equal(libvnet_log_count("  via nobody"), 1);
}

LIBVNET_TEST(entering_the_debugger_ends_the_test)
{
	libvnet_expect_panic("KDB: enter: panic: out of luck");
	kdb_enter(KDB_WHY_PANIC, "out of luck");
}
