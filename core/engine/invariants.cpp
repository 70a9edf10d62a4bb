// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/invariants.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "core/fair/average.hpp"
#include "core/fair/entity.hpp"
#include "core/rbtree/tree.hpp"

namespace picknext {
namespace {

/// What a queue should hold, counted afresh.
struct Recount {
    Weight weight;
    std::uint64_t sum_weight = 0;
    std::int64_t sum_w_vruntime = 0;
    std::uint32_t nr_queued = 0, idle_nr = 0;
    std::uint32_t h_nr_queued = 0, h_nr_delayed = 0, h_nr_idle = 0;
};

class Inspector {
  public:
    explicit Inspector(const State& st) : m_st(st), m_seen(st.entities.size(), 0), m_listed(st.tasks.size(), 0) {}

    std::string run() {
        for (std::size_t q = 0; q < m_st.queues.size() && m_broken.empty(); ++q)
            check_queue(QueueId{q});
        for (std::size_t e = 0; e < m_st.entities.size() && m_broken.empty(); ++e)
            check_entity(EntityId{e});
        for (std::size_t c = 0; c < m_st.cpu_count() && m_broken.empty(); ++c)
            check_wake_list(CpuId{c});
        for (std::size_t t = 0; t < m_st.tasks.size() && m_broken.empty(); ++t)
            check_task(TaskId{t});
        for (std::size_t c = 0; c < m_st.cpu_count() && m_broken.empty(); ++c)
            check_cpu(CpuId{c});
        for (std::size_t g = 0; g < m_st.bandwidth.size() && m_broken.empty(); ++g)
            check_pool(GroupId{g});
        expect(m_st.nohz.nr_cpus == static_cast<std::uint32_t>(picknext::count(m_st.nohz_idle_cpus)), "nohz.nr_cpus is {}, its mask holds {}",
               m_st.nohz.nr_cpus, picknext::count(m_st.nohz_idle_cpus));
        return m_broken;
    }

  private:
    template <class... Args>
    bool expect(bool holds, fmt::format_string<Args...> format, Args&&... args) {
        if (!holds && m_broken.empty()) m_broken = fmt::format(format, std::forward<Args>(args)...);
        return holds;
    }
    template <class A, class B>
    void expect_equal(QueueId queue, const char* what, A stored, B counted) {
        expect(stored == counted, "queue {}: {} is {}, counted {}", queue, what, stored, counted);
    }

    // --- tree ---

    /// Black nodes on each path below `node`; -1 once something is broken.
    int check_subtree(QueueId queue, EntityId node, EntityId parent) {
        if (!node) return 0;
        const Entity& e = m_st.entity(node);
        const bool linked = e.link.parent == parent && e.link.in_tree != 0;
        if (!expect(linked, "queue {}: entity {} is linked to {}, not to {}", queue, node, e.link.parent,
                    parent))
            return -1;
        const bool red_pair = e.link.red != 0 && parent && m_st.entity(parent).link.red != 0;
        if (!expect(!red_pair, "queue {}: red entity {} under red {}", queue, node, parent)) return -1;
        const int left = check_subtree(queue, e.link.left, node);
        if (left < 0) return -1;
        check_node(queue, node);
        const int right = check_subtree(queue, e.link.right, node);
        if (right < 0) return -1;
        if (!expect(left == right, "queue {}: {} black nodes left of entity {}, {} right", queue, left, node,
                    right))
            return -1;
        return left + (e.link.red == 0 ? 1 : 0);
    }

    /// Called in order.
    void check_node(QueueId queue, EntityId node) {
        const Entity& e = m_st.entity(node);
        const TreeKey key = m_st.settings.tree_key();
        if (!m_last) {
            expect(m_st.queue(queue).leftmost == node, "queue {}: leftmost is {}, first is {}", queue,
                   m_st.queue(queue).leftmost, node);
        } else {
            const VTime mine = rbtree::key_of(key, e), last = rbtree::key_of(key, m_st.entity(m_last));
            expect(!before(mine, last), "queue {}: entity {} at {} stands after {} at {}", queue, node, mine,
                   m_last, last);
        }
        m_last = node;
        check_augmented(queue, node);
        expect(e.on_rq != 0 && e.queue == queue, "queue {}: entity {} in its tree has on_rq {}, queue {}",
               queue, node, e.on_rq, e.queue);
        ++m_seen[node.index()];
    }

