# SPDX-License-Identifier: BSD-2-Clause
#
# How a kernel-world file is compiled: flags, and kernel options.
include_guard(GLOBAL)

set(_libvnet_global_options VIMAGE SMP INVARIANTS INVARIANT_SUPPORT VNET_DEBUG MAXCPU LIBVNET_COUNTER)

# ---- flags ----------------------------------------------------------------

# Sanitizer flags, for both worlds and the final link.  MSan's code can go on
# after a report: what is done about one is for host/sanitizer_report.c.
function(_libvnet_sanitize_flags out)
  set(flags "")
  if(LIBVNET_SANITIZE STREQUAL "address")
    set(flags -fsanitize=address,undefined -fno-omit-frame-pointer)
  elseif(LIBVNET_SANITIZE STREQUAL "undefined")
    set(flags -fsanitize=undefined -fno-omit-frame-pointer)
  elseif(LIBVNET_SANITIZE STREQUAL "thread")
    set(flags -fsanitize=thread)
  elseif(LIBVNET_SANITIZE STREQUAL "memory")
    if(NOT CMAKE_C_COMPILER_ID MATCHES "Clang")
      message(FATAL_ERROR "libvnet: LIBVNET_SANITIZE=memory needs clang; set CC or CMAKE_C_COMPILER to it")
    endif()
    set(flags -fsanitize=memory -fsanitize-recover=memory -fsanitize-memory-track-origins -fno-omit-frame-pointer)
  elseif(NOT LIBVNET_SANITIZE STREQUAL "")
    message(FATAL_ERROR "libvnet: LIBVNET_SANITIZE is \"${LIBVNET_SANITIZE}\"; it can be address, undefined, thread or memory")
  endif()
  set(${out} ${flags} PARENT_SCOPE)
endfunction()

# The calls of UBSan and MSan that come to host/sanitizer_report.c instead.
set(_libvnet_sanitizer_calls
  __msan_warning_with_origin __msan_maybe_warning_1 __msan_maybe_warning_2 __msan_maybe_warning_4 __msan_maybe_warning_8)
foreach(handler type_mismatch_v1 add_overflow sub_overflow mul_overflow negate_overflow divrem_overflow
    shift_out_of_bounds out_of_bounds vla_bound_not_positive float_cast_overflow load_invalid_value invalid_builtin
    nonnull_arg nonnull_return_v1 pointer_overflow)
  list(APPEND _libvnet_sanitizer_calls __ubsan_handle_${handler})
endforeach()
function(_libvnet_sanitize_link_flags out)
  _libvnet_sanitize_flags(flags)
  if(LIBVNET_SANITIZE MATCHES "^(address|undefined|memory)$")
    foreach(call IN LISTS _libvnet_sanitizer_calls)
      list(APPEND flags -Wl,--wrap=${call})
    endforeach()
  endif()
  set(${out} ${flags} PARENT_SCOPE)
endfunction()

# Kernel C outside a kernel: freestanding, kernel headers only, the platform
# that the code believes in, wrapping integers, every lock a function call.
# Tail calls would hide who asked for memory, and clang writes no tables for
# backtraces where -ffreestanding stands alone.  These work with gcc and clang,
# and libvnet.pc hands them to those who build without CMake.
set(_libvnet_kernel_base_flags -std=gnu11 -ffreestanding -nostdinc -fno-strict-aliasing -fwrapv
  -fno-common -fno-optimize-sibling-calls -fno-stack-protector -fPIE -g
  -fasynchronous-unwind-tables
  -U__linux__ -U__linux -Ulinux -U__gnu_linux__ -U__unix__ -U__unix -Uunix -D__FreeBSD__=14
  -D_KERNEL -DKLD_MODULE -DHAVE_KERNEL_OPTION_HEADERS -DSMP
  -Werror=implicit-function-declaration -Werror=int-conversion -Werror=incompatible-pointer-types)

function(_libvnet_kernel_flags out sysdir)
  set(flags ${_libvnet_kernel_base_flags})
  if(sysdir)
    # Builtins in place of CK's assembly: sanitizers see what it writes.
    _libvnet_tree_get("${sysdir}" MAJOR major)
    list(TRANSFORM flags REPLACE "^-D__FreeBSD__=.*" "-D__FreeBSD__=${major}")
    list(APPEND flags -DCK_USE_CC_BUILTINS)
  endif()
  if(CMAKE_C_COMPILER_ID MATCHES "Clang")
    # libdw finds the line of an address by a table that gcc writes unasked.
    list(APPEND flags -gdwarf-aranges -Wno-unused-command-line-argument)
  endif()
  if(LIBVNET_CHECKS)
    list(APPEND flags -DINVARIANTS -DINVARIANT_SUPPORT)
  endif()
  _libvnet_sanitize_flags(sanitize)
  list(APPEND flags ${sanitize})
  if(LIBVNET_EXPLORE)
    list(APPEND flags -DLIBVNET_EXPLORE=${LIBVNET_EXPLORE})
    if(LIBVNET_EXPLORE STREQUAL "coverage")
      list(APPEND flags -DLIBVNET_EXPLORE_COVERAGE)
    endif()
  endif()
  if(LIBVNET_COVERAGE)
    list(APPEND flags --coverage)
  endif()
  if(LIBVNET_COVERAGE OR LIBVNET_SANITIZE STREQUAL "memory")
    list(APPEND flags -fdata-sections)		# see kernlink.ld
  endif()
  if(LIBVNET_LTO)
    list(APPEND flags -flto)
  else()
    list(APPEND flags -fno-lto)		# whatever CMAKE_C_FLAGS may say
  endif()
  set(${out} ${flags} PARENT_SCOPE)
