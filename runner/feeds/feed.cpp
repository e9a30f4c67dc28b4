// SPDX-License-Identifier: Apache-2.0
#include "runner/feeds/feed.h"

#include "graph_model/shapes/declared_shapes.h"
#include "graph_model/tensor/npy_header.h"
#include "runner/feeds/input_text.h"
#include "runner/feeds/npy_values.h"
#include "runner/feeds/picture_feed.h"
#include "runner/feeds/seeded_value.h"
#include "runner/feeds/sound_feed.h"
#include "runner/feeds/written_value.h"
#include "runner/feeds/zip_archive.h"
#include "runner/kernels/speech/wav.h"
#include "runner/values/memory_pool.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <optional>

namespace lapidary {
namespace {

std::string wants(const FeedTarget& target)
{
    std::string text = inputText(target) + " takes ";
    text += target.dtype == DType::Invalid ? "any type" : dtypeName(target.dtype);
    return text + ' ' + (target.shape.unknownRank ? "of any shape" : shapeText(target.shape));
}

Error missingSize(const FeedTarget& target)
{
    return {ErrorCode::InvalidArgument, wants(target) + ", and nothing says which sizes it has",
            ErrorReason::MissingSize, target.tensor};
}

// Returns the sizes of a value whose source has none of its own.
Result<Dims> fullShape(const FeedTarget& target)
{
    if (target.shape.unknownRank)
        return missingSize(target);
    Dims dims = target.shape.dims;
    if (!dims.empty() && dims[0] < 0)
        dims[0] = 1;
    if (std::ranges::any_of(dims, [](std::int64_t dim) { return dim < 0; }))
        return missingSize(target);
    return dims;
}

DType typeOrFloat(const FeedTarget& target)
{
    return target.dtype == DType::Invalid ? DType::Float : target.dtype;
}

// Makes a value with a text of the form that the input's reader requires in each element.
template <class TextOf>
Result<Value> formedTexts(Dims dims, MemoryPool& pool, const TextOf& textOf)
{
    ASSIGN_OR_RETURN(auto value, Value::make(DType::String, dims, pool));
    std::vector<std::string> texts(std::size_t(value.elements()));
    for (std::size_t i = 0; i < texts.size(); ++i) {
        ASSIGN_OR_RETURN(texts[i], textOf(i));
    }
    return Value::ofStrings(std::move(dims), std::move(texts));
}

// Fills every element with the same number, in any numeric type. Strings are empty, or have the
// form that the input's reader requires, with this number everywhere.
Result<Value> filled(const FeedTarget& target, double number, MemoryPool& pool)
{
    ASSIGN_OR_RETURN(auto dims, fullShape(target));
    const DType dtype = typeOrFloat(target);
    if (dtype == DType::String && !isPlain(target.form))
        return formedTexts(std::move(dims), pool, [&](std::size_t /*i*/) {
            return constantText(target.form, number, pool);
        });
    if (number != 0 && dtype != DType::String)
        return seededValue(dtype, dims, 0, {number, number}, pool);
    auto value = Value::make(dtype, dims, pool);
    if (value && dtype != DType::String && value->byteCount() > 0)
        std::memset(value->mutableAs<char>().data(), 0, value->byteCount());
    return value;
}

Result<Value> randomFeed(const FeedTarget& target, const RandomFeed& source, MemoryPool& pool)
{
    ASSIGN_OR_RETURN(auto dims, fullShape(target));
    const DType dtype = typeOrFloat(target);
    if (dtype == DType::String && !isPlain(target.form))
        return formedTexts(std::move(dims), pool,
                           [&](std::size_t i) { return randomText(target.form, source, i, pool); });
    if (dtype == DType::String && !source.range)
        return seededWords(std::move(dims), source.seed, pool);
    if (dtype != DType::Bool)
        return seededValue(dtype, dims, source.seed, source.range.value_or(usualRange(dtype)),
                           pool);
    const auto coins = seededValue(DType::UInt8, dims, source.seed, {0, 2}, pool);
    return coins ? coins.value().reinterpreted(DType::Bool, dims) : coins;
}

Result<std::string> fileBytes(const std::string& path, std::uint64_t limit)
{
    std::error_code failure;
    const auto size = std::filesystem::file_size(path, failure);
    if (failure)
        return Error{ErrorCode::Io, path + ": " + failure.message()};
    if (size > limit)
        return Error{ErrorCode::Unsupported,
                     path + ": " + std::to_string(size) + " bytes are more than the memory limit"};
    std::string bytes(std::size_t(size), '\0');
    std::ifstream in(path, std::ios::binary);
    if (!in.read(bytes.data(), std::streamsize(size)))
        return Error{ErrorCode::Io, path + ": could not be read to the end"};
    return bytes;
}

Result<Value> npzFeed(const FeedTarget& target, const std::string& path, std::string_view archive,
                      MemoryPool& pool)
{
    const auto entries = readZipDirectory(archive);
    if (!entries)
        return entries.error().within(path);
    const std::string_view node =
        std::string_view(target.tensor).substr(0, target.tensor.rfind(':'));
    const ZipEntry* chosen = entries->size() == 1 ? entries->data() : nullptr;
    std::string names;
    for (const ZipEntry& entry : *entries) {
        std::string_view name = entry.name;
        if (name.ends_with(".npy"))
            name.remove_suffix(4);
        if (name == target.tensor || name == node)
            chosen = &entry;
        if (names.size() < 200)
            names.append(names.empty() ? "" : ", ").append(name);
    }
    if (chosen == nullptr)
        return Error{ErrorCode::NotFound,
                     path + ": holds " + names + ", nothing named " + target.tensor};
    const auto bytes = readZipEntry(archive, *chosen, pool.limitBytes());
    if (!bytes)
        return bytes.error().within(path);
    auto value = decodeNpy(*bytes, pool);
    return value ? value : value.error().within(path + ": " + chosen->name);
}

// Reads raw bytes as the elements of the input; an unknown first size follows from their number.
Result<Value> rawFeed(const FeedTarget& target, const std::string& path, const std::string& bytes,
                      MemoryPool& pool)
{
    const std::size_t size = dtypeSize(target.dtype);
    if (target.dtype == DType::String) {
        Dims ones(target.shape.unknownRank ? 0 : target.shape.dims.size(), 1);
        return Value::ofStrings(ones, {bytes});
    }
    const std::string has = path + " has " + std::to_string(bytes.size()) + " bytes";
    if (size == 0)
        return misfit(target, has + " without a type; use a .npy file");
    Dims dims = target.shape.dims;
    if (target.shape.unknownRank)
        dims = {-1};
    if (!dims.empty() && dims[0] < 0) {
        const auto rest = elementCount({{dims.begin() + 1, dims.end()}, false});
        if (rest && *rest > 0)
            dims[0] = std::int64_t(bytes.size() / size) / *rest;
    }
    const auto count = elementCount({dims, false});
    if (!count || *count != std::int64_t(bytes.size() / size) || bytes.size() % size != 0)
        return misfit(target, has);
    auto value = Value::make(target.dtype, dims, pool);
    if (value)
        copyFileBytes(bytes, *value);
    return value;
}

template <class From, class To>
bool narrowAll(const Value& from, Value& to)
{
    const auto out = to.mutableAs<To>();
    const auto in = from.as<From>();
    for (std::size_t i = 0; i < in.size(); ++i) {
        if constexpr (std::numeric_limits<To>::is_integer)
            if (in[i] < std::numeric_limits<To>::lowest() || in[i] > std::numeric_limits<To>::max())
                return false;
        out[i] = To(in[i]);
    }
    return true;
}

// Quantized types are stored as plain integers, because NumPy has no others.
bool sameBits(DType a, DType b)
{
    return !numpyType(a).empty() && numpyType(a) == numpyType(b) && a != DType::BFloat16 &&
           b != DType::BFloat16;
}

std::optional<Value> converted(const Value& value, DType wanted, MemoryPool& pool)
{
    if (sameBits(value.dtype(), wanted))
        return value.reinterpreted(wanted, value.dims());
    auto out = Value::make(wanted, value.dims(), pool);
    if (!out)
        return {};
    bool good = false;
    if (value.dtype() == DType::Double && wanted == DType::Float)
        good = narrowAll<double, float>(value, *out);
    else if (value.dtype() == DType::Float && wanted == DType::BFloat16)
        good = narrowAll<float, BFloat16>(value, *out);
    else if (value.dtype() == DType::Float && wanted == DType::Half)
        good = narrowAll<float, Half>(value, *out);
    else if (value.dtype() == DType::Float && wanted == DType::Double)
        good = narrowAll<float, double>(value, *out);
    else if (value.dtype() == DType::Int64 && wanted == DType::Int32)
        good = narrowAll<std::int64_t, std::int32_t>(value, *out);
    else if (value.dtype() == DType::Int32 && wanted == DType::Int64)
        good = narrowAll<std::int32_t, std::int64_t>(value, *out);
    return good ? std::optional(*std::move(out)) : std::nullopt;
}

Result<Value> fileFeed(const FeedTarget& target, const std::string& path, MemoryPool& pool)
{
    const auto bytes = fileBytes(path, pool.limitBytes());
    if (!bytes)
        return bytes.error().within(inputText(target));
    Result<Value> value = Value();
    if (isNpy(*bytes)) {
        value = decodeNpy(*bytes, pool);
        if (!value)
            return value.error().within(path);
    } else if (isWav(*bytes) && target.dtype != DType::String) {
        return soundFeed(target, path, *bytes, pool);
    } else if (isZip(*bytes) && target.dtype != DType::String) {
        value = npzFeed(target, path, *bytes, pool);
    } else {
        value = rawFeed(target, path, *bytes, pool);
    }
    return value ? fitFeed(target, *std::move(value), path, pool) : value;
}

// One function for each kind of source.
struct Maker {
    const FeedTarget& target;
    MemoryPool& pool;
    const Job& job;