    void check_augmented(QueueId queue, EntityId node) {
        if (m_st.settings.augment() == Augment::none) return;
        const Entity& e = m_st.entity(node);
        const rbtree::Augmented wanted = rbtree::augmented_of(m_st, node);
        expect(e.subtree_min == wanted.min, "queue {}: entity {} stores minimum {}, should be {}", queue,
               node, e.subtree_min, wanted.min);
        if (m_st.settings.patch(Patch::exact_min_slice) == 1) // otherwise a rotation may leave it behind
            expect(e.subtree_min_slice == wanted.min_slice,
                   "queue {}: entity {} stores minimum slice {}, should be {}", queue, node,
                   e.subtree_min_slice, wanted.min_slice);
    }

    // --- queue ---

    void count(const Queue& q, const Entity& e, bool in_tree, Recount& n) const {
        n.weight = n.weight + e.weight;
        ++n.nr_queued;
        if (fair::is_idle(m_st, e)) ++n.idle_nr;
        if (in_tree && m_st.settings.eevdf()) {
            n.sum_weight += e.weight.coarse();
            n.sum_w_vruntime += fair::weighted(e.vruntime - q.ref, e.weight.coarse());
        }
        if (e.task) {
            ++n.h_nr_queued;
            n.h_nr_delayed += e.sched_delayed;
            n.h_nr_idle += m_st.task(e.task).policy == Policy::idle ? 1 : 0;
            return;
        }
        const Queue& below = m_st.queue(e.my_queue);
        n.h_nr_queued += below.h_nr_queued;
        n.h_nr_delayed += below.h_nr_delayed;
        n.h_nr_idle += m_st.groups[below.group.index()].idle != 0 ? below.h_nr_queued : below.h_nr_idle;
    }

    Recount recount(QueueId queue) {
        const Queue& q = m_st.queue(queue);
        Recount n;
        for (EntityId e = q.leftmost; e; e = rbtree::next(m_st, e))
            count(q, m_st.entity(e), true, n);
        if (const Entity* curr = fair::queued_current(m_st, q)) {
            count(q, *curr, false, n);
            ++m_seen[q.curr.index()];
        }
        return n;
    }

    void check_queue(QueueId queue) {
        const Queue& q = m_st.queue(queue);
        m_last = EntityId::none();
        if (q.root &&
            !expect(m_st.entity(q.root).link.red == 0, "queue {}: the root {} is red", queue, q.root))
            return;
        if (check_subtree(queue, q.root, EntityId::none()) < 0) return;
        if (!q.root) expect(!q.leftmost, "queue {}: leftmost is {} in an empty tree", queue, q.leftmost);
        if (q.curr)
            expect(m_st.entity(q.curr).link.in_tree == 0 && m_st.entity(q.curr).queue == queue,
                   "queue {}: current {} is in a tree, or of queue {}", queue, q.curr,
                   m_st.entity(q.curr).queue);
        const Recount n = recount(queue);
        expect_equal(queue, "weight", q.weight, n.weight);
        expect_equal(queue, "sum_weight", q.sum_weight, n.sum_weight);
        expect_equal(queue, "sum_w_vruntime", q.sum_w_vruntime, n.sum_w_vruntime);
        expect_equal(queue, "nr_queued", q.nr_queued, n.nr_queued);
        expect_equal(queue, "idle_nr", q.idle_nr, n.idle_nr);
        expect_equal(queue, "h_nr_queued", q.h_nr_queued, n.h_nr_queued);
        expect_equal(queue, "h_nr_delayed", q.h_nr_delayed, n.h_nr_delayed);
        expect_equal(queue, "h_nr_runnable", q.h_nr_runnable, n.h_nr_queued - n.h_nr_delayed);
        expect_equal(queue, "h_nr_idle", q.h_nr_idle, n.h_nr_idle);
        for (EntityId buddy : {q.next, q.last})
            if (buddy)
                expect(m_st.entity(buddy).on_rq != 0 && m_st.entity(buddy).queue == queue,
                       "queue {}: buddy {} is not queued here", queue, buddy);
        if (m_st.settings.eevdf()) check_average(queue);
        check_throttling(queue);
    }

