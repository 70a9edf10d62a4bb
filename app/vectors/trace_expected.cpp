// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/vectors/trace_expected.hpp"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

namespace picknext::vectors {

namespace {

FileId id_of(const std::string& key) {
    FileId id = nobody;
    const auto [end, error] = std::from_chars(key.data(), key.data() + key.size(), id);
    if (error != std::errc{} || end != key.data() + key.size()) throw Malformed(fmt::format("\"{}\" is no entity id", key));
    return id;
}

/// A row may be shorter than its columns: what is missing at the right stays. A new row is complete.
void take_row(Row& row, const Value& changes, std::size_t columns) {
    const Row values = changes.numbers();
    if (values.size() > columns) throw Malformed(fmt::format("a row has {} values for {} columns", values.size(), columns));
    if (row.empty() && !values.empty()) {
        if (values.size() != columns) throw Malformed(fmt::format("a first row has {} values for {} columns", values.size(), columns));
        row.resize(columns);
    }
    std::copy(values.begin(), values.end(), row.begin());
}

void take_rows(std::map<FileId, Row>& rows, const Value& changes, std::size_t columns) {
    for (const auto& [key, row] : changes.map()) take_row(rows[id_of(key)], row, columns);
}

Row& row_at(std::vector<Row>& rows, std::size_t index) {
    if (rows.size() <= index) rows.resize(index + 1);
    return rows[index];
}

} // namespace

std::string text(const std::vector<PickEntry>& picks) {
    std::string out;
    for (const PickEntry& p : picks) out += fmt::format("{}{} {} on queue {}", out.empty() ? "" : ", ", p.path, p.id, p.group);
    return out.empty() ? "none" : out;
}

void Expected::take(const Value& record) {
    current = record["c"].number();
    resched = record.number_or("r", 0) != 0;
    picks.clear();
    if (const Value* k = record.find("k"))
        for (const Value& p : k->list())
            picks.push_back({p[0].text(), p[1].number(), p.list().size() > 2 ? p[2].number() : 0});
    slice.reset();
    if (const Value* s = record.find("s")) slice = s->number();
    if (const Value* q = record.find("q")) {
        if (!m_groups) take_row(row_at(queues, 0), *q, m_columns->queue.size());
        else
            for (std::size_t g = 0; g < q->list().size(); ++g) take_row(row_at(queues, g), (*q)[g], m_columns->queue.size());
    }
    if (const Value* e = record.find("e")) take_rows(entities, *e, m_columns->entity.size());
    if (const Value* l = record.find("l")) take_rows(loads, *l, m_columns->load.size());
    if (const Value* l = record.find("L")) take_queue_loads(*l);
    if (const Value* t = record.find("T")) take_trees(*t);
}

void Expected::take_trees(const Value& v) {
    if (!m_groups) {
        trees.resize(1);
        trees[0] = v.text();
        return;
    }
    trees.resize(std::max(trees.size(), v.list().size()));
    for (std::size_t g = 0; g < v.list().size(); ++g)
        if (!v[g].is_list()) trees[g] = v[g].text(); // [] is an unchanged one
}

void Expected::take_queue_loads(const Value& v) {
    if (!m_groups) {
        take_row(row_at(queue_loads, 0), v, m_columns->load.size());
        return;
    }
    // The root's row, then two rows per group.
    for (std::size_t i = 0; i < v.list().size(); ++i) {
        if (i % 2 == 0 && i > 0) take_row(row_at(group_loads, i / 2 - 1), v[i], 2);
        else take_row(row_at(queue_loads, (i + 1) / 2), v[i], m_columns->load.size());
    }
}

void Expected::forget(FileId id) {
    entities.erase(id);
    loads.erase(id);
}

} // namespace picknext::vectors