endfunction()

# How files are compiled whose accesses an exploration sees.
function(_libvnet_explore_launcher out)
  if(NOT LIBVNET_EXPLORE MATCHES "^(tsan|coverage)$")
    message(FATAL_ERROR "libvnet: LIBVNET_EXPLORE is \"${LIBVNET_EXPLORE}\"; it can be tsan or coverage")
  endif()
  if(LIBVNET_EXPLORE STREQUAL "coverage" AND NOT CMAKE_C_COMPILER_ID MATCHES "Clang")
    message(FATAL_ERROR "libvnet: LIBVNET_EXPLORE=coverage needs clang; set CC or CMAKE_C_COMPILER to it, or say tsan")
  endif()
  if(LIBVNET_LTO OR LIBVNET_FUZZ OR LIBVNET_COVERAGE OR LIBVNET_SANITIZE MATCHES "^(thread|memory)$")
    message(FATAL_ERROR "libvnet: LIBVNET_EXPLORE goes with LIBVNET_SANITIZE=address only, not with LTO, fuzzing, coverage or another sanitizer")
  endif()
  find_program(LIBVNET_OBJCOPY NAMES ${CMAKE_OBJCOPY} objcopy llvm-objcopy llvm-objcopy-14)
  if(NOT LIBVNET_OBJCOPY)
    message(FATAL_ERROR "libvnet: objcopy is missing (Debian: binutils); LIBVNET_EXPLORE needs it")
  endif()
  set(${out} sh ${_libvnet_cmake_dir}/explore_cc.sh ${LIBVNET_EXPLORE}-${CMAKE_C_COMPILER_ID} ${LIBVNET_OBJCOPY} PARENT_SCOPE)
endfunction()

# What the fuzzing engine wants to see: the code under test and the runtime,
# not the harness, whose loops would only blur it.  Where AFL++'s compiler was
# named it instruments as it likes, called by treecc.sh.
function(_libvnet_fuzz_flags out out_launcher)
  set(flags "")
  set(launcher "")
  if(LIBVNET_FUZZ STREQUAL "afl")
    set(named "${LIBVNET_AFL_CC}")
    find_program(LIBVNET_AFL_CC afl-clang-fast)
    if(NOT LIBVNET_AFL_CC)
      message(FATAL_ERROR "libvnet: LIBVNET_FUZZ=afl needs afl-clang-fast (Debian: afl++)")
    endif()
    if(named AND LIBVNET_EXPLAIN)
      set(launcher -a ${LIBVNET_AFL_CC})
    else()
      set(flags -fsanitize-coverage=trace-pc-guard)
    endif()
  elseif(LIBVNET_FUZZ STREQUAL "libfuzzer")
    set(flags -fsanitize=fuzzer-no-link)
  elseif(NOT LIBVNET_FUZZ STREQUAL "")
    message(FATAL_ERROR "libvnet: LIBVNET_FUZZ is \"${LIBVNET_FUZZ}\"; it can be afl or libfuzzer")
  endif()
  if(flags AND NOT CMAKE_C_COMPILER_ID MATCHES "Clang")
    message(FATAL_ERROR "libvnet: LIBVNET_FUZZ=${LIBVNET_FUZZ} needs clang; set CC or CMAKE_C_COMPILER to it")
  endif()
  set(${out} "${flags}" PARENT_SCOPE)
  set(${out_launcher} "${launcher}" PARENT_SCOPE)
endfunction()

