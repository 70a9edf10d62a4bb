// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile/changes.hpp"

#include <charconv>
#include <cstdint>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/duration.hpp"
#include "core/base/nearest.hpp"

namespace picknext {
namespace {

template <class Info>
std::vector<std::string_view> names(std::span<const Info> table) {
    std::vector<std::string_view> out;
    for (const Info& row : table) out.push_back(row.name);
    return out;
}

constexpr std::string_view kernel_key = "kernel", patch_key = "patch.", feature_key = "feature.", tunable_key = "tunable.";

struct Item {
    std::string_view key, value;
    int column = 1;
    [[nodiscard]] Error error(std::string code, std::string message) const { return {std::move(code), Place{{}, 1, column, {}}, std::move(message)}; }
};

/// What reads one item after the other.
class Reader {
  public:
    Reader(Settings settings, int cpus) : m_settings(settings), m_cpus(cpus) {}

    [[nodiscard]] const Settings& settings() const { return m_settings; }

    std::optional<Error> kernel(const Item& item) {
        const std::optional<Kernel> kernel = find_kernel(item.value);
        if (!kernel) return item.error("E-KERNEL", fmt::format("no kernel \"{}\"; known: {}", item.value, fmt::join(names(kernel_table()), ", ")));
        m_settings = carried_over(m_settings, m_cpus, *kernel, m_cpus);
        return std::nullopt;
    }

    std::optional<Error> other(const Item& item) {
        if (item.key.starts_with(patch_key)) return patch(item, item.key.substr(patch_key.size()));
        if (item.key.starts_with(feature_key)) return feature(item, item.key.substr(feature_key.size()));
        if (item.key.starts_with(tunable_key)) return tunable(item, item.key.substr(tunable_key.size()));
        return item.error("E-USAGE", fmt::format("\"{}\" is no setting; write kernel=NAME, patch.NAME=VALUE, feature.NAME=on or tunable.NAME=VALUE{}", item.key,
                                                 might_be(item.key)));
    }

  private:
    [[nodiscard]] static std::string might_be(std::string_view name) {
        if (find_patch(name)) return fmt::format("; did you mean \"patch.{}\"?", name);
        if (find_feature(name)) return fmt::format("; did you mean \"feature.{}\"?", name);
        if (find_tunable_by_any_name(name) != nullptr) return fmt::format("; did you mean \"tunable.{}\"?", name);
        return {};
    }
    [[nodiscard]] std::string lacks(std::string_view what, std::string_view name) const {
        return fmt::format("kernel {} does not have {} {}", name_of(m_settings.kernel), what, name);
    }
    template <class Info>
    [[nodiscard]] bool has(const Info& info) const { return info.by_kernel[static_cast<std::size_t>(m_settings.kernel)] != absent; }

    std::optional<Error> patch(const Item& item, std::string_view name) {
        const std::optional<Patch> patch = find_patch(name);
        if (!patch) {
            const std::vector<std::string_view> known = names(patch_table());
            return item.error("E-PATCH", fmt::format("no patch \"{}\"; known: {}{}", name, fmt::join(known, ", "), did_you_mean(name, known)));
        }
        if (m_settings.patch(*patch) == absent) return item.error("E-PATCH", lacks("patch", name));
        const PatchInfo& info = patch_table()[static_cast<std::size_t>(*patch)];
        const std::optional<int> value = find_variant(info, item.value);
        if (!value) return item.error("E-ENUM", fmt::format("patch {} has no variant \"{}\"; known: {}", name, item.value, variant_names(info)));
        m_settings.set(*patch, *value);
        return std::nullopt;
    }

    std::optional<Error> feature(const Item& item, std::string_view name) {
        const std::optional<Feature> feature = find_feature(name);
        if (!feature) {
            const std::vector<std::string_view> known = names(feature_table());
            return item.error("E-FEATURE", fmt::format("no feature \"{}\"; known: {}{}", name, fmt::join(known, ", "), did_you_mean(name, known)));
        }
        if (!has(feature_table()[static_cast<std::size_t>(*feature)])) return item.error("E-FEATURE", lacks("feature", name));
        const bool on = item.value == "on" || item.value == "true";
        if (!on && item.value != "off" && item.value != "false")
            return item.error("E-ENUM", fmt::format("feature {} is on or off, not \"{}\"", name, item.value));
        m_settings.set(*feature, on);
        return std::nullopt;
    }

    std::optional<Error> tunable(const Item& item, std::string_view name) {
        const TunableInfo* info = find_tunable_by_any_name(name);
        if (info == nullptr) {
            std::vector<std::string_view> known;
            for (const TunableInfo& t : tunable_table()) known.push_back(name_without_unit(t).bare);
            return item.error("E-TUNABLE", fmt::format("no tunable \"{}\"; known: {}{}", name, fmt::join(known, ", "), did_you_mean(name, known)));
        }
        if (!has(*info)) return item.error("E-TUNABLE", lacks("tunable", name));
        const Result<std::int64_t> value = tunable_value(item, *info);
        if (!value) return value.error();
        if (*value < info->min || *value > info->max)
            return item.error("E-RANGE", fmt::format("{} is out of range; {} to {} are possible", item.value, tunable_text(*info, info->min), tunable_text(*info, info->max)));
        if (info->id == Tunable::scaling) scale(*value);
        else m_settings[info->id] = *value;
        return std::nullopt;
    }
    /// The times grow or shrink with it, as when it is written while the kernel runs (fn: sched_update_scaling).
    void scale(std::int64_t scaling) {
        const auto factor = [&](std::int64_t s) { return std::int64_t{scaling_factor(static_cast<int>(s), m_cpus)}; };
        for (const TunableInfo& t : tunable_table())
            if (t.scales && m_settings[t.id] != absent) m_settings[t.id] = m_settings[t.id] / factor(m_settings[Tunable::scaling]) * factor(scaling);
        m_settings[Tunable::scaling] = scaling;
    }
    static Result<std::int64_t> tunable_value(const Item& item, const TunableInfo& info) {
        const std::int64_t unit = name_without_unit(info).unit;
        if (unit == 0) {
            std::int64_t value = 0;
            const char* const end = item.value.data() + item.value.size();
            const auto [stop, problem] = std::from_chars(item.value.data(), end, value);
            if (problem != std::errc{} || stop != end) return item.error("E-RANGE", fmt::format("\"{}\" is no whole number", item.value));
            return value;
        }
        Result<std::int64_t> ns = parse_duration(item.value);
        if (!ns) return item.error(ns.error().code, ns.error().message);
        if (*ns % unit != 0) return item.error("E-RANGE", fmt::format("{} is kept in microseconds; {} is finer", info.name, item.value));
        return *ns / unit;
    }

