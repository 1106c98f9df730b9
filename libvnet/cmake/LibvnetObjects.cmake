# SPDX-License-Identifier: BSD-2-Clause
#
# What LibvnetBuild.cmake builds with: kernel-world objects, and all of a
# program's as one.
include_guard(GLOBAL)

# Arguments that make no sense, in one line.
function(_libvnet_arguments function name unknown missing)
  if(unknown)
    list(JOIN unknown " " unknown)
    message(FATAL_ERROR "${function}(${name}): unknown argument: ${unknown}")
  endif()
  if(missing)
    list(JOIN missing " " missing)
    message(FATAL_ERROR "${function}(${name}): no value after ${missing}")
  endif()
  if(TARGET ${name})
    message(FATAL_ERROR "${function}(${name}): there is a target of that name already")
  endif()
endfunction()

function(_libvnet_files program out)
  set(absolute "")
  foreach(source IN LISTS ARGN)
    get_filename_component(path "${source}" ABSOLUTE)
    get_source_file_property(generated "${path}" GENERATED)
    if(NOT EXISTS "${path}" AND NOT generated)
      message(FATAL_ERROR "libvnet: ${program}: there is no file ${path}")
    endif()
    list(APPEND absolute "${path}")
  endforeach()
  set(${out} "${absolute}" PARENT_SCOPE)
endfunction()

# Objects that are there already: libvnet-cc's cached runtime, or given ones.
function(_libvnet_made_objects target sysdir options objects)
  add_library(${target} OBJECT IMPORTED GLOBAL)
  set_target_properties(${target} PROPERTIES IMPORTED_OBJECTS "${objects}"
    LIBVNET_KERNEL_OPTIONS "${options}" LIBVNET_KERNEL_INCLUDES "" LIBVNET_KERNEL_SYSDIR "${sysdir}"
    LIBVNET_KERNEL_SOURCES "${ARGN}")
endfunction()

# One OBJECT library of kernel-world sources, compiled with these flags more.
# What a project says for all its files (include folders, C standard, IPO) is
# about host world and stays out.
function(_libvnet_objects target sysdir options includes more)
  if(DEFINED LIBVNET_MADE_${target})
    _libvnet_made_objects(${target} "${sysdir}" "${options}" "${LIBVNET_MADE_${target}}" ${LIBVNET_MADE_${target}_SOURCES})
    return()
  endif()
  _libvnet_files(${target} sources ${ARGN})
  if(sysdir)
    _libvnet_tree_optdir("${sysdir}" "${options}" optdir)
    _libvnet_tree_options("${sysdir}" "${options}" "${sources}" "${optdir}" defs)
    _libvnet_tree_get("${sysdir}" INCLUDES headers)
  else()
    string(MD5 key "${target};${options}")
    set(optdir ${CMAKE_BINARY_DIR}/libvnet-opt/${key})
    _libvnet_options("${options}" "${sources}" "${optdir}" defs)
    set(headers ${LIBVNET_INCLUDE_DIR}/base)
  endif()
  set(system "")
  if(sysdir)	# what a compiler thinks of a tree's headers is not shown
    set(system SYSTEM)
  endif()
  _libvnet_kernel_flags(flags "${sysdir}")
  add_library(${target} OBJECT ${sources})
  foreach(source IN LISTS sources)	# see net/vnet.h
    string(MD5 unit "${source}")
    string(SUBSTRING ${unit} 0 8 unit)
    get_property(definitions GLOBAL PROPERTY LIBVNET_DEFINITIONS_${source})	# see `stack'
    set_property(SOURCE ${source} PROPERTY COMPILE_DEFINITIONS LIBVNET_UNIT="${unit}" ${definitions})
  endforeach()
  set(instrument "")
  # A fuzz target's own branches are to be found too; a test's are none.
  if(NOT target MATCHES "_harness$" OR _libvnet_fuzz_target)
    _libvnet_fuzz_flags(fuzz instrument)
    list(APPEND flags ${fuzz})
  endif()
  set_target_properties(${target} PROPERTIES INCLUDE_DIRECTORIES ""
    C_STANDARD 11 C_EXTENSIONS ON UNITY_BUILD OFF POSITION_INDEPENDENT_CODE OFF
    INTERPROCEDURAL_OPTIMIZATION OFF DISABLE_PRECOMPILE_HEADERS ON
    LIBVNET_KERNEL_OPTIONS "${options}" LIBVNET_KERNEL_INCLUDES "${includes}"
    LIBVNET_KERNEL_SYSDIR "${sysdir}" LIBVNET_KERNEL_SOURCES "${sources}")
  target_compile_options(${target} PRIVATE ${flags} ${defs}
    "SHELL:-include \"${LIBVNET_INCLUDE_DIR}/kern/kern_names.h\"" ${more})
  set(launcher ${CMAKE_C_COMPILER_LAUNCHER})
  if(LIBVNET_EXPLORE)
    _libvnet_explore_launcher(launcher)
    set_target_properties(${target} PROPERTIES C_COMPILER_LAUNCHER "${launcher}")
    # Of the runtime, what a tree brings itself; see libvnet_add_runtime().
    if(NOT target MATCHES "^libvnet_runtime_" OR target MATCHES "_pool$")
      target_compile_options(${target} PRIVATE -DLVK_INSTRUMENTED)
    endif()
  endif()
  target_include_directories(${target} PRIVATE
    ${LIBVNET_INCLUDE_DIR}/kern ${includes} ${optdir} ${LIBVNET_INCLUDE_DIR}
    ${LIBVNET_FOREIGN_DIR})
  target_include_directories(${target} ${system} PRIVATE ${headers})
  if(sysdir)
    _libvnet_tree_generated(${target} "${sysdir}" "${includes}" ${sources})
    list(APPEND instrument -s ${sysdir})
  endif()
  if(target MATCHES "_pool$")
    list(APPEND instrument -e)
  endif()
  # The compiler is called by a script that says in a line what is wrong.
  if(instrument OR LIBVNET_EXPLAIN)
    set(launcher sh ${_libvnet_cmake_dir}/treecc.sh ${instrument} -- ${launcher})
    set_target_properties(${target} PROPERTIES C_COMPILER_LAUNCHER "${launcher}")
  endif()
