// SPDX-License-Identifier: Apache-2.0
#include "app/cli/originals/python_graphs.h"

#include "app/cli/originals/original_loading.h"
#include "graph_model/base/mapped_file.h"
#include "graph_model/read/graph_def_reader.h"
#include "graph_model/write/graph_def_source.h"
#include "graph_model/write/write_model.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <ostream>

namespace lapidary {
namespace {

// Python refuses a file that is cut anywhere; TensorFlow's C++ accepts one that is cut at the end
// of a field.
Result<GraphPtr> loadWholeBinary(const std::string& path, const Job& job)
{
    const auto file = openFile(path);
    if (!file)
        return Error{ErrorCode::Io, file.error().message};
    ASSIGN_OR_RETURN(const auto read, readGraphDef((*file)->bytes(), *file, 0, true, job));
    if (read.isDamaged)
        return Error{ErrorCode::BadFile, path + ": is not a binary GraphDef, or not all of one"};
    return read.graph;
}

} // namespace

std::vector<std::string> pythonList(std::string_view text)
{
    std::vector<std::string> items;
    for (std::size_t start = 0; start <= text.size();) {
        const std::size_t comma = std::min(text.find(',', start), text.size());
        items.emplace_back(text.substr(start, comma - start));
        start = comma + 1;
    }
    return items;
}

bool pathExists(const std::string& path)
{
    std::error_code ignored;
    return std::filesystem::exists(path, ignored);
}

bool saysIfMissing(const std::string& path, const Console& console)
{
    const bool exists = pathExists(path);
    if (!exists)
        console.out << "Input graph file '" << path << "' does not exist!\n";
    return !exists;
}

std::optional<GraphPtr> loadForPython(const std::string& path, bool isBinary,
                                      const Console& console, int& exitCode)
{
    const auto graph =
        isBinary ? loadWholeBinary(path, console.job) : loadAsOriginal(path, console.job);
    if (graph)
        return *graph;
    const bool isAbsent = graph.error().code == ErrorCode::Io;
    exitCode = pythonException(isAbsent   ? "NotFoundError"
                               : isBinary ? "DecodeError"
                                          : "ParseError",
                               graph.error().message, console);
    return {};
}

std::optional<int> refuseTensorNames(const std::vector<std::string>& nodes, const Console& console)
{
    for (const std::string& name : nodes)
        if (name.find(':') != std::string::npos)
            return pythonException(
                "ValueError", "Name '" + name + "' appears to refer to a Tensor, not a Operation.",
                console);
    return {};
}

Result<std::vector<DType>> dtypesOfEnums(std::string_view text)
{
    std::vector<DType> types;
    for (const std::string& item : pythonList(text)) {
        int number = 0;
        const char* const end = item.data() + item.size();
        const auto read = std::from_chars(item.data(), end, number);
        if (read.ec != std::errc() || read.ptr != end)
            return Error{ErrorCode::InvalidArgument,
                         "invalid literal for int() with base 10: '" + item + "'"};
        if (number < int(DType::Float) || number > int(DType::UInt64))
            return Error{ErrorCode::InvalidArgument, item + " is not a DataType; 1 is float"};
        types.push_back(DType(number));
    }
    return types;
}

int writeForPython(const Graph& graph, const std::string& path, bool isBinary,
                   const Console& console)
{
    Status written = Done{};
    if (isBinary) {
        written = writeFileAtomically(path, graphDefSource(graph));
    } else {
        const auto text = graphDefText(graph);
        written = text ? writeFileAtomically(path, *text) : Status(text.error());
    }
    return written ? 0 : pythonException("OSError", written.error().message, console);
}

} // namespace lapidary
