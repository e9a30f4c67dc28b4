// SPDX-License-Identifier: Apache-2.0
#include "app/boxed/boxed_runs.h"

#include "app/boxed/accuracy_message.h"
#include "app/boxed/export_message.h"
#include "app/boxed/picture_message.h"
#include "app/boxed/plan_message.h"
#include "app/boxed/result_message.h"
#include "app/boxed/run_limits.h"
#include "app/boxed/value_message.h"
#include "app/boxed/work.h"
#include "graph_model/write/graph_def_source.h"
#include "runner/box/command_process.h"
#include "runner/box/restrict.h"
#include "runner/guard/machine_memory.h"

#include <algorithm>
#include <charconv>
#include <functional>
#include <iterator>
#include <utility>

namespace lapidary {
namespace {

namespace fs = std::filesystem;

// Handles lines that begin with a word of work.h; `take` gets the rest of the line.
struct LineHearer {
    std::string_view word;
    std::function<void(std::string_view)> take;
};

// Filters lines of progress out of the process's output; the rest tells why it could not start.
class Hearer {
public:
    Hearer(const Job& job, const std::vector<LineHearer>& others)
        : m_job(job)
        , m_others(others)
    {
    }

    void take(std::string_view text)
    {
        m_line += text;
        for (std::size_t end = m_line.find('\n'); end != std::string::npos;
             end = m_line.find('\n')) {
            takeLine(std::string_view(m_line).substr(0, end));
            m_line.erase(0, end + 1);
        }
        if (m_line.size() > mostOfLine)
            m_line.clear();
    }
    const std::string& rest() const { return m_rest; }

private:
    void takeLine(std::string_view line)
    {
        for (const LineHearer& other : m_others)
            if (line.starts_with(other.word))
                return other.take(line.substr(other.word.size()));
        if (!line.starts_with(progressWord)) {
            if (m_rest.size() < mostOfRest)
                m_rest += (m_rest.empty() ? "" : " ") + std::string(line.substr(0, mostOfRest));
            return;
        }
        line.remove_prefix(progressWord.size());
        int permille = 0;
        std::from_chars(line.data(), line.data() + line.size(), permille);
        m_job.progress(permille / 1000.0);
    }

    static constexpr std::size_t mostOfLine = 16 << 20; // enough for the layers of a point
    static constexpr std::size_t mostOfRest = 4096;
    const Job& m_job;
    const std::vector<LineHearer>& m_others;
    std::string m_line;
    std::string m_rest;
};

LineHearer scoreHearer(const HearScore& hear)
{
    return {scoreWord, [&hear](std::string_view numbers) {
                RunningScore score;
                const char* const end = numbers.data() + numbers.size();
                const auto done = std::from_chars(numbers.data(), end, score.done);
                if (done.ec == std::errc() && done.ptr != end)
                    std::from_chars(done.ptr + 1, end, score.right);
                if (hear)
                    hear(score);
            }};
}

// Collects the results of a search so far from the lines of the process. Lines that cannot be read
// are ignored.
class SearchHearer {
public:
    explicit SearchHearer(const HearAutopilot& hear)
        : m_hear(hear)
    {
    }

    std::vector<LineHearer> hearers()
    {
        return {{searchWord,
                 [this](std::string_view word) {
                     take(word, autopilotOf, [this](Autopilot found) {
                         found.points = std::move(m_found.points);
                         m_found = std::move(found);
                     });
                 }},
                {pointWord, [this](std::string_view word) {
                     take(word, autopilotPointOf, [this](AutopilotPoint point) {
                         if (!point.recipe.empty())
                             m_found.points.push_back(std::move(point));
                     });
                 }}};
    }

private:
    template <class Read, class Take>
    void take(std::string_view word, const Read& read, const Take& take)
    {
        const auto bytes = bytesOfWord(word);
        if (!bytes)
            return;
        auto made = decodeMessage(*bytes, read);
        if (!made)
            return;
        take(*std::move(made));
        if (m_hear)
            m_hear(m_found);
    }

