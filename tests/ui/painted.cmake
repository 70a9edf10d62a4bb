# SPDX-License-Identifier: GPL-3.0-or-later
# Theme and painted views, on moments built by hand.
add_library(picknext_test_moments STATIC support/moments.cpp)
target_link_libraries(picknext_test_moments PUBLIC picknext_core)

foreach(test theme painted)
  add_executable(test_ui_${test} test_${test}.cpp)
  set_target_properties(test_ui_${test} PROPERTIES AUTOMOC ON)
  target_link_libraries(test_ui_${test} PRIVATE picknext_ui_painted picknext_test_moments Qt6::Test)
  add_test(NAME ui.${test} COMMAND test_ui_${test})
  set_tests_properties(ui.${test} PROPERTIES ENVIRONMENT QT_QPA_PLATFORM=offscreen)
endforeach()

# Paints every view into a directory, to be looked at.
add_executable(picknext_gallery gallery.cpp)
target_link_libraries(picknext_gallery PRIVATE picknext_ui_painted picknext_test_moments)
