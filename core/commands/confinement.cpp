// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/commands/confinement.hpp"

#include <algorithm>
#include <array>

#include "core/topology/cpulist.hpp"

namespace picknext::commands {
namespace {

constexpr std::string_view no_memory = "memory has no place in the model";

/// The part of a path behind its last slash.
std::string_view base_name(std::string_view path) { return path.substr(path.find_last_of('/') + 1); }

bool is_assignment(std::string_view text) {
    const std::size_t equals = text.find('=');
    if (equals == 0 || equals == std::string_view::npos || (text[0] >= '0' && text[0] <= '9')) return false;
    return text.substr(0, equals).find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_") == std::string_view::npos;
}

class Reader {
  public:
    Reader(std::span<const Word> words, const Machine& machine, std::vector<std::string>& notes) : m_words(words), m_machine(machine), m_notes(notes) {}

    /// Takes one prefix; false when the next word is none.
    bool take() {
        if (m_words.empty() || m_error) return false;
        const std::string_view name = base_name(m_words.front().text);
        if (is_assignment(m_words.front().text)) {
            const std::string& text = m_words.front().text;
            m_out.environment[text.substr(0, text.find('='))] = text.substr(text.find('=') + 1);
            m_words = m_words.subspan(1);
            return true;
        }
        if (name == "numactl") return read(&Reader::numactl, name);
        if (name == "taskset") return read(&Reader::taskset, name);
        if (name == "nice") return read(&Reader::nice, name);
        if (name == "chrt") return read(&Reader::chrt, name);
        if (name == "cgexec") return read(&Reader::cgexec, name);
        constexpr std::array<std::string_view, 5> transparent{"env", "exec", "nohup", "sudo", "time"};
        if (std::find(transparent.begin(), transparent.end(), name) == transparent.end()) return false;
        m_words = m_words.subspan(1);
        return true;
    }

    [[nodiscard]] std::span<const Word> rest() const { return m_words; }
    [[nodiscard]] Result<Confinement> result() {
        if (m_error) return *m_error;
        return std::move(m_out);
    }

  private:
    bool read(void (Reader::*reader)(Arguments&), std::string_view name) {
        const Word tool = m_words.front();
        Arguments args(name, m_words.subspan(1), m_notes);
        (this->*reader)(args);
        if (args.failed()) m_error = args.error();
        m_words = args.rest();
        if (!m_error && m_words.empty()) m_error = command_error("E-TOOL", tool.column, fmt::format("{} has no command behind it", name));
        return true;
    }

    /// The CPUs of both, if there was a restriction before.
    void restrict_to(Arguments& args, const Word& at, CpuSet cpus) {
        if (!m_out.affinity.empty()) cpus = intersection(cpus, m_out.affinity);
        if (cpus.empty()) return args.fail("E-AFFINITY", at, "no CPU is left to run on");
        m_out.affinity = std::move(cpus);
    }
    std::vector<int> numbers(Arguments& args, const Word& at) {
        Result<std::vector<int>> list = parse_cpulist(at.text);
        if (!list) args.fail(list.error().code, at, list.error().message);
        return list ? std::move(list).value() : std::vector<int>{};
    }
    void cpus(Arguments& args, const Word& at) {
        if (at.text == "all") return;
        CpuSet set(m_machine.cpu_count());
        for (const int number : numbers(args, at)) {
            const CpuId cpu = m_machine.by_number(number);
            if (!cpu)
                return args.fail("E-AFFINITY", at, fmt::format("this machine has no CPU {}; it has {}", number, cpu_list(m_machine, CpuSet::all(m_machine.cpu_count()))));
            set.add(cpu);
        }
        if (!args.failed()) restrict_to(args, at, std::move(set));
    }
    void nodes(Arguments& args, const Word& at) {
        if (at.text == "all") return;
        CpuSet set(m_machine.cpu_count());
        for (const int number : numbers(args, at)) {
            const auto node = std::find_if(m_machine.nodes.begin(), m_machine.nodes.end(), [&](const Node& n) { return n.number == number; });
            if (node == m_machine.nodes.end()) {
                std::vector<std::string> known;
                for (const Node& n : m_machine.nodes) known.push_back(fmt::format("{}", n.number));
                return args.fail("E-AFFINITY", at, fmt::format("this machine has no node {}; it has {}", number, fmt::join(known, ", ")));
            }
            for_each_cpu(m_machine.node_span[static_cast<std::size_t>(node - m_machine.nodes.begin())], [&](CpuId cpu) { set.add(cpu); });
        }
        if (!args.failed()) restrict_to(args, at, std::move(set));
    }

    void numactl(Arguments& args) {
        constexpr std::array options{
            Option{'N', "cpunodebind", true}, Option{'C', "physcpubind", true}, Option{'m', "membind", true, Honour::harmless, no_memory},
            Option{'i', "interleave", true, Honour::harmless, no_memory}, Option{'p', "preferred", true, Honour::harmless, no_memory},
            Option{'l', "localalloc", false, Honour::harmless, no_memory}, Option{'b', "balancing", false, Honour::harmless, no_memory},
            Option{'a', "all", false, Honour::harmless, "every CPU of the machine is there"}};
        while (const auto a = args.next_option(options)) a->letter == 'N' ? nodes(args, a->value) : cpus(args, a->value);
    }