    /// V is the rounded-down mean: the weighted lags around it sum to less than one ns of all the weight.
    void check_average(QueueId queue) {
        const Queue& q = m_st.queue(queue);
        const fair::Sums s = fair::sums_of(m_st, q);
        if (s.weight == 0) return;
        const std::int64_t rest =
            s.weighted - fair::weighted(fair::average_vruntime(m_st, q) - q.ref, s.weight);
        expect(rest >= 0 && rest < static_cast<std::int64_t>(s.weight),
               "queue {}: weighted lags sum to {} with weight {}", queue, -rest, s.weight);
    }

    // --- bandwidth ---

    /// Whoever is queued is reached from the root, unless a queue on the way is throttled.
    void check_throttling(QueueId queue) {
        const Queue& q = m_st.queue(queue);
        const Entity* owner = q.owner ? &m_st.entity(q.owner) : nullptr;
        const int above = owner != nullptr ? m_st.queue(owner->queue).throttle_count : 0;
        expect_equal(queue, "throttle_count", int{q.throttle_count}, above + q.throttled);
        if (q.throttled == 0) {
            expect(owner == nullptr || q.nr_queued == 0 || owner->on_rq != 0,
                   "queue {}: {} entities queued, but not its owner {}", queue, q.nr_queued, q.owner);
            return;
        }
        const std::int64_t left = m_st.bandwidth_of(queue).runtime_remaining;
        expect(owner != nullptr && owner->on_rq == 0, "queue {}: throttled, but its owner {} is queued", queue, q.owner);
        expect(q.runtime_enabled != 0 && left <= 0, "queue {}: throttled with {} ns left", queue, left);
        expect(m_st.pool(q.group).period_active != 0, "queue {}: throttled, but no timer will release it", queue);
    }

    void check_pool(GroupId group) {
        const Bandwidth& pool = m_st.pool(group);
        expect(pool.runtime >= 0, "group {}: {} ns in the pool", group, pool.runtime);
        check_timer(group, EventKind::bandwidth_period, pool.period_active != 0);
        check_timer(group, EventKind::bandwidth_slack, pool.slack_started != 0);
        std::size_t throttled = 0, listed = 0;
        for (const Queue& q : m_st.queues) throttled += q.group == group ? q.throttled : 0;
        QueueId last;
        for (QueueId q = pool.throttled_first; q && listed <= throttled; q = m_st.bandwidth_of(q).next_throttled, ++listed) {
            expect(m_st.queue(q).group == group && m_st.queue(q).throttled != 0,
                   "group {}: lists queue {} of group {}, throttled {}", group, q, m_st.queue(q).group, m_st.queue(q).throttled);
            last = q;
        }
        expect(listed == throttled && last == pool.throttled_last, "group {}: {} queues throttled, {} listed, the last {} is {}",
               group, throttled, listed, pool.throttled_last, last);
    }

    void check_timer(GroupId group, EventKind kind, bool on) {
        const auto planned = std::count_if(m_st.events.begin(), m_st.events.end(),
                                           [&](const Event& e) { return e.kind == kind && e.subject == group.value; });
        expect(planned == (on ? 1 : 0), "group {}: its timer {} is {}, {} events planned", group, static_cast<int>(kind),
               on ? "on" : "off", planned);
    }

    // --- entity, task, CPU ---

    void check_entity(EntityId entity) {
        const Entity& e = m_st.entity(entity);
        const int places = m_seen[entity.index()];
        expect(places == (e.on_rq != 0 ? 1 : 0), "entity {}: on_rq {}, but found on {} queues", entity,
               e.on_rq, places);
        expect(e.sched_delayed == 0 || e.on_rq != 0, "entity {}: delayed, but not queued", entity);
    }

