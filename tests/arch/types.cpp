// SPDX-License-Identifier: GPL-3.0-or-later
// What must not compile, each beside its twin that must: kinds of time and kinds of id do not mix, and a check takes
// the types of its unit. Compiling this file is the test.
#include "core/base/ids.hpp"
#include "core/base/time.hpp"
#include "core/base/weight.hpp"
#include "core/trace/recorder.hpp"

namespace picknext {
namespace {

template <class A, class B>
concept adds = requires(A a, B b) { a + b; };
template <class A, class B>
concept subtracts = requires(A a, B b) { a - b; };
template <class A, class B>
concept compares_equal = requires(A a, B b) { a == b; };
template <class A, class B>
concept orders = requires(A a, B b) { a < b; };
template <class A, class B>
concept assigns = requires(A& a, B b) { a = b; };
template <Chk C, class Left, class Right>
concept checks = requires(Evidence<FullSink>& why, Left left, Right right) { why.check<C>(EntityId{}, left, right, true); };

static_assert(adds<Nanos, Nanos> && subtracts<Nanos, Nanos>);
static_assert(!adds<Nanos, VTime> && !adds<VTime, Nanos> && !subtracts<Nanos, VTime> && !subtracts<VTime, Nanos>);
static_assert(!adds<Nanos, std::int64_t> && !assigns<Nanos, std::int64_t> && assigns<Nanos, Nanos>);
static_assert(adds<VTime, std::int64_t> && subtracts<VTime, VTime>);
static_assert(!adds<VTime, VTime>, "two points on the virtual time line have no sum");
static_assert(!orders<VTime, VTime> && orders<Nanos, Nanos>, "virtual time wraps: before(), never <");
static_assert(!assigns<VTime, Nanos> && !assigns<Nanos, VTime> && !compares_equal<Nanos, VTime>);

static_assert(assigns<CpuId, CpuId> && compares_equal<CpuId, CpuId> && orders<CpuId, CpuId>);
static_assert(!assigns<CpuId, TaskId> && !assigns<TaskId, CpuId> && !assigns<QueueId, CpuId> && !assigns<EntityId, TaskId>);
static_assert(!compares_equal<CpuId, TaskId> && !orders<CpuId, TaskId> && !compares_equal<GroupId, QueueId>);
static_assert(!assigns<CpuId, int> && !assigns<int, CpuId> && !adds<CpuId, int> && !adds<CpuId, CpuId>);

static_assert(adds<Weight, Weight> && !adds<Weight, Nanos> && !assigns<Weight, std::uint64_t>);

static_assert(unit_of(Chk::slice_exceeded) == Unit::ns);
static_assert(checks<Chk::slice_exceeded, Nanos, Nanos>);
static_assert(!checks<Chk::slice_exceeded, int, int> && !checks<Chk::slice_exceeded, Nanos, VTime>, "a count is not a length of time");
static_assert(unit_of(Chk::node_eligible) == Unit::vtime);
static_assert(checks<Chk::node_eligible, VTime, VTime> && !checks<Chk::node_eligible, Nanos, Nanos>);
static_assert(unit_of(Chk::only_entity) == Unit::count);
static_assert(checks<Chk::only_entity, int, int> && !checks<Chk::only_entity, Nanos, int> && !checks<Chk::only_entity, VTime, VTime>);
static_assert(unit_of(Chk::same_task) == Unit::task);
static_assert(checks<Chk::same_task, TaskId, TaskId> && !checks<Chk::same_task, CpuId, CpuId> && !checks<Chk::same_task, int, int>);

} // namespace
} // namespace picknext
