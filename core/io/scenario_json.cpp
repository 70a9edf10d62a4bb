// SPDX-License-Identifier: GPL-3.0-or-later
// scenario/1.
#include <algorithm>

#include <fmt/ranges.h>

#include "core/base/duration.hpp"
#include "core/base/nearest.hpp"
#include "core/io/edits_json.hpp"
#include "core/io/extra_keys.hpp"
#include "core/io/native.hpp"
#include "core/io/native_keys.hpp"
#include "core/profile/changes.hpp"

namespace picknext::io {
namespace {

using Kind = JsonValue::Kind;

/// The names of a table, for messages.
template <class Info>
std::vector<std::string_view> names(std::span<const Info> table) {
    std::vector<std::string_view> out;
    for (const Info& row : table) out.push_back(row.name);
    return out;
}

int online_cpus(const Machine& m) { return m.online().size(); }

/// The defaults under another scaling of the times: what the kernel makes of a written tunable_scaling.
Settings scaled_defaults(Kernel kernel, const Machine& machine, std::int64_t scaling) {
    Settings s = default_settings(kernel, online_cpus(machine));
    if (s[Tunable::scaling] == scaling) return s;
    s[Tunable::scaling] = scaling;
    const int factor = scaling_factor(static_cast<int>(scaling), online_cpus(machine));
    for (const TunableInfo& t : tunable_table()) {
        const std::int64_t base = t.by_kernel[static_cast<std::size_t>(kernel)];
        if (t.scales && base != absent) s[t.id] = base * factor;
    }
    return s;
}

class SettingsReader {
  public:
    SettingsReader(const JsonNode& root, const Machine& machine) : m_root(root), m_machine(machine) {}

    Settings read() {
        Kernel kernel = Settings{}.kernel;
        if (const auto n = m_root.find("kernel")) kernel = kernel_of(*n);
        m_kernel = static_cast<std::size_t>(kernel);
        m_settings = default_settings(kernel, online_cpus(m_machine));
        if (const auto n = m_root.find("features"); n && n->expect_object()) features(*n);
        if (const auto n = m_root.find("tunables"); n && n->expect_object()) tunables(*n, kernel);
        if (const auto n = m_root.find("patches"); n && n->expect_object()) patches(*n);
        return m_settings;
    }

  private:
    static Kernel kernel_of(const JsonNode& n) {
        const std::string name = n.text();
        if (const auto kernel = find_kernel(name)) return *kernel;
        const std::vector<std::string_view> known = names(kernel_table());
        n.fail("E-KERNEL", fmt::format("kernel \"{}\" is not known; there are {}", name, fmt::join(known, ", ")));
        return Settings{}.kernel;
    }
    void unknown(const JsonNode& n, std::string_view what, std::span<const std::string_view> known) const {
        n.warn("W-UNKNOWN-KEY", fmt::format("no kernel has a {} \"{}\"; ignored{}", what, n.key(), did_you_mean(n.key(), known)));
    }
    void lacks(const JsonNode& n) const {
        n.warn("W-ABSENT", fmt::format("kernel {} has no {}; ignored", name_of(static_cast<Kernel>(m_kernel)), n.key()));
    }

    void features(const JsonNode& object) {
        for (const JsonNode& n : object.members()) {
            const auto feature = find_feature(n.key());
            if (!feature) unknown(n, "feature", names(feature_table()));
            else if (feature_table()[static_cast<std::size_t>(*feature)].by_kernel[m_kernel] == absent) lacks(n);
            else m_settings.set(*feature, n.boolean());
        }
    }

