# SPDX-License-Identifier: BSD-2-Clause
#
# What is shipped.  The host side as a binary; kernel world (kern, base, net
# and their headers) as sources, because layouts depend on the user's kernel
# headers, options and sanitizer.  Used by libvnet's own build only.
#
#   lib/libvnet*.a, lib/cmake/libvnet, lib/pkgconfig, include/libvnet
#   share/libvnet/{include,seam,kern,base,net,cmake}, share/libvnet/gdb
#
# share/libvnet/include has a copy of the public headers: kernel world cannot
# look into the folder that has libc's beside them.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(share ${CMAKE_INSTALL_DATADIR}/libvnet)
set(config ${CMAKE_INSTALL_LIBDIR}/cmake/libvnet)
get_property(parts GLOBAL PROPERTY LIBVNET_PARTS)
get_property(targets GLOBAL PROPERTY LIBVNET_HOST_TARGETS)
set(LIBVNET_HAVE_DW 0)
if(TARGET PkgConfig::LIBVNET_DW)
  set(LIBVNET_HAVE_DW 1)
endif()

install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/libvnet DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include DESTINATION ${share})
foreach(dir seam kern base net)
  if(EXISTS ${PROJECT_SOURCE_DIR}/libvnet/${dir})
    install(DIRECTORY ${PROJECT_SOURCE_DIR}/libvnet/${dir} DESTINATION ${share} FILES_MATCHING PATTERN *.[ch])
  endif()
endforeach()
install(DIRECTORY ${PROJECT_SOURCE_DIR}/libvnet/gdb DESTINATION ${share} FILES_MATCHING PATTERN *.py)
file(GLOB tools CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/*.cmake ${CMAKE_CURRENT_LIST_DIR}/*.sh
  ${CMAKE_CURRENT_LIST_DIR}/*.awk ${CMAKE_CURRENT_LIST_DIR}/*.ld)
list(REMOVE_ITEM tools ${CMAKE_CURRENT_LIST_FILE} ${CMAKE_CURRENT_LIST_DIR}/cards.sh)
foreach(data options providers stack statistics known-faults libc-names)
  list(APPEND tools ${CMAKE_CURRENT_LIST_DIR}/${data})
endforeach()
install(FILES ${tools} DESTINATION ${share}/cmake)

# One set of exported targets a component: a component whose dependency is
# missing at the user's does not spoil the others.
foreach(part target IN ZIP_LISTS parts targets)
  install(TARGETS ${target} EXPORT libvnet_${part} ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
  install(EXPORT libvnet_${part} FILE libvnet-${part}.cmake NAMESPACE libvnet:: DESTINATION ${config})
  export(EXPORT libvnet_${part} FILE ${PROJECT_BINARY_DIR}/package/libvnet-${part}.cmake NAMESPACE libvnet::)
endforeach()

# The package configuration, for the installed copy and for the build tree.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/package/libvnetConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
set(LIBVNET_SHARE ${share})
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/libvnetConfig.cmake.in
  ${PROJECT_BINARY_DIR}/installed/libvnetConfig.cmake
  INSTALL_DESTINATION ${config} PATH_VARS LIBVNET_SHARE)
install(FILES ${PROJECT_BINARY_DIR}/installed/libvnetConfig.cmake
  ${PROJECT_BINARY_DIR}/package/libvnetConfigVersion.cmake DESTINATION ${config})
set(LIBVNET_SHARE "")
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/libvnetConfig.cmake.in
  ${PROJECT_BINARY_DIR}/package/libvnetConfig.cmake
  INSTALL_DESTINATION package INSTALL_PREFIX ${PROJECT_BINARY_DIR} PATH_VARS LIBVNET_SHARE)

# pkg-config: a file a component, and in the first what a Makefile needs to
# compile and link kernel world.  The prefix is told from the file's place, so
# that `cmake --install --prefix' may name another.
set(LIBVNET_PC_PREFIX ${CMAKE_INSTALL_PREFIX})
if(NOT IS_ABSOLUTE "${CMAKE_INSTALL_LIBDIR}")
  file(RELATIVE_PATH up /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
  string(REGEX REPLACE "/$" "" up "${up}")
  set(LIBVNET_PC_PREFIX "\${pcfiledir}/${up}")
endif()
list(JOIN _libvnet_kernel_base_flags " " LIBVNET_KERNEL_CFLAGS)
set(LIBVNET_PC_REQUIRES libbsd)
if(LIBVNET_HAVE_DW)
  string(APPEND LIBVNET_PC_REQUIRES " libdw")
endif()
if(LIBVNET_SANITIZE)
  _libvnet_sanitize_flags(flags)
  list(JOIN flags " " flags)
  string(APPEND LIBVNET_KERNEL_CFLAGS " ${flags}")
  set(LIBVNET_PC_LIBS " ${flags}")
endif()
if(CMAKE_DL_LIBS)
  string(APPEND LIBVNET_PC_LIBS " -l${CMAKE_DL_LIBS}")
endif()
set(pc_test cmocka)
set(pc_packet libpcap)
foreach(part IN LISTS parts)
  set(LIBVNET_PC_PART ${part})
  set(LIBVNET_PC_PART_REQUIRES ${pc_${part}})
  set(file libvnet_${part}.pc)
  set(template libvnet_part.pc.in)
  if(part STREQUAL "libvnet")
    set(file libvnet.pc)
    set(template libvnet.pc.in)
  endif()
  configure_file(${CMAKE_CURRENT_LIST_DIR}/${template} ${PROJECT_BINARY_DIR}/installed/${file} @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/installed/${file} DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endforeach()

# The compiler wrapper: a few lines that know where the rest is.
set(LIBVNET_CC_SHARE "\$prefix/${share}/cmake")
set(LIBVNET_CC_PACKAGE "\$prefix/${config}")
string(REGEX REPLACE "[^/]+" ".." LIBVNET_CC_UP "${CMAKE_INSTALL_BINDIR}")
configure_file(${CMAKE_CURRENT_LIST_DIR}/libvnet-cc.in ${PROJECT_BINARY_DIR}/installed/libvnet-cc @ONLY)
install(PROGRAMS ${PROJECT_BINARY_DIR}/installed/libvnet-cc DESTINATION ${CMAKE_INSTALL_BINDIR})
set(LIBVNET_CC_SHARE ${CMAKE_CURRENT_LIST_DIR})
set(LIBVNET_CC_PACKAGE ${PROJECT_BINARY_DIR}/package)
configure_file(${CMAKE_CURRENT_LIST_DIR}/libvnet-cc.in ${PROJECT_BINARY_DIR}/bin/libvnet-cc @ONLY
  FILE_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
