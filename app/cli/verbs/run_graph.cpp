// SPDX-License-Identifier: Apache-2.0
// run: computes tensors of a graph from feeds.
#include "app/base/exit_codes.h"
#include "app/cli/graph_output.h"
#include "app/cli/reports/value_text.h"
#include "app/cli/run_flags.h"
#include "app/cli/run_progress.h"
#include "app/cli/size_flags.h"
#include "graph_model/base/digits.h"
#include "graph_model/interface/interface_flags.h"
#include "runner/feeds/npy_values.h"
#include "runner/feeds/zip_archive.h"
#include "runner/setup/prepare_run.h"

#include <chrono>
#include <ostream>

namespace lapidary {
namespace {

// Smaller values are put into JSON even if they are also written to a file.
constexpr std::size_t smallBytes = 1U << 16;

struct Answer {
    std::vector<Value> values;
    std::vector<double> seconds;
};

Result<Answer> runAll(PreparedRun& prepared, int runs, Console& console)
{
    Answer answer;
    RunProgress progress(console);
    for (int i = 0; i < runs; ++i) {
        const auto begin = std::chrono::steady_clock::now();
        ASSIGN_OR_RETURN(auto values,
                         prepared.session.run(prepared.request, console.job, progress.observer()));
        answer.values = std::move(values);
        const auto time = std::chrono::steady_clock::now() - begin;
        answer.seconds.push_back(std::chrono::duration<double>(time).count());
        console.err << prepared.session.printed();
    }
    return answer;
}

Result<std::string> archiveOf(const std::vector<std::string>& names,
                              const std::vector<Value>& values)
{
    ZipWriter archive;
    for (std::size_t i = 0; i < names.size(); ++i) {
        const auto npy = encodeNpy(values[i]);
        if (!npy)
            return Error{npy.error().code, names[i] + ": " + npy.error().message};
        RETURN_IF_ERROR(archive.add(names[i] + ".npy", *npy));
    }
    return std::move(archive).finish();
}

Json answerJson(const PreparedRun& prepared, const Answer& answer, const std::string& file)
{
    Json outputs = Json::object();
    for (std::size_t i = 0; i < answer.values.size(); ++i) {
        const Value& value = answer.values[i];
        Json output = {{"dtype", dtypeName(value.dtype())}, {"shape", value.dims()}};
        if (file.empty() || value.byteCount() <= smallBytes)
            addData(value, output);
        if (!file.empty())
            output["file"] = file;
        outputs[prepared.request.fetches[i]] = std::move(output);
    }
    Json json = {{"outputs", std::move(outputs)}, {"seconds", answer.seconds}};
    if (!prepared.backEnd.empty())
        json["backend"] = prepared.backEnd;
    return json;
}

std::string settingText(const PreparedRun::Source& source)
{
    const std::string number = sixDigits(std::get<ConstantFeed>(source.source).number);
    return source.target.tensor + " is fed " + number + ": it is " + std::string(source.setting) +
           "; --feed " + tensorAsFlag(source.target.tensor) + "=value:NUMBER feeds another";
}

int report(const PreparedRun& prepared, const Answer& answer, const std::string& out,
           const VerbCall& call, Console& console)
{
    if (!out.empty()) {
        const auto archive = archiveOf(prepared.request.fetches, answer.values);
        if (!archive)
            return failWith({archive.error().code, out + ": " + archive.error().message}, console);
        if (const int code = writeResult(out, *archive, console); code != exit_code::done)
            return code;
        if (out == "-")
            return exit_code::done;
    }
    if (call.wantsJson()) {
        printJson(answerJson(prepared, answer, out), console);
        return exit_code::done;
    }
    if (!prepared.vainInputs.empty())
        console.err << prepared.vainInputs << '\n';
    for (const PreparedRun::Source& source : prepared.sources)
        if (!source.setting.empty())
            console.err << settingText(source) << '\n';
    if (!prepared.backEnd.empty())
        console.err << "8-bit back end: " << prepared.backEnd << '\n';
    for (std::size_t i = 0; i < answer.values.size(); ++i)
        console.out << prepared.request.fetches[i] << "  " << valueText(answer.values[i]) << '\n';
    return exit_code::done;
}

int runRunGraph(const Verb& verb, std::span<const std::string> arguments, Console& console)
{
    VerbCall call(verb, console);
    RunFlags flags;
    std::string out;
    int runs = 1;
    call.addFile();
    addRunOptions(call, flags);
    call.addOutput("-o,--output", out, "write the fetched tensors to this .npz file");
    call.options().add_option("--runs", runs, "how often")->check(CLI::Range(1, 1'000'000));
    call.addJson();
    if (const auto done = call.parse(arguments))
        return *done;
    BoxGrants grants = grantsOf(flags, call.file());
    grants.writable.emplace_back(out);
    if (const auto outside = startGuarded(flags.guard, grants, console))
        return *outside;
    const OpenedModel opened = openModel(call, ReadOptions{.check = false}, console);
    if (opened.entry == nullptr)
        return opened.exitCode;
    const auto inFile = [&](const Error& error) {
        return failWith(error.within(shownPath(call.file())), console);
    };
    const auto plan = planOf(flags);
    if (!plan)
        return inFile(plan.error());
    auto prepared = prepareRun(*opened.entry, call.file(), *plan, console.job);
    if (!prepared)
        return inFile(withProposedSizes(prepared.error(), *opened.entry, console.job));
    const auto answer = runAll(*prepared, runs, console);
    if (!answer)
        return inFile(answer.error());
    return report(*prepared, *answer, out, call, console);
}

} // namespace

const Verb verbs::runGraph{
    .name = "run",
    .synopsis = "run FILE",
    .summary = "Feeds the inputs of a graph, runs it and prints the fetched tensors.",
    .example = "lapidary run model.pb --feed input=image.npy --fetch softmax -o result.npz",
    .run = runRunGraph,
    .chapter = "running",
    .runsGraphs = true,
};

} // namespace lapidary
