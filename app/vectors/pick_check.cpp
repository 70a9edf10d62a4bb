// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include "app/vectors/case_scene.hpp"
#include "app/vectors/format.hpp"
#include "app/vectors/pick_log.hpp"
#include "core/fair/pick.hpp"
#include "core/fair/views.hpp"

namespace picknext::vectors {

namespace {

using FileIds = std::vector<FileId>;

/// The nodes a walk stood on: the subjects of its checks, each once as it comes up.
template <class IsStep>
FileIds nodes_of(const Scene& scene, std::span<const Check> checks, IsStep&& is_step) {
    FileIds out;
    for (const Check& c : checks) {
        if (!is_step(c.id) || c.verdict == Verdict::not_asked) continue;
        const FileId node = scene.name_of(EntityId{c.subject});
        if (out.empty() || out.back() != node) out.push_back(node);
    }
    return out;
}

std::string text(const FileIds& ids) { return fmt::format("[{}]", fmt::join(ids, " ")); }

/// Nodes are listed for searches of the versions whose files have them.
void compare_nodes(const Case& c, const Scene& scene, const fair::Pick& pick, std::span<const Check> checks, Comparison& result) {
    const Value* expected = c.find("n");
    if (expected == nullptr || pick.path != PickPath::slow) return;
    const FileIds walk = nodes_of(scene, checks, [](Chk id) { return id == Chk::left_subtree_eligible || id == Chk::node_eligible; });
    result.expect(text(expected->numbers()), text(walk), [] { return std::string("the nodes visited"); });
    const Value* second = c.find("m");
    const FileIds descent = nodes_of(scene, checks, [](Chk id) { return id == Chk::descent_min_deadline; });
    result.expect(second != nullptr ? text(second->numbers()) : "[]", text(descent), [] { return std::string("the nodes of the second descent"); });
}

std::string eligibility(const Scene& scene) {
    std::string out;
    for (std::size_t i = 0; i < scene.names.size(); ++i)
        out += fair::is_eligible(scene.st.settings, scene.st, QueueId{0}, EntityId{i}) ? '1' : '0';
    return out;
}

Comparison compare(const Case& c, const Settings& settings) {
    Scene scene = case_scene(settings, c);
    State& st = scene.st;
    Queue& q = st.root_queue(the_cpu);
    st.settings.set(Feature::run_to_parity, c.number("rp") != 0);
    if (q.curr) { // protected while the stored mark equals the deadline
        Entity& e = st.entity(q.curr);
        e.vlag = static_cast<std::int64_t>(e.deadline.ns) + (c.number("pr") != 0 ? 0 : 1);
    }
    if (c.number("nx") != nobody) {
        q.next = scene.entity(c.number("nx"));
        st.settings.set(settings.kernel == Kernel::eevdf_6_12y ? Feature::pick_buddy : Feature::next_buddy, true);
    }
    Evidence<FullSink> why;
    const fair::Pick pick = fair::pick_next(st, q, why);

    Comparison result;
    result.expect(c["p"].number(), scene.name_of(pick.entity), [] { return std::string("the picked entity"); });
    result.expect(c["k"].text(), path_letter(st.settings, pick.path), [] { return std::string("the path"); });
    const VTime average = fair::average_vruntime(st.settings, st, QueueId{0});
    result.expect(c["V"].number(), average - VTime{static_cast<std::uint64_t>(c.number("z"))}, [] { return std::string("V"); });
    result.expect(c["el"].text(), eligibility(scene), [] { return std::string("the eligible ones"); });
    if (const Value* tree = c.find("T")) result.expect(tree->text(), tree_text(scene, QueueId{0}), [] { return std::string("the tree"); });
    compare_nodes(c, scene, pick, why.checks(), result);
    return result;
}

} // namespace

void check_pick_cases(const Value& file, Tally& tally) {
    const Settings settings = default_settings(kernel_of(file["kernel"].text()), 1);
    const Value::List& cases = file["cases"].list();
    for (std::size_t i = 0; i < cases.size(); ++i)
        tally.add(compare(Case(cases[i], file["defaults"]), settings), [&] { return fmt::format("case {}", i); });
}

} // namespace picknext::vectors
