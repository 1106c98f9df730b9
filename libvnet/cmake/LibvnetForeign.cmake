# SPDX-License-Identifier: BSD-2-Clause
#
# Kernel world is compiled with -nostdinc, and may still see three headers of
# the host: libbsd's queue.h and tree.h, and in test files cmocka.h.  They are
# copied to a folder of their own, so that nothing beside them is seen.
function(libvnet_foreign_headers dir bsd cmocka)
  configure_file(${bsd}/bsd/sys/queue.h ${dir}/libvnet_bsd/queue.h COPYONLY)
  configure_file(${bsd}/bsd/sys/tree.h ${dir}/libvnet_bsd/tree.h COPYONLY)
  configure_file(${cmocka}/cmocka.h ${dir}/libvnet_cmocka/cmocka.h COPYONLY)
endfunction()
