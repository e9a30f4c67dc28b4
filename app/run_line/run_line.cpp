// SPDX-License-Identifier: Apache-2.0
#include "app/run_line/run_line.h"

#include "app/cli/run_flags.h"
#include "graph_model/interface/interface_flags.h"
#include "runner/feeds/feed_text.h"
#include "transforms/recipe/repro_script.h"

#include <filesystem>
#include <optional>
#include <sstream>

namespace lapidary {
namespace {

void addFlag(std::string& line, const char* flag, const std::string& value)
{
    line += std::string(" --") + flag + ' ' + shellQuoted(value);
}

// Splits a line into words; `m_word` is unset between two words.
class Splitter {
public:
    Result<std::vector<std::string>> run(std::string_view text)
    {
        for (m_text = text; !m_text.empty();)
            step();
        if (m_quote != '\0')
            return Error{ErrorCode::InvalidArgument,
                         std::string("the quotation mark ") + m_quote + " is not closed"};
        endWord();
        return std::move(m_words);
    }

private:
    char take()
    {
        const char c = m_text.front();
        m_text.remove_prefix(1);
        return c;
    }
    void add(char c) { m_word = m_word.value_or("") + c; }
    void endWord()
    {
        if (m_word)
            m_words.push_back(*std::move(m_word));
        m_word.reset();
    }
    void step()
    {
        const char c = take();
        if (c == '\\' && m_quote != '\'' && !m_text.empty()) {
            const char next = take();
            if (next != '\n') // an escaped line break continues the line
                add(next);
        } else if (c == m_quote) {
            m_quote = '\0';
        } else if (m_quote == '\0' && (c == '\'' || c == '"')) {
            m_quote = c;
            m_word = m_word.value_or("");
        } else if (m_quote == '\0' && (c == ' ' || c == '\t' || c == '\n' || c == '\r')) {
            endWord();
        } else {
            add(c);
        }
    }

    std::string_view m_text;
    std::optional<std::string> m_word;
    std::vector<std::string> m_words;
    char m_quote = '\0';
};

// Removes "lapidary" and "run" from the beginning.
Status dropCommand(std::vector<std::string>& words)
{
    if (!words.empty() && std::filesystem::path(words[0]).filename() == "lapidary")
        words.erase(words.begin());
    else if (words.empty() || words[0] != "run")
        return Done{}; // the line begins with FILE, or with flags
    if (words.empty() || words[0] != "run")
        return Error{ErrorCode::InvalidArgument,
                     "only a command of \"lapidary run\" can be taken over"};
    words.erase(words.begin());
    return Done{};
}

} // namespace

std::string runLine(const std::string& model, const RunPlan& plan)
{
    std::string line = "lapidary run " + shellQuoted(model);
    for (const RunPlan::Feed& feed : plan.feeds)
        if (const std::string words = feedSourceText(feed.source); !words.empty())
            addFlag(line, "feed", tensorAsFlag(feed.tensor) + '=' + words);
    for (const auto& [tensor, shape] : plan.shapes)
        if (!shape.unknownRank)
            addFlag(line, "shape", tensorAsFlag(tensor) + '=' + typedShape(shape));
    for (const std::string& fetch : plan.fetches)
        addFlag(line, "fetch", fetch);
    for (const std::string& target : plan.targets)
        addFlag(line, "target", target);
    if (plan.session.threads > 1)
        line += " --threads " + std::to_string(plan.session.threads);
    return line;
}

Result<std::vector<std::string>> shellWords(std::string_view line)
{
    return Splitter().run(line);
}

Result<RunPlan> parseRunLine(std::string_view line)
{
    ASSIGN_OR_RETURN(auto words, shellWords(line));
    RETURN_IF_ERROR(dropCommand(words));
    if (words.empty() || words[0].starts_with('-'))
        words.insert(words.begin(), "-"); // stands for the model that is open
    std::istringstream in;
    std::ostringstream out;
    std::ostringstream complaints;
    Console console{in, out, complaints};
    VerbCall call(verbs::runGraph, console);
    RunFlags flags;
    std::string output;
    int runs = 1;
    call.addFile();
    addRunOptions(call, flags);
    call.options().add_option("-o,--output", output);
    call.options().add_option("--runs", runs);
    call.addJson();
    if (call.parse(words)) {
        std::string why = complaints.str();
        why.erase(why.find_last_not_of('\n') + 1);
        return Error{ErrorCode::InvalidArgument,
                     why.empty() ? "the command asks for help, not for a run" : why};
    }
    return planOf(flags);
}

} // namespace lapidary
