// ReadFile: the content of a file below the model's folder. WriteFile, Save, SaveSlices, SaveV2:
// only say that graphs write no files. ShardedFilespec: the pattern of the names of shards.
#include "runner/kernels/parsing/files.h"
#include "runner/kernels/parsing/kernels.h"
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
    auto content = readFile(context, name.strings()[0]);
    if (!content)
        return content.error();
    return context.setOutput(0, Value::ofStrings({}, {std::move(content).value()}));
}

Status runWrite(KernelContext& context)
{
    const Value& name = context.input(0);
    const Value& content = context.input(1);
    if (!name.isScalar() || !content.isScalar())
        return context.error("filename and contents must be scalars");
    if (const Status status = checkMayWrite(context, name.strings()[0]); !status)
        return status;
    std::ofstream file(name.strings()[0], std::ios::binary);
    file << content.strings()[0];
    return file.flush() ? Status(Done{})
                        : Status(context.error("'" + name.strings()[0] + "' cannot be written"));
}

Status runSave(KernelContext& context)
{
    const Value& name = context.input(0);
    const std::string text = name.isScalar() ? name.strings()[0] : std::string();
    if (const Status status = checkMayWrite(context, text); !status)
        return status;
    return context.error("saving checkpoints from inside a graph is not supported");
}

Status runSpec(KernelContext& context)
{
    if (!context.input(0).isScalar())
        return context.error("basename must be a scalar");
    const auto count = scalarIndex(context, 1, "num_shards");
    if (!count)
        return count.error();
    char text[40];
    std::snprintf(text, sizeof text, "-?\?\?\?\?-of-%05d", count.value());
    return context.setOutput(0, Value::ofStrings({}, {context.input(0).strings()[0] + text}));
}

} // namespace

const Kernel kernels::readFile{.op = "ReadFile", .run = runRead};
const Kernel kernels::writeFile{.op = "WriteFile", .run = runWrite};
const Kernel kernels::save{.op = "Save", .run = runSave};
const Kernel kernels::saveSlices{.op = "SaveSlices", .run = runSave};
const Kernel kernels::saveV2{.op = "SaveV2", .run = runSave};
const Kernel kernels::shardedFilespec{.op = "ShardedFilespec", .run = runSpec};

} // namespace lapidary