    void tunables(const JsonNode& object, Kernel kernel) {
        // The scaling first: it changes the defaults of the others.
        for (const JsonNode& n : object.members())
            if (const TunableInfo* t = find_tunable_by_any_name(n.key()); t != nullptr && t->id == Tunable::scaling)
                m_settings = with_features_of(scaled_defaults(kernel, m_machine, n.integer(t->min, t->max)));
        for (const JsonNode& n : object.members()) {
            const TunableInfo* t = find_tunable_by_any_name(n.key());
            if (t == nullptr) unknown(n, "tunable", tunable_names());
            else if (t->by_kernel[m_kernel] == absent) lacks(n);
            else m_settings[t->id] = tunable(n, *t);
        }
    }
    [[nodiscard]] Settings with_features_of(Settings s) const {
        s.features = m_settings.features;
        return s;
    }
    static std::vector<std::string_view> tunable_names() {
        std::vector<std::string_view> out = names(tunable_table());
        for (const TunableInfo& t : tunable_table()) out.push_back(name_without_unit(t).bare);
        return out;
    }
    /// A duration; or a whole number where the name says the unit or there is none.
    static std::int64_t tunable(const JsonNode& n, const TunableInfo& t) {
        const TunableName key = name_without_unit(t);
        const bool unit_in_name = key.unit != 0 && n.key().ends_with(t.name);
        if (key.unit == 0 || (unit_in_name && !n.is(Kind::string))) return n.integer(t.min, t.max);
        const std::int64_t ns = n.duration();
        const std::int64_t value = ns / key.unit;
        if (n.reading().failed()) return t.min;
        if (ns % key.unit != 0) n.fail("E-RANGE", fmt::format("{} is kept in microseconds; {} is finer", t.name, write_duration(ns)));
        else if (value < t.min || value > t.max)
            n.fail("E-RANGE", fmt::format("{} is out of range; {} to {} are possible", write_duration(ns),
                                          write_duration(t.min * key.unit), write_duration(t.max * key.unit)));
        return value;
    }

    void patches(const JsonNode& object) {
        for (const JsonNode& n : object.members()) {
            const auto patch = find_patch(n.key());
            if (!patch) unknown(n, "patch", names(patch_table()));
            else if (patch_table()[static_cast<std::size_t>(*patch)].by_kernel[m_kernel] == absent) lacks(n);
            else m_settings.set(*patch, patch_value(n, *patch));
        }
    }
    static int patch_value(const JsonNode& n, Patch patch) {
        const PatchInfo& info = patch_table()[static_cast<std::size_t>(patch)];
        const std::string name = n.is(Kind::string) ? n.value().text : n.boolean() ? "true" : "false";
        const std::optional<int> value = find_variant(info, name);
        if (!value) n.fail("E-ENUM", fmt::format("this patch has no variant \"{}\"; known: {}", name, variant_names(info)));
        return value.value_or(0);
    }

