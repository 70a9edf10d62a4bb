// SPDX-License-Identifier: GPL-3.0-or-later
// The options of a tool, read as getopt_long() reads them. The first error wins and reading goes on with harmless values, so that
// the tools' readers are straight lines.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/commands/command_line.hpp"

namespace picknext::commands {

/// What becomes of an option.
enum class Honour : std::uint8_t {
    yes,
    harmless, // it changes nothing that is simulated: a note says why
    no        // refused: it would change the result
};

/// One option of a tool, in its own letters.
struct Option {
    char letter;                 // '-g'; below ' ' when it has none
    std::string_view word;       // "--groups"; empty when it has none
    bool takes_value = false;
    Honour honour = Honour::yes;
    std::string_view why = {};   // harmless, no: the reason, and the mend
};

/// What comes next in the line: an option, or a word that belongs to none.
struct Argument {
    char letter = 0;             // 0: a bare word
    Word at;                     // the option as it is written
    Word value;                  // its value; the word itself when it is bare
};

class Arguments {
  public:
    /// tool: what messages call it. words: those behind its name. Notes are appended to.
    Arguments(std::string_view tool, std::span<const Word> words, std::vector<std::string>& notes)
        : m_tool(tool), m_words(words), m_notes(&notes) {}

    /// The next honoured option or bare word; nothing at the end, at "--" (what follows it is left in rest()) or after an error.
    /// Letters may stand together ("-pT") and values behind them ("-l100", "--loops=100"). A negative number is a bare word.
    /// Errors: E-OPTION (not one of these, or it cannot be honoured), E-VALUE (missing, or one too many).
    [[nodiscard]] std::optional<Argument> next(std::span<const Option> options) { return read(options, false); }

    /// As next, but stops before a bare word: that of another program.
    [[nodiscard]] std::optional<Argument> next_option(std::span<const Option> options) { return read(options, true); }

    /// Takes the next word off unread.
    void skip() { ++m_at; }
    /// The words not read yet.
    [[nodiscard]] std::span<const Word> rest() const { return m_words.subspan(m_at); }

    /// A whole number in low..high. Errors: E-NUMBER, E-RANGE.
    [[nodiscard]] std::int64_t integer(const Word& word, std::int64_t low, std::int64_t high);
    /// Whole seconds, in ns; at least 1 s.
    [[nodiscard]] std::int64_t seconds(const Word& word);
    /// "12ms", "100us": ns.
    [[nodiscard]] std::int64_t duration(const Word& word, std::int64_t low);

    void note(std::string text) { m_notes->push_back(std::move(text)); }
    void fail(std::string code, const Word& at, std::string message);
    /// E-OPTION for a bare word the tool does not take.
    void unexpected(const Argument& word);
    [[nodiscard]] bool failed() const { return m_error.has_value(); }
    [[nodiscard]] const Error& error() const { return *m_error; }

  private:
    std::optional<Argument> read(std::span<const Option> options, bool leave_bare_words);
    std::optional<Argument> option(const Option& known, std::string written, const Word& word, std::optional<std::string_view> glued);
    std::optional<Argument> letter(std::span<const Option> options, const Word& word);
    std::optional<Argument> long_word(std::span<const Option> options, const Word& word);
    void unknown(std::span<const Option> options, const Word& word, std::string_view written);

    std::string m_tool;
    std::span<const Word> m_words;
    std::size_t m_at = 0;
    std::size_t m_inside = 0; // letters of the word at m_at that are read already
    std::vector<std::string>* m_notes;
    std::optional<Error> m_error;
};

inline constexpr std::int64_t longest_run_s = 1'000'000; // of a benchmark, seconds

} // namespace picknext::commands