    void check_wake_list(CpuId cpu) {
        const Rq& rq = m_st.rq(cpu);
        TaskId last;
        for (TaskId t = rq.wake_first; t; t = m_st.task(t).wake_next) {
            const Task& task = m_st.task(t);
            if (!expect(m_listed[t.index()]++ == 0, "CPU {}: task {} is twice on wake lists", cpu, t)) return;
            expect(task.state == TaskState::runnable && task.on_rq == 0 && task.cpu == cpu,
                   "CPU {}: task {} of CPU {} on its wake list has state {}, on_rq {}", cpu, t, task.cpu,
                   static_cast<int>(task.state), task.on_rq);
            last = t;
        }
        expect(rq.wake_last == last, "CPU {}: its wake list ends with task {}, not {}", cpu, last, rq.wake_last);
        expect((rq.ttwu_pending != 0) == rq.wake_first.valid(), "CPU {}: ttwu_pending {}, first on its wake list {}", cpu,
               rq.ttwu_pending, rq.wake_first);
    }

    void check_task(TaskId task) {
        const Task& t = m_st.task(task);
        const Entity& e = m_st.entity(t.entity);
        expect(t.on_rq == e.on_rq, "task {}: on_rq {}, its entity {}", task, t.on_rq, e.on_rq);
        if (t.on_rq == 0) {
            const bool runnable = t.state == TaskState::runnable;
            expect(runnable == (m_listed[task.index()] != 0), "task {}: not queued, runnable {}, on {} wake lists", task,
                   runnable, m_listed[task.index()]);
            return;
        }
        const bool asleep = t.state == TaskState::sleeping;
        expect(asleep == (e.sched_delayed != 0), "task {}: state {}, delayed {}", task,
               static_cast<int>(t.state), e.sched_delayed);
        const bool to_be_moved = m_st.rq(t.cpu).curr == task && m_st.rq(t.cpu).need_resched != 0;
        const bool allowed = !t.affinity || t.affinity.index() * m_st.mask_words >= m_st.masks.size() ||
                             contains(m_st.mask(t.affinity), t.cpu);
        expect(allowed || to_be_moved || asleep,
               "task {}: queued on CPU {}, which its affinity does not hold", task, t.cpu);
    }

    void check_cpu(CpuId cpu) {
        const Rq& rq = m_st.rq(cpu);
        const Queue& q = m_st.root_queue(cpu);
        expect(rq.nr_running == q.h_nr_queued, "CPU {}: nr_running {}, tasks queued {}", cpu, rq.nr_running,
               q.h_nr_queued);
        expect(rq.curr || q.nr_queued == 0 || rq.need_resched != 0, "CPU {}: idle with {} entities queued",
               cpu, q.nr_queued);
        expect(rq.online != 0 || (!rq.curr && q.nr_queued == 0 && !rq.wake_first && rq.tick_stopped != 0),
               "CPU {}: offline, but runs task {}, has {} entities queued, tick stopped {}", cpu, rq.curr, q.nr_queued, rq.tick_stopped);
        expect((rq.nohz_tick_stopped != 0) == contains(m_st.nohz_idle_cpus, cpu) && rq.nohz_tick_stopped <= rq.online,
               "CPU {}: online {}, nohz_tick_stopped {}, in nohz.idle_cpus_mask {}", cpu, rq.online, rq.nohz_tick_stopped,
               contains(m_st.nohz_idle_cpus, cpu));
        if (!rq.curr) {
            expect(!q.curr, "CPU {}: idle, but queue {} has current {}", cpu, cpu, q.curr);
            return;
        }
        for (EntityId e = m_st.task(rq.curr).entity; e; e = m_st.entity(e).parent) {
            const QueueId level = m_st.entity(e).queue;
            expect(m_st.queue(level).curr == e, "CPU {}: runs task {}, but queue {} has current {}", cpu,
                   rq.curr, level, m_st.queue(level).curr);
        }
    }

    const State& m_st;
    std::vector<int> m_seen; // on how many queues each entity was found
    std::vector<int> m_listed; // on how many wake lists each task was found
    EntityId m_last;         // before the node in order
    std::string m_broken;
};

} // namespace

std::string broken_invariant(const State& st) { return Inspector(st).run(); }

} // namespace picknext
