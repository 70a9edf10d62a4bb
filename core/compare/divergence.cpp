// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compare/divergence.hpp"

#include <algorithm>
#include <deque>
#include <vector>

namespace picknext::compare {
namespace {

struct Row {
    DecisionHeader header;
    std::uint64_t number = 0;
    std::uint64_t checks = 0; // their digest
};

std::uint64_t digest_of(std::span<const Check> checks) {
    Hasher hasher;
    for (const Check& c : checks) hasher.value(c);
    return hasher.digest();
}

/// Rows that follow each other, and what tells chunks apart.
struct Chunk {
    std::vector<Row> rows;
    Hasher hasher;

    void add(const Row& row) {
        rows.push_back(row);
        const DecisionHeader& h = row.header;
        hasher.word(static_cast<std::uint64_t>(h.at));
        hasher.word(std::uint64_t{static_cast<std::uint32_t>(h.task)} << 32 | static_cast<std::uint32_t>(h.outcome));
        hasher.word(std::uint64_t{h.cpu} << 48 | std::uint64_t{static_cast<std::uint16_t>(h.reason)} << 32 | std::uint64_t{static_cast<std::uint8_t>(h.kind)} << 24 |
                    std::uint64_t{h.level} << 16 | std::uint64_t{static_cast<std::uint8_t>(h.path)} << 8);
        hasher.word(row.checks);
    }
};

/// A decision of this kind is asked for under these settings. The mask is the one thing only a patch decides about.
bool asked(Kind kind, const Settings& settings) { return kind != Kind::mask || settings.idle_mask() != IdleMask::off; }

class Keep final : public Observer {
  public:
    explicit Keep(std::uint64_t number) : m_number(number) {}
    void on_decision(const State& before, const DecisionHeader& header, std::span<const Check> checks) override {
        if (before.decisions == m_number) record = Record{before, header, {checks.begin(), checks.end()}};
    }
    std::optional<Record> record;

  private:
    std::uint64_t m_number;
};

/// The decision of this number, run from a state before it.
std::optional<Record> replay(const std::shared_ptr<const Scenario>& scenario, const State& from, std::uint64_t number, const RunLimit& limit) {
    Engine engine(scenario);
    engine.restore(from);
    NullSink nothing; // up to the event before it
    RunLimit until = limit;
    if (number > from.decisions + 1024) {
        until.decisions = number - 1024;
        engine.run(until, nothing);
        if (engine.state().decisions >= number) engine.restore(from); // one event holds them all
    }
    Keep keep(number);
    FullSink sink{&keep};
    until.decisions = number;
    engine.run(until, sink);
    return std::move(keep.record);
}

/// One of the two runs.
class Arm final : public Observer {
  public:
    Arm(std::shared_ptr<const Scenario> scenario, const Settings& other, const DivergenceOptions& options, std::function<void(const State&, const DecisionHeader&)> note)
        : m_engine(std::move(scenario)), m_other(other), m_options(options), m_note(std::move(note)), m_saved{m_engine.state(), m_engine.state()} {}

    void on_decision(const State& before, const DecisionHeader& header, std::span<const Check> checks) override {
        m_note(before, header);
        if (!m_keeping) return;
        if (!asked(header.kind, m_other)) {
            ++left_out;
            return;
        }
        if (m_chunks.empty() || m_chunks.back().rows.size() == m_options.chunk) m_chunks.emplace_back();
        Row row{header, before.decisions, m_options.checks ? digest_of(checks) : 0};
        m_chunks.back().add(row);
    }

    /// Goes on until its next chunk is full, or about as far without chunks.
    void advance() {
        m_saved = {std::move(m_saved[1]), m_engine.state()};
        while (!m_ended && (m_keeping ? !full() : m_engine.state().decisions < m_saved[1].decisions + m_options.chunk)) {
            RunLimit until = m_options.limit;
            until.decisions = std::min(until.decisions, m_engine.state().decisions + std::max<std::uint64_t>(1, m_options.chunk / 4));
            const std::uint64_t before = m_engine.state().decisions;
            if (m_keeping && m_options.checks) {
                FullSink sink{this};
                m_engine.run(until, sink);
            } else {
                HeaderSink sink{this};
                m_engine.run(until, sink);
            }
            const std::uint64_t now = m_engine.state().decisions;
            m_ended = now < until.decisions || now >= m_options.limit.decisions || now == before;
        }
    }
    [[nodiscard]] bool ended() const { return m_ended; }
    [[nodiscard]] bool full() const { return !m_chunks.empty() && m_chunks.front().rows.size() == m_options.chunk; }
    [[nodiscard]] Chunk take() {
        if (m_chunks.empty()) return {};
        Chunk chunk = std::move(m_chunks.front());
        m_chunks.pop_front();
        return chunk;
    }
    void stop_keeping() {
        m_keeping = false;
        m_chunks.clear();
    }
    [[nodiscard]] const Engine& engine() const { return m_engine; }
    [[nodiscard]] std::optional<Record> record(std::uint64_t number) const {
        for (const State* from : {&m_saved[1], &m_saved[0]})
            if (from->decisions < number) return replay(m_engine.shared_scenario(), *from, number, m_options.limit);
        return record_at(m_engine.shared_scenario(), number, m_options.limit);
    }

