// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/commands/arguments.hpp"

#include <charconv>

#include <fmt/ranges.h>

#include "core/base/duration.hpp"
#include "core/base/nearest.hpp"

namespace picknext::commands {
namespace {

bool negative_number(std::string_view text) { return text.size() > 1 && text[0] == '-' && text[1] >= '0' && text[1] <= '9'; }

std::string written_form(const Option& o) {
    if (o.letter < ' ') return fmt::format("--{}", o.word);
    return fmt::format("-{}", o.letter);
}

} // namespace

void Arguments::fail(std::string code, const Word& at, std::string message) {
    if (!m_error) m_error = command_error(std::move(code), at.column, std::move(message));
}

void Arguments::unexpected(const Argument& word) {
    fail("E-OPTION", word.value, fmt::format("{} takes no word \"{}\" here", m_tool, word.value.text));
}

void Arguments::unknown(std::span<const Option> options, const Word& word, std::string_view written) {
    std::vector<std::string> known;
    std::vector<std::string_view> words;
    for (const Option& o : options) {
        if (!o.word.empty()) words.push_back(o.word);
        if (o.honour == Honour::yes) known.push_back(written_form(o));
    }
    const std::string guess = written.starts_with("--") ? did_you_mean(written.substr(2), words) : std::string{};
    fail("E-OPTION", word, fmt::format("{} has no option {}{}; understood are {}", m_tool, written, guess, fmt::join(known, " ")));
}

/// A known option, its value taken from the same word (glued) or the next one.
std::optional<Argument> Arguments::option(const Option& known, std::string written, const Word& word, std::optional<std::string_view> glued) {
    Argument out{known.letter, word, {}};
    if (known.takes_value) {
        m_inside = 0;
        ++m_at;
        if (glued) {
            out.value = {std::string{*glued}, word.column};
        } else if (m_at < m_words.size()) {
            out.value = m_words[m_at++];
        } else {
            fail("E-VALUE", word, fmt::format("{} of {} needs a value behind it", written, m_tool));
            return std::nullopt;
        }
    } else if (glued) {
        fail("E-VALUE", word, fmt::format("{} of {} takes no value", written, m_tool));
        return std::nullopt;
    }
    if (known.honour == Honour::no) {
        fail("E-OPTION", word, fmt::format("{} of {} is not simulated: {}", written, m_tool, known.why));
        return std::nullopt;
    }
    if (known.honour == Honour::harmless) note(fmt::format("{} of {} is ignored: {}", written, m_tool, known.why));
    return out;
}

std::optional<Argument> Arguments::letter(std::span<const Option> options, const Word& word) {
    const char c = word.text[m_inside];
    const std::string_view behind = std::string_view{word.text}.substr(m_inside + 1);
    for (const Option& o : options) {
        if (o.letter != c || c < ' ') continue;
        if (o.takes_value) return option(o, fmt::format("-{}", c), word, behind.empty() ? std::nullopt : std::optional{behind});
        if (behind.empty()) {
            m_inside = 0;
            ++m_at;
        } else {
            ++m_inside;
        }
        return option(o, fmt::format("-{}", c), word, std::nullopt);
    }
    unknown(options, word, fmt::format("-{}", c));
    return std::nullopt;
}

std::optional<Argument> Arguments::long_word(std::span<const Option> options, const Word& word) {
    const std::string_view text = std::string_view{word.text}.substr(2);
    const std::size_t equals = text.find('=');
    const std::string_view name = text.substr(0, equals);
    for (const Option& o : options) {
        if (o.word != name || o.word.empty()) continue;
        const std::optional<std::string_view> glued = equals == std::string_view::npos ? std::nullopt : std::optional{text.substr(equals + 1)};
        if (!o.takes_value && !glued) ++m_at;
        return option(o, fmt::format("--{}", name), word, glued);
    }
    unknown(options, word, fmt::format("--{}", name));
    return std::nullopt;
}

std::optional<Argument> Arguments::read(std::span<const Option> options, bool leave_bare_words) {
    while (!m_error && m_at < m_words.size()) {
        const Word& word = m_words[m_at];
        if (m_inside == 0 && word.text == "--") {
            ++m_at;
            return std::nullopt;
        }
        std::optional<Argument> found;
        const std::size_t notes = m_notes->size();
        if (m_inside == 0 && (word.text.size() < 2 || word.text[0] != '-' || negative_number(word.text))) {
            if (leave_bare_words) return std::nullopt;
            ++m_at;
            return Argument{0, word, word};
        }
        if (m_inside == 0 && word.text.starts_with("--")) {
            found = long_word(options, word);
        } else {
            if (m_inside == 0) m_inside = 1;
            found = letter(options, word);
        }
        if (m_notes->size() == notes) return found; // else it was harmless: on to the next
    }
    return std::nullopt;
}

std::int64_t Arguments::integer(const Word& word, std::int64_t low, std::int64_t high) {
    std::int64_t value = 0;
    const char* const end = word.text.data() + word.text.size();
    const auto [last, problem] = std::from_chars(word.text.data(), end, value);
    if (word.text.empty() || last != end || problem == std::errc::invalid_argument) {
        fail("E-NUMBER", word, fmt::format("\"{}\" is no whole number", word.text));
        return low;
    }
    if (problem != std::errc{} || value < low || value > high) {
        fail("E-RANGE", word, fmt::format("{} is out of range; {} to {} are possible", word.text, low, high));
        return low;
    }
    return value;
}

std::int64_t Arguments::seconds(const Word& word) { return integer(word, 1, longest_run_s) * 1'000'000'000; }

std::int64_t Arguments::duration(const Word& word, std::int64_t low) {
    const Result<std::int64_t> ns = parse_duration(word.text);
    if (!ns) fail(ns.error().code, word, ns.error().message);
    else if (*ns < low) fail("E-RANGE", word, fmt::format("{} is too short; at least {} is possible", word.text, write_duration(low)));
    return ns ? *ns : low;
}

} // namespace picknext::commands