    const JsonNode& m_root;
    const Machine& m_machine;
    std::size_t m_kernel = 0;
    Settings m_settings;
};

/// A topology, workload or cost profile that stands in another file: its text and where it came from.
struct Referenced {
    std::string path;
    std::string text;
};

std::optional<Referenced> referenced(const JsonNode& n, const std::string& folder) {
    const auto file = n.find("file");
    if (!file) return std::nullopt;
    n.keys(keys::file_reference);
    if (n.find("sha256")) n.note("N-SHA256", "the checksum of the file is not checked by this version");
    Referenced r{file->text(), {}};
    if (n.reading().failed()) return r;
    if (r.path.empty()) file->fail("E-FILE", "the name of the file is empty");
    else if (r.path.front() == '/' || ("/" + r.path + "/").find("/../") != std::string::npos)
        file->warn("W-OUTSIDE", fmt::format("\"{}\" lies outside the folder of the scenario; it will not travel with it", r.path));
    if (r.path.empty()) return r;
    if (r.path.front() != '/' && !folder.empty()) r.path = folder + "/" + r.path;
    Result<std::string> text = read_file(r.path);
    if (text) r.text = std::move(text).value();
    else file->fail(text.error().code, fmt::format("{}: {}", r.path, text.error().message));
    return r;
}

Machine machine_part(const JsonNode& root, const std::string& folder) {
    const JsonNode n = root.required("topology");
    if (!n.expect_object()) return {};
    const std::optional<Referenced> other = referenced(n, folder);
    if (!other) return topology_of(n, true);
    if (root.reading().failed()) return {};
    Result<Machine> machine = read_topology(other->text, other->path, root.reading().report());
    if (machine) return std::move(machine).value();
    root.reading().fail(machine.error());
    return {};
}

Workload workload_part(const JsonNode& root, const Machine& machine, const std::string& folder) {
    const JsonNode n = root.required("workload");
    if (!n.expect_object()) return {};
    const std::optional<Referenced> other = referenced(n, folder);
    if (!other) return workload_of(n, machine, true);
    if (root.reading().failed()) return {};
    Result<Workload> workload = read_workload(other->text, other->path, machine, root.reading().report());
    if (workload) return std::move(workload).value();
    root.reading().fail(workload.error());
    return {};
}

/// A shipped profile by its name, another file, or the profile itself; without the key nothing is charged.
cost::CostProfile costs_part(const JsonNode& root, const std::string& folder) {
    const auto n = root.find("costs");
    if (!n) return {};
    std::optional<Referenced> other;
    if (n->is(Kind::string)) {
        const Result<std::string> path = shipped_file("costs", n->text());
        Result<std::string> text = path ? read_file(*path) : path;
        if (!text) {
            n->fail(text.error().code, text.error().message);
            return {};
        }
        other = Referenced{*path, std::move(text).value()};
    } else {
        if (!n->expect_object()) return {};
        other = referenced(*n, folder);
    }
    if (!other) return costs_of(*n, true);
    if (root.reading().failed()) return {};
    Result<cost::CostProfile> costs = read_costs(other->text, other->path, root.reading().report());
    if (costs) return std::move(costs).value();
    root.reading().fail(costs.error());
    return {};
}

/// The decision a position names; the rest of a position is found again from it.
std::uint64_t decision_of(const JsonNode& n) {
    n.keys(keys::position);
    if (const auto branch = n.find("branch"); branch && branch->integer(0, INT32_MAX) != 0)
        branch->warn("W-UNSUPPORTED", "only the main branch is kept in files by this version");
    const auto decision = n.find("decision");
    return decision ? decision->u64() : 0;
}

void read_marks(const JsonNode& root, Scenario& s) {
    if (const auto list = root.find("bookmarks"))
        for (const JsonNode& item : list->items()) {
            if (!item.keys(keys::bookmark)) return;
            Bookmark b;
            b.name = item.required("name").text();
            const JsonNode at = item.required("at");
            if (at.is(Kind::object)) b.decision = decision_of(at);
            else b.at = at.duration();
            s.bookmarks.push_back(std::move(b));
        }
    if (const auto list = root.find("notes"))
        for (const JsonNode& item : list->items()) {
            if (!item.keys(keys::note)) return;
            Note note;
            note.at = item.required("at").duration();
            note.text = item.required("text").text();
            if (const auto n = item.find("author")) note.author = n->text();
            if (item.find("task") || item.find("cpu")) item.note("N-NOTE", "the task and CPU of a note are not kept by this version");
            s.notes.push_back(std::move(note));
        }
}

void read_until(const JsonNode& n, Scenario& s) {
    if (!n.keys(keys::until)) return;
    if (const auto time = n.find("time")) s.until_ns = time->duration();
    if (const auto events = n.find("events")) s.until_events = events->u64();
    if (!s.until_ns && !s.until_events) n.fail("E-MISSING", "\"until\" needs \"time\" or \"events\"");
}

void add_settings(JsonValue& v, const Scenario& s) {
    const Settings defaults = scaled_defaults(s.settings.kernel, s.machine, s.settings[Tunable::scaling]);
    const Settings plain = default_settings(s.settings.kernel, online_cpus(s.machine));
    JsonValue features = JsonValue::object();
    for (const FeatureInfo& f : feature_table())
        if (s.settings.on(f.id) != defaults.on(f.id)) features.add(f.name, JsonValue::of(s.settings.on(f.id)));
    JsonValue tunables = JsonValue::object();
    for (const TunableInfo& t : tunable_table()) {
        const std::int64_t before = t.id == Tunable::scaling ? plain[t.id] : defaults[t.id];
        if (s.settings[t.id] == before) continue;
        const TunableName key = name_without_unit(t);
        tunables.add(key.bare, key.unit == 0 ? JsonValue::of(s.settings[t.id])
                                             : JsonValue::of(std::string_view{write_duration(s.settings[t.id] * key.unit)}));
    }
    JsonValue patches = JsonValue::object();
    for (const PatchInfo& p : patch_table()) {
        const int value = s.settings.patch(p.id);
        if (value == defaults.patch(p.id)) continue;
        patches.add(p.name, p.variants.empty() ? JsonValue::of(value == 1) : JsonValue::of(variant_name(p, value)));
    }
    v.add("kernel", JsonValue::of(name_of(s.settings.kernel)));
    if (!features.members.empty()) v.add("features", std::move(features));
    if (!tunables.members.empty()) v.add("tunables", std::move(tunables));
    if (!patches.members.empty()) v.add("patches", std::move(patches));
}

} // namespace

bool check_envelope(const JsonNode& root, std::string_view kind, bool may_be_absent) {
    if (!root.expect_object()) return false;
    const auto format = root.find("format");
    if (!format) {
        if (!may_be_absent) root.fail("E-FORMAT", fmt::format("the key \"format\" is missing; it should be \"picknext-{}/{}\"", kind, native_version));
        return may_be_absent;
    }
    const std::string found = format->text();
    const std::string prefix = fmt::format("picknext-{}/", kind);
    const std::string_view version = found.starts_with(prefix) ? std::string_view{found}.substr(prefix.size()) : std::string_view{};
    if (version == "1") return true;
    const bool number = !version.empty() && version.size() < 10 && version.find_first_not_of("0123456789") == std::string_view::npos && version.front() != '0';
    if (number) format->fail("E-VERSION", fmt::format("written by a newer version ({}), this one reads up to {}", found, native_version));
    else format->fail("E-FORMAT", fmt::format("\"{}\" is not \"{}{}\"", found, prefix, native_version));
    return false;
}

Scenario scenario_of(const JsonNode& root, const std::string& folder) {
    Scenario s;
    if (!check_envelope(root, "scenario", false) || !root.keys(keys::scenario)) return s;
    if (const auto n = root.find("name")) s.name = n->text();
    if (const auto n = root.find("description")) s.description = n->text();
    if (const auto n = root.find("authors")) s.authors = n->text();
    if (const auto n = root.find("licence")) s.licence = n->text();
    s.machine = machine_part(root, folder);
    if (root.reading().failed()) return {};
    s.workload = workload_part(root, s.machine, folder);
    if (root.reading().failed()) return {};
    s.settings = SettingsReader(root, s.machine).read();
    s.costs = costs_part(root, folder);
    if (const auto n = root.find("seed")) s.seed = n->u64();
    for (const std::string_view key : {"initial", "compare", "digests"})
        if (const auto n = root.find(key)) n->warn("W-UNSUPPORTED", fmt::format("\"{}\" is not acted on by this version, and not saved", key));
    if (const auto n = root.find("edits"); n && !root.reading().failed()) s.edits = edits_of(*n, s);
    if (const auto n = root.find("until")) read_until(*n, s);
    if (const auto n = root.find("cursor"); n && n->expect_object()) s.cursor_decision = decision_of(*n);
    if (const auto n = root.find("select_cpu")) {
        s.select_cpu = s.machine.by_number(n->small(0, max_cpu_number));
        if (!*s.select_cpu) n->fail("E-CPU", "this machine has no such CPU");
    }
    read_marks(root, s);
    s.extras = extra_keys(root.value(), {"topology", "workload", "costs"});
    return s;
}

JsonValue tree_of(const Scenario& s) {
    const auto text = [](const std::string& t) { return JsonValue::of(std::string_view{t}); };
    JsonValue v = JsonValue::object();
    v.add("format", JsonValue::of("picknext-scenario/1"));
    if (!s.name.empty()) v.add("name", text(s.name));
    if (!s.description.empty()) v.add("description", text(s.description));
    if (!s.authors.empty()) v.add("authors", text(s.authors));
    if (!s.licence.empty()) v.add("licence", text(s.licence));
    v.add("topology", tree_of(s.machine)).add("workload", tree_of(s.workload, s.machine));
    add_settings(v, s);
    if (!(s.costs == cost::CostProfile{})) v.add("costs", tree_of(s.costs));
    if (s.seed != 1) v.add("seed", JsonValue::of(s.seed));
    if (!s.edits.empty()) v.add("edits", tree_of_edits(s));
    if (s.until_ns || s.until_events) {
        JsonValue until = JsonValue::object();
        if (s.until_ns) until.add("time", text(write_duration(*s.until_ns)));
        if (s.until_events) until.add("events", JsonValue::of(*s.until_events));
        v.add("until", std::move(until));
    }
    const auto position = [](std::uint64_t decision) { return JsonValue::object().add("decision", JsonValue::of(decision)); };
    if (s.cursor_decision) v.add("cursor", position(*s.cursor_decision));
    if (s.select_cpu) v.add("select_cpu", JsonValue::of(s.machine.cpu(*s.select_cpu).number));
    JsonValue bookmarks = JsonValue::array();
    for (const Bookmark& b : s.bookmarks) {
        JsonValue item = JsonValue::object();
        item.add("name", text(b.name)).add("at", b.at >= 0 ? text(write_duration(b.at)) : position(b.decision));
        bookmarks.items.push_back(std::move(item));
    }
    if (!bookmarks.items.empty()) v.add("bookmarks", std::move(bookmarks));
    JsonValue notes = JsonValue::array();
    for (const Note& n : s.notes) {
        JsonValue item = JsonValue::object();
        item.add("at", text(write_duration(n.at))).add("text", text(n.text));
        if (!n.author.empty()) item.add("author", text(n.author));
        notes.items.push_back(std::move(item));
    }
    if (!notes.items.empty()) v.add("notes", std::move(notes));
    put_back(v, s.extras);
    return v;
}

} // namespace picknext::io
