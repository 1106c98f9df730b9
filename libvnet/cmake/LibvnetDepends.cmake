# SPDX-License-Identifier: BSD-2-Clause
#
# What libvnet needs of others.  Used by its own build and, as an installed
# file, by its users' builds, which have to find the same things again.
#
#   _libvnet_find(WHAT MODULE DEBIAN)    PkgConfig::LIBVNET_<WHAT>, if found
#   _libvnet_missing(OUT WHAT)           one line for a person, or ""
#   libvnet_foreign_headers(DIR)         the headers that kernel world borrows
include_guard(GLOBAL)

macro(_libvnet_find what module debian)
  set(LIBVNET_${what}_MODULE ${module})
  set(LIBVNET_${what}_DEBIAN ${debian})
  if(NOT TARGET PkgConfig::LIBVNET_${what} AND PKG_CONFIG_FOUND)
    pkg_check_modules(LIBVNET_${what} QUIET IMPORTED_TARGET GLOBAL ${module})
  endif()
endmacro()

# What was not found, and how to get it.
function(_libvnet_missing out what)
  set(text "")
  if(NOT PKG_CONFIG_FOUND)
    set(text "pkg-config is missing (Debian: pkg-config)")
  elseif(NOT TARGET PkgConfig::LIBVNET_${what})
    set(text "${LIBVNET_${what}_MODULE} is missing (Debian: ${LIBVNET_${what}_DEBIAN})")
  endif()
  set(${out} "${text}" PARENT_SCOPE)
endfunction()

set(THREADS_PREFER_PTHREAD_FLAG ON)
find_package(Threads QUIET)
find_package(PkgConfig QUIET)
_libvnet_find(BSD libbsd libbsd-dev)
_libvnet_find(CMOCKA cmocka libcmocka-dev)
_libvnet_find(DW libdw libdw-dev)
_libvnet_find(JEMALLOC jemalloc libjemalloc-dev)
_libvnet_find(PCAP libpcap libpcap-dev)
find_path(LIBVNET_BSD_DIR bsd/sys/queue.h HINTS ${LIBVNET_BSD_INCLUDE_DIRS})
find_path(LIBVNET_CMOCKA_DIR cmocka.h HINTS ${LIBVNET_CMOCKA_INCLUDE_DIRS})
mark_as_advanced(LIBVNET_BSD_DIR LIBVNET_CMOCKA_DIR)

# Kernel world is compiled with -nostdinc, and may still see three headers of
# the host: libbsd's queue.h and tree.h, and in test files cmocka.h.  They are
# copied to a folder of their own, so that nothing beside them is seen.
function(libvnet_foreign_headers dir)
  configure_file(${LIBVNET_BSD_DIR}/bsd/sys/queue.h ${dir}/libvnet_bsd/queue.h COPYONLY)
  configure_file(${LIBVNET_BSD_DIR}/bsd/sys/tree.h ${dir}/libvnet_bsd/tree.h COPYONLY)
  if(LIBVNET_CMOCKA_DIR)
    configure_file(${LIBVNET_CMOCKA_DIR}/cmocka.h ${dir}/libvnet_cmocka/cmocka.h COPYONLY)
  endif()
endfunction()
