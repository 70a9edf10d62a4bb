// SPDX-License-Identifier: GPL-3.0-or-later
#include <array>

#include <fmt/format.h>

#include "app/vectors/format.hpp"
#include "core/pelt/pelt.hpp"

namespace picknext::vectors {

namespace {

// Fields of a state here: as in traces, but period_contrib stands after the sums.
constexpr std::array field_names{"last_update", "load_sum", "runnable_sum", "util_sum",
                                 "period_contrib", "load_avg", "runnable_avg", "util_avg"};

LoadAvg read_state(const Value& v) {
    LoadAvg a;
    a.last_update = v[0].pattern();
    a.load_sum = v[1].pattern();
    a.runnable_sum = v[2].pattern();
    a.util_sum = static_cast<std::uint32_t>(v[3].number());
    a.period_contrib = static_cast<std::uint32_t>(v[4].number());
    a.load_avg = v[5].pattern();
    a.runnable_avg = v[6].pattern();
    a.util_avg = v[7].pattern();
    return a;
}

std::array<std::uint64_t, field_names.size()> fields(const LoadAvg& a) {
    return {a.last_update, a.load_sum, a.runnable_sum, a.util_sum, a.period_contrib, a.load_avg, a.runnable_avg, a.util_avg};
}

/// One row of inputs with the result last, against a function of the inputs.
template <class F>
void check_rows(const Value& rows, std::string_view name, std::size_t inputs, Tally& tally, F&& f) {
    for (const Value& row : rows.list()) {
        Comparison c;
        c.expect(row[inputs].number(), static_cast<std::int64_t>(f(row)), [] { return std::string("result"); });
        tally.add(c, [&] { return fmt::format("{}({})", name, fmt::join(row.numbers().begin(), row.numbers().begin() + static_cast<std::ptrdiff_t>(inputs), ", ")); });
    }
}

void check_sequence(const Value& sequence, std::size_t index, Tally& tally) {
    LoadAvg avg = read_state(sequence["init"]);
    const Value::List& updates = sequence["u"].list();
    for (std::size_t i = 0; i < updates.size(); ++i) {
        const Value& in = updates[i][0];
        const Value& out = updates[i][1];
        const bool changed = pelt::advance(avg, in[0].pattern(), {in[1].pattern(), in[2].pattern(), in[3].number() != 0});
        if (changed) pelt::renew(avg, in[4].pattern());
        Comparison c;
        c.expect(out[0].number(), changed ? 1 : 0, [] { return std::string("changed"); });
        const auto got = fields(avg);
        for (std::size_t f = 0; f < got.size(); ++f)
            c.expect(out[f + 1].number(), static_cast<std::int64_t>(got[f]), [&] { return std::string(field_names[f]); });
        tally.add(c, [&] { return fmt::format("sequence {}, update {}", index, i); });
        if (!c.equal()) return; // what follows would only repeat it
    }
}

} // namespace

void check_load_tracking(const Value& file, Tally& tally) {
    Comparison c;
    c.expect(file["sum_max"].number(), pelt::sum_max, [] { return std::string("sum_max"); });
    // The factor of n periods is what is left of 2^32 after them: 2^32 * T[n] >> 32.
    const Value::List& factors = file["yN_inv"].list();
    for (std::size_t n = 0; n < factors.size(); ++n)
        c.expect(factors[n].number(), static_cast<std::int64_t>(pelt::decay(std::uint64_t{1} << 32, n)),
                 [&] { return fmt::format("yN_inv[{}]", n); });
    tally.add(c, [] { return std::string("constants"); });

    check_rows(file["decay"], "decay", 2, tally, [](const Value& r) { return pelt::decay(r[0].pattern(), r[1].pattern()); });
    check_rows(file["segments"], "segments", 3, tally, [](const Value& r) {
        return pelt::segments(r[0].pattern(), static_cast<std::uint32_t>(r[1].number()), static_cast<std::uint32_t>(r[2].number()));
    });
    const Value::List& sequences = file["sequences"].list();
    for (std::size_t i = 0; i < sequences.size(); ++i) check_sequence(sequences[i], i, tally);
}

} // namespace picknext::vectors
