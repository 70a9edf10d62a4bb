# SPDX-License-Identifier: GPL-3.0-or-later
foreach(name bench models window)
  add_executable(test_ui_${name} test_${name}.cpp window_fixture.hpp)
  set_target_properties(test_ui_${name} PROPERTIES AUTOMOC ON)
  target_link_libraries(test_ui_${name} PRIVATE picknext_ui Qt6::Test)
  target_compile_definitions(test_ui_${name} PRIVATE PICKNEXT_SCENARIOS="${PROJECT_SOURCE_DIR}/resources/scenarios")
  add_test(NAME ui.${name} COMMAND test_ui_${name})
  set_tests_properties(ui.${name} PROPERTIES ENVIRONMENT "QT_QPA_PLATFORM=offscreen" TIMEOUT 300)
endforeach()

# The picture option: exit codes are those of the command line.
add_test(NAME ui.screenshot COMMAND picknext ${PROJECT_SOURCE_DIR}/resources/scenarios/default.json --decision 40
  --size 1280x800 --screenshot ${CMAKE_CURRENT_BINARY_DIR}/window.png)
add_test(NAME ui.screenshot.refused COMMAND ${CMAKE_COMMAND} -DPROGRAM=$<TARGET_FILE:picknext> -DCODE=2
  -DARGUMENTS=${CMAKE_CURRENT_LIST_FILE},--screenshot,${CMAKE_CURRENT_BINARY_DIR}/refused.png -P ${CMAKE_CURRENT_LIST_DIR}/exit_code.cmake)
add_test(NAME ui.arguments.refused COMMAND ${CMAKE_COMMAND} -DPROGRAM=$<TARGET_FILE:picknext> -DCODE=2 -DARGUMENTS=--size,huge
  -P ${CMAKE_CURRENT_LIST_DIR}/exit_code.cmake)
set_tests_properties(ui.screenshot ui.screenshot.refused ui.arguments.refused PROPERTIES ENVIRONMENT "QT_QPA_PLATFORM=offscreen" TIMEOUT 120)
