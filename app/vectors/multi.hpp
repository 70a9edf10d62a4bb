// SPDX-License-Identifier: GPL-3.0-or-later
// Readers of the multi-CPU reference vectors: each evaluates every row of one kind of file with the functions the
// engine calls, and compares all output columns.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "app/vectors/tally.hpp"
#include "core/topology/domains.hpp"

namespace picknext::vectors {

using Json = nlohmann::json;

/// Counts one row, wrong unless both are equal as a whole. where names the row, field what of it differs.
void compare(Tally& tally, const std::string& where, const std::string& field, const Json& expected, const Json& got);

/// The rows of a table whose columns are named by "fields"; a name that starts with "->" is an output.
class Table {
  public:
    explicit Table(const Json& fields);
    [[nodiscard]] bool has(std::string_view name) const;
    /// The input called `name` of this row.
    [[nodiscard]] const Json& in(const Json& row, std::string_view name) const;
    /// Compares the outputs of a row: `got` maps column names (with the arrow) to values; all must be there.
    void compare(Tally& tally, std::size_t row_number, const Json& row, const Json& got) const;

  private:
    std::vector<std::string> m_names;
};

/// "0-3,8" as a set; "" is every CPU if `empty_is_all`, else none.
[[nodiscard]] CpuSet read_cpus(std::string_view text, std::size_t cpus, bool empty_is_all);
[[nodiscard]] std::string write_cpus(CpuSetView set);
[[nodiscard]] Machine read_topology(const Json& topology);
/// The kernel a file was made with, from its name ("6.1", "6.12", "5.10", "5.12", "5.12.9").
[[nodiscard]] Kernel kernel_of(const Json& file);

/// One kind of file: recognised by content, and checked.
struct MultiFormat {
    std::string_view name;
    bool (*recognises)(const Json& file);
    void (*check)(const Json& file, Tally& tally);
};
[[nodiscard]] std::span<const MultiFormat> multi_formats();
/// Checks a file of several CPUs, or nothing if its text is none. Throws Malformed at a broken one.
[[nodiscard]] std::optional<Tally> check_multi(const std::string& text);

void check_domains(const Json& file, Tally& tally);
void check_select_idle(const Json& file, Tally& tally);
void check_select_idle_state(const Json& file, Tally& tally);
void check_wake_affine(const Json& file, Tally& tally);
void check_wake_wide(const Json& file, Tally& tally);
void check_wakeup(const Json& file, Tally& tally);
void check_slow_path(const Json& file, Tally& tally);
void check_imbalance(const Json& file, Tally& tally);
void check_balance_pass(const Json& file, Tally& tally);
void check_nohz_kick(const Json& file, Tally& tally);
void check_nohz_sequences(const Json& file, Tally& tally);
void check_idle_mask(const Json& file, Tally& tally);

} // namespace picknext::vectors
