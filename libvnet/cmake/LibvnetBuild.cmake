# SPDX-License-Identifier: BSD-2-Clause
#
# How kernel-world code is built and linked.  Used inside the project and by
# its users alike: the same file is installed, and only the four folders in
# LIBVNET_*_DIR differ.
#
#   libvnet_add_runtime(TARGET_VARIABLE [OPTIONS ...])
#   libvnet_add_kernel_objects(NAME SOURCES ... [OPTIONS ...] [INCLUDES ...])
#   libvnet_add_test(NAME SOURCES ... [KERNEL ...] [OPTIONS ...] [HOST ...])
#   libvnet_add_fuzzer(NAME SOURCES ... [KERNEL ...] [OPTIONS ...] [SEEDS dir])
#   libvnet_add_program(NAME [SOURCES ...] [KERNEL ...] [OPTIONS ...] HOST ...)
#
# OPTIONS are kernel options, as in a kernel configuration file: VIMAGE, SMP,
# INVARIANTS are global; INET goes to opt_inet.h, FOO=3 to opt_foo.h, and
# "opt_bar.h:FOO=3" to opt_bar.h.  Default: LIBVNET_OPTIONS.  NO_VIMAGE takes
# VIMAGE out.
include_guard(GLOBAL)

set(LIBVNET_OPTIONS VIMAGE INET INET6 CACHE STRING "kernel options where none are given")
set(LIBVNET_CHECKS ON CACHE BOOL "compile the kernel-rule checks (INVARIANTS) in")
set(LIBVNET_SANITIZE "" CACHE STRING "address (with undefined), thread, memory, or empty")
set(LIBVNET_FUZZ "" CACHE STRING "fuzzing engine: afl, libfuzzer, or empty (replay)")
set(LIBVNET_COVERAGE OFF CACHE BOOL "gcov or llvm-cov instrumentation of kernel-world code")
set(LIBVNET_LTO OFF CACHE BOOL "link-time optimisation inside the kernel object")
set(LIBVNET_LD "" CACHE STRING "linker: bfd, lld, or empty for the compiler's own")
set_property(CACHE LIBVNET_SANITIZE PROPERTY STRINGS "" address thread memory)
set_property(CACHE LIBVNET_FUZZ PROPERTY STRINGS "" afl libfuzzer)

set(_libvnet_cmake_dir ${CMAKE_CURRENT_LIST_DIR})
set(_libvnet_global_options VIMAGE SMP INVARIANTS INVARIANT_SUPPORT VNET_DEBUG MAXCPU)

# ---- flags ----------------------------------------------------------------

