# SPDX-License-Identifier: GPL-3.0-or-later
# cmake -DBUILD=... -DWORK=... -P check_install.cmake: what is installed works by itself, also after it was moved.
cmake_minimum_required(VERSION 3.25)
file(REMOVE_RECURSE ${WORK})
execute_process(COMMAND ${CMAKE_COMMAND} --install ${BUILD} --prefix ${WORK}/first OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
file(RENAME ${WORK}/first ${WORK}/moved)
file(MAKE_DIRECTORY ${WORK}/empty)

foreach(file IN LISTS FILES)
  if(NOT EXISTS ${WORK}/moved/${file})
    message(SEND_ERROR "${file} is not installed")
  endif()
endforeach()

foreach(arguments --version run)
  execute_process(COMMAND ${WORK}/moved/bin/picknext-cli ${arguments} WORKING_DIRECTORY ${WORK}/empty
                  RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE errors)
  if(NOT result EQUAL 0 OR output STREQUAL "")
    message(SEND_ERROR "picknext-cli ${arguments}: exit ${result}, output \"${output}\", errors \"${errors}\"")
  endif()
endforeach()

file(GLOB left ${WORK}/empty/*)
if(left)
  message(SEND_ERROR "left behind: ${left}")
endif()
file(REMOVE_RECURSE ${WORK})
