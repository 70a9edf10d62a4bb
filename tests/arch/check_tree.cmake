# SPDX-License-Identifier: GPL-3.0-or-later
# cmake -DROOT=... -DEDGES=... -P check_tree.cmake: the source tree keeps its rules.
include(${CMAKE_CURRENT_LIST_DIR}/rules.cmake)
picknext_check_tree(${ROOT} "${EDGES}" wrong)
foreach(line IN LISTS wrong)
  message("${line}")
endforeach()
list(LENGTH wrong n)
if(n GREATER 0)
  message(FATAL_ERROR "${n} rules broken")
endif()
