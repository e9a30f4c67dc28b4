// SPDX-License-Identifier: Apache-2.0
// optimize_for_inference, as called through a link of that name (spec: tools, section 3.6). Unlike
// in the original, a flag with the value false is false, and an input keeps its own type if none is
// given.
#include "app/cli/originals/original_flags.h"
#include "app/cli/originals/python_graphs.h"
#include "app/cli/tool_list.h"
#include "transforms/pass/pass.h"

#include <ostream>

namespace lapidary {
namespace {

struct OptimizeForInferenceOptions {
    std::string input;
    std::string output;
    std::string inputs;
    std::string outputs;
    std::string types;
    bool isBinary = true;
    std::string tocoCompatible;
};

bool isYes(const std::string& text)
{
    return !text.empty() && text != "False" && text != "false" && text != "0";
}

Result<PassArgs> argsOf(const OptimizeForInferenceOptions& wanted)
{
    PassArgs args;
    args.inputs = pythonList(wanted.inputs);
    args.outputs = pythonList(wanted.outputs);
    if (!wanted.types.empty()) {
        ASSIGN_OR_RETURN(auto types, dtypesOfEnums(wanted.types));
        if (types.size() > args.inputs.size())
            types.resize(args.inputs.size()); // the original ignores further types
        for (const DType type : types)
            args.parameters.add("type", dtypeName(type));
    }
    args.parameters.add("toco_compatible", isYes(wanted.tocoCompatible) ? "true" : "false");
    return args;
}

int optimize(const OptimizeForInferenceOptions& wanted, const Console& console)
{
    int exitCode = 0;
    const auto graph = loadForPython(wanted.input, wanted.isBinary, console, exitCode);
    if (!graph)
        return exitCode;
    const auto args = argsOf(wanted);
    if (!args)
        return pythonException("ValueError", args.error().message, console);
    if (const auto failure = refuseTensorNames(args->inputs, console))
        return *failure;
    const auto edit = findPass("optimize_for_inference")->run(*graph, *args, console.job);
    if (!edit)
        return pythonException(edit.error().code == ErrorCode::NotFound ? "KeyError" : "ValueError",
                               edit.error().message, console);
    return writeForPython(*edit->graph, wanted.output, wanted.isBinary, console);
}

int runOptimizeForInference(std::string_view calledAs, std::span<const std::string> words,
                            Console& console)
{
    OptimizeForInferenceOptions wanted;
    PythonFlags flags(calledAs);
    flags.addText("input", wanted.input);
    flags.addText("output", wanted.output);
    flags.addText("input_names", wanted.inputs);
    flags.addText("output_names", wanted.outputs);
    flags.addBool("frozen_graph", wanted.isBinary);
    flags.addText("placeholder_type_enum", wanted.types);
    flags.addText("toco_compatible", wanted.tocoCompatible);
    if (const auto done = flags.parse(words, console))
        return *done;
    return saysIfMissing(wanted.input, console) ? originalFailure : optimize(wanted, console);
}

} // namespace

const ReplacedTool tools::optimizeForInference{.name = "optimize_for_inference",
                                               .run = runOptimizeForInference};

} // namespace lapidary