    Settings m_settings;
    int m_cpus;
};

Result<std::vector<Item>> split(std::string_view text) {
    std::vector<Item> items;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find(',', at), text.size());
        std::string_view item = text.substr(at, end - at);
        const std::size_t blanks = std::min(item.find_first_not_of(' '), item.size());
        item.remove_prefix(blanks);
        while (item.ends_with(' ')) item.remove_suffix(1);
        Item out{{}, {}, static_cast<int>(at + blanks) + 1};
        const std::size_t equals = item.find('=');
        out.key = item.substr(0, equals);
        if (item.empty()) return out.error("E-USAGE", "a setting is missing before the comma; write patch.idle_mask=v2");
        if (equals == std::string_view::npos || equals + 1 == item.size())
            return out.error("E-USAGE", fmt::format("\"{}\" has no value; write patch.idle_mask=v2", out.key));
        out.value = item.substr(equals + 1);
        items.push_back(out);
        at = end + 1;
    }
    return items;
}

} // namespace

Settings carried_over(const Settings& old, int old_cpus, Kernel kernel, int cpus) {
    const Settings from = default_settings(old.kernel, old_cpus);
    Settings to = default_settings(kernel, cpus);
    for (const FeatureInfo& f : feature_table())
        if (old.on(f.id) != from.on(f.id) && f.by_kernel[static_cast<std::size_t>(kernel)] != absent) to.set(f.id, old.on(f.id));
    for (const TunableInfo& t : tunable_table())
        if (old[t.id] != from[t.id] && to[t.id] != absent) to[t.id] = old[t.id];
    for (const PatchInfo& p : patch_table())
        if (old.patch(p.id) != from.patch(p.id) && to.patch(p.id) != absent) to.set(p.id, old.patch(p.id));
    return to;
}

Result<Settings> changed(const Settings& settings, int online_cpus, std::string_view text) {
    const Result<std::vector<Item>> items = split(text);
    if (!items) return items.error();
    Reader reader(settings, online_cpus);
    for (const Item& item : *items)
        if (item.key == kernel_key)
            if (std::optional<Error> wrong = reader.kernel(item)) return *std::move(wrong);
    for (const Item& item : *items)
        if (item.key != kernel_key)
            if (std::optional<Error> wrong = reader.other(item)) return *std::move(wrong);
    return reader.settings();
}

std::vector<std::string> changes(const Settings& from, const Settings& to, int online_cpus) {
    std::vector<std::string> out;
    Settings base = from;
    if (from.kernel != to.kernel) {
        out.push_back(fmt::format("kernel={}", name_of(to.kernel)));
        base = carried_over(from, online_cpus, to.kernel, online_cpus);
    }
    for (const PatchInfo& p : patch_table())
        if (base.patch(p.id) != to.patch(p.id) && to.patch(p.id) != absent) out.push_back(fmt::format("patch.{}={}", p.name, variant_name(p, to.patch(p.id))));
    for (const FeatureInfo& f : feature_table())
        if (base.on(f.id) != to.on(f.id)) out.push_back(fmt::format("feature.{}={}", f.name, to.on(f.id) ? "on" : "off"));
    if (base[Tunable::scaling] != to[Tunable::scaling]) { // first: it changes others
        out.push_back(fmt::format("tunable.tunable_scaling={}", to[Tunable::scaling]));
        if (const Result<Settings> scaled = changed(base, online_cpus, out.back())) base = *scaled;
    }
    for (const TunableInfo& t : tunable_table())
        if (base[t.id] != to[t.id] && to[t.id] != absent) out.push_back(fmt::format("tunable.{}={}", name_without_unit(t).bare, tunable_text(t, to[t.id])));
    return out;
}

TunableName name_without_unit(const TunableInfo& t) {
    const auto without = [&](std::string_view suffix) { return t.name.ends_with(suffix) ? t.name.substr(0, t.name.size() - suffix.size()) : t.name; };
    if (t.unit == "ns") return {without("_ns"), 1};
    if (t.unit == "us") return {without("_us"), 1000};
    return {t.name, 0};
}

const TunableInfo* find_tunable_by_any_name(std::string_view name) {
    if (name.starts_with("sched_")) name.remove_prefix(6);
    for (const TunableInfo& t : tunable_table())
        if (name == t.name || name == name_without_unit(t).bare) return &t;
    return nullptr;
}

std::string tunable_text(const TunableInfo& tunable, std::int64_t value) {
    const std::int64_t unit = name_without_unit(tunable).unit;
    return unit == 0 ? std::to_string(value) : write_duration(value * unit);
}

} // namespace picknext