endfunction()

# All kernel-world objects of a program as one relocatable object.
function(_libvnet_kernel_object program sysdir options stubs wrap runtime under test stack out_sources)
  set(dir ${CMAKE_CURRENT_BINARY_DIR}/${program}.kernel)
  file(MAKE_DIRECTORY ${dir})
  set(libs ${runtime} ${under} ${test} ${stack})
  if(sysdir)
    list(APPEND libs ${runtime}_pool)
  endif()
  set(objects "")
  foreach(lib IN LISTS libs)
    list(APPEND objects $<TARGET_OBJECTS:${lib}>)
  endforeach()
  _libvnet_relocatable_flags(flags)
  find_program(LIBVNET_READELF NAMES ${CMAKE_READELF} readelf llvm-readelf llvm-readelf-14)
  if(NOT LIBVNET_READELF)
    message(FATAL_ERROR "libvnet: readelf is missing (Debian: binutils); it reads what the linker made")
  endif()
  set(names "${LIBVNET_INCLUDE_DIR}/kern/kern_names.h")
  foreach(function IN LISTS wrap)
    file(STRINGS ${names} renamed REGEX "^#pragma redefine_extname ${function} ")
    string(REGEX REPLACE ".* " "" renamed "${renamed}")
    if(renamed)
      set(function ${renamed})
    endif()
    list(APPEND flags "-Wl,--wrap=${function}")
  endforeach()
  if(sysdir)
    _libvnet_tree_link(${program} "${sysdir}" "${options}" ${runtime} ${dir} "${under}" "${test}" "${stack}" command)
    list(APPEND objects ${dir}/host)	# which libraries there are
    list(APPEND command -S "${stubs}" -n ${names} -r ${LIBVNET_READELF} -- ${CMAKE_C_COMPILER} ${flags})
  else()
    # In a file, so that a failing command can be read.
    file(GENERATE OUTPUT ${dir}/objects CONTENT "$<JOIN:${objects},\n>\n")
    set(command sh ${_libvnet_cmake_dir}/kernlink.sh -o ${dir}/kernel.o -m ${dir}/manifest.c
      -n ${names} -r ${LIBVNET_READELF} -- ${CMAKE_C_COMPILER} ${flags} @${dir}/objects)
  endif()
  file(GLOB tools ${_libvnet_cmake_dir}/*.sh ${_libvnet_cmake_dir}/*.awk)
  add_custom_command(OUTPUT ${dir}/kernel.o ${dir}/manifest.c
    COMMAND ${command}
    DEPENDS ${objects} ${names} ${tools} ${_libvnet_cmake_dir}/kernlink.ld ${_libvnet_cmake_dir}/known-faults
    COMMENT "Linking the kernel world of ${program}"
    COMMAND_EXPAND_LISTS VERBATIM)
  set_source_files_properties(${dir}/kernel.o PROPERTIES EXTERNAL_OBJECT TRUE GENERATED TRUE)
  if(LIBVNET_EXPLAIN)
    add_custom_target(libvnet_kernel_${program} DEPENDS ${dir}/kernel.o)
    add_dependencies(libvnet_kernel_${program} ${libs})	# make knows no files of other targets
  endif()
  set(${out_sources} ${dir}/kernel.o ${dir}/manifest.c PARENT_SCOPE)
endfunction()

# A sanitizer is a matter of the whole process: what the library itself was
# built with must go with it.
function(_libvnet_sanitizer_fits program)
  if(CMAKE_C_FLAGS MATCHES "-fsanitize=")
    message(FATAL_ERROR "libvnet: ${program}: CMAKE_C_FLAGS asks for a sanitizer; say LIBVNET_SANITIZE=address, thread or memory instead, so that libvnet knows")
  endif()
  if(NOT DEFINED LIBVNET_HOST_SANITIZE OR LIBVNET_HOST_SANITIZE STREQUAL LIBVNET_SANITIZE)
    return()
  endif()
  if(LIBVNET_SANITIZE STREQUAL "memory")
    message(FATAL_ERROR "libvnet: LIBVNET_SANITIZE=memory needs a libvnet that was itself built so (preset msan)")
  elseif(NOT LIBVNET_HOST_SANITIZE STREQUAL "")
    message(FATAL_ERROR "libvnet: this libvnet was built with LIBVNET_SANITIZE=${LIBVNET_HOST_SANITIZE}, ${program} is not; set it here too or install a libvnet without")
  endif()
endfunction()

# The component libvnet::<part>, or one line that says what it lacks.
function(_libvnet_link_part program part)
  if(NOT TARGET libvnet::${part})
    set(why "it was not built")
    if(DEFINED LIBVNET_${part}_WHY)
      set(why "${LIBVNET_${part}_WHY}")
    endif()
    message(FATAL_ERROR "libvnet: ${program} needs libvnet::${part}: ${why}")
  endif()
  target_link_libraries(${program} PRIVATE libvnet::${part})
endfunction()
