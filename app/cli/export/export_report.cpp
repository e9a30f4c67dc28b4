// SPDX-License-Identifier: Apache-2.0
#include "app/cli/export/export_flags.h"

#include <ostream>

namespace lapidary {
namespace {

Json tensorsJson(const PortableModel& model, const std::vector<TensorIndex>& tensors)
{
    Json list = Json::array();
    for (const TensorIndex index : tensors) {
        const PortableTensor& tensor = model.at(index);
        list.push_back(
            {{"name", tensor.name}, {"dtype", dtypeName(tensor.dtype)}, {"shape", tensor.dims}});
    }
    return list;
}

Json refusedJson(const ExportedModel& made)
{
    Json list = Json::array();
    for (const ExportRefusal& refusal : made.refused)
        list.push_back({{"node", refusal.node}, {"op", refusal.op}, {"reason", refusal.reason}});
    return list;
}

std::size_t sumOf(const std::map<std::string, std::size_t>& counts)
{
    std::size_t sum = 0;
    for (const auto& [name, count] : counts)
        sum += count;
    return sum;
}

std::string countsText(const std::map<std::string, std::size_t>& counts)
{
    std::string text;
    for (const auto& [name, count] : counts)
        text += (text.empty() ? "" : ", ") + name + " " + std::to_string(count);
    return text;
}

void printTensors(std::string_view title, const PortableModel& model,
                  const std::vector<TensorIndex>& tensors, Console& console)
{
    for (const TensorIndex index : tensors) {
        const PortableTensor& tensor = model.at(index);
        console.err << title << ' ' << tensor.name << "  " << dtypeName(tensor.dtype) << ' '
                    << shapeText({tensor.dims, false}) << '\n';
    }
}

std::string joined(const std::vector<std::string>& names)
{
    std::string text;
    for (const std::string& name : names)
        text += (text.empty() ? "" : ",") + name;
    return text;
}

std::string sizesText(const Shape& shape)
{
    std::string text;
    for (const std::int64_t dim : shape.dims)
        text += (text.empty() ? "" : ",") + std::to_string(dim);
    return text.empty() ? "scalar" : text;
}

std::string shapesText(const ExportInterface& cut)
{
    std::string text;
    for (const auto& [name, shape] : cut.shapes)
        text += " --shape " + name + "=" + sizesText(shape);
    return text;
}

Json cutJson(const std::optional<ExportInterface>& cut)
{
    if (!cut)
        return nullptr;
    Json shapes = Json::object();
    for (const auto& [name, shape] : cut->shapes)
        shapes[name] = shape.dims;
    return {{"inputs", cut->inputs}, {"outputs", cut->outputs}, {"shapes", std::move(shapes)}};
}

} // namespace

void reportExport(const ExportedModel& made, const ExportFlags& flags, const VerbCall& call,
                  Console& console)
{
    if (call.wantsJson()) {
        printJson({{"file", flags.out},
                   {"bytes", made.file->bytes().size()},
                   {"operators", made.operators},
                   {"inputs", tensorsJson(made.model, made.model.inputs)},
                   {"outputs", tensorsJson(made.model, made.model.outputs)},
                   {"dropped", made.dropped},
                   {"notes", made.notes},
                   {"refused", Json::array()}},
                  console);
        return;
    }
    console.err << made.file->bytes().size() << " bytes, " << sumOf(made.operators)
                << " operators: " << countsText(made.operators) << '\n';
    printTensors("input", made.model, made.model.inputs, console);
    printTensors("output", made.model, made.model.outputs, console);
    for (const std::string& note : made.notes)
        console.err << "note: " << note << '\n';
}

void reportRefusals(const ExportedModel& made, const std::optional<ExportInterface>& cut,
                    const ExportFlags& flags, const VerbCall& call, Console& console)
{
    if (call.wantsJson())
        printJson({{"file", nullptr}, {"refused", refusedJson(made)}, {"cut", cutJson(cut)}},
                  console);
    for (const ExportRefusal& refusal : made.refused)
        console.err << call.file() << ": " << refusal.node << " (" << refusal.op
                    << "): " << refusal.reason << '\n';
    if (cut)
        console.err << "what can be exported: --inputs " << joined(cut->inputs) << " --outputs "
                    << joined(cut->outputs) << shapesText(*cut) << '\n';
    console.complain(std::to_string(made.refused.size()) +
                     (made.refused.size() == 1 ? " node has" : " nodes have") +
                     " no counterpart; " + flags.out + " was not written");
}

} // namespace lapidary
