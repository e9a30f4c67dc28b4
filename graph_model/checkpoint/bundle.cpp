// SPDX-License-Identifier: Apache-2.0
#include "graph_model/checkpoint/bundle.h"

#include "graph_model/base/crc32c.h"
#include "graph_model/base/mapped_file.h"
#include "graph_model/base/varint.h"
#include "graph_model/checkpoint/bundle_entry.h"
#include "graph_model/checkpoint/join_slices.h"
#include "graph_model/checkpoint/slice.h"
#include "graph_model/checkpoint/table.h"
#include "graph_model/checkpoint/version_check.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <map>
#include <set>

namespace lapidary {
namespace {

namespace fs = std::filesystem;

constexpr std::int32_t mostShards = 1 << 16;

Problem problemOf(std::string kind, std::string_view variable, std::string message)
{
    Problem problem;
    problem.kind = std::move(kind);
    problem.node = variable;
    problem.message = "variable " + std::string(variable) + ": " + std::move(message);
    return problem;
}

// Returns the size of the units to swap: each half of a complex number is one.
std::size_t swapUnit(DType dtype)
{
    const bool isComplex = dtype == DType::Complex64 || dtype == DType::Complex128;
    return dtypeSize(dtype) / (isComplex ? 2 : 1);
}

struct Fault {
    std::string kind;
    std::string message;
};

class Bundle final : public Checkpoint {
public:
    Bundle(fs::path prefix, Table table, BundleHeader header)
        : m_prefix(std::move(prefix))
        , m_table(std::move(table))
        , m_header(header)
    {
        takeEntries();
        openShards();
        refuseRepeats();
    }

    CheckpointRead read(std::string_view name) const override;
    std::optional<CheckpointPlace> place(std::string_view name, std::uint64_t fewestBytes,
                                         PlaceChecks checks) const override;
    std::optional<CheckpointRead> readPart(std::string_view name,
                                           const Slice& slice) const override;
    Problems problems;

private:
    struct Shard {
        BufferPtr buffer;
        std::uint64_t laidOut = 0; // sum of the sizes of entries
    };

    void takeEntries();
    void addSliceKeys(std::string_view name, const BundleEntry& entry,
                      std::set<std::string_view>& keys) const;
    void openShards();
    void refuseRepeats();
    fs::path shardPath(std::int32_t shard) const;
    std::optional<Fault> checkEntry(const BundleEntry& entry) const;
    std::optional<Fault> readEntry(const BundleEntry& entry, CheckpointValue& value) const;
    std::optional<Fault> readBytes(const BundleEntry& entry, std::string_view& bytes) const;
    std::optional<Fault> readStrings(const BundleEntry& entry, std::string_view bytes,
                                     CheckpointValue& value) const;
    std::optional<Fault> readSlices(std::string_view name, const BundleEntry& entry,
                                    CheckpointValue& value) const;

