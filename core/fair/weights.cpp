// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/fair/weights.hpp"

#include <array>

#include "core/base/assert.hpp"

namespace picknext::fair {

namespace {

// Index nice + 20. Most inverses are 2^32 / coarse rounded to nearest, but those of nice 13, 14, 16 and 17 are cut:
// stored numbers, not a formula.
constexpr std::array<NiceWeight, 40> nice_weights{{
    {88761, 48388},   {71755, 59856},   {56483, 76040},   {46273, 92818},   {36291, 118348},
    {29154, 147320},  {23254, 184698},  {18705, 229616},  {14949, 287308},  {11916, 360437},
    {9548, 449829},   {7620, 563644},   {6100, 704093},   {4904, 875809},   {3906, 1099582},
    {3121, 1376151},  {2501, 1717300},  {1991, 2157191},  {1586, 2708050},  {1277, 3363326},
    {1024, 4194304},  {820, 5237765},   {655, 6557202},   {526, 8165337},   {423, 10153587},
    {335, 12820798},  {272, 15790321},  {215, 19976592},  {172, 24970740},  {137, 31350126},
    {110, 39045157},  {87, 49367440},   {70, 61356676},   {56, 76695844},   {45, 95443717},
    {36, 119304647},  {29, 148102320},  {23, 186737708},  {18, 238609294},  {15, 286331153},
}};

} // namespace

NiceWeight nice_weight(int nice) {
    PICKNEXT_ASSERT(nice >= -20 && nice <= 19, "nice {}", nice);
    return nice_weights[static_cast<std::size_t>(nice + 20)];
}

void set_task_weight(Entity& entity, Policy policy, int nice) {
    const NiceWeight w = policy == Policy::idle ? idle_policy_weight : nice_weight(nice);
    entity.weight = Weight{std::uint64_t{w.coarse} << 10};
    entity.inv_weight = w.inverse;
}

} // namespace picknext::fair
