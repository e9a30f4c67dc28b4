// SPDX-License-Identifier: Apache-2.0
#include "app/cli/reports/saved_variables.h"

#include "app/base/exit_codes.h"
#include "app/cli/reports/node_json.h"
#include "graph_model/base/nearest_word.h"
#include "graph_model/base/printable.h"
#include "graph_model/ops/op_traits.h"
#include "runner/checkpoint/load_variables.h"
#include "runner/checkpoint/stored_tensor.h"

#include <algorithm>
#include <ostream>

namespace lapidary {
namespace {

namespace fs = std::filesystem;

std::string sizeText(const CheckpointVariable& variable)
{
    return dtypeName(variable.dtype) + ' ' + shapeText(variable.shape);
}

void printVariables(const Checkpoint& checkpoint, std::ostream& out)
{
    std::size_t width = 0;
    for (const CheckpointVariable& variable : checkpoint.variables())
        width = std::max(width, printable(variable.name).size());
    for (const CheckpointVariable& variable : checkpoint.variables()) {
        const std::string name = printable(variable.name);
        out << name << std::string(width - name.size() + 2, ' ') << sizeText(variable) << '\n';
    }
}

Json variablesJson(const Checkpoint& checkpoint)
{
    Json list = Json::array();
    for (const CheckpointVariable& variable : checkpoint.variables())
        list.push_back({{"name", variable.name},
                        {"dtype", dtypeName(variable.dtype)},
                        {"shape", shapeJson(variable.shape)}});
    return {{"variables", std::move(list)}};
}

std::string nearestVariable(const Checkpoint& checkpoint, const std::string& asked)
{
    std::vector<std::string> names;
    for (const CheckpointVariable& variable : checkpoint.variables())
        names.push_back(variable.name);
    return nearestWord(asked, names);
}

int showVariable(const VerbCall& call, const Checkpoint& checkpoint, const std::string& name,
                 Console& console)
{
    const std::string file = shownPath(call.file());
    if (checkpoint.find(name) == nullptr) {
        const std::string near = nearestVariable(checkpoint, name);
        console.complain(file + ": " + name + ": no variable has that name; " +
                         (near.empty() ? "without a name, all are listed" : "there is " + near));
        return exit_code::failed;
    }
    const CheckpointRead read = checkpoint.read(name);
    if (read.problem) {
        console.complain(file + ": " + read.problem->message);
        return exit_code::failed;
    }
    const auto tensor = tensorOf(read.value);
    if (!tensor)
        return failWith(tensor.error(), console);
    const auto facts = tensorJson(*tensor, console.job);
    if (!facts)
        return failWith(facts.error(), console);
    if (call.wantsJson())
        printJson({{"name", name}, {"tensor", *facts}}, console);
    else
        console.out << "name          " << printable(name) << '\n' << tensorFactsText(*facts);
    return exit_code::done;
}

} // namespace

std::optional<fs::path> checkpointNamed(const std::string& file)
{
    std::error_code fault;
    fs::path prefix = file;
    const std::string ending = prefix.extension().string();
    if (ending == ".index" || ending.starts_with(".data-"))
        prefix.replace_extension();
    else if (fs::exists(prefix, fault))
        return {};
    fs::path index = prefix;
    index += ".index";
    return fs::is_regular_file(index, fault) ? std::optional(prefix) : std::nullopt;
}

int showCheckpoint(const VerbCall& call, const fs::path& prefix, const std::string& variable,
                   Console& console)
{
    const OpenedCheckpoint opened = openCheckpoint(prefix, console.job);
    if (opened.checkpoint == nullptr) {
        for (const Problem& problem : opened.problems)
            console.complain(shownPath(call.file()) + ": " + problem.message);
        return exit_code::failed;
    }
    if (!variable.empty())
        return showVariable(call, *opened.checkpoint, variable, console);
    if (call.wantsJson())
        printJson(variablesJson(*opened.checkpoint), console);
    else
        printVariables(*opened.checkpoint, console.out);
    return exit_code::done;
}

Result<Json> savedVariableJson(const GraphEntry& entry, NodeId id, const fs::path& model,
                               const Job& job)
{
    const GraphPtr& graph = entry.graph;
    if (!isStoredVariable(graph->node(id).op()))
        return Json(nullptr);
    const VariableStore store{checkpointBeside(model), entry.bound};
    if (store.checkpoint.empty())
        return Json(nullptr);
    const auto tensor = storedTensor(*graph, id, store, job);
    if (!tensor)
        return tensor.error().code == ErrorCode::Cancelled
                   ? Result<Json>(tensor.error())
                   : Result<Json>(Json{{"error", tensor.error().message}});
    return tensorJson(*tensor, job);
}

} // namespace lapidary