    Result<Value> operator()(const ConstantFeed& source) const
    {
        return filled(target, source.number, pool);
    }
    Result<Value> operator()(const RandomFeed& source) const
    {
        return randomFeed(target, source, pool);
    }
    Result<Value> operator()(const FileFeed& source) const
    {
        return fileFeed(target, source.path, pool);
    }
    Result<Value> operator()(const PictureFeed& source) const
    {
        return pictureFeed(target, source, pool, job);
    }
    Result<Value> operator()(const WrittenFeed& source) const
    {
        return writtenValue(target, source.text, pool);
    }
    Result<Value> operator()(const Value& source) const
    {
        return fitFeed(target, source, "its value", pool);
    }
    Result<Value> operator()(const FedLater& /*source*/) const { return Value(); }
};

} // namespace

Error misfit(const FeedTarget& target, const std::string& has)
{
    return {ErrorCode::InvalidArgument, wants(target) + ", but " + has};
}

bool shapeFits(const Dims& dims, const Shape& wanted)
{
    if (wanted.unknownRank)
        return true;
    return std::ranges::equal(dims, wanted.dims, [](std::int64_t has, std::int64_t wants) {
        return wants < 0 || has == wants;
    });
}

Result<Value> fitFeed(const FeedTarget& target, Value value, std::string_view source,
                      MemoryPool& pool)
{
    const std::string has =
        std::string(source) + " has " + dtypeName(value.dtype()) + ' ' + dimsText(value.dims());
    if (!shapeFits(value.dims(), target.shape))
        return misfit(target, has);
    if (target.dtype == DType::Invalid || value.dtype() == target.dtype)
        return value;
    auto other = converted(value, target.dtype, pool);
    return other ? Result<Value>(std::move(*other)) : misfit(target, has);
}

Result<Value> makeFeed(const FeedTarget& target, const FeedSource& source, MemoryPool& pool,
                       const Job& job)
{
    if (job.cancelled())
        return cancelledError();
    auto value = std::visit(Maker{target, pool, job}, source);
    if (!value && value.error().message.find(target.tensor) == std::string::npos)
        return value.error().within(inputText(target));
    return value;
}

FeedTarget feedTarget(const Graph& graph, const std::string& tensor)
{
    const Input parsed = parseInput(tensor);
    const NodeId node = graph.find(parsed.node);
    if (!node.isValid())
        return {tensor, DType::Invalid, {{}, true}};
    const TensorFacts facts = declaredFacts(graph, {node, parsed.port});
    FeedTarget target{tensor, withoutReference(facts.dtype),
                      facts.shape ? *facts.shape : Shape{{}, true}};
    if (target.dtype == DType::String && parsed.port == 0) {
        ReadText read = readTextOf(graph, node);
        target.form = std::move(read.form);
        if (read.isOne && target.shape.unknownRank)
            target.shape = Shape{};
    }
    return target;
}

} // namespace lapidary
