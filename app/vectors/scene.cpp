// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/vectors/scene.hpp"

#include <array>

#include <fmt/format.h>

namespace picknext::vectors {

namespace {

struct KernelName {
    std::string_view prefix; // of the file's "kernel"
    Kernel kernel;
};
// 6.12 with a stable number behind it is the stable tree, which differs from the release.
constexpr std::array kernel_names{
    KernelName{"5.10", Kernel::cfs_5_10},  KernelName{"5.12", Kernel::cfs_5_12},      KernelName{"6.12.", Kernel::eevdf_6_12y},
    KernelName{"6.12", Kernel::eevdf_6_12}, KernelName{"6.1", Kernel::cfs_6_1},        KernelName{"6.6", Kernel::eevdf_6_6},
    KernelName{"6.8", Kernel::eevdf_6_8},
};

struct ParameterName {
    std::string_view name;
    Tunable tunable;
};
constexpr std::array parameter_names{
    ParameterName{"latency", Tunable::latency},
    ParameterName{"min_gran", Tunable::min_granularity},
    ParameterName{"idle_min_gran", Tunable::idle_min_granularity},
    ParameterName{"wakeup_gran", Tunable::wakeup_granularity},
    ParameterName{"nr_latency", Tunable::nr_latency},
    ParameterName{"base_slice_ns", Tunable::base_slice},
};

/// The tick frequency whose TICK_NSEC this is.
std::int64_t frequency_of(std::int64_t tick_ns) {
    if (tick_ns <= 0) throw Malformed(fmt::format("tick_nsec {} is no tick length", tick_ns));
    return (1'000'000'000 + tick_ns / 2) / tick_ns;
}

void append_subtree(const Scene& scene, EntityId node, std::string& out) {
    const TreeLink& link = scene.st.entity(node).link;
    out += fmt::format("{}{}", scene.name_of(node), link.red != 0 ? 'r' : 'b');
    if (!link.left && !link.right) return;
    out += '(';
    if (link.left) append_subtree(scene, link.left, out);
    out += ',';
    if (link.right) append_subtree(scene, link.right, out);
    out += ')';
}

} // namespace

void Scene::name(EntityId entity, FileId id) {
    names.resize(st.entities.size(), nobody);
    names[entity.index()] = id;
    by_name[id] = entity;
}

EntityId Scene::entity(FileId id) const {
    const auto it = by_name.find(id);
    if (it == by_name.end()) throw Malformed(fmt::format("entity {} never appeared", id));
    return it->second;
}

TaskId Scene::task(FileId id) const {
    const TaskId task = st.entity(entity(id)).task;
    if (!task) throw Malformed(fmt::format("{} is no task", id));
    return task;
}

Kernel kernel_of(std::string_view text) {
    for (const KernelName& k : kernel_names)
        if (text.starts_with(k.prefix)) return k.kernel;
    throw Malformed(fmt::format("kernel \"{}\" is not known", text));
}

Scene empty_scene(const Settings& settings, VTime reference) {
    Scene scene;
    State& st = scene.st;
    st.settings = settings;
    st.masks = {1};
    st.rqs.resize(1);
    st.queues.resize(1);
    st.queues[0].ref = reference;
    st.queues[0].cpu = the_cpu;
    st.queues[0].group = GroupId{0};
    st.groups.resize(1);
    st.groups[0].first_queue = QueueId{0};
    return scene;
}

void set_features(Settings& settings, const Value& features) {
    for (const auto& [name, value] : features.map()) {
        const auto feature = find_feature(name);
        if (!feature) throw Malformed(fmt::format("feature {} is not known", name));
        settings.set(*feature, value.number() != 0);
    }
}

void set_parameters(Settings& settings, const Value& params) {
    for (const auto& [name, value] : params.map()) {
        if (name == "features") {
            set_features(settings, value);
        } else if (name == "tick_nsec") {
            settings[Tunable::hz] = frequency_of(value.number());
        } else if (name == "child_first") {
            settings.set(Feature::child_runs_first, value.number() != 0);
        } else if (name != "v0") {
            const auto* it = std::find_if(parameter_names.begin(), parameter_names.end(),
                                          [&key = name](const ParameterName& p) { return p.name == key; });
            if (it == parameter_names.end()) throw Malformed(fmt::format("parameter {} is not known", name));
            settings[it->tunable] = value.number();
        }
    }
}

std::string tree_text(const Scene& scene, QueueId queue) {
    std::string out;
    if (const EntityId root = scene.st.queue(queue).root) append_subtree(scene, root, out);
    return out;
}

} // namespace picknext::vectors
