// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/commands/command_line.hpp"

#include <fmt/format.h>

namespace picknext::commands {
namespace {

constexpr std::string_view operators = "|&;<>()`$";

bool blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
bool begins_code_point(char c) { return (static_cast<unsigned char>(c) & 0xc0U) != 0x80U; }

} // namespace

Error command_error(std::string code, int column, std::string message) {
    return Error{std::move(code), Place{std::string{command_file}, 1, column, {}}, std::move(message)};
}

Result<std::vector<Word>> split_command(std::string_view line) {
    if (line.size() > max_command)
        return command_error("E-LIMIT", 1, fmt::format("the command is {} bytes long, at most {} are possible", line.size(), max_command));
    std::vector<Word> words;
    bool inside = false; // of a word
    char quote = 0;
    int quote_column = 0;
    int column = 0;
    for (std::size_t i = 0; i < line.size(); ++i) {
        const char c = line[i];
        if (begins_code_point(c) || column == 0) ++column;
        if (quote == 0 && blank(c)) {
            inside = false;
            continue;
        }
        if (quote == 0 && operators.find(c) != std::string_view::npos)
            return command_error("E-SHELL", column, fmt::format("\"{}\" is for a shell; one command alone is understood. Quote it if it belongs to a word", c));
        if (!inside) {
            words.push_back({{}, column});
            inside = true;
        }
        if (quote == 0 && (c == '\'' || c == '"')) {
            quote = c;
            quote_column = column;
        } else if (quote == c && quote != 0) {
            quote = 0;
        } else if (c == '\\' && quote != '\'' && i + 1 < line.size()) {
            words.back().text += line[++i];
            ++column;
        } else {
            words.back().text += c;
        }
    }
    if (quote != 0) return command_error("E-QUOTE", quote_column, fmt::format("this quote {} is not closed", quote));
    if (words.empty()) return command_error("E-EMPTY", 1, "no command; write one like \"hackbench -p -T -g 4 -l 100\"");
    return words;
}

} // namespace picknext::commands