# Sanitizer flags, for both worlds and the final link.
function(_libvnet_sanitize_flags out)
  set(flags "")
  if(LIBVNET_SANITIZE STREQUAL "address")
    set(flags -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
  elseif(LIBVNET_SANITIZE STREQUAL "thread")
    set(flags -fsanitize=thread)
  elseif(LIBVNET_SANITIZE STREQUAL "memory")
    if(NOT CMAKE_C_COMPILER_ID MATCHES "Clang")
      message(FATAL_ERROR "libvnet: LIBVNET_SANITIZE=memory needs clang; set CMAKE_C_COMPILER=clang")
    endif()
    set(flags -fsanitize=memory -fsanitize-memory-track-origins -fno-omit-frame-pointer)
  elseif(NOT LIBVNET_SANITIZE STREQUAL "")
    message(FATAL_ERROR "libvnet: LIBVNET_SANITIZE is \"${LIBVNET_SANITIZE}\"; it can be address, thread or memory")
  endif()
  set(${out} ${flags} PARENT_SCOPE)
endfunction()

# Kernel C outside a kernel: freestanding, kernel headers only, the platform
# that the code believes in, wrapping integers, every lock a function call.
# Tail calls would hide who asked for memory.
function(_libvnet_kernel_flags out)
  set(flags -std=gnu11 -ffreestanding -nostdinc -fno-strict-aliasing -fwrapv -fno-common
    -fno-optimize-sibling-calls -fno-stack-protector -g
    -U__linux__ -U__linux -Ulinux -U__gnu_linux__ -U__unix__ -U__unix -Uunix -D__FreeBSD__=14
    -D_KERNEL -DKLD_MODULE -DHAVE_KERNEL_OPTION_HEADERS -DSMP
    -Werror=implicit-function-declaration -Werror=int-conversion -Werror=incompatible-pointer-types
    -Wno-unused-command-line-argument)
  if(CMAKE_C_COMPILER_ID STREQUAL "GNU")
    list(REMOVE_ITEM flags -Wno-unused-command-line-argument)
  endif()
  if(LIBVNET_CHECKS)
    list(APPEND flags -DINVARIANTS -DINVARIANT_SUPPORT)
  endif()
  _libvnet_sanitize_flags(sanitize)
  list(APPEND flags ${sanitize})
  if(LIBVNET_COVERAGE)
    list(APPEND flags --coverage)
  endif()
  if(LIBVNET_LTO)
    list(APPEND flags -flto)
  endif()
  set(${out} ${flags} PARENT_SCOPE)
endfunction()

# What the fuzzing engine wants to see: the code under test and the runtime,
# not the harness, whose loops would only blur it.
function(_libvnet_fuzz_flags out)
  set(flags "")
  if(LIBVNET_FUZZ STREQUAL "afl")
    list(APPEND flags -fsanitize-coverage=trace-pc-guard)
  elseif(LIBVNET_FUZZ STREQUAL "libfuzzer")
    list(APPEND flags -fsanitize=fuzzer-no-link)
  elseif(NOT LIBVNET_FUZZ STREQUAL "")
    message(FATAL_ERROR "libvnet: LIBVNET_FUZZ is \"${LIBVNET_FUZZ}\"; it can be afl or libfuzzer")
  endif()
  set(${out} ${flags} PARENT_SCOPE)
endfunction()

# ---- options --------------------------------------------------------------

# Splits options into global -D flags and opt_*.h files in `dir'.
function(_libvnet_options options sources dir out_defs)
  set(defs "")
  set(files "")
  foreach(source IN LISTS sources)
    file(STRINGS ${source} lines REGEX "^[ \t]*#[ \t]*include[ \t]+\"opt_[A-Za-z0-9_]+\\.h\"")
    foreach(line IN LISTS lines)
      string(REGEX REPLACE ".*\"(opt_[A-Za-z0-9_]+\\.h)\".*" "\\1" file "${line}")
      list(APPEND files ${file})
    endforeach()
  endforeach()
  foreach(option IN LISTS options)
    if(NOT option MATCHES "^((opt_[a-z0-9_]+\\.h):)?([A-Za-z_][A-Za-z0-9_]*)(=(.*))?$")
      message(FATAL_ERROR "libvnet: option \"${option}\" is not NAME, NAME=VALUE or opt_file.h:NAME[=VALUE]")
    endif()
    set(file "${CMAKE_MATCH_2}")
    set(name "${CMAKE_MATCH_3}")
    set(value 1)
    if(NOT CMAKE_MATCH_4 STREQUAL "")
      set(value "${CMAKE_MATCH_5}")
    endif()
    if(file STREQUAL "" AND name IN_LIST _libvnet_global_options)
      list(APPEND defs "-D${name}=${value}")
    else()
      if(file STREQUAL "")
        string(TOLOWER "opt_${name}.h" file)
      endif()
      list(APPEND files ${file})
      string(APPEND text_${file} "#define ${name} ${value}\n")
    endif()
  endforeach()
  list(REMOVE_DUPLICATES files)
  foreach(file IN LISTS files)
    file(CONFIGURE OUTPUT ${dir}/${file} CONTENT "/* Made from the kernel options. */\n${text_${file}}" @ONLY)
  endforeach()
  set(${out_defs} ${defs} PARENT_SCOPE)
endfunction()

function(_libvnet_effective_options given out)
  set(options ${given})
  if(NOT options)
    set(options ${LIBVNET_OPTIONS})
  endif()
  if("NO_VIMAGE" IN_LIST options)
    list(REMOVE_ITEM options NO_VIMAGE VIMAGE)
  elseif(NOT "VIMAGE" IN_LIST options)
    list(APPEND options VIMAGE)
  endif()
  list(REMOVE_DUPLICATES options)
  list(SORT options)
  set(${out} ${options} PARENT_SCOPE)
endfunction()

# One OBJECT library of kernel-world sources.
function(_libvnet_objects target options includes)
  set(sources ${ARGN})
  string(MD5 key "${target};${options}")
  set(optdir ${CMAKE_BINARY_DIR}/libvnet-opt/${key})
  set(absolute "")
  foreach(source IN LISTS sources)
    get_filename_component(path ${source} ABSOLUTE)
    if(NOT EXISTS ${path})
      message(FATAL_ERROR "libvnet: ${target}: there is no file ${path}")
    endif()
    list(APPEND absolute ${path})
  endforeach()
  _libvnet_options("${options}" "${absolute}" ${optdir} defs)
  _libvnet_kernel_flags(flags)
  add_library(${target} OBJECT ${absolute})
  if(NOT target MATCHES "_harness$")
    _libvnet_fuzz_flags(fuzz)
    list(APPEND flags ${fuzz})
  endif()
  target_compile_options(${target} PRIVATE ${flags} ${defs}
    "SHELL:-include ${LIBVNET_INCLUDE_DIR}/kern/kern_names.h")
  target_include_directories(${target} PRIVATE
    ${LIBVNET_INCLUDE_DIR}/kern ${includes} ${optdir} ${LIBVNET_INCLUDE_DIR}
    ${LIBVNET_FOREIGN_DIR} ${LIBVNET_INCLUDE_DIR}/base)
  set_target_properties(${target} PROPERTIES
    LIBVNET_KERNEL_OPTIONS "${options}" C_STANDARD_REQUIRED OFF C_EXTENSIONS ON
    INTERPROCEDURAL_OPTIMIZATION OFF POSITION_INDEPENDENT_CODE ON)
endfunction()

# ---- what users call ------------------------------------------------------

# The runtime (libvnet/kern, base, net) for these options, built once in a
# build tree for each set of options; compiler and flags are the tree's.
function(libvnet_add_runtime variable)
  cmake_parse_arguments(PARSE_ARGV 1 a "" "" "OPTIONS")
  if(a_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "libvnet_add_runtime: unknown argument ${a_UNPARSED_ARGUMENTS}")
  endif()
  _libvnet_effective_options("${a_OPTIONS}" options)
  _libvnet_kernel_flags(flags)
  string(MD5 key "base;${options};${CMAKE_C_COMPILER};${flags};${CMAKE_BUILD_TYPE}")
  string(SUBSTRING ${key} 0 8 key)
  set(target libvnet_runtime_${key})
  if(NOT TARGET ${target})
    file(GLOB sources CONFIGURE_DEPENDS
      ${LIBVNET_KERNEL_DIR}/kern/*.c ${LIBVNET_KERNEL_DIR}/base/*.c ${LIBVNET_KERNEL_DIR}/net/*.c)
    _libvnet_objects(${target} "${options}" "${LIBVNET_KERNEL_DIR}/kern" ${sources})
    target_include_directories(${target} PRIVATE ${LIBVNET_SEAM_DIR})
    target_compile_options(${target} PRIVATE -Wall -Wextra -Wno-unused-parameter -Wno-sign-compare)
  endif()
  set(${variable} ${target} PARENT_SCOPE)
endfunction()

function(libvnet_add_kernel_objects name)
  cmake_parse_arguments(PARSE_ARGV 1 a "" "" "SOURCES;OPTIONS;INCLUDES")
  if(a_UNPARSED_ARGUMENTS OR NOT a_SOURCES)
    message(FATAL_ERROR "libvnet_add_kernel_objects(${name}): give SOURCES; unknown: \"${a_UNPARSED_ARGUMENTS}\"")
  endif()
  _libvnet_effective_options("${a_OPTIONS}" options)
  set(includes "")
  foreach(dir IN LISTS a_INCLUDES)
    get_filename_component(dir ${dir} ABSOLUTE)
    list(APPEND includes ${dir})
  endforeach()
  _libvnet_objects(${name} "${options}" "${includes}" ${a_SOURCES})
  set_property(TARGET ${name} PROPERTY LIBVNET_KERNEL_INCLUDES "${includes}")
endfunction()

# All kernel-world objects of a program as one relocatable object.
function(_libvnet_kernel_object program runtime out_sources)
  set(dir ${CMAKE_CURRENT_BINARY_DIR}/${program}.kernel)
  file(MAKE_DIRECTORY ${dir})
  set(objects $<TARGET_OBJECTS:${runtime}>)
  foreach(lib IN LISTS ARGN)
    list(APPEND objects $<TARGET_OBJECTS:${lib}>)
  endforeach()
  set(flags "")
  if(LIBVNET_LD)
    list(APPEND flags -fuse-ld=${LIBVNET_LD})
  endif()
  if(LIBVNET_LTO)
    list(APPEND flags -flto -O2)
    if(CMAKE_C_COMPILER_ID STREQUAL "GNU")
      list(APPEND flags -flinker-output=nolto-rel)
    elseif(NOT LIBVNET_LD)
      list(APPEND flags -fuse-ld=lld)
    endif()
  endif()
  find_program(LIBVNET_READELF NAMES readelf llvm-readelf llvm-readelf-14 REQUIRED)
  add_custom_command(OUTPUT ${dir}/kernel.o ${dir}/manifest.c
    COMMAND ${_libvnet_cmake_dir}/kernlink.sh -o ${dir}/kernel.o -m ${dir}/manifest.c
      -r ${LIBVNET_READELF} -- ${CMAKE_C_COMPILER} ${flags} ${objects}
    DEPENDS ${objects} ${_libvnet_cmake_dir}/kernlink.sh ${_libvnet_cmake_dir}/kernlink.ld
    COMMENT "Linking the kernel world of ${program}"
    COMMAND_EXPAND_LISTS VERBATIM)
  set_source_files_properties(${dir}/kernel.o PROPERTIES EXTERNAL_OBJECT TRUE GENERATED TRUE)
  set(${out_sources} ${dir}/kernel.o ${dir}/manifest.c PARENT_SCOPE)
endfunction()

function(libvnet_add_program name)
  cmake_parse_arguments(PARSE_ARGV 1 a "" "" "SOURCES;KERNEL;OPTIONS;HOST;INCLUDES")
  if(a_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "libvnet: ${name}: unknown argument ${a_UNPARSED_ARGUMENTS}")
  endif()
  set(options "${a_OPTIONS}")
  set(includes "${a_INCLUDES}")
  foreach(lib IN LISTS a_KERNEL)
    if(NOT TARGET ${lib})
      message(FATAL_ERROR "libvnet: ${name}: KERNEL ${lib} was not made by libvnet_add_kernel_objects()")
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
      message(FATAL_ERROR "libvnet: ${name} is built with OPTIONS ${mine} but ${lib} with ${theirs}; give both the same")
    endif()
    get_target_property(dirs ${lib} LIBVNET_KERNEL_INCLUDES)
    if(dirs)
      list(APPEND includes ${dirs})
    endif()
  endforeach()
  libvnet_add_runtime(runtime OPTIONS ${options})
  _libvnet_effective_options("${options}" options)
  set(libs ${a_KERNEL})
  if(a_SOURCES)
    _libvnet_objects(${name}_harness "${options}" "${includes}" ${a_SOURCES})
    list(APPEND libs ${name}_harness)
  endif()
  _libvnet_kernel_object(${name} ${runtime} sources ${libs})
  add_executable(${name} ${sources} ${a_HOST})
  target_include_directories(${name} PRIVATE ${LIBVNET_SEAM_DIR})
  target_link_libraries(${name} PRIVATE libvnet::libvnet)
  # Both linkers: sets are kept though only their bounds are referred to.
  target_link_options(${name} PRIVATE -Wl,-z,nostart-stop-gc)
  if(LIBVNET_LD)
    target_link_options(${name} PRIVATE -fuse-ld=${LIBVNET_LD})
  endif()
  if(LIBVNET_COVERAGE)
    target_link_options(${name} PRIVATE --coverage)
  endif()
  _libvnet_sanitize_flags(sanitize)
  target_link_options(${name} PRIVATE ${sanitize})
endfunction()

function(libvnet_add_test name)
  cmake_parse_arguments(PARSE_ARGV 1 a "" "" "SOURCES;KERNEL;OPTIONS;HOST;INCLUDES;ARGS")
  if(a_UNPARSED_ARGUMENTS OR NOT a_SOURCES)
    message(FATAL_ERROR "libvnet_add_test(${name}): give SOURCES; unknown: \"${a_UNPARSED_ARGUMENTS}\"")
  endif()
  libvnet_add_program(${name} SOURCES ${a_SOURCES} KERNEL ${a_KERNEL} OPTIONS ${a_OPTIONS}
    HOST ${a_HOST} INCLUDES ${a_INCLUDES})
  target_link_libraries(${name} PRIVATE libvnet::test)
  add_test(NAME ${name} COMMAND ${name} ${a_ARGS})
  set_tests_properties(${name} PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 120
    ENVIRONMENT "ASAN_OPTIONS=handle_segv=2:detect_leaks=0;UBSAN_OPTIONS=print_stacktrace=1")
endfunction()

# One source for AFL++, libFuzzer and replay: it defines
#   int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
function(libvnet_add_fuzzer name)
  cmake_parse_arguments(PARSE_ARGV 1 a "" "SEEDS" "SOURCES;KERNEL;OPTIONS;HOST;INCLUDES")
  if(a_UNPARSED_ARGUMENTS OR NOT a_SOURCES)
    message(FATAL_ERROR "libvnet_add_fuzzer(${name}): give SOURCES; unknown: \"${a_UNPARSED_ARGUMENTS}\"")
  endif()
  libvnet_add_program(${name} SOURCES ${a_SOURCES} KERNEL ${a_KERNEL} OPTIONS ${a_OPTIONS}
    HOST ${a_HOST} INCLUDES ${a_INCLUDES})
  if(LIBVNET_FUZZ STREQUAL "afl")
    find_program(LIBVNET_AFL_CC afl-clang-fast REQUIRED)
    # The driver and coverage runtime come from AFL++; only kernel world is
    # instrumented.
    set_property(TARGET ${name} PROPERTY RULE_LAUNCH_LINK
      "${CMAKE_COMMAND} -E env AFL_QUIET=1 AFL_CC=${CMAKE_C_COMPILER} ${_libvnet_cmake_dir}/afl-link.sh ${LIBVNET_AFL_CC}")
    target_link_options(${name} PRIVATE -fsanitize=fuzzer)
  elseif(LIBVNET_FUZZ STREQUAL "libfuzzer")
    target_link_options(${name} PRIVATE -fsanitize=fuzzer)
  else()
    target_link_libraries(${name} PRIVATE libvnet::replay)
    if(a_SEEDS)
      get_filename_component(seeds ${a_SEEDS} ABSOLUTE)
      add_test(NAME ${name}.replay COMMAND ${name} ${seeds})
      set_tests_properties(${name}.replay PROPERTIES TIMEOUT 120)
    endif()
  endif()
endfunction()
