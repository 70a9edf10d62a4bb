// SPDX-License-Identifier: GPL-3.0-or-later
// What "run --watch" prints.
#pragma once

#include <vector>

#include "core/watch/watch.hpp"

namespace picknext::cli {

/// Collects what a watch finds and prints it: as lines of JSON while it is found, or as a table at the end.
class WatchReport {
  public:
    /// wait_limit: ns. The engine must outlive this.
    WatchReport(const Engine& engine, std::int64_t wait_limit, bool json);
    WatchReport(const WatchReport&) = delete;

    [[nodiscard]] watch::Watch& watch() { return m_watch; }
    /// After the watch has finished.
    void print() const;

  private:
    [[nodiscard]] watch::Options options(std::int64_t wait_limit);
    void print_idle() const;
    void print_waits() const;

    const Engine& m_engine;
    bool m_json;
    std::vector<watch::Interval> m_longest; // longest first
    watch::Watch m_watch;
};

} // namespace picknext::cli
