// SPDX-License-Identifier: Apache-2.0
#include "runner/kernels/checkpoints/stored_tensor.h"

#include "graph_model/base/below_folder.h"
#include "graph_model/checkpoint/slice.h"
#include "runner/values/memory_pool.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <optional>

namespace lapidary {
namespace {

namespace fs = std::filesystem;

// Checks the files of a checkpoint, too: its prefix may be in the folder while one of them is a
// link that leads out of it.
bool allLieBelow(const fs::path& prefix, const fs::path& folder)
{
    return liesBelow(prefix, folder) &&
           std::ranges::all_of(matchingFiles(prefix.string() + "*"),
                               [&](const fs::path& file) { return liesBelow(file, folder); });
}

// Parses "0,4:-:2,1": "start,length" or "-" (all) for each dimension.
std::optional<Slice> parseSlice(std::string_view text)
{
    Slice slice;
    while (!text.empty()) {
        const std::string_view part = text.substr(0, text.find(':'));
        text.remove_prefix(std::min(text.size(), part.size() + 1));
        SliceExtent extent;
        if (part != "-") {
            const std::size_t comma = part.find(',');
            if (comma == std::string_view::npos)
                return {};
            const char* const middle = part.data() + comma;
            const char* const end = part.data() + part.size();
            if (std::from_chars(part.data(), middle, extent.start).ptr != middle ||
                std::from_chars(middle + 1, end, extent.length).ptr != end || extent.start < 0 ||
                extent.length <= 0)
                return {};
        }
        slice.push_back(extent);
    }
    return slice;
}

Result<Value> valueOf(KernelContext& context, CheckpointValue stored)
{
    if (stored.dtype == DType::String)
        return Value::ofStrings(std::move(stored.dims), std::move(stored.strings));
    auto value = context.allocate(stored.dtype, std::move(stored.dims));
    if (!value || stored.bytes.empty())
        return value;
    if (value.value().byteCount() != stored.bytes.size())
        return context.error("the checkpoint's values do not fill their shape");
    copyFileBytes(stored.bytes, *value);
    return value;
}

CheckpointValue cut(const CheckpointValue& whole, const Slice& slice)
{
    CheckpointValue part;
    part.dtype = whole.dtype;
    part.dims = sliceDims(slice, whole.dims);
    const std::size_t size = dtypeSize(whole.dtype);
    std::size_t count = 1;
    for (const std::int64_t dim : part.dims)
        count *= std::size_t(dim);
    part.bytes.resize(count * size);
    part.strings.resize(size == 0 ? count : 0);
    forEachRun(whole.dims, slice, [&](std::size_t from, std::size_t to, std::size_t run) {
        if (size != 0)
            std::memcpy(part.bytes.data() + to * size, whole.bytes.data() + from * size,
                        run * size);
        else
            std::copy_n(whole.strings.begin() + std::ptrdiff_t(from), run,
                        part.strings.begin() + std::ptrdiff_t(to));
    });
    return part;
}

} // namespace

Result<std::string> stringInput(const KernelContext& context, std::size_t input, std::size_t i)
{
    const Value& value = context.input(input);
    if (value.dtype() != DType::String || std::int64_t(i) >= value.elements())
        return context.error("its input " + std::to_string(input) + " has too few strings");
    return value.strings()[i];
}

Result<CheckpointPtr> checkpointInput(const KernelContext& context, std::size_t i)
{
    ASSIGN_OR_RETURN(auto name, stringInput(context, i, 0));
    const SessionState& session = context.session();
    fs::path prefix = name;
    if (prefix.is_relative() && !session.folder.empty())
        prefix = fs::path(session.folder) / prefix;
    std::error_code fault;
    if (prefix.is_relative() || (fs::path(name).is_relative() && session.allowFiles &&
                                 openCheckpoint(prefix, context.job()).checkpoint == nullptr))
        prefix = name;
    if (!session.allowFiles && !allLieBelow(prefix, session.folder.empty() ? "." : session.folder))
        return context.error("it reads the checkpoint " + name + " outside of the model's folder",
                             ErrorReason::ForeignFile, name);
    OpenedCheckpoint opened = openCheckpoint(prefix, context.job());
    if (context.job().cancelled())
        return cancelledError();
    if (opened.checkpoint == nullptr)
        return context.error(opened.problems.empty() ? "the checkpoint cannot be read"
                                                     : opened.problems.front().message);
    return opened.checkpoint;
}

Result<Value> storedTensor(KernelContext& context, const Checkpoint& checkpoint,
                           std::string_view name, std::string_view shapeAndSlice, DType wanted)
{
    const CheckpointVariable* variable = checkpoint.find(name);
    if (variable == nullptr)
        return context.error("the checkpoint has no variable " + std::string(name));
    if (variable->dtype != wanted)
        return context.error("the variable " + std::string(name) + " is " +
                             dtypeName(variable->dtype) + " in the checkpoint, " +
                             dtypeName(wanted) + " is asked for");
    const std::size_t space = shapeAndSlice.rfind(' ');
    const auto slice =
        space == std::string_view::npos ? Slice() : parseSlice(shapeAndSlice.substr(space + 1));
    if (slice && !slice->empty())
        if (auto part = checkpoint.readPart(name, *slice); part && !part->problem)
            return valueOf(context, std::move(part->value));
    CheckpointRead read = checkpoint.read(name);
    if (read.problem)
        return context.error(read.problem->message);
    if (shapeAndSlice.empty())
        return valueOf(context, std::move(read.value));
    const std::vector<Slice> one{slice.value_or(Slice())};
    const auto fault = checkTiling(read.value.dims, one);
    if (!slice || (fault && fault->kind == "bad_slice"))
        return context.error("the slice '" + std::string(shapeAndSlice) + "' does not lie in " +
                             std::string(name) + " of shape " + dimsText(read.value.dims));
    return valueOf(context, cut(read.value, *slice));
}

} // namespace lapidary
