# SPDX-License-Identifier: GPL-3.0-or-later
# Painted views, on moments built by hand.
add_library(picknext_test_moments STATIC support/moments.cpp)
target_link_libraries(picknext_test_moments PUBLIC picknext_core)

add_executable(picknext_gallery gallery.cpp)
target_link_libraries(picknext_gallery PRIVATE picknext_ui_painted picknext_test_moments)
