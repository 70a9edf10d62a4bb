# SPDX-License-Identifier: GPL-3.0-or-later
# What all targets have in common, as functions on targets.

add_library(picknext_options INTERFACE)
target_compile_options(picknext_options INTERFACE
  -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wnon-virtual-dtor $<$<BOOL:${PICKNEXT_WERROR}>:-Werror>)
# The core writes its rows field by field and soon reads them again: a load of two fields at once would have to wait
# until both stores are in the cache. Measured: 2 to 4 % of an operation on a run queue.
target_compile_options(picknext_options INTERFACE -fno-tree-slp-vectorize)
# gcc 12 warns of impossible overlaps where it inlines std::string (its bug 105651).
target_compile_options(picknext_options INTERFACE $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>)
target_include_directories(picknext_options INTERFACE ${PROJECT_SOURCE_DIR})
if(PICKNEXT_SANITIZE)
  target_compile_options(picknext_options INTERFACE -fsanitize=${PICKNEXT_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(picknext_options INTERFACE -fsanitize=${PICKNEXT_SANITIZE})
endif()

# picknext_core_library(NAME SOURCES a.cpp ... [LINKS picknext_core_x ...] [PRIVATE lib ...])
function(picknext_core_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINKS;PRIVATE" ${ARGN})
  add_library(${name} STATIC ${ARG_SOURCES})
  target_link_libraries(${name} PUBLIC picknext_options fmt::fmt ${ARG_LINKS} PRIVATE ${ARG_PRIVATE})
endfunction()
