// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/sysfs.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <map>
#include <optional>
#include <system_error>

#include <fmt/ranges.h>

#include "core/io/cpu_mask.hpp"
#include "core/io/topology_checks.hpp"
#include "core/topology/cpulist.hpp"

namespace picknext::io {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t longest_file = std::size_t{1} << 20;

std::optional<int> as_number(std::string_view text) {
    int value = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (problem != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return value;
}

/// Which CPUs (indices) belong together, from what each says about itself.
class Groups {
  public:
    explicit Groups(std::size_t cpus) : m_parent(cpus), m_said(cpus) {
        for (std::size_t i = 0; i < cpus; ++i) m_parent[i] = i;
    }
    /// `others` are ascending.
    void says(std::size_t cpu, std::vector<std::size_t> others) {
        for (const std::size_t other : others) m_parent[top(other)] = top(cpu);
        m_said[cpu] = std::move(others);
    }
    [[nodiscard]] bool known(std::size_t cpu) const { return !m_said[cpu].empty(); }
    [[nodiscard]] std::int32_t group(std::size_t cpu) const { return static_cast<std::int32_t>(top(cpu)); }
    /// A CPU that is on another's list without having it on its own.
    [[nodiscard]] std::optional<std::pair<std::size_t, std::size_t>> disagreement() const {
        for (std::size_t a = 0; a < m_said.size(); ++a)
            for (const std::size_t b : m_said[a])
                if (known(b) && !std::binary_search(m_said[b].begin(), m_said[b].end(), a)) return std::pair{a, b};
        return std::nullopt;
    }

  private:
    [[nodiscard]] std::size_t top(std::size_t cpu) const {
        while (m_parent[cpu] != cpu) cpu = m_parent[cpu];
        return cpu;
    }
    std::vector<std::size_t> m_parent;
    std::vector<std::vector<std::size_t>> m_said;
};

class SysfsReader {
  public:
    SysfsReader(const std::string& root, Report& report) : m_system(fs::path(root + "/sys") / "devices" / "system"), m_report(report) {}

    Result<Machine> read() {
        const std::vector<int> numbers = numbered_folders(m_system / "cpu", "cpu");
        if (numbers.empty()) return Error{"E-OPEN", place(), "no CPU is found there"};
        if (numbers.size() > max_cpus) return Error{"E-LIMIT", place(), fmt::format("{} CPUs, at most {} are possible", numbers.size(), max_cpus)};
        for (const int number : numbers) {
            m_index.emplace(number, m_machine.cpus.size());
            Cpu cpu;
            cpu.number = number;
            cpu.online = value(cpu_folder(number) / "online").value_or("1") != "0"; // a CPU that cannot go has no such file
            m_machine.cpus.push_back(cpu);
        }
        levels();
        capacities();
        nodes();
        place_offline();
        Result<Machine> done = finish(std::move(m_machine));
        if (!done) return Error{done.error().code, place(), done.error().message};
        m_machine = std::move(done).value();
        caches();
        for (const auto& [code, sentence] : oddities(m_machine)) say(Severity::warning, code, sentence);
        return std::move(m_machine);
    }

  private:
    // ---- files
    [[nodiscard]] Place place() const { return Place{m_system.string(), 0, 0, {}}; }
    void say(Severity severity, std::string code, std::string text) { m_report.push_back({severity, std::move(code), place(), std::move(text), 1}); }
    [[nodiscard]] fs::path cpu_folder(int number) const { return m_system / "cpu" / fmt::format("cpu{}", number); }

    /// The trimmed text of a small file, or nothing.
    static std::optional<std::string> value(const fs::path& file) {
        Result<std::string> text = read_file(file.string(), longest_file);
        if (!text) return text.error().code == "E-EMPTY" ? std::optional<std::string>{""} : std::nullopt;
        constexpr std::string_view around(" \t\n\0", 4); // copies of /sys may keep a zero byte at the end
        const std::size_t first = text->find_first_not_of(around);
        if (first == std::string::npos) return std::string{};
        return text->substr(first, text->find_last_not_of(around) - first + 1);
    }
    /// N of each folder "<prefix>N", ascending.
    static std::vector<int> numbered_folders(const fs::path& folder, std::string_view prefix) {
        std::vector<int> out;
        std::error_code problem;
        for (fs::directory_iterator it(folder, problem), end; !problem && it != end; it.increment(problem)) {
            const std::string name = it->path().filename().string();
            if (!name.starts_with(prefix)) continue;
            const std::optional<int> number = as_number(std::string_view{name}.substr(prefix.size()));
            std::error_code ignored;
            if (number && *number >= 0 && *number <= max_cpu_number && it->is_directory(ignored)) out.push_back(*number);
        }
        std::sort(out.begin(), out.end());
        return out;
    }
    /// CPUs of the first of these files that is there: a "..._list" or "list" as a list, any other as a mask.
    static std::optional<std::vector<int>> cpus(const fs::path& folder, std::initializer_list<std::string_view> files) {
        for (const std::string_view file : files) {
            const std::optional<std::string> text = value(folder / file);
            if (!text) continue;
            if (file.ends_with("list")) {
                if (Result<std::vector<int>> list = parse_cpulist(*text)) return std::move(list).value();
            } else if (const std::optional<MaskBits> mask = parse_mask(*text)) {
                return mask->members();
            }
        }
        return std::nullopt;
    }

    // ---- levels
    /// Those of the numbers that have a folder and are online, as indices.
    [[nodiscard]] std::vector<std::size_t> indices(const std::vector<int>& numbers) const {
        std::vector<std::size_t> out;
        for (const int n : numbers)
            if (const auto at = m_index.find(n); at != m_index.end() && m_machine.cpus[at->second].online) out.push_back(at->second);
        return out;
    }
    template <class LevelId>
    bool level(LevelId Cpu::*id, std::string_view what, std::initializer_list<std::string_view> files) {
        Groups groups(m_machine.cpus.size());
        for (std::size_t i = 0; i < m_machine.cpus.size(); ++i) {
            if (!m_machine.cpus[i].online) continue;
            if (const auto list = cpus(cpu_folder(m_machine.cpus[i].number) / "topology", files)) groups.says(i, indices(*list));
        }
        return take(id, what, groups);
    }
    template <class LevelId>
    bool take(LevelId Cpu::*id, std::string_view what, const Groups& groups) {
        bool any = false;
        for (std::size_t i = 0; i < m_machine.cpus.size(); ++i) {
            if (!groups.known(i)) continue;
            m_machine.cpus[i].*id = LevelId{groups.group(i)};
            any = true;
        }
        if (const auto odd = groups.disagreement())
            say(Severity::warning, "W-SIBLINGS", fmt::format("CPU {} counts CPU {} to its {}, but not the other way round; taken as one {}",
                                                             m_machine.cpus[odd->first].number, m_machine.cpus[odd->second].number, what, what));
        return any;
    }
    void levels() {
        level(&Cpu::core, "core", {"core_cpus_list", "thread_siblings_list", "core_cpus", "thread_siblings"});
        level(&Cpu::cluster, "cluster", {"cluster_cpus_list", "cluster_cpus"});
        level(&Cpu::die, "die", {"die_cpus_list", "die_cpus"});
        level(&Cpu::package, "package", {"package_cpus_list", "core_siblings_list", "package_cpus", "core_siblings"});
        Groups groups(m_machine.cpus.size());
        for (std::size_t i = 0; i < m_machine.cpus.size(); ++i)
            if (m_machine.cpus[i].online)
                if (const auto shared = last_level_cache(m_machine.cpus[i].number)) groups.says(i, indices(*shared));
        if (take(&Cpu::llc, "LLC", groups)) return;
        say(Severity::warning, "W-NO-LLC", "no caches are described; each package is taken as one LLC");
        for (Cpu& cpu : m_machine.cpus) cpu.llc = LlcId{cpu.package.value};
    }
    [[nodiscard]] std::optional<std::vector<int>> last_level_cache(int number) const {
        int highest = 0;
        std::optional<std::vector<int>> shared;
        const fs::path folder = cpu_folder(number) / "cache";
        for (const int k : numbered_folders(folder, "index")) {
            const fs::path index = folder / fmt::format("index{}", k);
            const int found = as_number(value(index / "level").value_or("")).value_or(0);
            if (found <= highest || value(index / "type").value_or("Unified") == "Instruction") continue;
            if (auto list = cpus(index, {"shared_cpu_list", "shared_cpu_map"})) {
                highest = found;
                shared = std::move(list);
            }
        }
        return shared;
    }

    void capacities() {
        for (Cpu& cpu : m_machine.cpus)
            if (const auto text = value(cpu_folder(cpu.number) / "cpu_capacity"))
                if (const auto capacity = as_number(*text); capacity && *capacity >= 1 && *capacity <= full_capacity) cpu.capacity = *capacity;
    }

    /// Nobody knows where an offline CPU sits: it goes beside the first one that is online.
    void place_offline() {
        const auto first = std::find_if(m_machine.cpus.begin(), m_machine.cpus.end(), [](const Cpu& c) { return c.online; });
        if (first == m_machine.cpus.end()) return;
        std::vector<int> moved;
        for (Cpu& cpu : m_machine.cpus) {
            if (cpu.online || cpu.package.valid()) continue;
            cpu.llc = first->llc;
            cpu.die = first->die;
            cpu.package = first->package;
            if (!cpu.node) cpu.node = first->node;
            moved.push_back(cpu.number);
        }
        if (!moved.empty())
            say(Severity::warning, "W-OFFLINE", fmt::format("CPUs {} are offline and their place is unknown; kept offline, each as a core beside CPU {}",
                                                            fmt::join(moved, ","), first->number));
    }

    // ---- nodes
    void nodes() {
        const fs::path folder = m_system / "node";
        const std::vector<int> numbers = numbered_folders(folder, "node");
        if (numbers.size() > max_nodes) return say(Severity::warning, "W-NODES", "too many nodes; taken as one");
        std::vector<int> strangers;
        for (const int number : numbers) {
            const fs::path here = folder / fmt::format("node{}", number);
            const NodeId id{m_machine.nodes.size()};
            m_machine.nodes.push_back(Node{number, memory(here)});
            for (const int cpu : cpus(here, {"cpulist", "cpumap"}).value_or(std::vector<int>{})) {
                const auto at = m_index.find(cpu);
                if (at == m_index.end()) strangers.push_back(cpu);
                else if (NodeId& node = m_machine.cpus[at->second].node; !node) node = id;
                else say(Severity::warning, "W-NODES", fmt::format("CPU {} is in node {} and in node {}; the first is kept", cpu, m_machine.nodes[node.index()].number, number));
            }
        }
        if (!strangers.empty()) say(Severity::note, "N-NODES", fmt::format("nodes name {} CPUs that are not there; ignored", strangers.size()));
        distances(numbers);
    }
    static std::uint64_t memory(const fs::path& node) {
        const std::string text = value(node / "meminfo").value_or("");
        const std::size_t at = text.find("MemTotal:");
        if (at == std::string::npos) return 0;
        const std::size_t digits = text.find_first_of("0123456789", at);
        std::uint64_t kib = 0;
        if (digits != std::string::npos) std::from_chars(text.data() + digits, text.data() + text.size(), kib);
        return kib * 1024;
    }
    void distances(const std::vector<int>& numbers) {
        std::vector<std::vector<int>> rows;
        for (const int number : numbers) {
            const std::optional<std::string> file = value(m_system / "node" / fmt::format("node{}", number) / "distance");
            if (!file) return; // old kernels and copies have none
            const std::string& text = *file;
            std::vector<int> row;
            for (std::size_t at = text.find_first_not_of(' '); at != std::string::npos;) {
                const std::size_t end = std::min(text.find(' ', at), text.size());
                row.push_back(as_number(std::string_view{text}.substr(at, end - at)).value_or(0));
                at = text.find_first_not_of(' ', end);
            }
            rows.push_back(std::move(row));
        }
        if (rows.size() < 2) return;
        for (std::size_t a = 0; a < rows.size(); ++a) {
            const bool good = rows[a].size() == rows.size() && rows[a][a] == 10 &&
                              std::all_of(rows[a].begin(), rows[a].end(), [](int d) { return d >= 10 && d <= 255; });
            if (!good) return say(Severity::warning, "W-DISTANCE", fmt::format("the distances of node {} make no sense; 10 and 20 are taken", numbers[a]));
        }
        m_machine.distances = std::move(rows);
    }

    // ---- caches, for display
    void caches() {
        std::map<std::tuple<int, std::string, std::vector<int>>, std::uint64_t> seen; // level, type, CPUs -> size
        for (const Cpu& cpu : m_machine.cpus) {
            const fs::path folder = cpu_folder(cpu.number) / "cache";
            for (const int k : numbered_folders(folder, "index")) {
                const fs::path index = folder / fmt::format("index{}", k);
                const int found = as_number(value(index / "level").value_or("")).value_or(0);
                const auto list = cpus(index, {"shared_cpu_list", "shared_cpu_map"});
                if (found >= 1 && found <= 5 && list) seen.try_emplace({found, value(index / "type").value_or(""), *list}, size(value(index / "size").value_or("")));
            }
        }
        for (const auto& [key, bytes] : seen) {
            std::vector<int> missing;
            Cache cache{std::get<0>(key), std::get<1>(key), bytes, cpus_numbered(m_machine, std::get<2>(key), missing)};
            m_machine.caches.push_back(std::move(cache));
        }
    }
    /// "512K", "36M"
    static std::uint64_t size(std::string_view text) {
        std::uint64_t bytes = 0;
        const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), bytes);
        const char unit = end == text.data() + text.size() ? ' ' : *end;
        return problem != std::errc{} ? 0 : unit == 'K' ? bytes << 10 : unit == 'M' ? bytes << 20 : unit == 'G' ? bytes << 30 : bytes;
    }

    fs::path m_system;
    Report& m_report;
    Machine m_machine;
    std::map<int, std::size_t> m_index; // CPU number -> index
};

} // namespace

Result<Machine> read_sysfs(const std::string& root, Report& report) { return SysfsReader(root, report).read(); }

Result<Machine> read_this_machine(Report& report) { return read_sysfs("", report); }

} // namespace picknext::io
