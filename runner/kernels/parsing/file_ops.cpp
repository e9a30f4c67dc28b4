// SPDX-License-Identifier: Apache-2.0
// ReadFile: the content of a file below the model's folder. WriteFile, Save, SaveSlices, SaveV2:
// errors, because graphs write no files. ShardedFilespec: the pattern of the names of shards.
#include "runner/kernels/kernel.h"
#include "runner/kernels/parsing/files.h"
#include "runner/kernels/tensor_array/tensor_array.h"

#include <cstdio>
#include <fstream>

namespace lapidary {
namespace {

Status runRead(KernelContext& context)
{
    const Value& name = context.input(0);
    if (!name.isScalar())
        return context.error("filename must be a scalar");
    ASSIGN_OR_RETURN(auto content, readFile(context, name.strings()[0]));
    return context.setOutput(0, Value::ofStrings({}, {std::move(content)}));
}

Status runWrite(KernelContext& context)
{
    const Value& name = context.input(0);
    const Value& content = context.input(1);
    if (!name.isScalar() || !content.isScalar())
        return context.error("filename and contents must be scalars");
    RETURN_IF_ERROR(checkMayWrite(context, name.strings()[0]));
    std::ofstream file(name.strings()[0], std::ios::binary);
    file << content.strings()[0];
    return file.flush() ? Status(Done{})
                        : Status(context.error("'" + name.strings()[0] + "' cannot be written"));
}

Status runSave(KernelContext& context)
{
    const Value& name = context.input(0);
    const std::string text = name.isScalar() ? name.strings()[0] : std::string();
    RETURN_IF_ERROR(checkMayWrite(context, text));
    return context.error("saving checkpoints from inside a graph is not supported");
}

Status runSpec(KernelContext& context)
{
    if (!context.input(0).isScalar())
        return context.error("basename must be a scalar");
    ASSIGN_OR_RETURN(const auto count, scalarIndex(context, 1, "num_shards"));
    char text[40];
    std::snprintf(text, sizeof text, "-?\?\?\?\?-of-%05d", count);
    return context.setOutput(0, Value::ofStrings({}, {context.input(0).strings()[0] + text}));
}

} // namespace

LAPIDARY_KERNEL(ReadFile, runRead);
LAPIDARY_KERNEL(WriteFile, runWrite);
LAPIDARY_KERNEL(Save, runSave);
LAPIDARY_KERNEL(SaveSlices, runSave);
LAPIDARY_KERNEL(SaveV2, runSave);
LAPIDARY_KERNEL(ShardedFilespec, runSpec);

} // namespace lapidary
