# SPDX-License-Identifier: BSD-2-Clause
#
# How kernel-world code is built and linked.  Used inside the project and by
# its users alike: the same file is installed, and only the folders in
# LIBVNET_*_DIR differ.
#
#   libvnet_add_runtime(TARGET_VARIABLE [OPTIONS ...] [SYSDIR dir])
#   libvnet_add_kernel_objects(NAME SOURCES ... [OPTIONS ...] [INCLUDES ...] [SYSDIR dir])
#   libvnet_add_test(NAME SOURCES ... [KERNEL ...] [OPTIONS ...] [HOST ...] [SYSDIR dir])
#   libvnet_add_fuzzer(NAME SOURCES ... [KERNEL ...] [OPTIONS ...] [SEEDS dir] [SYSDIR dir])
#   libvnet_add_program(NAME [SOURCES ...] [KERNEL ...] [OPTIONS ...] HOST ... [SYSDIR dir])
#
# SYSDIR is sys/ of a FreeBSD tree, whose headers take the place of libvnet's
# own and whose files supply what runs unmodified (see LibvnetTree.cmake);
# default: LIBVNET_SYSDIR.  SYSDIR NONE is libvnet's own headers.  On a tree a
# program may have
#   STACK net netinet ...   these parts of its network stack, whole; see `stack'
#   STUBS ON|OFF|panic      what is nowhere defined becomes a stub (panic with
#                           STACK, else ON)
#
# WRAP name ...: those who call the function `name' (all kernel world, but for
# the file that defines it) come to __wrap_name(), which a test file defines;
# it calls the function itself as __real_name().  For what kern_names.h
# renames it is __wrap_lvk_name() and __real_lvk_name().
#
# OPTIONS are kernel options, as in a kernel configuration file: VIMAGE, SMP,
# INVARIANTS are global; INET goes to opt_inet.h, FOO=3 to opt_foo.h, and
# "opt_bar.h:FOO=3" to opt_bar.h.  Default: LIBVNET_OPTIONS.  NO_VIMAGE takes
# VIMAGE out.
include_guard(GLOBAL)

set(LIBVNET_OPTIONS VIMAGE INET INET6 CACHE STRING "kernel options where none are given")
set(LIBVNET_CHECKS ON CACHE BOOL "compile the kernel-rule checks (INVARIANTS) in")
set(LIBVNET_SANITIZE "" CACHE STRING "address (with undefined), undefined, thread, memory, or empty")
set(LIBVNET_FUZZ "" CACHE STRING "fuzzing engine: afl, libfuzzer, or empty (replay)")
set(LIBVNET_COVERAGE OFF CACHE BOOL "gcov or llvm-cov instrumentation of kernel-world code")
set(LIBVNET_LTO OFF CACHE BOOL "link-time optimisation inside the kernel object")
set(LIBVNET_LD "" CACHE STRING "linker: bfd, lld, or empty for the compiler's own")
set(LIBVNET_EXPLORE "" CACHE STRING "exploration sees accesses by tsan, coverage (clang), or not at all")
set_property(CACHE LIBVNET_EXPLORE PROPERTY STRINGS "" tsan coverage)
set_property(CACHE LIBVNET_SANITIZE PROPERTY STRINGS "" address undefined thread memory)
set_property(CACHE LIBVNET_FUZZ PROPERTY STRINGS "" afl libfuzzer)
set_property(CACHE LIBVNET_LD PROPERTY STRINGS "" bfd lld)

set(_libvnet_cmake_dir ${CMAKE_CURRENT_LIST_DIR})
include(${CMAKE_CURRENT_LIST_DIR}/LibvnetDepends.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/LibvnetFlags.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/LibvnetTree.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/LibvnetTreeLink.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/LibvnetObjects.cmake)

# ---- what users call ------------------------------------------------------

