// SPDX-License-Identifier: GPL-3.0-or-later
// Sweeps: one line, several values of an option.
#include <algorithm>

#include "core/commands/benchmark.hpp"

namespace picknext::commands {
namespace {

bool number(std::string_view text) { return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos; }

std::string quoted(const std::string& word) {
    if (!word.empty() && word.find_first_of(" \t'\"\\|&;<>()`$") == std::string::npos) return word;
    std::string out = "\"";
    for (const char c : word) {
        if (c == '"' || c == '\\') out += '\\';
        out += c;
    }
    return out + "\"";
}

/// The word that holds how many there are, for tools that have no option for it.
bool is_multiple(std::string_view tool, std::string_view word) {
    if (tool == "tbench") return number(word);
    return (tool == "netperf" || tool == "uperf") && word.size() > 1 && word[0] == 'x' && number(word.substr(1));
}

} // namespace

Result<std::string> with_option(std::string_view line, std::string_view option, std::string_view value) {
    Result<std::vector<Word>> words = split_command(line);
    if (!words) return words.error();
    const std::string letter = "-" + std::string{option}, name = "--" + std::string{option};
    const auto base = [](std::string_view path) { return path.substr(path.find_last_of('/') + 1); };
    const auto is_tool = [&](const Word& w) {
        const std::string_view b = base(w.text);
        return b == "hackbench" || b == "messaging" || b == "pipe" || b.starts_with("schbench") || b == "netperf" || b == "uperf" || b == "tbench" || b == "storm" || b == "kick_ilb";
    };
    const auto tool = std::find_if(words->begin(), words->end(), is_tool);
    if (tool == words->end()) return command_error("E-TOOL", 1, "the line names no benchmark whose options could be changed");
    const std::string_view tool_name = base(tool->text);
    const bool multiple = option == "n" && (tool_name == "netperf" || tool_name == "uperf" || tool_name == "tbench");
    const std::string amount = (tool_name == "tbench" ? "" : "x") + std::string{value};
    bool replaced = false;
    for (auto w = tool + 1; w != words->end() && !replaced; ++w) {
        replaced = true;
        if (multiple && is_multiple(tool_name, w->text) && (w - 1)->text != "-t") w->text = amount;
        else if (multiple) replaced = false;
        else if ((w->text == letter || w->text == name) && w + 1 != words->end()) (w + 1)->text = std::string{value};
        else if (w->text.starts_with(name + "=")) w->text = name + "=" + std::string{value};
        else if (option.size() == 1 && w->text.starts_with(letter) && number(std::string_view{w->text}.substr(2))) w->text = letter + std::string{value};
        else replaced = false;
    }
    std::string out;
    for (auto w = words->begin(); w != words->end(); ++w) {
        out += (out.empty() ? "" : " ") + quoted(w->text);
        if (w != tool || replaced) continue;
        out += multiple ? " " + amount : fmt::format(" {} {}", option.size() == 1 ? letter : name, value);
    }
    return out;
}

} // namespace picknext::commands
