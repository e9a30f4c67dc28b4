// SPDX-License-Identifier: Apache-2.0
#include "app/boxed/serve_boxed.h"

#include "app/base/exit_codes.h"
#include "app/boxed/accuracy_message.h"
#include "app/boxed/export_message.h"
#include "app/boxed/picture_message.h"
#include "app/boxed/plan_message.h"
#include "app/boxed/result_message.h"
#include "app/boxed/serve_steps.h"
#include "app/boxed/value_message.h"
#include "app/boxed/work.h"
#include "graph_model/base/mapped_file.h"
#include "graph_model/read/graph_def_reader.h"
#include "runner/box/box.h"
#include "runner/guard/machine_memory.h"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <utility>

#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

namespace lapidary {
namespace {

using Files = std::span<const std::string>;

Result<Message> profile(const Message& asked, Files graphs, const Job& job)
{
    GraphEntry entry = entryOf(asked.at("entry"));
    ASSIGN_OR_RETURN(entry.graph, readGraphOf(graphs[0], job));
    ProfileRunOptions options;
    options.threads = asked.at("threads");
    options.memoryLimit = asked.at("memory");
    options.warmups = asked.at("warmups");
    options.mostRuns = asked.at("runs");
    options.mostSeconds = asked.at("seconds");
    ASSIGN_OR_RETURN(
        const NodeProfilePtr made,
        profileRun(entry, asked.at("path"), choiceOf(asked.at("choice")), options, job));
    return messageOf(*made);
}

Result<Message> verify(const Message& asked, Files graphs, const Job& job)
{
    GraphEntry entry = entryOf(asked.at("entry"));
    ASSIGN_OR_RETURN(entry.graph, readGraphOf(graphs[0], job));
    ASSIGN_OR_RETURN(const GraphPtr other, readGraphOf(graphs[1], job));
    MemoryPool pool(usualMemoryLimit());
    const VerifyTask task{.entry = entry,
                          .other = other,
                          .path = asked.at("path"),
                          .plan = verifyPlanOf(asked.at("plan"), pool)};
    ASSIGN_OR_RETURN(const Verification made, verifyHere(task, job));
    return messageOf(made);
}

Result<Message> evaluate(const Message& asked, Files graphs, const Job& job)
{
    ConstantGraph constants;
    ASSIGN_OR_RETURN(constants.graph, readGraphOf(graphs[0], job));
    MemoryPool pool(usualMemoryLimit());
    for (const Message& feed : asked.at("feeds"))
        if (auto value = valueOf(feed.at("value"), pool))
            constants.feeds.emplace_back(feed.at("tensor").get<std::string>(), *std::move(value));
    ASSIGN_OR_RETURN(
        const OptionalValues values,
        evaluateHere(constants, asked.at("tensors").get<std::vector<std::string>>(), job));
    return messageOf(values);
}

Result<Message> exportModel(const Message& asked, Files graphs, const Job& job)
{
    GraphEntry entry = entryOf(asked.at("entry"));
    ASSIGN_OR_RETURN(entry.graph, readGraphOf(graphs[0], job));
    ASSIGN_OR_RETURN(const ExportReport report,
                     runCheckedExport(entry, asked.at("path").get<std::string>(),
                                      exportPlanOf(asked.at("plan")), job));
    return messageOf(report);
}

Result<Message> classify(const Message& asked, Files graphs, const Job& job)
{
    GraphEntry entry = entryOf(asked.at("entry"));
    ASSIGN_OR_RETURN(entry.graph, readGraphOf(graphs[0], job));
    EvaluateTask task{folderOf(asked.at("folder")), classifyPlanOf(asked.at("plan"))};
    if (graphs.size() > 1) {
        ASSIGN_OR_RETURN(task.other, readGraphOf(graphs[1], job));
        task.otherInput = asked.at("other_input");
        task.otherOutput = asked.at("other_output");
    }
    const auto tell = [](const RunningScore& score) {
        std::fprintf(stderr, "%s%zu %zu\n", scoreWord.data(), score.done, score.right);
    };
    ASSIGN_OR_RETURN(const FolderEvaluation made,
                     evaluateFolder(entry, asked.at("path").get<std::string>(), task, job, tell));
    return messageOf(made);
}

Result<Message> observePictures(const Message& asked, Files graphs, const Job& job)
{
    GraphEntry entry = entryOf(asked.at("entry"));
    ASSIGN_OR_RETURN(entry.graph, readGraphOf(graphs[0], job));
    const RangeChoice choice{asked.at("low"), asked.at("high"), asked.at("keep")};
    ASSIGN_OR_RETURN(const RangeObservation made,
                     observeRanges(entry, asked.at("path").get<std::string>(),
                                   asked.at("images").get<std::string>(),
                                   classifyPlanOf(asked.at("plan")), choice, job));
    return messageOf(made);
}

Result<Message> sensitivity(const Message& asked, Files graphs, const Job& job)
{
    GraphEntry entry = entryOf(asked.at("entry"));
    ASSIGN_OR_RETURN(entry.graph, readGraphOf(graphs[0], job));
    using Strings = std::vector<std::string>;
    MemoryPool pool(usualMemoryLimit());
    const SensitivityTask task{
        asked.at("inputs").get<Strings>(), asked.at("outputs").get<Strings>(),
        formNamed(asked.at("form").get<std::string>()).value_or(LayerForm::Tensor8),
        probePlanOf(asked.at("probes"), pool)};
    ASSIGN_OR_RETURN(const Sensitivity made,
                     measureSensitivity(entry, asked.at("path").get<std::string>(), task, job));
    return messageOf(made);
}

void tell(std::string_view word, const Message& message)
{
    std::fprintf(stderr, "%s%s\n", std::string(word).c_str(), wordOf(message).c_str());
}

Result<Message> autopilot(const Message& asked, Files graphs, const Job& job)
{
    GraphEntry entry = entryOf(asked.at("entry"));
    ASSIGN_OR_RETURN(entry.graph, readGraphOf(graphs[0], job));
    MemoryPool pool(usualMemoryLimit());
    const auto hear = [](const Autopilot& soFar) {
        if (soFar.points.empty())
            tell(searchWord, messageOf(soFar));
        else
            tell(pointWord, messageOf(soFar.points.back()));
    };
    ASSIGN_OR_RETURN(const Autopilot made,
                     runAutopilotTask(entry, asked.at("path").get<std::string>(),
                                      autopilotTaskOf(asked.at("task"), pool), hear, job));
    return messageOf(made);
}

struct Work {
    std::string_view name;
    std::size_t graphs;
    Result<Message> (*run)(const Message& asked, Files graphs, const Job& job);
};
constexpr Work allWork[] = {
    {"autopilot", 1, autopilot}, {"classify", 1, classify},       {"classify_both", 2, classify},
    {"evaluate", 1, evaluate},   {"export", 1, exportModel},      {"observe", 1, observePictures},
    {"profile", 1, profile},     {"sensitivity", 1, sensitivity}, {"verify", 2, verify},
};

Result<Message> workOf(const Message& asked, Files graphs)
{
    const Job job({}, [last = -1](double share) mutable {
        const int permille = int(std::clamp(share, 0.0, 1.0) * 1000);
        if (permille != std::exchange(last, permille))
            std::fprintf(stderr, "%s%d\n", progressWord.data(), permille);
    });
    const auto* const work =
        std::ranges::find(allWork, asked.at("work").get<std::string>(), &Work::name);
    if (work == std::end(allWork) || work->graphs != graphs.size())
        return Error{ErrorCode::Internal, "no such work"};
    return work->run(asked, graphs, job);
}

int answer(const Message& message)
{
    const std::string bytes = encodeMessage(message);
    const bool isWritten = std::fwrite(bytes.data(), 1, bytes.size(), stdout) == bytes.size() &&
                           std::fflush(stdout) == 0;
    return isWritten ? exit_code::done : exit_code::failed;
}

int answerError(const Error& error)
{
    return answer({{"error", messageOf(error)}});
}

int workInside(std::string_view bytes, Files graphs)
{
    const auto result = decodeMessage(bytes, [&](const Message& asked) {
        const auto made = workOf(asked, graphs);
        return made ? Message{{"result", *made}} : Message{{"error", messageOf(made.error())}};
    });
    return result ? answer(*result) : answerError(result.error());
}

// Returns the rights to read the model's folder and the files that are fed.
BoxGrants grantsOf(const Message& asked)
{
    BoxGrants grants{.memory = usualMemoryLimit()};
    if (const auto path = asked.at("path").get<std::string>(); !path.empty())
        grantModel(path, grants);
    if (const auto files = asked.find("files"); files != asked.end())
        for (const Message& file : *files)
            grants.readable.emplace_back(file.get<std::string>());
    return grants;
}

bool isSteps(const Message& asked)
{
    return asked.at("work").get<std::string>() == stepsWork;
}

int stepsInside(std::string_view bytes, Files graphs)
{
    const auto asked = decodeMessage(bytes, [](const Message& message) { return message; });
    if (!asked || graphs.size() != 1)
        return answerError({ErrorCode::Internal, "no such work"});
    serveSteps(*asked, graphs[0]);
}

} // namespace

Result<GraphPtr> readGraphOf(const std::string& file, const Job& job)
{
    ASSIGN_OR_RETURN(const BufferPtr buffer, openFile(file));
    ASSIGN_OR_RETURN(GraphReadResult read, readGraphDef(buffer->bytes(), buffer, 0, true, job));
    return std::move(read.graph);
}

bool isBoxedWork(std::span<const std::string> arguments)
{
    return arguments.size() > 2 && arguments[1] == boxedWorkFlag;
}

int serveBoxedWork(std::span<const std::string> arguments)
{
    const auto message = openFile(arguments[2]);
    if (!message)
        return answerError(message.error());
    const std::string_view bytes = (*message)->bytes();
    const auto grants = decodeMessage(bytes, grantsOf);
    const auto isKept = decodeMessage(bytes, isSteps);
    if (!grants || !isKept)
        return answerError(grants ? isKept.error() : grants.error());
        // If the parent has ended, the answer has no reader. A process that is kept notices that by
        // its socket, because it lives longer than the thread that started it.
#ifdef __linux__
    if (!*isKept)
        prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
    const auto side =
        enterBox(*grants, std::chrono::duration<double>(0), *isKept ? STDIN_FILENO : -1);
    if (!side)
        return answerError(side.error());
    if (!side->end)
        return *isKept ? stepsInside(bytes, arguments.subspan(3))
                       : workInside(bytes, arguments.subspan(3));
    const BoxEnd& end = *side->end;
    if (end.signal == 0 && end.exitCode == exit_code::done)
        return exit_code::done; // the other process has answered
    if (end.signal == 0)
        return answerError(
            {ErrorCode::Internal, (end.node.empty() ? "" : end.node + ": ") +
                                      "the process that ran the graph exited with code " +
                                      std::to_string(end.exitCode)});
    return answerError({ErrorCode::Internal, endSentence(end)});
}

} // namespace lapidary