    std::uint64_t left_out = 0;

  private:
    Engine m_engine;
    const Settings& m_other; // those of the other run
    const DivergenceOptions& m_options;
    std::function<void(const State&, const DecisionHeader&)> m_note;
    std::array<State, 2> m_saved; // where the last two advances began
    std::deque<Chunk> m_chunks;
    bool m_keeping = true, m_ended = false;
};

class Lockstep {
  public:
    Lockstep(std::shared_ptr<const Scenario> a, std::shared_ptr<const Scenario> b, const DivergenceOptions& options)
        : m_options(options), m_a(a, b->settings, m_options, [this](const State& st, const DecisionHeader& h) { note(true, st, h); }),
          m_b(b, a->settings, m_options, [this](const State& st, const DecisionHeader& h) { note(false, st, h); }) {}
    Lockstep(const Lockstep&) = delete;

    Divergences run(const std::stop_token& stop, const Progress& progress) {
        while (!m_a.ended() || !m_b.ended()) {
            if (stop.stop_requested()) {
                m_out.cancelled = true;
                break;
            }
            if (progress) progress(m_a.engine().state());
            m_a.advance();
            m_b.advance();
            if (!m_out.differs(Depth::outcome)) compare_chunks();
            if (m_out.differs(Depth::outcome) && !m_options.activations) break;
            m_activations.pair_up();
        }
        while (!m_out.cancelled && !m_out.differs(Depth::outcome) && compare_chunks()) {} // what is left when both have ended
        m_out.left_out_a = m_a.left_out;
        m_out.left_out_b = m_b.left_out;
        m_out.decisions_a = m_a.engine().state().decisions;
        m_out.decisions_b = m_b.engine().state().decisions;
        m_out.activations = m_activations.finish();
        if (const std::optional<ActivationPair>& first = m_out.activations.first; first && !m_out.cancelled)
            m_out.activation = Divergence{again(m_a, first->a.number), again(m_b, first->b.number)};
        return std::move(m_out);
    }

  private:
    [[nodiscard]] std::optional<Record> again(const Arm& arm, std::uint64_t number) const {
        return record_at(arm.engine().shared_scenario(), number, m_options.limit);
    }
    void note(bool a, const State& st, const DecisionHeader& h) {
        if (!m_options.activations) return;
        if (a) m_activations.note_a(st, h);
        else m_activations.note_b(st, h);
    }

    /// The next chunk of both; false when there is none.
    bool compare_chunks() {
        const bool whole = m_a.full() && m_b.full();
        if (!whole && !(m_a.ended() && m_b.ended())) { // one has ended early: its rest against as many of the other
            if (!m_a.ended() && !m_a.full()) return false;
            if (!m_b.ended() && !m_b.full()) return false;
        }
        const Chunk a = m_a.take(), b = m_b.take();
        if (a.rows.empty() && b.rows.empty()) return false;
        ++m_out.chunks;
        if (a.rows.size() == b.rows.size() && a.hasher.digest() == b.hasher.digest()) {
            ++m_out.chunks_equal;
            m_out.compared += a.rows.size();
            return true;
        }
        compare_rows(a.rows, b.rows);
        if (m_out.differs(Depth::outcome)) {
            m_a.stop_keeping();
            m_b.stop_keeping();
        }
        return true;
    }

    void compare_rows(const std::vector<Row>& a, const std::vector<Row>& b) {
        for (std::size_t i = 0; i < std::max(a.size(), b.size()); ++i) {
            if (i == a.size() || i == b.size()) {
                found(Depth::outcome, i < a.size() ? &a[i] : nullptr, i < b.size() ? &b[i] : nullptr);
                return;
            }
            ++m_out.compared;
            const DecisionHeader &x = a[i].header, &y = b[i].header;
            if (!same_outcome(x, y)) {
                found(Depth::outcome, &a[i], &b[i]);
                return;
            }
            if (!same_reason(x, y)) found(Depth::reason, &a[i], &b[i]);
            else if (a[i].checks != b[i].checks) found(Depth::checks, &a[i], &b[i]);
            else if (x.at != y.at) found(Depth::time, &a[i], &b[i]);
        }
    }
    void found(Depth depth, const Row* a, const Row* b) {
        const auto index = static_cast<std::size_t>(depth);
        ++m_out.differ[index];
        if (m_out.first[index]) return;
        Divergence divergence;
        if (a != nullptr) divergence.a = m_a.record(a->number);
        if (b != nullptr) divergence.b = m_b.record(b->number);
        m_out.first[index] = std::move(divergence);
    }

    DivergenceOptions m_options;
    Activations m_activations;
    Divergences m_out;
    Arm m_a, m_b;
};

} // namespace

std::optional<Record> record_at(const std::shared_ptr<const Scenario>& scenario, std::uint64_t number, const RunLimit& limit) {
    return replay(scenario, Engine(scenario).state(), number, limit);
}

Divergences find_divergences(std::shared_ptr<const Scenario> a, std::shared_ptr<const Scenario> b, const DivergenceOptions& options, std::stop_token stop,
                             const Progress& progress) {
    return Lockstep(std::move(a), std::move(b), options).run(stop, progress);
}

} // namespace picknext::compare
