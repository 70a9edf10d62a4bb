// SPDX-License-Identifier: GPL-3.0-or-later
// Replays the operations of a trace with the functions the engine's event loop calls.
#pragma once

#include <string_view>

#include "app/vectors/pick_log.hpp"
#include "app/vectors/scene.hpp"
#include "core/engine/sched_core.hpp"

namespace picknext::vectors {

class TraceSession {
  public:
    TraceSession(const Settings& settings, VTime reference);
    TraceSession(const TraceSession&) = delete;
    TraceSession& operator=(const TraceSession&) = delete;

    /// Performs one record's operation at its time. Throws Malformed when it cannot be one.
    void perform(const Value& record);

    [[nodiscard]] const Scene& scene() const { return m_scene; }
    /// Of the last operation.
    [[nodiscard]] const std::vector<PickEntry>& picks() const { return m_log.picks(); }

  private:
    [[nodiscard]] TaskId running() const;
    [[nodiscard]] GroupId group_of(const Value& v) const;
    void fork(const Value& a);
    void wake(TaskId task);
    void leave(bool exiting);
    void change_attributes(const Value& a);
    void make_group(const Value& a);

    Scene m_scene;
    PickLog m_log;
    FullSink m_sink;
    Recorder<FullSink> m_recorder;
    Context<FullSink> m_cx;
};

} // namespace picknext::vectors