# The runtime (libvnet/kern and base) for these options, built once in a
# build tree for each set of options; compiler and flags are the tree's.  On a
# kernel tree base stays out, and <target>_pool has what the tree brings.
function(libvnet_add_runtime variable)
  cmake_parse_arguments(PARSE_ARGV 1 a "" "SYSDIR" "OPTIONS")
  _libvnet_arguments(libvnet_add_runtime "${variable}" "${a_UNPARSED_ARGUMENTS}" "")
  _libvnet_sysdir("${a_SYSDIR}" sysdir)
  _libvnet_effective_options("${a_OPTIONS}" options)
  _libvnet_kernel_flags(flags "${sysdir}")
  set(what base)
  if(sysdir)
    set(what "${sysdir}")
  endif()
  string(MD5 key "${what};${options};${CMAKE_C_COMPILER};${CMAKE_C_FLAGS};${flags};${CMAKE_BUILD_TYPE}")
  string(SUBSTRING ${key} 0 8 key)
  set(target libvnet_runtime_${key})
  if(NOT "VIMAGE" IN_LIST options)
    set(target libvnet_runtime_novimage_${key})
  endif()
  if(NOT TARGET ${target})
    if(sysdir)
      file(GLOB sources CONFIGURE_DEPENDS ${LIBVNET_KERNEL_DIR}/kern/*.c)
      _libvnet_tree_pool(${target}_pool "${sysdir}" "${options}")
    else()
      file(GLOB sources CONFIGURE_DEPENDS ${LIBVNET_KERNEL_DIR}/kern/*.c ${LIBVNET_KERNEL_DIR}/base/*.c)
    endif()
    set(warnings -Wall -Wextra -Wno-unused-parameter -Wno-sign-compare)
    if(sysdir)
      set(warnings ${_libvnet_tree_warnings})
    endif()
    _libvnet_objects(${target} "${sysdir}" "${options}" "${LIBVNET_KERNEL_DIR}/kern;${LIBVNET_SEAM_DIR}"
      "${warnings}" ${sources})
    if(LIBVNET_EXPLORE)
      list(FILTER sources EXCLUDE REGEX "/libvnet/kern/[^/]*$")
      set_property(SOURCE ${sources} APPEND PROPERTY COMPILE_OPTIONS -DLVK_INSTRUMENTED)
    endif()
  endif()
  set(${variable} ${target} PARENT_SCOPE)
endfunction()

function(libvnet_add_kernel_objects name)
  cmake_parse_arguments(PARSE_ARGV 1 a "" "SYSDIR" "SOURCES;OPTIONS;INCLUDES")
  _libvnet_arguments(libvnet_add_kernel_objects ${name} "${a_UNPARSED_ARGUMENTS}" "${a_KEYWORDS_MISSING_VALUES}")
  if(NOT a_SOURCES)
    message(FATAL_ERROR "libvnet_add_kernel_objects(${name}): give SOURCES")
  endif()
  _libvnet_sysdir("${a_SYSDIR}" sysdir)
  _libvnet_effective_options("${a_OPTIONS}" options)
  set(includes "")
  foreach(dir IN LISTS a_INCLUDES)
    get_filename_component(dir "${dir}" ABSOLUTE)
    list(APPEND includes "${dir}")
  endforeach()
  set(warnings "")
  if(sysdir)
    set(warnings ${_libvnet_tree_warnings})
  endif()
  _libvnet_objects(${name} "${sysdir}" "${options}" "${includes}" "${warnings}" ${a_SOURCES})
endfunction()

# Options and include folders of a program: its own and its KERNEL objects'.
# One program has one tree and one set of options.
function(_libvnet_program_kernel program given_sysdir given kernel out_sysdir out_options out_includes out_sources)
  set(options "${given}")
  set(sysdir "${given_sysdir}")
  set(includes "")
  set(sources "")
  foreach(lib IN LISTS kernel)
    set(theirs NOTFOUND)
    if(TARGET ${lib})
      get_property(made TARGET ${lib} PROPERTY LIBVNET_KERNEL_OPTIONS SET)
    endif()
    if(NOT TARGET ${lib} OR NOT made)
      message(FATAL_ERROR "libvnet: ${program}: KERNEL ${lib} was not made by libvnet_add_kernel_objects()")
    endif()
    get_property(tree TARGET ${lib} PROPERTY LIBVNET_KERNEL_SYSDIR)
    if(NOT sysdir)
      set(sysdir "${tree}")
      if(NOT tree)
        set(sysdir NONE)
      endif()
    endif()
    _libvnet_sysdir("${sysdir}" my_tree)
    if(NOT my_tree STREQUAL "${tree}")
      message(FATAL_ERROR "libvnet: ${program} and ${lib} have different SYSDIR: \"${my_tree}\" and \"${tree}\"")
    endif()
    get_target_property(theirs ${lib} LIBVNET_KERNEL_OPTIONS)
    if(NOT options)
      set(options "${theirs}")
      if(NOT "VIMAGE" IN_LIST theirs)
        list(APPEND options NO_VIMAGE)
      endif()
    endif()
    _libvnet_effective_options("${options}" mine)
    if(NOT "${mine}" STREQUAL "${theirs}")
      list(JOIN mine " " mine)
      list(JOIN theirs " " theirs)
      message(FATAL_ERROR "libvnet: ${program} has the options \"${mine}\" but ${lib} \"${theirs}\"; give both the same OPTIONS")
    endif()
    get_target_property(dirs ${lib} LIBVNET_KERNEL_INCLUDES)
    if(dirs)
      list(APPEND includes ${dirs})
    endif()
    get_property(files TARGET ${lib} PROPERTY LIBVNET_KERNEL_SOURCES)
    list(APPEND sources ${files})
  endforeach()
  _libvnet_sysdir("${sysdir}" sysdir)
  if(NOT sysdir)
    set(sysdir NONE)
  endif()
  set(${out_sysdir} "${sysdir}" PARENT_SCOPE)
  set(${out_options} "${options}" PARENT_SCOPE)
  set(${out_includes} "${includes}" PARENT_SCOPE)
  set(${out_sources} "${sources}" PARENT_SCOPE)
endfunction()

function(libvnet_add_program name)
  cmake_parse_arguments(PARSE_ARGV 1 a "" "SYSDIR;STUBS" "SOURCES;KERNEL;OPTIONS;HOST;INCLUDES;STACK;WRAP")
  _libvnet_arguments(libvnet_add_program ${name} "${a_UNPARSED_ARGUMENTS}" "")
  _libvnet_sanitizer_fits(${name})
  string(TOLOWER "${a_STUBS}" how)
  if(NOT how MATCHES "^(|on|off|yes|no|true|false|1|0|panic)$")
    message(FATAL_ERROR "libvnet: ${name}: STUBS ${a_STUBS}: it can be ON, OFF or panic")
  endif()
  get_property(multi GLOBAL PROPERTY GENERATOR_IS_MULTI_CONFIG)
  if(multi)
    message(FATAL_ERROR "libvnet: ${name}: the generator \"${CMAKE_GENERATOR}\" has several configurations in one tree; use Ninja or Unix Makefiles")
  endif()
  _libvnet_program_kernel(${name} "${a_SYSDIR}" "${a_OPTIONS}" "${a_KERNEL}" given_sysdir options includes kernel_sources)
  foreach(dir IN LISTS a_INCLUDES)
    get_filename_component(dir "${dir}" ABSOLUTE)
    list(APPEND includes "${dir}")
  endforeach()
  libvnet_add_runtime(runtime SYSDIR "${given_sysdir}" OPTIONS ${options})
  _libvnet_sysdir("${given_sysdir}" sysdir)
  _libvnet_effective_options("${options}" options)
  set(harness "")
  if(a_SOURCES)
    set(harness ${name}_harness)
    _libvnet_objects(${harness} "${sysdir}" "${options}" "${includes}" "" ${a_SOURCES})
  endif()
  set(stack "")
  set(stubs "")
  _libvnet_files(${name} sources ${a_SOURCES})
  list(APPEND sources ${kernel_sources})
  if(sysdir)
    _libvnet_tree_program(${name} "${sysdir}" "${options}" ${runtime} "${a_STACK}" "${a_STUBS}" stack stubs)
  else()
    foreach(argument STACK STUBS)
      if(a_${argument})
        message(FATAL_ERROR "libvnet: ${name}: ${argument} needs a kernel tree: give SYSDIR")
      endif()
    endforeach()
    _libvnet_options_used(${name} "${options}" "${sources}" "${includes}")
  endif()

  _libvnet_kernel_object(${name} "${sysdir}" "${options}" "${stubs}" "${a_WRAP}" ${runtime} "${a_KERNEL}" "${harness}" "${stack}" made)
  add_executable(${name} ${made} ${a_HOST})
  add_dependencies(${name} ${runtime} ${a_KERNEL} ${harness} ${stack})	# make knows no files of other targets
  if(sysdir)
    add_dependencies(${name} ${runtime}_pool)
  endif()
  if(LIBVNET_EXPLAIN)
    add_dependencies(${name} libvnet_kernel_${name})
  endif()
  target_include_directories(${name} PRIVATE ${LIBVNET_SEAM_DIR})
  if(LIBVNET_EXPLORE)
    _libvnet_link_part(${name} explore)
  endif()
  target_link_libraries(${name} PRIVATE libvnet::libvnet)
  # jemalloc replaces the process's malloc; never beside a sanitizer.
  if(TARGET PkgConfig::LIBVNET_JEMALLOC AND NOT LIBVNET_SANITIZE AND NOT LIBVNET_FUZZ)
    target_link_libraries(${name} PRIVATE PkgConfig::LIBVNET_JEMALLOC)
  endif()
  # Both linkers: sets are kept though only their bounds are referred to.
  target_link_options(${name} PRIVATE -Wl,-z,nostart-stop-gc)
  if(LIBVNET_LD)
    target_link_options(${name} PRIVATE -fuse-ld=${LIBVNET_LD})
  endif()
  if(LIBVNET_COVERAGE)
    # Putting the kernel world back forgets what was counted: the host side
    # writes it out before, if these are there (it refers to them weakly).
    target_link_options(${name} PRIVATE --coverage -Wl,-u,__gcov_dump -Wl,-u,__gcov_reset)
  endif()
  _libvnet_sanitize_link_flags(sanitize)
  target_link_options(${name} PRIVATE ${sanitize})
  _libvnet_last_link(${name})
  _libvnet_gdb(${name})
endfunction()

# gdb loads PROGRAM-gdb.py by itself, where its auto-load safe-path allows.
function(_libvnet_gdb name)
  file(GENERATE OUTPUT $<TARGET_FILE:${name}>-gdb.py CONTENT "import sys
sys.path.insert(0, r'${LIBVNET_KERNEL_DIR}/gdb')
try:
    import libvnet_gdb
except ImportError:
    pass	# libvnet was removed
")
endfunction()

# The last link goes through a script that says in a line what is undefined.
# Code instrumented for AFL++ wants AFL++'s runtime, in tests too.
function(_libvnet_last_link name)
  set(launcher sh ${_libvnet_cmake_dir}/finallink.sh
    -k ${CMAKE_CURRENT_BINARY_DIR}/${name}.kernel -r ${LIBVNET_READELF})
  if(LIBVNET_FUZZ STREQUAL "afl")
    list(APPEND launcher -a ${LIBVNET_AFL_CC})
  elseif(LIBVNET_FUZZ STREQUAL "libfuzzer")
    target_link_options(${name} PRIVATE -fsanitize=fuzzer-no-link)
  endif()
  list(APPEND launcher --)
  set_target_properties(${name} PROPERTIES C_LINKER_LAUNCHER "${launcher}" CXX_LINKER_LAUNCHER "${launcher}")
endfunction()

function(libvnet_add_test name)
  cmake_parse_arguments(PARSE_ARGV 1 a "" "SYSDIR;STUBS" "SOURCES;KERNEL;OPTIONS;HOST;INCLUDES;STACK;WRAP;ARGS")
  _libvnet_arguments(libvnet_add_test ${name} "${a_UNPARSED_ARGUMENTS}" "")
  if(NOT a_SOURCES)
    message(FATAL_ERROR "libvnet_add_test(${name}): give SOURCES")
  endif()
  libvnet_add_program(${name} SOURCES ${a_SOURCES} KERNEL ${a_KERNEL} OPTIONS ${a_OPTIONS}
    HOST ${a_HOST} INCLUDES ${a_INCLUDES} SYSDIR "${a_SYSDIR}" STACK ${a_STACK} STUBS "${a_STUBS}"
    WRAP ${a_WRAP})
  _libvnet_link_part(${name} test)
  add_test(NAME ${name} COMMAND ${name} ${a_ARGS})
  set_tests_properties(${name} PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 120
    ENVIRONMENT "ASAN_OPTIONS=handle_segv=2:detect_leaks=0;UBSAN_OPTIONS=print_stacktrace=1")
endfunction()

# One source for AFL++, libFuzzer and replay: it defines
#   int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
function(libvnet_add_fuzzer name)
  cmake_parse_arguments(PARSE_ARGV 1 a "" "SEEDS;SYSDIR;STUBS" "SOURCES;KERNEL;OPTIONS;HOST;INCLUDES;STACK;WRAP")
  _libvnet_arguments(libvnet_add_fuzzer ${name} "${a_UNPARSED_ARGUMENTS}" "")
  if(NOT a_SOURCES)
    message(FATAL_ERROR "libvnet_add_fuzzer(${name}): give SOURCES")
  endif()
  set(_libvnet_fuzz_target ON)	# for _libvnet_objects()
  libvnet_add_program(${name} SOURCES ${a_SOURCES} KERNEL ${a_KERNEL} OPTIONS ${a_OPTIONS}
    HOST ${a_HOST} INCLUDES ${a_INCLUDES} SYSDIR "${a_SYSDIR}" STACK ${a_STACK} STUBS "${a_STUBS}"
    WRAP ${a_WRAP})
  if(LIBVNET_FUZZ AND LIBVNET_FUZZ_ENGINE)
    if(NOT LIBVNET_FUZZ_ENGINE STREQUAL "none")	# else among the libraries
      target_link_libraries(${name} PRIVATE ${LIBVNET_FUZZ_ENGINE})
    endif()
  elseif(LIBVNET_FUZZ)
    target_link_options(${name} PRIVATE -fsanitize=fuzzer)	# the driver
  else()
    _libvnet_link_part(${name} replay)
  endif()
  if(NOT a_SEEDS)
    return()
  endif()
  get_filename_component(seeds "${a_SEEDS}" ABSOLUTE)
  if(NOT EXISTS "${seeds}")
    message(FATAL_ERROR "libvnet: ${name}: there is no folder of SEEDS ${seeds}")
  endif()
  # Each engine's own way to run inputs once.
  if(LIBVNET_FUZZ STREQUAL "afl")
    file(GLOB inputs CONFIGURE_DEPENDS ${seeds}/*)
  elseif(LIBVNET_FUZZ STREQUAL "libfuzzer")
    set(inputs -runs=0 ${seeds})
  else()
    set(inputs ${seeds})
  endif()
  add_test(NAME ${name}.replay COMMAND ${name} ${inputs})
  set_tests_properties(${name}.replay PROPERTIES TIMEOUT 120)
endfunction()
