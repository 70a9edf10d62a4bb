// SPDX-License-Identifier: GPL-3.0-or-later
// What a trace says the state is after each operation. Records hold only changes; this accumulates them.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/vectors/columns.hpp"
#include "app/vectors/scene.hpp"
#include "app/vectors/value.hpp"

namespace picknext::vectors {

using Row = std::vector<std::int64_t>;

/// A pick made during an operation: path letter, who, and in group files on which queue.
struct PickEntry {
    std::string path;
    FileId id = nobody;
    std::int64_t group = 0;
    friend bool operator==(const PickEntry&, const PickEntry&) = default;
};
[[nodiscard]] std::string text(const std::vector<PickEntry>& picks);

/// The state after an operation, as recorded.
class Expected {
  public:
    /// groups: the trace is of a group file, whose queues each have a row.
    Expected(const Columns& columns, bool groups) : m_columns(&columns), m_groups(groups) {}

    /// Takes the changes of one record. Throws Malformed.
    void take(const Value& record);
    /// An exited task is not spoken of again.
    void forget(FileId id);

    FileId current = nobody;
    bool resched = false;
    std::vector<PickEntry> picks;
    std::optional<std::int64_t> slice;   // CFS: of the running task
    std::vector<Row> queues;             // by group
    std::vector<std::string> trees;      // by group; in some traces seldom looked at
    std::map<FileId, Row> entities;
    std::map<FileId, Row> loads;
    std::vector<Row> queue_loads;        // by group
    std::vector<Row> group_loads;        // by group - 1: group load sum, contribution of the queue

  private:
    void take_trees(const Value& v);
    void take_queue_loads(const Value& v);

    const Columns* m_columns;
    bool m_groups;
};

} // namespace picknext::vectors
