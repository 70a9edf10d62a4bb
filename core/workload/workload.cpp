// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workload/workload.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <set>

#include "core/base/rng.hpp"

namespace picknext {
namespace {

using Wide = WideProduct;

// Fixed point with 30 bits after the point.
constexpr int point = 30;
constexpr std::uint64_t one = std::uint64_t{1} << point;
constexpr std::uint64_t ln_2 = 744261118; // 0.693147180560 * 2^30

/// ln(1 + i/256) for i = 0..256, by 2 artanh(z) = 2 (z + z^3/3 + z^5/5 ...) with z = i / (512 + i).
constexpr std::array<std::uint64_t, 257> make_log_table() {
    std::array<std::uint64_t, 257> table{};
    for (std::uint64_t i = 0; i < table.size(); ++i) {
        const std::uint64_t z = i * one / (512 + i);
        const std::uint64_t square = z * z / one;
        std::uint64_t sum = 0;
        std::uint64_t power = z;
        for (std::uint64_t k = 1; k < 40 && power != 0; k += 2) {
            sum += power / k;
            power = power * square / one;
        }
        table[i] = 2 * sum;
    }
    return table;
}
constexpr std::array<std::uint64_t, 257> log_table = make_log_table();
static_assert(log_table[256] > ln_2 - 64 && log_table[256] < ln_2 + 64);

/// -ln(u / 2^64) in fixed point, u taken as at least 1.
constexpr std::uint64_t minus_log(std::uint64_t u) {
    if (u == 0) u = 1;
    const int zeros = std::countl_zero(u);
    const std::uint64_t mantissa = (u << zeros) << 1;  // the bits below the leading one, at the top
    const std::uint64_t cell = mantissa >> 56;
    const std::uint64_t within = (mantissa >> 26) & (one - 1);
    const std::uint64_t step = log_table[cell + 1] - log_table[cell];
    const std::uint64_t log = log_table[cell] + step * within / one;
    return (static_cast<std::uint64_t>(zeros) + 1) * ln_2 - std::min(log, ln_2);
}

std::int64_t cut(Wide value) {
    return value > static_cast<Wide>(longest_duration) ? longest_duration : static_cast<std::int64_t>(value);
}

/// Sum of twelve uniform 16-bit numbers less its mean: a bell of standard deviation 65536 that ends at six of them.
std::int64_t bell(std::uint64_t seed, std::uint64_t stream, std::uint64_t counter) {
    std::int64_t sum = 0;
    for (std::uint64_t part = 0; part < 3; ++part) {
        const std::uint64_t bits = random_bits(seed, stream + (part << 61), counter);
        for (int shift = 0; shift < 64; shift += 16) sum += static_cast<std::int64_t>((bits >> shift) & 0xffff);
    }
    return sum - 6 * 65535;
}

} // namespace

std::int64_t draw(const Dist& dist, std::uint64_t seed, std::uint64_t stream, std::uint64_t counter) {
    switch (dist.kind) {
    case Dist::Kind::fixed: return dist.a;
    case Dist::Kind::uniform:
        return dist.a + static_cast<std::int64_t>(random_below(seed, stream, counter, static_cast<std::uint64_t>(dist.b - dist.a) + 1));
    case Dist::Kind::exponential:
        return cut(static_cast<Wide>(dist.a) * minus_log(random_bits(seed, stream, counter)) >> point);
    case Dist::Kind::normal: {
        const std::int64_t away = bell(seed, stream, counter);
        const std::int64_t distance = cut(static_cast<Wide>(dist.b) * static_cast<std::uint64_t>(away < 0 ? -away : away) >> 16);
        return away < 0 ? std::max<std::int64_t>(dist.a - distance, 0) : cut(static_cast<Wide>(dist.a) + static_cast<Wide>(distance));
    }
    case Dist::Kind::list: {
        if (dist.values.empty()) return 0;
        const std::uint64_t size = dist.values.size();
        return dist.values[dist.repeat ? counter % size : std::min(counter, size - 1)];
    }
    }
    PICKNEXT_ASSERT(false, "distribution kind {}", static_cast<int>(dist.kind));
    return 0;
}

namespace {

/// Names in use, and the next one free for a wanted name: "main", "main (2)" ...
class Names {
  public:
    void take(std::string name) { m_taken.insert(std::move(name)); }
    [[nodiscard]] std::string free(const std::string& wanted) {
        std::string name = wanted;
        for (int n = 2; !m_taken.insert(name).second; ++n) name = fmt::format("{} ({})", wanted, n);
        return name;
    }

  private:
    std::set<std::string, std::less<>> m_taken;
};

} // namespace

void append(Workload& to, Workload part) {
    const auto first_resource = static_cast<std::int32_t>(to.resources.size()), first_series = static_cast<std::int32_t>(to.series.size()),
               first_task = static_cast<std::int32_t>(to.tasks.size());
    Names tasks, resources, series;
    for (const TaskSpec& t : to.tasks) tasks.take(t.name);
    for (const ResourceSpec& r : to.resources) resources.take(r.name);
    for (const std::string& s : to.series) series.take(s);
    const auto by_series = [](OpKind kind) { return kind == OpKind::post || kind == OpKind::sample; };
    for (TaskSpec& t : part.tasks) {
        for (Phase& phase : t.phases)
            for (Op& op : phase.ops) {
                if (op.resource >= 0) op.resource += first_resource;
                if (op.second >= 0) op.second += first_resource;
                if (op.target >= 0) op.target += by_series(op.kind) ? first_series : first_task;
            }
        t.name = tasks.free(t.name);
        to.tasks.push_back(std::move(t));
    }
    for (ResourceSpec& r : part.resources) {
        r.name = resources.free(r.name);
        to.resources.push_back(std::move(r));
    }
    for (const std::string& s : part.series) to.series.push_back(series.free(s));
    std::size_t groups = 0;
    for (GroupSpec& g : part.groups) {
        if (std::any_of(to.groups.begin(), to.groups.end(), [&](const GroupSpec& known) { return known.path == g.path; })) continue;
        to.groups.push_back(std::move(g));
        ++groups;
    }
    if (part.generated.generators.empty()) return;
    to.generated.generators.insert(to.generated.generators.end(), part.generated.generators.begin(), part.generated.generators.end());
    to.generated.groups += groups;
    to.generated.resources += part.generated.resources;
    to.generated.tasks += part.generated.tasks;
    to.generated.series += part.generated.series;
}

std::string task_name(const Workload& workload, const Task& task) {
    if (task.program < 0) return {};
    const TaskSpec& spec = workload.tasks[static_cast<std::size_t>(task.program)];
    return spec.count == 1 && task.instance == 0 ? spec.name : fmt::format("{}#{}", spec.name, task.instance);
}

} // namespace picknext
