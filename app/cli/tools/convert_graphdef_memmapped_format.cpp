// SPDX-License-Identifier: Apache-2.0
// convert_graphdef_memmapped_format, as called through a link of that name (spec: tools, section
// 6). A node named "." gets a region with another name than the graph's.
#include "app/cli/originals/original_flags.h"
#include "app/cli/originals/original_loading.h"
#include "app/cli/tool_list.h"
#include "graph_model/write/memmapped_source.h"
#include "graph_model/write/write_model.h"

#include <ostream>

namespace lapidary {
namespace {

struct ConvertGraphdefMemmappedFormatOptions {
    std::string in;
    std::string out;
    std::int32_t minimumBytes = 10000;
};

Result<std::size_t> convert(const ConvertGraphdefMemmappedFormatOptions& wanted, const Job& job)
{
    const auto graph = loadBinaryAsOriginal(wanted.in, job);
    if (!graph)
        return Error{graph.error().code,
                     "Failed to load graph at '" + wanted.in + "' : " + graph.error().message};
    ASSIGN_OR_RETURN(const auto package, makeMemmapped(*graph, wanted.minimumBytes, job));
    RETURN_IF_ERROR(writeFileAtomically(wanted.out, memmappedSource(package)));
    return package.regions.size();
}

std::string fault(const ConvertGraphdefMemmappedFormatOptions& wanted)
{
    if (wanted.in.empty())
        return "in_graph graph can't be empty";
    if (wanted.out.empty())
        return "out_graph graph can't be empty";
    return wanted.minimumBytes <= 0 ? "min_conversion_tensor_size must be > 0" : "";
}

int runConvertGraphdefMemmappedFormat(std::string_view calledAs,
                                      std::span<const std::string> arguments, Console& console)
{
    ConvertGraphdefMemmappedFormatOptions wanted;
    OriginalFlags flags(calledAs);
    flags.addString("in_graph", wanted.in, "input graph");
    flags.addString("out_graph", wanted.out, "output graph");
    flags.addInt("min_conversion_tensor_size", wanted.minimumBytes,
                 "constants with tensors that have less than this number of bytes won't be "
                 "converted into ImmutableConst (be memmapped)");
    if (!flags.parse(arguments, console.err)) {
        originalLog(console.err, "\n" + flags.usage());
        return originalFailure;
    }
    if (!flags.leftover().empty()) {
        originalLog(console.err,
                    "Unknown argument " + flags.leftover().front() + "\n" + flags.usage());
        return originalFailure;
    }
    if (const std::string what = fault(wanted); !what.empty()) {
        originalLog(console.err, what);
        return originalFailure;
    }
    const auto converted = convert(wanted, console.job);
    if (!converted) {
        originalLog(console.err, "Conversion failed " + converted.error().message);
        return originalFailure;
    }
    originalLog(console.err, "Converted " + std::to_string(*converted) + " nodes", 'I');
    return 0;
}

} // namespace

const ReplacedTool tools::convertGraphdefMemmappedFormat{
    .name = "convert_graphdef_memmapped_format", .run = runConvertGraphdefMemmappedFormat};

} // namespace lapidary
