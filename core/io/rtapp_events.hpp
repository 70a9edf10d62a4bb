// SPDX-License-Identifier: GPL-3.0-or-later
// rt-app's events as operations of a workload, and the resources they name.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/io/json_node.hpp"
#include "core/io/rtapp.hpp"
#include "core/io/rtapp_keys.hpp"

namespace picknext::io {

class RtappEvents {
  public:
    /// Fills the resources of `workload`; its tasks are the caller's.
    RtappEvents(Workload& workload, const RtappOptions& options) : m_out(workload), m_options(options) {}

    /// Amounts of work are as of a CPU of this capacity (global "calibration").
    void set_capacity(int capacity) { m_capacity = capacity; }

    void declare_task(const std::string& name); // all, in order, before the first event
    [[nodiscard]] bool has_task(const std::string& name) const { return m_task.contains(name); }
    void begin_task(const TaskSpec& task);

    /// Appends the operation(s) of one event of the task begun last.
    void add(rtapp::Event event, const JsonNode& value, Phase& phase);

    /// An integer of microseconds as ns; above 2147483647 it saturates as in rt-app (W-SATURATED).
    [[nodiscard]] std::int64_t microseconds(const JsonNode& value, bool negative_is_zero = false);

    /// After the last event: resources in the order of their kinds, unused suspend points gone.
    void finish();
    /// Says that nobody resumes this task (an index), with both lines.
    void warn_never_woken(std::size_t task);

  private:
    struct Suspension {
        Place place;
        std::string text; // what the file says, which rt-app ignores
    };

    [[nodiscard]] std::int32_t resource(const JsonNode& name, ResourceKind kind, bool shared = true);
    [[nodiscard]] std::optional<std::size_t> named_task(const JsonNode& name);
    [[nodiscard]] Op timer(const JsonNode& value);
    void wait(const JsonNode& value, bool signal_first, Phase& phase);
    [[nodiscard]] Op suspend(const JsonNode& value);
    [[nodiscard]] Op resume(const JsonNode& value);
    [[nodiscard]] Op work(const JsonNode& value, rtapp::Event event);

    Workload& m_out;
    const RtappOptions& m_options;
    int m_capacity = full_capacity;
    std::map<std::string, std::size_t> m_task;
    std::map<std::pair<ResourceKind, std::string>, std::int32_t> m_resource;
    std::size_t m_current = 0;
    int m_instances = 1;
    std::vector<std::optional<Suspension>> m_suspended; // by task: its first suspend
    std::map<std::string, int> m_resumed;               // name -> line of the first resume of it
    Reading* m_reading = nullptr;
    bool m_noted_slack = false;
};

} // namespace picknext::io