    void taskset(Arguments& args) {
        constexpr std::array options{Option{'c', "cpu-list", false}, Option{'a', "all-tasks", false, Honour::harmless, "all tasks are confined"},
                                     Option{'p', "pid", false, Honour::no, "a task that runs already; put taskset before the benchmark"}};
        bool list = false;
        while (args.next_option(options)) list = true;
        const std::optional<Argument> where = args.next({});
        if (!where) return args.failed() ? void() : args.fail("E-VALUE", {"taskset", 1}, "taskset needs CPUs, like \"taskset -c 0-3\"");
        if (list) return cpus(args, where->value);
        mask(args, where->value);
    }
    /// A hexadecimal mask, commas between groups of digits allowed.
    void mask(Arguments& args, const Word& at) {
        std::string digits;
        for (const char c : std::string_view{at.text}.substr(at.text.starts_with("0x") ? 2 : 0))
            if (c != ',') digits += c;
        CpuSet set(m_machine.cpu_count());
        for (std::size_t i = 0; i < digits.size(); ++i) {
            constexpr std::string_view hex = "0123456789abcdef";
            const char c = digits[digits.size() - 1 - i];
            const std::size_t value = hex.find(c >= 'A' && c <= 'F' ? static_cast<char>(c - 'A' + 'a') : c);
            if (value == std::string_view::npos)
                return args.fail("E-NUMBER", at, fmt::format("\"{}\" is no mask of CPUs; a list is written \"taskset -c 0-3\"", at.text));
            for (std::size_t bit = 0; bit < 4; ++bit) {
                if ((value >> bit & 1U) == 0) continue;
                const CpuId cpu = m_machine.by_number(static_cast<int>(std::min<std::size_t>(i * 4 + bit, max_cpu_number)));
                if (!cpu) return args.fail("E-AFFINITY", at, fmt::format("this machine has no CPU {}", i * 4 + bit));
                set.add(cpu);
            }
        }
        restrict_to(args, at, std::move(set));
    }

    void nice(Arguments& args) {
        constexpr std::array options{Option{'n', "adjustment", true}};
        m_out.nice = 10; // what nice alone does
        while (const auto a = args.next_option(options)) m_out.nice = static_cast<int>(args.integer(a->value, -20, 19));
    }

    void chrt(Arguments& args) {
        constexpr std::string_view fair_only = "only the fair class is simulated; use -o, -b or -i";
        constexpr std::array options{Option{'o', "other"}, Option{'b', "batch"}, Option{'i', "idle"}, Option{'f', "fifo", false, Honour::no, fair_only},
                                     Option{'r', "rr", false, Honour::no, fair_only}, Option{'d', "deadline", false, Honour::no, fair_only}};
        bool chosen = false;
        while (const auto a = args.next_option(options)) {
            m_out.policy = a->letter == 'b' ? Policy::batch : a->letter == 'i' ? Policy::idle : Policy::normal;
            chosen = true;
        }
        const std::optional<Argument> priority = args.next({});
        if (!priority || args.failed()) return;
        if (!chosen) return args.fail("E-OPTION", priority->value, fmt::format("chrt without a policy means -r: {}", fair_only));
        (void)args.integer(priority->value, 0, 0);
    }

    void cgexec(Arguments& args) {
        constexpr std::array options{Option{'g', "", true}};
        while (const auto a = args.next_option(options)) {
            const std::size_t colon = a->value.text.find(':');
            std::string path = colon == std::string::npos ? std::string{} : a->value.text.substr(colon + 1);
            while (!path.empty() && path.front() == '/') path.erase(0, 1);
            if (path.empty() || path.back() == '/' || path.find("//") != std::string::npos)
                return args.fail("E-GROUP", a->value, fmt::format("\"{}\" is no group; write it like \"cpu:bench\"", a->value.text));
            m_out.group = "/" + path;
        }
    }

    std::span<const Word> m_words;
    const Machine& m_machine;
    std::vector<std::string>& m_notes;
    Confinement m_out;
    std::optional<Error> m_error;
};

} // namespace

Result<Confinement> take_confinement(std::span<const Word>& words, const Machine& machine, std::vector<std::string>& notes) {
    Reader reader(words, machine, notes);
    while (reader.take()) {}
    words = reader.rest();
    return reader.result();
}

void confine(Workload& workload, const Confinement& where) {
    for (TaskSpec& task : workload.tasks) {
        if (task.affinity.empty()) task.affinity = where.affinity;
        task.nice = where.nice;
        task.policy = where.policy;
        task.group = where.group;
    }
    if (!where.group.empty()) workload.groups.push_back({.path = where.group});
}

} // namespace picknext::commands
