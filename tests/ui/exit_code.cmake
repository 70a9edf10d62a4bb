# SPDX-License-Identifier: GPL-3.0-or-later
# cmake -DPROGRAM=... -DARGUMENTS=a,b -DCODE=n -P exit_code.cmake: the program ends with this code and says why.
string(REPLACE "," ";" arguments "${ARGUMENTS}")
execute_process(COMMAND ${PROGRAM} ${arguments} RESULT_VARIABLE code ERROR_VARIABLE said)
if(NOT code STREQUAL CODE OR said STREQUAL "")
  message(FATAL_ERROR "exit code ${code}, ${CODE} expected; said: ${said}")
endif()
