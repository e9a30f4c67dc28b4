// SPDX-License-Identifier: Apache-2.0
// freeze_graph, as called through a link of that name: flags as its Python accepts them. If it
// fails, it prints one line to standard error in the form "Kind: what is wrong" and returns exit
// code 1.
#include "app/cli/freezing.h"
#include "app/cli/guard.h"
#include "app/cli/originals/python_flags.h"
#include "app/cli/originals/python_graphs.h"
#include "app/cli/tool_list.h"

#include <algorithm>
#include <map>
#include <ostream>

namespace lapidary {
namespace {

// The values of the flags by name, with the tool's defaults.
using TextFlags = std::map<std::string, std::string, std::less<>>;

TextFlags defaults()
{
    return {{"input_graph", ""},
            {"input_saver", ""},
            {"input_checkpoint", ""},
            {"checkpoint_version", "2"},
            {"output_graph", ""},
            {"input_binary", "false"},
            {"output_node_names", ""},
            {"restore_op_name", "save/restore_all"},
            {"filename_tensor_name", "save/Const:0"},
            {"clear_devices", "true"},
            {"initializer_nodes", ""},
            {"variable_names_whitelist", ""},
            {"variable_names_blacklist", ""},
            {"input_meta_graph", ""},
            {"input_saved_model_dir", ""},
            {"saved_model_tags", "serve"}};
}

bool isTrue(std::string value)
{
    std::ranges::transform(value, value.begin(),
                           [](char c) { return c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c; });
    return value == "true";
}

// Parses "--name=value", "--name value", and "--name" alone for the two switches. Returns the first
// word that is none of these, or an empty text.
std::string parse(std::span<const std::string> words, TextFlags& flags)
{
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::string& word = words[i];
        const std::size_t equals = std::min(word.find('='), word.size());
        const auto flag =
            word.starts_with("--") ? flags.find(word.substr(2, equals - 2)) : flags.end();
        if (flag == flags.end())
            return word;
        const bool isSwitch = flag->first == "clear_devices" || flag->first == "input_binary";
        const bool hasNext = i + 1 < words.size() && !words[i + 1].starts_with("--");
        if (equals < word.size())
            flag->second = word.substr(equals + 1);
        else if (isSwitch && !hasNext)
            flag->second = "true";
        else if (hasNext)
            flag->second = words[++i];
        else
            return word;
    }
    return "";
}

// Splits "a, b" into a and b. The tool removes every blank from a list of nodes, and none from a
// list of tags.
std::vector<std::string> split(std::string text, bool removesBlanks)
{
    if (removesBlanks)
        std::erase(text, ' ');
    return text.empty() ? std::vector<std::string>() : pythonList(text);
}

// Returns the first fault of the arguments, in the order in which the tool checks them.
std::string fault(const TextFlags& flags)
{
    const auto value = [&](std::string_view name) { return flags.find(name)->second; };
    const std::string version = value("checkpoint_version");
    if (version != "1" && version != "2")
        return "ValueError: Invalid checkpoint version (must be '1' or '2'): " + version;
    const std::string graph = value("input_graph");
    const std::string meta = value("input_meta_graph");
    const std::string saver = value("input_saver");
    const std::string folder = value("input_saved_model_dir");
    if (!graph.empty() && folder.empty() && !pathExists(graph))
        return "OSError: Input graph file '" + graph + "' does not exist!";
    if (!meta.empty() && !pathExists(meta))
        return "OSError: Input meta graph file '" + meta + "' does not exist!";
    if (!saver.empty() && !pathExists(saver))
        return "OSError: Input saver file '" + saver + "' does not exist!";
    if (!folder.empty() && !pathExists(folder))
        return "OSError: SavedModel file does not exist at: " + folder;
    if (folder.empty() && !hasCheckpoint(value("input_checkpoint")))
        return "ValueError: Input checkpoint '" + value("input_checkpoint") + "' doesn't exist!";
    if (value("output_node_names").empty())
        return "ValueError: You need to supply the name of a node to --output_node_names.";
    if (folder.empty() && graph.empty() && meta.empty())
        return "ValueError: Name the graph with --input_graph, --input_meta_graph or "
               "--input_saved_model_dir.";
    if (!graph.empty() && !meta.empty())
        return "ValueError: Give --input_graph or --input_meta_graph, not both.";
    return "";
}

FreezeFlags wantedOf(const TextFlags& flags)
{
    const auto value = [&](std::string_view name) { return flags.find(name)->second; };
    FreezeFlags wanted;
    wanted.graph = value("input_graph");
    wanted.metaGraph = value("input_meta_graph");
    wanted.savedModel = value("input_saved_model_dir");
    wanted.tags = split(value("saved_model_tags"), false);
    if (wanted.savedModel.empty())
        wanted.checkpoint = value("input_checkpoint");
    wanted.outputs = split(value("output_node_names"), true);
    wanted.initializers = split(value("initializer_nodes"), true);
    wanted.only = split(value("variable_names_whitelist"), true);
    wanted.except = split(value("variable_names_blacklist"), true);
    wanted.clearDevices = isTrue(value("clear_devices"));
    wanted.fillsTables = false;
    return wanted;
}

std::string usageOf(std::string_view calledAs, const TextFlags& flags)
{
    std::string text = "usage: " + std::string(calledAs.substr(calledAs.rfind('/') + 1));
    for (const auto& [flag, value] : flags)
        text += " [--" + flag + " " + (value.empty() ? "..." : value) + "]";
    return text + "\n";
}

// Returns the fault if the format does not match --input_binary: the tool relies on that flag and
// does not check whether the graph is text.
std::string formatFault(FileFormat format, const FreezeFlags& wanted, bool isBinary)
{
    const bool isText = format == FileFormat::GraphDefText || format == FileFormat::MetaGraphText;
    if (!wanted.savedModel.empty() || isText != isBinary)
        return "";
    return isBinary ? "DecodeError: Error parsing message: " + wanted.model() +
                          " is text; leave out --input_binary"
                    : "ParseError: " + wanted.model() + " is binary; give --input_binary=true";
}

int fail(const std::string& what, Console& console)
{
    console.err << what << '\n';
    return pythonFailure;
}

int runFreezeGraph(std::string_view calledAs, std::span<const std::string> words, Console& console)
{
    TextFlags flags = defaults();
    const std::string usage = usageOf(calledAs, flags);
    if (const std::string odd = parse(words, flags); odd == "--help" || odd == "-h") {
        console.out << usage;
        return 0;
    } else if (!odd.empty()) {
        console.err << usage << "error: unrecognized argument: " << odd << '\n';
        return argumentFailure;
    }
    if (const std::string what = fault(flags); !what.empty())
        return fail(what, console);
    const FreezeFlags wanted = wantedOf(flags);
    for (const std::string& output : wanted.outputs)
        if (output.find(':') != std::string::npos || output.empty())
            return fail("AssertionError: " + output + " is not in graph", console);
    const std::string out = flags["output_graph"];
    BoxGrants grants = grantsOf(wanted);
    grants.writable.emplace_back(out);
    if (const auto outside = startGuarded(GuardFlags(), grants, console))
        return *outside;
    if (!wanted.metaGraph.empty() && wanted.savedModel.empty())
        console.out << "Loaded meta graph file '" << wanted.metaGraph << "\n";
    const auto outcome = freezeAsAsked(wanted, console.job);
    if (!outcome)
        return fail("ValueError: " + outcome.error().message, console);
    const bool isBinary = isTrue(flags["input_binary"]);
    if (const std::string what = formatFault(outcome->format, wanted, isBinary); !what.empty())
        return fail(what, console);
    const FrozenGraph& frozen = outcome->model.frozen;
    if (frozen.variables.empty() && frozen.kept.empty() && wanted.savedModel.empty() &&
        wanted.metaGraph.empty())
        return fail("ValueError: No variables were found in this model. It is likely the model was "
                    "frozen previously. You cannot freeze a graph twice.",
                    console);
    console.err << "INFO:tensorflow:Froze " << frozen.variables.size() << " variables.\n"
                << "INFO:tensorflow:Converted " << frozen.variables.size()
                << " variables to const ops.\n";
    if (out.empty())
        return 0;
    return writeForPython(*frozen.edit.graph, out, true, console);
}

} // namespace

const ReplacedTool tools::freezeGraph{
    .name = "freeze_graph", .run = runFreezeGraph, .runsGraphs = true};

} // namespace lapidary
