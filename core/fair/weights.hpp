// SPDX-License-Identifier: GPL-3.0-or-later
// Nice weights and the fixed-point scaling every virtual time goes through.
#pragma once

#include <bit>
#include <cstdint>

#include "core/base/weight.hpp"
#include "core/base/wide_multiply.hpp"
#include "core/state/state.hpp"

namespace picknext::fair {

struct NiceWeight {
    std::uint32_t coarse;   // sched_prio_to_weight
    std::uint32_t inverse;  // sched_prio_to_wmult: stored, no single rounding rule
};

/// nice -20..19 (fn: sched_prio_to_weight, sched_prio_to_wmult).
[[nodiscard]] NiceWeight nice_weight(int nice);
inline constexpr NiceWeight idle_policy_weight{3, 1431655765}; // WEIGHT_IDLEPRIO, WMULT_IDLEPRIO

/// Inverse of a weight that has no stored one: floor((2^32-1) / coarse), limits as the kernel's
/// (fn: __update_inv_weight). 0 gives 2^32-1.
[[nodiscard]] inline std::uint32_t dynamic_inverse(Weight weight) {
    constexpr std::uint32_t most = 0xffffffffU;
    const std::uint64_t w = weight.coarse();
    if (w == 0) return most;
    if (w >= most) return 1;
    return static_cast<std::uint32_t>(most / w);
}

/// delta * coarse(numerator) / coarse(load) in the kernel's fixed point (fn: __calc_delta). delta in ns;
/// inverse: cached inverse of load, 0 = not cached (then dynamic_inverse). 128-bit intermediate, low 64 bits kept.
[[nodiscard]] inline std::uint64_t scale_delta(std::uint64_t delta, Weight numerator, Weight load,
                                               std::uint32_t inverse) {
    std::uint64_t factor = numerator.coarse();
    unsigned shift = 32;
    const auto fit = [&] { // into 32 bits
        const auto excess = static_cast<unsigned>(std::bit_width(factor >> 32));
        factor >>= excess;
        shift -= excess;
    };
    fit();
    factor *= inverse != 0 ? inverse : dynamic_inverse(load);
    fit();
    return multiply_shift(delta, factor, shift);
}

/// Wall ns to virtual ns of an entity (fn: calc_delta_fair): unchanged at nice-0 weight.
[[nodiscard]] inline std::uint64_t to_virtual(std::uint64_t delta, const Entity& entity) {
    if (entity.weight == nice_0_weight) return delta;
    return scale_delta(delta, nice_0_weight, entity.weight, entity.inv_weight);
}

/// Weight and inverse a task of this policy and nice has.
void set_task_weight(Entity& entity, Policy policy, int nice);

} // namespace picknext::fair
