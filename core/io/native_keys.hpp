// SPDX-License-Identifier: GPL-3.0-or-later
// Every key of the native formats, by object, in the order they are written. The readers warn about all others; the
// JSON schemas list the same.
#pragma once

#include <array>
#include <string_view>

#include "core/cost/costs.hpp"
#include "core/state/state.hpp"
#include "core/workload/workload.hpp"

namespace picknext::io::keys {

using Key = std::string_view;

// topology/1
inline constexpr std::array topology{Key{"format"}, Key{"name"}, Key{"description"}, Key{"build"}, Key{"cpus"},
                                     Key{"nodes"}, Key{"distances"}, Key{"caches"}, Key{"source"}};
inline constexpr std::array build{Key{"packages"}, Key{"nodes"}, Key{"llcs"}, Key{"clusters"}, Key{"cores"},
                                  Key{"threads"}, Key{"numbering"}, Key{"capacity"}};
inline constexpr std::array cpu{Key{"id"}, Key{"core"}, Key{"cluster"}, Key{"llc"}, Key{"die"}, Key{"package"},
                                Key{"node"}, Key{"capacity"}, Key{"kind"}, Key{"online"}, Key{"priority"}};
inline constexpr std::array node{Key{"id"}, Key{"cpus"}, Key{"memory"}};
inline constexpr std::array cache{Key{"level"}, Key{"type"}, Key{"size"}, Key{"cpus"}};
inline constexpr std::array source{Key{"kind"}, Key{"file"}, Key{"sha256"}};

// workload/1
inline constexpr std::array workload{Key{"format"}, Key{"name"}, Key{"description"}, Key{"groups"}, Key{"resources"},
                                     Key{"series"}, Key{"tasks"}, Key{"generators"}};
inline constexpr std::array group{Key{"path"}, Key{"shares"}, Key{"idle"}, Key{"quota"}, Key{"period"}, Key{"burst"}};
inline constexpr std::array resources{Key{"mutexes"}, Key{"conds"}, Key{"sems"}, Key{"barriers"}, Key{"pipes"}, Key{"timers"},
                                      Key{"sockets"}, Key{"mailboxes"}};
inline constexpr std::array sem{Key{"name"}, Key{"initial"}};
inline constexpr std::array barrier{Key{"name"}, Key{"parties"}};
inline constexpr std::array pipe{Key{"name"}, Key{"capacity"}};
inline constexpr std::array timer{Key{"name"}, Key{"shared"}};
inline constexpr std::array socket{Key{"name"}, Key{"kind"}, Key{"capacity"}};
inline constexpr std::array task{Key{"name"}, Key{"count"}, Key{"policy"}, Key{"nice"}, Key{"slice"}, Key{"group"},
                                 Key{"affinity"}, Key{"util_min"}, Key{"util_max"}, Key{"start"}, Key{"start_cpu"},
                                 Key{"process"}, Key{"loop"}, Key{"phases"}};
inline constexpr std::array phase{Key{"name"}, Key{"loop"}, Key{"set"}, Key{"ops"}};
inline constexpr std::array set{Key{"nice"}, Key{"policy"}, Key{"slice"}, Key{"affinity"}, Key{"group"}, Key{"util_min"}, Key{"util_max"}};
/// Operations, in the order of OpKind.
inline constexpr std::array op{Key{"run"}, Key{"spin"}, Key{"sleep"}, Key{"timer"}, Key{"lock"}, Key{"unlock"}, Key{"wait"},
                               Key{"signal"}, Key{"broadcast"}, Key{"barrier"}, Key{"sem_post"}, Key{"sem_wait"},
                               Key{"suspend"}, Key{"resume"}, Key{"wake"}, Key{"fork"}, Key{"yield"}, Key{"read"},
                               Key{"write"}, Key{"set"}, Key{"mark"}, Key{"exit"}, Key{"post"}, Key{"serve"}, Key{"collect"},
                               Key{"stamp"}, Key{"sample"}};
inline constexpr std::array op_timer{Key{"name"}, Key{"period"}, Key{"mode"}};
inline constexpr std::array op_wait{Key{"cond"}, Key{"mutex"}};
inline constexpr std::array op_channel{Key{"pipe"}, Key{"socket"}, Key{"bytes"}};
inline constexpr std::array op_post{Key{"mailbox"}, Key{"series"}};
inline constexpr std::array dist{Key{"uniform"}, Key{"exp"}, Key{"normal"}, Key{"list"}, Key{"repeat"}};

/// Of a generator: all there are, whatever its kind. Which belong to which kind: generators.cpp.
inline constexpr std::array generator{Key{"command"}, Key{"kind"}, Key{"affinity"}, Key{"groups"}, Key{"fds"}, Key{"loops"}, Key{"bytes"}, Key{"pipe"},
                                      Key{"threads"}, Key{"message_threads"}, Key{"workers"}, Key{"reply"}, Key{"spin"}, Key{"protocol"}, Key{"pairs"},
                                      Key{"request"}, Key{"response"}, Key{"tasks"}, Key{"period"}, Key{"work"}};

// scenario/1
inline constexpr std::array scenario{Key{"format"}, Key{"name"}, Key{"description"}, Key{"authors"}, Key{"licence"},
                                     Key{"topology"}, Key{"workload"}, Key{"kernel"}, Key{"features"}, Key{"tunables"},
                                     Key{"patches"}, Key{"costs"}, Key{"seed"}, Key{"initial"}, Key{"edits"},
                                     Key{"compare"}, Key{"until"}, Key{"cursor"}, Key{"select_cpu"}, Key{"bookmarks"}, Key{"notes"},
                                     Key{"engine"}, Key{"digests"}};
inline constexpr std::array file_reference{Key{"file"}, Key{"sha256"}};
inline constexpr std::array until{Key{"time"}, Key{"events"}};
inline constexpr std::array position{Key{"branch"}, Key{"event"}, Key{"decision"}, Key{"check"}};
inline constexpr std::array edit_item{Key{"at"}, Key{"branch"}, Key{"edit"}};
inline constexpr std::array edit{Key{"offline"}, Key{"online"}, Key{"affinity"}};
inline constexpr std::array edit_affinity{Key{"task"}, Key{"cpus"}};
inline constexpr std::array bookmark{Key{"name"}, Key{"at"}};
inline constexpr std::array note{Key{"at"}, Key{"text"}, Key{"author"}, Key{"task"}, Key{"cpu"}};

// packet/1
inline constexpr std::array packet{Key{"format"}, Key{"title"}, Key{"description"}, Key{"author"}, Key{"toggles"}, Key{"digest"},
                                   Key{"assertions"}, Key{"scenario"}};
inline constexpr std::array assertion{Key{"name"}, Key{"always"}, Key{"never"}, Key{"sometime"}, Key{"where"}, Key{"decision"},
                                      Key{"kind"}, Key{"outcome"}, Key{"reason"}, Key{"holds"}};

// costs/1
inline constexpr std::array costs{Key{"format"}, Key{"name"}, Key{"description"}, Key{"constants"}, Key{"idle_states"}};
inline constexpr std::array cost{Key{"value"}, Key{"basis"}, Key{"range"}, Key{"text"}};
inline constexpr std::array idle_state{Key{"name"}, Key{"exit_latency"}, Key{"residency"}, Key{"exit"}, Key{"basis"}, Key{"range"}, Key{"text"}};
/// Of "constants": the names of the table.
[[nodiscard]] inline std::array<Key, cost::cost_count> cost_names() {
    std::array<Key, cost::cost_count> out;
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = cost::cost_table()[i].name;
    return out;
}

} // namespace picknext::io::keys

/// Words that stand as values.
namespace picknext::io::words {

inline constexpr std::array<std::string_view, 3> policies{"normal", "batch", "idle"};
inline constexpr std::array policy_values{Policy::normal, Policy::batch, Policy::idle};
inline constexpr std::array<std::string_view, 3> socket_kinds{"unix", "tcp", "udp"};
inline constexpr std::array socket_kind_values{ResourceKind::unix_socket, ResourceKind::tcp_socket, ResourceKind::udp_socket};
inline constexpr std::array<std::string_view, 5> generator_kinds{"hackbench", "schbench", "pipe", "rr", "storm"};
inline constexpr std::array<std::string_view, 2> timer_modes{"relative", "absolute"};

} // namespace picknext::io::words
