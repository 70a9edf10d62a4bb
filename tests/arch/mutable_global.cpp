// SPDX-License-Identifier: GPL-3.0-or-later
// What core may not hold: check_globals.cmake must find both.
int sample_global = 1;
int sample_calls() {
    static int sample_static = 0;
    return ++sample_static;
}
