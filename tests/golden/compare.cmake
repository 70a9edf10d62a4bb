# SPDX-License-Identifier: GPL-3.0-or-later
# Runs PROGRAM with ARGUMENTS. The exit status must be STATUS; with EXPECTED standard output must equal that file
# (UPDATE writes it), with PATTERN standard error must match it.
cmake_minimum_required(VERSION 3.25)

execute_process(COMMAND ${PROGRAM} ${ARGUMENTS} OUTPUT_VARIABLE out ERROR_VARIABLE err RESULT_VARIABLE status)
if(NOT status STREQUAL STATUS)
  message(FATAL_ERROR "exit status ${status}, wanted ${STATUS}\n${err}")
endif()
if(PATTERN AND NOT err MATCHES "${PATTERN}")
  message(FATAL_ERROR "standard error does not match \"${PATTERN}\":\n${err}")
endif()
if(NOT EXPECTED)
  return()
endif()

file(WRITE ${ACTUAL} "${out}")
if(UPDATE)
  configure_file(${ACTUAL} ${EXPECTED} COPYONLY)
  return()
endif()
execute_process(COMMAND ${CMAKE_COMMAND} -E compare_files ${ACTUAL} ${EXPECTED} RESULT_VARIABLE differs)
if(differs)
  execute_process(COMMAND diff -u ${EXPECTED} ${ACTUAL} OUTPUT_VARIABLE diff ERROR_QUIET)
  string(SUBSTRING "${diff}" 0 4000 diff)
  message(FATAL_ERROR "${EXPECTED} differs from what is printed now:\n${diff}\nIf that is intended: cmake -DPICKNEXT_UPDATE_GOLDEN=ON, ctest -L golden, and read the diff.")
endif()
