// SPDX-License-Identifier: Apache-2.0
#include "app/cli/verb_call.h"

#include "app/base/exit_codes.h"
#include "app/cli/damage.h"
#include "app/cli/graph_output.h"
#include "app/cli/interrupt.h"
#include "app/cli/option_groups.h"
#include "app/cli/remedy.h"
#include "graph_model/explore/served_network.h"
#include "graph_model/write/byte_source.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iostream>
#include <iterator>

namespace lapidary {

VerbCall::VerbCall(const Verb& verb, Console& console)
    : m_app(std::string(verb.summary), "lapidary " + std::string(verb.name))
    , m_verb(verb)
    , m_console(console)
{
    m_app.footer("\nExample: " + std::string(verb.example));
    m_app.set_help_flag("-h,--help", "Print this help and exit.");
}

void VerbCall::addFile(const std::string& help)
{
    m_app.add_option("FILE", m_file, help)->required();
    m_app
        .add_option_function<std::size_t>(
            "--meta-graph,--meta_graph",
            [this](const std::size_t& number) { m_graphNumber = number; },
            "which graph to use if the file has several, from 0; default: the one tagged "
            "\"serve\", or the first")
        ->type_name("N");
}

void VerbCall::addOther(const std::string& help)
{
    m_app.add_option("OTHER", m_other, help)->required();
}

CLI::Option* VerbCall::addOutput(const std::string& names, std::string& path,
                                 const std::string& help)
{
    m_outputs.push_back(&path);
    return m_app.add_option(names, path, help);
}

void VerbCall::addJson()
{
    m_app.add_flag("--json", m_json, "print one JSON document");
}

std::optional<int> VerbCall::parse(std::span<const std::string> arguments)
{
    // CLI11 takes the arguments in reverse order. TensorFlow's tools are often called with one
    // dash.
    std::vector<std::string> reversed;
    for (const std::string& argument : arguments) {
        const bool oneDash = argument.size() > 2 && argument[0] == '-' && argument[1] != '-';
        const std::string longName = "-" + argument.substr(0, argument.find('='));
        const bool isLong = oneDash && m_app.get_option_no_throw(longName) != nullptr;
        reversed.push_back(isLong ? "-" + argument : argument);
    }
    std::ranges::reverse(reversed);
    try {
        m_app.parse(reversed);
    } catch (const CLI::CallForHelp&) {
        groupOptions(m_app);
        m_console.out << readableHelp(m_app);
        return exit_code::done;
    } catch (const CLI::ParseError& error) {
        return wrongUse(error.what());
    }
    if (const std::string wrong = wrongFiles(); !wrong.empty())
        return wrongUse(wrong);
    return withoutFolder();
}

// A result that has no folder to be written to is known before the work, which may take minutes.
std::optional<int> VerbCall::withoutFolder() const
{
    for (const std::string* out : m_outputs) {
        const std::filesystem::path folder = std::filesystem::path(*out).parent_path();
        std::error_code ignored;
        if (folder.empty() || std::filesystem::exists(folder, ignored))
            continue;
        m_console.complain(*out + ": could not be written: No such file or directory");
        return exit_code::failed;
    }
    return {};
}

// Empty: standard input is read once, and nothing that is read is written over.
std::string VerbCall::wrongFiles() const
{
    if (m_file == "-" && m_other == "-")
        return "FILE and OTHER cannot both be read from standard input";
    for (const std::string* out : m_outputs)
        for (const std::string& read : {m_file, m_other})
            if (std::string why = overwritten(read, *out); !why.empty())
                return why;
    return {};
}

int VerbCall::wrongUse(const std::string& what) const
{
    const std::string verb(m_verb.name);
    m_console.complain(verb + ": " + what + "; see 'lapidary " + verb + " --help'");
    return exit_code::wrongUse;
}

std::string shownPath(const std::string& path)
{
    return path == "-" ? "standard input" : path;
}

std::string refusalOf(const ModelFile& file, const std::string& path)
{
    // A file of data that is cut off would hold no graph if it were whole.
    const auto noGraph = std::ranges::find(file.problems, "no_graph", &Problem::kind);
    const auto why = noGraph != file.problems.end()
                         ? noGraph
                         : std::ranges::find(file.problems, Severity::Error, &Problem::severity);
    const std::string message = why != file.problems.end() ? why->message
                                : file.problems.empty()    ? "holds no graph"
                                                           : file.problems.back().message;
    return message.starts_with(shownPath(path)) ? message : shownPath(path) + ": " + message;
}

int failWith(const Error& error, Console& console)
{
    if (error.code == ErrorCode::Cancelled && console.interrupt != nullptr &&
        console.interrupt->hasTimedOut()) {
        if (console.interrupt->claimTimeOut())
            console.complain(console.interrupt->timeOutText());
        return exit_code::failed;
    }
    console.complain(messageWithRemedy(error));
    return error.code == ErrorCode::Cancelled ? exit_code::cancelled : exit_code::failed;
}

std::optional<ModelFile> readNamed(const std::string& path, const ReadOptions& options,
                                   Console& console, int& exitCode)
{
    auto file = path == "-"
                    ? readModelBytes(std::string(std::istreambuf_iterator<char>(console.in), {}),
                                     shownPath(path), console.job, options)
                    : readModel(path, console.job, options);
    if (!file) {
        exitCode = failWith(file.error(), console);
        return {};
    }
    return *std::move(file);
}

namespace {

void takeNetwork(const std::string& path, Console& console, OpenedModel& opened)
{
    auto network = uncalledNetwork(*opened.entry);
    if (!network)
        return;
    console.complain(shownPath(path) + ": has no signature, and its graph calls no function; " +
                     network->title + ", the function that computes most, is taken");
    opened.network = std::make_shared<const GraphEntry>(*std::move(network));
    opened.entry = opened.network.get();
}

OpenedModel openAt(const std::string& path, const VerbCall& call, const ReadOptions& options,
                   Console& console, bool saysWhich)
{
    OpenedModel opened;
    opened.file = readNamed(path, options, console, opened.exitCode);
    if (!opened.file)
        return opened;
    const ModelFile& file = *opened.file;
    if (file.isRefused()) {
        console.complain(refusalOf(file, path));
        opened.exitCode = exit_code::failed;
        return opened;
    }
    if (const Problem* damage = firstDamage(file); damage != nullptr && !call.refusesDamage())
        console.complain(damageText(*damage, path));
    const std::size_t count = file.graphs.size();
    opened.number = call.graphNumber().value_or(file.usualGraph());
    const std::string number = std::to_string(opened.number);
    if (opened.number >= count) {
        opened.exitCode = call.wrongUse("--meta-graph " + number + ": " + shownPath(path) +
                                        " has " + std::to_string(count) + " (0 is the first)");
        return opened;
    }
    opened.entry = &file.graphs[opened.number];
    if (count > 1 && saysWhich && !call.graphNumber())
        console.complain(shownPath(path) + ": holds " + std::to_string(count) +
                         " graphs, this is number " + number + ", counted from 0 (" +
                         opened.entry->title + "); --meta-graph N selects another");
    if (call.takesNetwork())
        takeNetwork(path, console, opened);
    return opened;
}

} // namespace

OpenedModel openModel(const VerbCall& call, const ReadOptions& options, Console& console,
                      bool saysWhich)
{
    return openAt(call.file(), call, options, console, saysWhich);
}

OpenedPair openBoth(const VerbCall& call, Console& console)
{
    OpenedPair both;
    both.first = openAt(call.file(), call, ReadOptions{.check = false}, console, true);
    if (both.first.entry == nullptr) {
        both.failure = both.first.exitCode;
        return both;
    }
    both.second = openAt(call.other(), call, ReadOptions{.check = false}, console, true);
    if (both.second.entry == nullptr)
        both.failure = both.second.exitCode;
    return both;
}

void printJson(const Json& document, Console& console)
{
    console.out << document.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
}

Json numberJson(double value)
{
    return std::isfinite(value) ? Json(value) : Json(nullptr);
}

Json shapeJson(const Shape& shape)
{
    if (shape.unknownRank)
        return nullptr;
    Json sizes = Json::array();
    for (const std::int64_t size : shape.dims)
        sizes.push_back(size < 0 ? -1 : size);
    return sizes;
}

namespace {

Status writeOut(const ByteSource& source, std::ostream& out)
{
    RETURN_IF_ERROR(source([&](std::string_view bytes) -> Status {
        out.write(bytes.data(), std::streamsize(bytes.size()));
        return Done{};
    }));
    if (!out.flush().good())
        return Error{ErrorCode::Io, "standard output: could not be written to the end"};
    return Done{};
}

} // namespace

int writeResult(const std::string& path, const ByteSource& source, Console& console)
{
    const Status written =
        path == "-" ? writeOut(source, console.out) : writeFileAtomically(path, source);
    return written ? exit_code::done : failWith(written.error(), console);
}

int writeResult(const std::string& path, std::string_view bytes, Console& console)
{
    return writeResult(
        path, [bytes](const ByteSink& sink) { return sink(bytes); }, console);
}

} // namespace lapidary