# The compiler and the flags that make one relocatable object of many, with
# link-time optimisation done and over inside it.
#   gcc's LTO objects are read by its own plugin, which ld.lld does not load;
#   clang's by ld.lld, or by bfd with a plugin that is often not installed.
function(_libvnet_relocatable_flags out)
  set(flags "")
  set(ld "${LIBVNET_LD}")
  if(NOT ld MATCHES "^(bfd|lld)?$")
    message(FATAL_ERROR "libvnet: LIBVNET_LD is \"${ld}\"; it can be bfd or lld: others drop members of linker sets")
  endif()
  if(LIBVNET_LTO)
    string(TOUPPER "${CMAKE_BUILD_TYPE}" type)
    string(REGEX MATCHALL "(^| )-O[^ ]*" levels " ${CMAKE_C_FLAGS} ${CMAKE_C_FLAGS_${type}}")
    list(TRANSFORM levels STRIP)
    list(APPEND flags -flto ${levels})
    if(CMAKE_C_COMPILER_ID STREQUAL "GNU")
      list(APPEND flags -flinker-output=nolto-rel)
      set(ld bfd)
    else()
      find_program(LIBVNET_LLD NAMES ld.lld)
      if(NOT LIBVNET_LLD)
        message(FATAL_ERROR "libvnet: LIBVNET_LTO with clang needs ld.lld (Debian: lld)")
      endif()
      set(ld lld)
    endif()
  endif()
  if(ld)
    list(APPEND flags -fuse-ld=${ld})
  endif()
  set(${out} ${flags} PARENT_SCOPE)
endfunction()

# ---- options --------------------------------------------------------------

# The opt_*.h that files include.
function(_libvnet_option_files out)
  set(files "")
  foreach(source IN LISTS ARGN)
    if(NOT EXISTS ${source})	# generated
      continue()
    endif()
    file(STRINGS ${source} lines REGEX "^[ \t]*#[ \t]*include[ \t]+\"opt_[A-Za-z0-9_]+\\.h\"")
    foreach(line IN LISTS lines)
      string(REGEX REPLACE ".*\"(opt_[A-Za-z0-9_]+\\.h)\".*" "\\1" file "${line}")
      list(APPEND files ${file})
    endforeach()
  endforeach()
  list(REMOVE_DUPLICATES files)
  set(${out} ${files} PARENT_SCOPE)
endfunction()

# NAME, NAME=VALUE or opt_file.h:NAME[=VALUE] into its parts.
function(_libvnet_option_split option out_file out_name out_value)
  if(NOT option MATCHES "^((opt_[a-z0-9_]+\\.h):)?([A-Z_][A-Z0-9_]*)(=(.*))?$")
    message(FATAL_ERROR "libvnet: option \"${option}\" is not NAME, NAME=VALUE or opt_file.h:NAME[=VALUE], with NAME in capitals")
  endif()
  set(file "${CMAKE_MATCH_2}")
  set(name "${CMAKE_MATCH_3}")
  set(value 1)
  if(NOT "${CMAKE_MATCH_4}" STREQUAL "")
    set(value "${CMAKE_MATCH_5}")
  endif()
  if(file STREQUAL "" AND NOT name IN_LIST _libvnet_global_options)
    string(TOLOWER "opt_${name}.h" file)
  endif()
  set(${out_file} "${file}" PARENT_SCOPE)
  set(${out_name} "${name}" PARENT_SCOPE)
  set(${out_value} "${value}" PARENT_SCOPE)
endfunction()

# Makes options into global -D flags and opt_*.h files in `dir'; a file that
# the sources include and no option fills is made empty.
function(_libvnet_options options sources dir out_defs)
  set(defs "")
  _libvnet_option_files(files ${sources})
  foreach(option IN LISTS options)
    _libvnet_option_split("${option}" file name value)
    if(file STREQUAL "")
      list(APPEND defs "-D${name}=${value}")
    else()
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

# The options in force: those given, or the default; sorted, VIMAGE settled.
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

# An option that no source asks for is a misspelt one: nothing would change
# and nobody would notice.  Looked at are the sources, and all sources and
# headers beside them and in INCLUDES.
function(_libvnet_options_used program options sources includes)
  set(dirs ${includes})
  foreach(source IN LISTS sources)
    get_filename_component(dir ${source} DIRECTORY)
    list(APPEND dirs ${dir})
  endforeach()
  list(REMOVE_DUPLICATES dirs)
  set(seen "")
  foreach(option IN LISTS options)
    _libvnet_option_split("${option}" file name value)
    if(file STREQUAL "" OR option IN_LIST LIBVNET_OPTIONS)
      continue()
    endif()
    if(seen STREQUAL "")
      set(all ${sources})
      foreach(dir IN LISTS dirs)
        file(GLOB more ${dir}/*.c ${dir}/*.h)
        list(APPEND all ${more})
      endforeach()
      list(REMOVE_DUPLICATES all)
      _libvnet_option_files(seen ${all})
      list(APPEND seen "-")
    endif()
    if(NOT file IN_LIST seen)
      list(JOIN _libvnet_global_options " " globals)
      message(FATAL_ERROR "libvnet: ${program}: option ${option} does nothing: no source includes \"${file}\"; "
        "if it belongs to another file say opt_<file>.h:${name} (global options are ${globals})")
    endif()
  endforeach()
endfunction()