    const HearAutopilot& m_hear;
    Autopilot m_found;
};

// Returns the answer of the process, or the reason why there is none.
Result<std::string> askHelper(const Message& message, const std::vector<GraphPtr>& graphs,
                              const Job& job, const std::vector<LineHearer>& hearers)
{
    const std::string encoded = encodeMessage(message);
    Command command{helper(), {std::string(boxedWorkFlag), "{0}"}, {sourceOf(encoded)}};
    for (const GraphPtr& graph : graphs) {
        command.arguments.push_back("{" + std::to_string(command.inputs.size()) + "}");
        command.inputs.push_back(ownGraphSource(*graph));
    }
    Hearer hearer(job, hearers);
    command.timeLimit = std::chrono::seconds(runLimits().seconds);
    command.hearErr = [&](std::string_view text) { hearer.take(text); };
    constexpr std::size_t mostAnswer = std::size_t(2) << 30;
    ASSIGN_OR_RETURN(CommandEnd end, runCommand(command, job, mostAnswer));
    if (end.out.empty())
        return lostError(end, hearer.rest());
    return std::move(end.out);
}

// `read` converts the result of an answer that is not an error.
template <class Read>
auto ask(const Message& message, const std::vector<GraphPtr>& graphs, const Job& job,
         const Read& read, const std::vector<LineHearer>& hearers = {})
    -> Result<decltype(read(message))>
{
    ASSIGN_OR_RETURN(const std::string bytes, askHelper(message, graphs, job, hearers));
    return readAnswer(bytes, read);
}

std::vector<std::string> joined(std::vector<std::string> files, std::vector<std::string> others)
{
    std::ranges::move(others, std::back_inserter(files));
    return files;
}

Result<OptionalValues> evaluateBoxed(const ConstantGraph& constants,
                                     const std::vector<std::string>& tensors, const Job& job)
{
    Message feeds = Message::array();
    for (const auto& [tensor, value] : constants.feeds)
        feeds.push_back({{"tensor", tensor}, {"value", messageOf(value)}});
    const Message message = {
        {"work", "evaluate"}, {"path", ""}, {"feeds", std::move(feeds)}, {"tensors", tensors}};
    MemoryPool pool(usualMemoryLimit());
    auto values = ask(message, {constants.graph}, job,
                      [&](const Message& said) { return valuesOf(said, pool); });
    if (values && values->size() != tensors.size())
        return Error{ErrorCode::Internal,
                     "the process that runs graphs gave another number of values"};
    return values;
}

} // namespace

fs::path& helper()
{
    static fs::path program;
    return program;
}

Error lostError(const CommandEnd& end, const std::string& said)
{
    std::string message = "the process that runs graphs ";
    message += end.signal == 0 ? "ended with code " + std::to_string(end.exitCode)
                               : "was killed by signal " + std::to_string(end.signal);
    if (!said.empty())
        message += ": " + said;
    return {ErrorCode::Internal, std::move(message)};
}

void runGraphsWith(fs::path program)
{
    helper() = std::move(program);
    delegateEvaluation(helper().empty() ? EvaluateConstants() : evaluateBoxed);
}

Result<NodeProfilePtr> profileBoxed(const GraphEntry& entry, const std::string& path,
                                    const InterfaceChoice& choice, const ProfileRunOptions& options,
                                    const Job& job)
{
    if (helper().empty())
        return profileRun(entry, path, choice, options, job);
    const Message message = {{"work", "profile"},
                             {"path", path},
                             {"entry", messageOf(entry)},
                             {"choice", messageOf(choice)},
                             {"threads", options.threads},
                             {"memory", options.memoryLimit},
                             {"warmups", options.warmups},
                             {"runs", options.mostRuns},
                             {"seconds", options.mostSeconds}};
    return ask(message, {entry.graph}, job, [](const Message& said) {
        return NodeProfilePtr(std::make_shared<const NodeProfile>(profileOf(said)));
    });
}

Result<Verification> verifyHere(const VerifyTask& task, const Job& job)
{
    GraphEntry after = task.entry;
    after.graph = task.other;
    return verifyGraphs({task.entry, task.path}, {after, task.path}, task.plan, job);
}

Result<Verification> verifyBoxed(const VerifyTask& task, const Job& job)
{
    if (helper().empty())
        return verifyHere(task, job);
    const Message message = {{"work", "verify"},
                             {"path", task.path},
                             {"files", filesOf(task.plan)},
                             {"entry", messageOf(task.entry)},
                             {"plan", messageOf(task.plan)}};
    return ask(message, {task.entry.graph, task.other}, job, verificationOf);
}

Result<FolderEvaluation> classifyBoxed(const GraphEntry& entry, const std::string& path,
                                       const EvaluateTask& task, const HearScore& hear,
                                       const Job& job)
{
    if (helper().empty())
        return evaluateFolder(entry, path, task, job, hear);
    const Message message = {{"work", task.other ? "classify_both" : "classify"},
                             {"path", path},
                             {"files", joined(filesOf(task.folder), filesOf(task.plan))},
                             {"entry", messageOf(entry)},
                             {"folder", messageOf(task.folder)},
                             {"other_input", task.otherInput},
                             {"other_output", task.otherOutput},
                             {"plan", messageOf(task.plan)}};
    std::vector<GraphPtr> graphs{entry.graph};
    if (task.other)
        graphs.push_back(task.other);
    return ask(message, graphs, job, evaluationOf, {scoreHearer(hear)});
}

Result<RangeObservation> observeBoxed(const GraphEntry& entry, const std::string& path,
                                      const std::string& images, const ClassifyPlan& plan,
                                      const RangeChoice& choice, const Job& job)
{
    if (helper().empty())
        return observeRanges(entry, path, images, plan, choice, job);
    const Message message = {{"work", "observe"},
                             {"path", path},
                             {"files", joined({images}, filesOf(plan))},
                             {"entry", messageOf(entry)},
                             {"images", images},
                             {"plan", messageOf(plan)},
                             {"low", choice.minPercentile},
                             {"high", choice.maxPercentile},
                             {"keep", choice.movingAverage}};
    return ask(message, {entry.graph}, job, observationOf);
}

Result<ExportReport> exportBoxed(const GraphEntry& entry, const std::string& path,
                                 const ExportPlan& plan, const Job& job)
{
    if (helper().empty())
        return runCheckedExport(entry, path, plan, job);
    const Message message = {{"work", "export"},
                             {"path", path},
                             {"files", filesOf(plan)},
                             {"entry", messageOf(entry)},
                             {"plan", messageOf(plan)}};
    return ask(message, {entry.graph}, job, exportReportOf);
}

Result<Sensitivity> sensitivityBoxed(const GraphEntry& entry, const std::string& path,
                                     const SensitivityTask& task, const Job& job)
{
    if (helper().empty())
        return measureSensitivity(entry, path, task, job);
    const Message message = {{"work", "sensitivity"},         {"path", path},
                             {"files", filesOf(task.probes)}, {"entry", messageOf(entry)},
                             {"inputs", task.inputs},         {"outputs", task.outputs},
                             {"form", formName(task.form)},   {"probes", messageOf(task.probes)}};
    return ask(message, {entry.graph}, job, sensitivityOf);
}

Result<Autopilot> autopilotBoxed(const GraphEntry& entry, const std::string& path,
                                 const AutopilotTask& task, const HearAutopilot& hear,
                                 const Job& job)
{
    if (helper().empty())
        return runAutopilotTask(entry, path, task, hear, job);
    const Message message = {{"work", "autopilot"},
                             {"path", path},
                             {"files", filesOf(task)},
                             {"entry", messageOf(entry)},
                             {"task", messageOf(task)}};
    SearchHearer search(hear);
    return ask(message, {entry.graph}, job, autopilotOf, search.hearers());
}

std::string sandboxGaps()
{
    std::string text;
    for (const std::string& what : sandboxLacks())
        text += (text.empty() ? "This system cannot restrict " : " and ") + what;
    return text.empty() ? text : text + "; the sandbox leaves it open";
}

} // namespace lapidary
