# SPDX-License-Identifier: GPL-3.0-or-later
# cmake -DOBJDUMP=... -DLIBRARIES=... -DSOURCES=... -DWORK=file [-DMUST_FIND=name] -P check_globals.cmake: no library
# holds a variable that can change (an object in .data, .bss or their thread-local kin; .data.rel holds our tables). With
# MUST_FIND: it holds that one, to test the test.
cmake_minimum_required(VERSION 3.25)

# gcc 12 puts a constexpr object whose type is deduced ("constexpr std::array a{...}") into .data: the source decides.
set(constants "")
file(GLOB_RECURSE files ${SOURCES}/*.cpp ${SOURCES}/*.hpp)
foreach(file IN LISTS files)
  file(STRINGS ${file} lines REGEX "constexpr [^(]*{")
  foreach(line IN LISTS lines)
    if(line MATCHES "constexpr [^={(]*[ >]([A-Za-z0-9_]+)(\\[[0-9]*\\])?[ ]*=?[ ]*{")
      list(APPEND constants ${CMAKE_MATCH_1})
    endif()
  endforeach()
endforeach()

set(found "")
foreach(library IN LISTS LIBRARIES)
  execute_process(COMMAND ${OBJDUMP} -t --demangle ${library} OUTPUT_FILE ${WORK} COMMAND_ERROR_IS_FATAL ANY)
  # value, flags with O for object, section, tab, size, name
  file(STRINGS ${WORK} hits REGEX " O \\.(t?data|t?bss)(\\.[^r\t][^\t]*|\\.r[^e\t][^\t]*)?\t")
  get_filename_component(name ${library} NAME)
  foreach(hit IN LISTS hits)
    string(REGEX MATCH "[A-Za-z0-9_]+$" variable "${hit}")
    if(NOT variable IN_LIST constants)
      list(APPEND found "${name}: ${hit}")
    endif()
  endforeach()
endforeach()
file(REMOVE ${WORK})
list(JOIN found "\n" lines)
if(MUST_FIND)
  if(NOT lines MATCHES "${MUST_FIND}")
    message(FATAL_ERROR "${MUST_FIND} is not found among: ${lines}")
  endif()
elseif(found)
  message(FATAL_ERROR "variables that can change:\n${lines}")
endif()
