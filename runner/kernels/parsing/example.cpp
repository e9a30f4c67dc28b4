// SPDX-License-Identifier: Apache-2.0
#include "runner/kernels/parsing/example.h"

#include "graph_model/base/wire.h"

#include <bit>
#include <cstring>

namespace lapidary {
namespace {

// FloatList, Int64List and BytesList have values in field 1; numbers may be packed.
bool readFloats(std::string_view message, std::vector<float>& out)
{
    WireReader reader(message);
    while (reader.next()) {
        if (reader.field() != 1)
            continue;
        if (reader.type() == WireType::Fixed32)
            out.push_back(std::bit_cast<float>(std::uint32_t(reader.varint())));
        if (reader.type() != WireType::Bytes)
            continue;
        const std::size_t count = reader.bytes().size() / sizeof(float);
        const std::size_t before = out.size();
        out.resize(before + count);
        if (count > 0)
            std::memcpy(out.data() + before, reader.bytes().data(), count * sizeof(float));
    }
    return !reader.failed();
}

bool readIntegers(std::string_view message, std::vector<std::int64_t>& out)
{
    WireReader reader(message);
    while (reader.next()) {
        if (reader.field() != 1)
            continue;
        if (reader.type() == WireType::Varint)
            out.push_back(std::int64_t(reader.varint()));
        if (reader.type() != WireType::Bytes)
            continue;
        VarintSpan span(reader.bytes());
        std::uint64_t number = 0;
        while (span.next(number))
            out.push_back(std::int64_t(number));
    }
    return !reader.failed();
}

bool readStrings(std::string_view message, std::vector<std::string_view>& out)
{
    WireReader reader(message);
    while (reader.next())
        if (reader.field() == 1 && reader.type() == WireType::Bytes)
            out.push_back(reader.bytes());
    return !reader.failed();
}

// Fields of Feature: bytes_list 1, float_list 2, int64_list 3.
bool readFeature(std::string_view message, ExampleFeature& feature)
{
    bool isSound = true;
    WireReader reader(message);
    while (isSound && reader.next()) {
        if (reader.type() != WireType::Bytes || reader.field() > 3)
            continue;
        feature = {};
        if (reader.field() == 1) {
            feature.dtype = DType::String;
            isSound = readStrings(reader.bytes(), feature.strings);
        } else if (reader.field() == 2) {
            feature.dtype = DType::Float;
            isSound = readFloats(reader.bytes(), feature.floats);
        } else {
            feature.dtype = DType::Int64;
            isSound = readIntegers(reader.bytes(), feature.integers);
        }
    }
    return isSound && !reader.failed();
}

// Reads a map in field 1 of `message`: entries with key 1 and value 2; of one key the last entry
// counts. Does not use readMapEntry(), because damaged entries must be refused, and values in
// pieces must be joined.
template <class Map, class Read>
bool readMap(std::string_view message, Map& map, const Read& readValue)
{
    WireReader reader(message);
    while (reader.next()) {
        if (reader.field() != 1 || reader.type() != WireType::Bytes)
            continue;
        std::string_view key;
        typename Map::mapped_type value;
        WireReader entry(reader.bytes());
        while (entry.next()) {
            if (entry.type() != WireType::Bytes)
                continue;
            if (entry.field() == 1)
                key = entry.bytes();
            else if (entry.field() == 2 && !readValue(entry.bytes(), value))
                return false;
        }
        if (entry.failed())
            return false;
        map[key] = std::move(value);
    }
    return !reader.failed();
}

// Fields of Features: feature 1, a map entry with key 1 and value 2.
bool readFeatures(std::string_view message, Example& example)
{
    return readMap(message, example, readFeature);
}

// Fields of FeatureList: feature 1.
bool readFeatureList(std::string_view message, std::vector<ExampleFeature>& list)
{
    WireReader reader(message);
    while (reader.next())
        if (reader.field() == 1 && reader.type() == WireType::Bytes &&
            !readFeature(reader.bytes(), list.emplace_back()))
            return false;
    return !reader.failed();
}

// Fields of FeatureLists: feature_list 1, a map entry with key 1 and value 2.
bool readFeatureLists(std::string_view message, SequenceExample& example)
{
    return readMap(message, example.lists, readFeatureList);
}

} // namespace

std::optional<SequenceExample> parseSequenceExample(std::string_view serialized)
{
    SequenceExample example;
    WireReader reader(serialized);
    while (reader.next()) {
        if (reader.type() != WireType::Bytes)
            continue;
        if (reader.field() == 1 && !readFeatures(reader.bytes(), example.context))
            return std::nullopt;
        if (reader.field() == 2 && !readFeatureLists(reader.bytes(), example))
            return std::nullopt;
    }
    return reader.failed() ? std::nullopt : std::optional(std::move(example));
}

std::optional<Example> parseExample(std::string_view serialized)
{
    Example example;
    WireReader reader(serialized);
    while (reader.next())
        if (reader.field() == 1 && reader.type() == WireType::Bytes &&
            !readFeatures(reader.bytes(), example))
            return std::nullopt;
    return reader.failed() ? std::nullopt : std::optional(std::move(example));
}

} // namespace lapidary
