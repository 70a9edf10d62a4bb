// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include "app/vectors/format.hpp"
#include "core/fair/weights.hpp"

namespace picknext::vectors {

namespace {

void check_table(const Value& file, Tally& tally) {
    for (std::size_t i = 0; i < 40; ++i) {
        const int nice = static_cast<int>(i) - 20;
        const fair::NiceWeight w = fair::nice_weight(nice);
        Comparison c;
        c.expect(file["weight"][i].number(), w.coarse, [] { return std::string("weight"); });
        c.expect(file["inv"][i].number(), w.inverse, [] { return std::string("inverse"); });
        tally.add(c, [&] { return fmt::format("nice {}", nice); });
    }
    Comparison c;
    c.expect(file["idle_policy"][0].number(), fair::idle_policy_weight.coarse, [] { return std::string("weight"); });
    c.expect(file["idle_policy"][1].number(), fair::idle_policy_weight.inverse, [] { return std::string("inverse"); });
    tally.add(c, [] { return std::string("idle policy"); });
}

void check_scaling(const Value& row, std::size_t index, Tally& tally) {
    const Weight numerator{row[1].pattern()}, load{row[2].pattern()};
    const auto cached = static_cast<std::uint32_t>(row[3].number());
    Comparison c;
    c.expect(row[5].number(), cached != 0 ? cached : fair::dynamic_inverse(load), [] { return std::string("inverse"); });
    c.expect(row[4].number(), static_cast<std::int64_t>(fair::scale_delta(row[0].pattern(), numerator, load, cached)),
             [] { return std::string("result"); });
    tally.add(c, [&] { return fmt::format("calc_delta {} ({} ns * {} / {})", index, row[0].number(), numerator, load); });
}

} // namespace

void check_weights(const Value& file, Tally& tally) {
    check_table(file, tally);
    const Value::List& rows = file["calc_delta"].list();
    for (std::size_t i = 0; i < rows.size(); ++i) check_scaling(rows[i], i, tally);
}

} // namespace picknext::vectors