    fs::path m_prefix;
    Table m_table;
    BundleHeader m_header;
    std::map<std::string, BundleEntry, std::less<>> m_entries;
    std::map<std::int32_t, Shard> m_shards;
};

// Adds the keys of a variable's slices that are stored. A name may be as long as the file and
// belong to as many slices as fit into it, so it is looked up only once.
void Bundle::addSliceKeys(std::string_view name, const BundleEntry& entry,
                          std::set<std::string_view>& keys) const
{
    if (entry.slices.empty())
        return;
    std::set<std::string> extents;
    for (const Slice& slice : entry.slices)
        extents.insert(encodeSliceExtents(slice));
    const std::string variable = encodeSliceVariable(name);
    for (auto at = m_entries.lower_bound(variable);
         at != m_entries.end() && at->first.starts_with(variable); ++at)
        if (extents.contains(at->first.substr(variable.size())))
            keys.insert(at->first);
}

void Bundle::takeEntries()
{
    for (const TableEntry& stored : m_table.entries) {
        if (stored.key.empty())
            continue;
        BundleEntry entry = decodeBundleEntry(stored.value);
        if (entry.slices.empty() && entry.size > 0) {
            Shard& shard = m_shards[entry.shard];
            shard.laidOut = std::max(shard.laidOut + std::uint64_t(entry.size), shard.laidOut);
        }
        m_entries.emplace(stored.key, std::move(entry));
    }
    std::set<std::string_view> slices;
    for (const auto& [name, entry] : m_entries)
        addSliceKeys(name, entry, slices);
    for (const auto& [name, entry] : m_entries)
        if (slices.count(name) == 0)
            m_variables.push_back({name, entry.dtype, entry.shape});
}

fs::path Bundle::shardPath(std::int32_t shard) const
{
    char suffix[64];
    std::snprintf(suffix, sizeof suffix, ".data-%05d-of-%05d", int(shard), int(m_header.shards));
    fs::path path = m_prefix;
    path += suffix;
    return path;
}

// Opens only the shards with entries, so that a count of billions costs nothing.
void Bundle::openShards()
{
    const auto missing = [&](const std::string& what) {
        problems.push_back({"missing_shard", Severity::Error, {}, {}, {}, {}, what});
    };
    if (m_header.shards <= 0 || m_header.shards > mostShards)
        missing("the header of " + m_prefix.filename().string() + ".index says " +
                std::to_string(m_header.shards) + " shards");
    if (m_header.shards <= 0)
        return;
    for (auto& [number, shard] : m_shards) {
        if (number < 0 || number >= m_header.shards)
            continue;
        auto buffer = openFile(shardPath(number));
        if (buffer)
            shard.buffer = *std::move(buffer);
        else
            missing(shardPath(number).filename().string() + " is missing");
    }
}

// Refuses entries that share their bytes too often. Some may, like tied weights in a hand-written
// file, but a small file must not expand beyond all memory.
void Bundle::refuseRepeats()
{
    constexpr std::uint64_t mostSharing = 8;
    std::map<std::int32_t, std::uint64_t> held;
    for (auto& [name, entry] : m_entries) {
        const auto shard = m_shards.find(entry.shard);
        if (!entry.slices.empty() || entry.size <= 0 || shard == m_shards.end() ||
            shard->second.buffer == nullptr)
            continue;
        const std::uint64_t size = shard->second.buffer->bytes().size();
        if (std::uint64_t(entry.size) > size)
            continue; // outside of the file, which is reported when it is read
        std::uint64_t& sum = held[entry.shard];
        entry.isRepeat = sum > mostSharing * size;
        sum += std::uint64_t(entry.size);
    }
}

std::optional<Fault> Bundle::checkEntry(const BundleEntry& entry) const
{
    if (!entry.isWhole)
        return Fault{"bad_entry", "its entry in the index cannot be read"};
    if (entry.dtype == DType::Invalid)
        return Fault{"invalid_dtype", "it has no type"};
    if (isReference(entry.dtype) || (dtypeSize(entry.dtype) == 0 && entry.dtype != DType::String))
        return Fault{dtypeName(entry.dtype).starts_with("unknown") ? "bad_dtype" : "invalid_dtype",
                     "values of type " + dtypeName(entry.dtype) + " cannot be read"};
    if (const std::string fault = fullShapeFault(entry.shape); !fault.empty())
        return Fault{"bad_shape", fault};
    const auto count = elementCount(entry.shape);
    std::int64_t bytes = 0;
    if (!count || __builtin_mul_overflow(*count, std::int64_t(dtypeSize(entry.dtype)), &bytes))
        return Fault{"bad_shape", "its shape is impossibly large"};
    const bool fits = entry.dtype == DType::String ? entry.size >= *count : entry.size == bytes;
    if (entry.slices.empty() && !fits)
        return Fault{"bad_size", "its shape " + shapeText(entry.shape) + " does not fit " +
                                     std::to_string(entry.size) + " bytes"};
    return {};
}

std::optional<Fault> Bundle::readBytes(const BundleEntry& entry, std::string_view& bytes) const
{
    const auto shard = m_shards.find(entry.shard);
    if (entry.size == 0) {
        bytes = {};
        return {};
    }
    if (shard == m_shards.end() || shard->second.buffer == nullptr)
        return Fault{"missing_shard", "its values are in " +
                                          shardPath(entry.shard).filename().string() +
                                          ", which is missing"};
    const std::string_view all = shard->second.buffer->bytes();
    if (entry.offset < 0 || std::uint64_t(entry.offset) > shard->second.laidOut + all.size())
        return Fault{"bad_offset",
                     "its offset " + std::to_string(entry.offset) + " lies outside the shard"};
    if (std::uint64_t(entry.offset) > all.size() ||
        std::uint64_t(entry.size) > all.size() - std::uint64_t(entry.offset)) {
        const bool isBeyond = std::uint64_t(entry.offset) > shard->second.laidOut;
        return Fault{isBeyond ? "bad_offset" : "truncated", "its values at byte " +
                                                                std::to_string(entry.offset) +
                                                                " of the shard go beyond its end"};
    }
    if (entry.isRepeat)
        return Fault{"bad_offset", "its values overlap those of many others: the entries of the "
                                   "shard are together many times larger than the shard"};
    if (const Status intact = shard->second.buffer->intact(); !intact)
        return Fault{"truncated", intact.error().message};
    bytes = all.substr(std::size_t(entry.offset), std::size_t(entry.size));
    return {};
}

void appendHostOrder(std::string& out, std::uint64_t number, int size, bool bigEndian)
{
    for (int i = 0; i < size; ++i)
        out += char(number >> (8 * (bigEndian ? size - 1 - i : i)) & 0xFF);
}

// Returns the lengths as the checksum of a string tensor includes them: four bytes each, or eight
// for larger ones.
std::string fedLengths(const std::vector<std::uint64_t>& lengths, bool bigEndian)
{
    std::string fed;
    for (const std::uint64_t length : lengths)
        appendHostOrder(fed, length, length > UINT32_MAX ? 8 : 4, bigEndian);
    return fed;
}

std::string lengthChecksum(const std::vector<std::uint64_t>& lengths, bool bigEndian)
{
    std::string checksum;
    appendHostOrder(checksum, maskedCrc32c(fedLengths(lengths, bigEndian)), 4, bigEndian);
    return checksum;
}

std::optional<Fault> Bundle::readStrings(const BundleEntry& entry, std::string_view bytes,
                                         CheckpointValue& value) const
{
    const Fault damaged{"bad_crc", "the lengths of its strings are damaged"};
    std::vector<std::uint64_t> lengths;
    const auto count = std::uint64_t(*elementCount(entry.shape));
    for (std::uint64_t i = 0; i < count; ++i) {
        std::uint64_t length = 0;
        if (!takeVarint(bytes, length))
            return damaged;
        lengths.push_back(length);
    }
    if (bytes.size() < 4)
        return damaged;
    const std::string_view stored = bytes.substr(0, 4);
    if (stored != lengthChecksum(lengths, m_header.isBigEndian)) {
        if (stored == lengthChecksum(lengths, !m_header.isBigEndian))
            return Fault{"wrong_endianness", "the checkpoint was written in the other byte order "
                                             "than its header says (bad_crc)"};
        return damaged;
    }
    bytes.remove_prefix(4);
    const std::string fed = fedLengths(lengths, m_header.isBigEndian);
    if (maskedCrc32c(crc32c(bytes, crc32c(stored, crc32c(fed)))) != entry.crc)
        return Fault{"bad_crc", "its checksum does not match"};
    for (const std::uint64_t length : lengths) {
        if (length > bytes.size())
            return Fault{"bad_size", "its strings run past its end"};
        value.strings.emplace_back(bytes.substr(0, std::size_t(length)));
        bytes.remove_prefix(std::size_t(length));
    }
    return {};
}

std::optional<Fault> Bundle::readEntry(const BundleEntry& entry, CheckpointValue& value) const
{
    if (auto fault = checkEntry(entry))
        return fault;
    std::string_view bytes;
    if (auto fault = readBytes(entry, bytes))
        return fault;
    value.dtype = entry.dtype;
    value.dims = entry.shape.dims;
    if (entry.dtype == DType::String)
        return readStrings(entry, bytes, value);
    if (maskedCrc32c(bytes) != entry.crc)
        return Fault{"bad_crc", "its checksum does not match"};
    value.bytes = bytes;
    const std::size_t unit = swapUnit(entry.dtype);
    if (m_header.isBigEndian && unit > 1)
        for (std::size_t i = 0; i + unit <= value.bytes.size(); i += unit)
            std::reverse(value.bytes.begin() + std::ptrdiff_t(i),
                         value.bytes.begin() + std::ptrdiff_t(i + unit));
    return {};
}

std::optional<Fault> Bundle::readSlices(std::string_view name, const BundleEntry& entry,
                                        CheckpointValue& value) const
{
    if (auto fault = checkEntry(entry))
        return fault;
    if (const auto fault = checkTiling(entry.shape.dims, entry.slices))
        return Fault{fault->kind, fault->message};
    // All parts are located first, so that the whole is known not to exceed the files.
    std::vector<CheckpointValue> parts;
    for (const Slice& slice : entry.slices) {
        const auto stored = m_entries.find(encodeSliceKey(name, slice));
        if (stored == m_entries.end())
            return Fault{"missing_slice", "one of its slices is missing"};
        const BundleEntry& part = stored->second;
        if (part.dtype != entry.dtype || part.shape.dims != sliceDims(slice, entry.shape.dims))
            return Fault{"bad_slice", "one of its slices has another type or shape"};
        parts.emplace_back();
        if (auto fault = readEntry(part, parts.back()))
            return fault;
    }
    value.dtype = entry.dtype;
    value.dims = entry.shape.dims;
    joinSlices(value, entry.slices, std::move(parts));
    return {};
}

CheckpointRead Bundle::read(std::string_view name) const
{
    CheckpointRead read;
    const auto found = m_entries.find(name);
    if (found == m_entries.end()) {
        read.problem = problemOf("missing_variable", name, "it is not in the checkpoint");
        return read;
    }
    const auto fault = found->second.slices.empty() ? readEntry(found->second, read.value)
                                                    : readSlices(name, found->second, read.value);
    if (fault) {
        read.value = {};
        read.problem = problemOf(fault->kind, name, fault->message);
    }
    return read;
}

std::optional<CheckpointPlace> Bundle::place(std::string_view name, std::uint64_t fewestBytes,
                                             PlaceChecks checks) const
{
    const auto found = m_entries.find(name);
    if (found == m_entries.end() || !found->second.slices.empty() || found->second.size <= 0 ||
        std::uint64_t(found->second.size) < fewestBytes)
        return std::nullopt;
    const BundleEntry& entry = found->second;
    std::string_view bytes;
    const bool isSwapped = m_header.isBigEndian && swapUnit(entry.dtype) > 1;
    if (isSwapped || entry.dtype == DType::String || checkEntry(entry) || readBytes(entry, bytes))
        return std::nullopt;
    if (checks == PlaceChecks::Now) {
        const bool isRight = maskedCrc32c(bytes) == entry.crc;
        releasePages(*m_shards.at(entry.shard).buffer, bytes);
        if (!isRight)
            return std::nullopt;
    }
    return CheckpointPlace{shardPath(entry.shard),    std::uint64_t(entry.offset),
                           std::uint64_t(entry.size), entry.dtype,
                           entry.shape.dims,          entry.crc};
}

std::optional<CheckpointRead> Bundle::readPart(std::string_view name, const Slice& slice) const
{
    const auto whole = m_entries.find(name);
    const auto stored = m_entries.find(encodeSliceKey(name, slice));
    if (whole == m_entries.end() || stored == m_entries.end())
        return std::nullopt;
    CheckpointRead read;
    auto fault = checkEntry(whole->second);
    const std::vector<Slice> one{slice};
    const auto outside = fault ? std::nullopt : checkTiling(whole->second.shape.dims, one);
    if (!fault &&
        ((outside && outside->kind == "bad_slice") || stored->second.dtype != whole->second.dtype ||
         stored->second.shape.dims != sliceDims(slice, whole->second.shape.dims)))
        fault = Fault{"bad_slice", "one of its slices has another type or shape"};
    if (!fault)
        fault = readEntry(stored->second, read.value);
    if (fault) {
        read.value = {};
        read.problem = problemOf(fault->kind, name, fault->message);
    }
    return read;
}

} // namespace

OpenedCheckpoint openBundle(const fs::path& prefix, const Job& job)
{
    OpenedCheckpoint opened;
    opened.version = 2;
    fs::path index = prefix;
    index += ".index";
    const auto refuse = [&](Problem problem) {
        problem.message = index.string() + ": " + problem.message;
        opened.problems.push_back(std::move(problem));
        return opened;
    };
    const auto buffer = openFile(index);
    if (!buffer)
        return refuse({"missing_file", Severity::Error, {}, {}, {}, {}, buffer.error().message});
    if ((*buffer)->bytes().empty())
        return refuse({"empty_file", Severity::Error, {}, 0, {}, {}, "the index is empty"});
    Table table = readTable((*buffer)->bytes(), job);
    table.unpacked.push_back(*buffer);
    if (table.fault)
        return refuse(std::move(*table.fault));
    const bool hasHeader = !table.entries.empty() && table.entries[0].key.empty();
    const BundleHeader header =
        hasHeader ? decodeBundleHeader(table.entries[0].value) : BundleHeader();
    if (!hasHeader || !header.isWhole)
        return refuse({"no_header",
                       Severity::Error,
                       {},
                       0,
                       {},
                       {},
                       hasHeader ? "the header cannot be read" : "the index has no header"});
    if (auto fault = checkpointVersionFault(header.version))
        return refuse(std::move(*fault));
    if (!table.isSorted)
        opened.problems.push_back({"unsorted_keys",
                                   Severity::Error,
                                   {},
                                   {},
                                   {},
                                   {},
                                   index.filename().string() + ": its keys are not in order"});
    const auto bundle = std::make_shared<Bundle>(prefix, std::move(table), header);
    opened.problems.insert(opened.problems.end(), bundle->problems.begin(), bundle->problems.end());
    if (header.isBigEndian)
        opened.problems.push_back({"big_endian",
                                   Severity::Note,
                                   {},
                                   {},
                                   {},
                                   {},
                                   "the values were written by a big-endian machine"});
    opened.checkpoint = bundle;
    return opened;
}

} // namespace lapidary
