// SPDX-License-Identifier: Apache-2.0
#include "graph_model/checkpoint/saved_slices.h"

#include "graph_model/base/mapped_file.h"
#include "graph_model/base/wire.h"
#include "graph_model/checkpoint/join_slices.h"
#include "graph_model/checkpoint/slice.h"
#include "graph_model/checkpoint/table.h"
#include "graph_model/checkpoint/version_check.h"
#include "graph_model/tensor/tensor.h"
#include "graph_model/tensor/tensor_layout.h"

#include <algorithm>
#include <cstring>
#include <map>

namespace lapidary {
namespace {

namespace fs = std::filesystem;

struct SavedVariable {
    DType dtype = DType::Invalid;
    Shape shape;
    std::vector<Slice> slices; // over all shards
};

struct SavedSliceFault {
    std::string kind;
    std::string message;
};

Problem problemOf(const SavedSliceFault& fault, std::string_view variable)
{
    Problem problem;
    problem.kind = fault.kind;
    problem.node = variable;
    problem.message = "variable " + std::string(variable) + ": " + fault.message;
    return problem;
}

// Returns the bytes of field `number` of a message; empty if there is none. `isWhole` is set to
// whether the message could be read to its end.
std::string_view fieldOf(std::string_view message, std::uint32_t number, bool& isWhole)
{
    std::string_view found;
    WireReader reader(message);
    while (reader.next())
        if (reader.field() == number && reader.type() == WireType::Bytes)
            found = reader.bytes();
    isWhole = !reader.failed();
    return found;
}

class SavedSlices final : public Checkpoint {
public:
    // Returns false if the file has no record that describes its contents.
    bool add(Table table, std::optional<Problem>& fault);
    void finish();
    CheckpointRead read(std::string_view name) const override;

private:
    void addMeta(std::string_view slice);
    std::optional<SavedSliceFault> readAll(std::string_view name, const SavedVariable& variable,
                                           CheckpointValue& value) const;
    std::optional<SavedSliceFault> readSlice(std::string_view name, const SavedVariable& variable,
                                             const Slice& slice, CheckpointValue& value) const;

    std::vector<Table> m_tables;
    std::map<std::string, std::string_view, std::less<>> m_records; // by encoded slice key
    std::map<std::string, SavedVariable, std::less<>> m_saved;
};

void SavedSlices::addMeta(std::string_view slice)
{
    std::string_view name;
    SavedVariable read;
    WireReader reader(slice);
    while (reader.next()) {
        if (reader.field() == 1)
            name = reader.bytes();
        else if (reader.field() == 2)
            read.shape = decodeShape(reader.bytes());
        else if (reader.field() == 3)
            read.dtype = DType(std::int32_t(reader.varint()));
        else if (reader.field() == 4)
            if (auto decoded = decodeSlice(reader.bytes()))
                read.slices.push_back(std::move(*decoded));
    }
    SavedVariable& known = m_saved[std::string(name)];
    if (known.dtype == DType::Invalid) {
        known.dtype = read.dtype;
        known.shape = read.shape;
    }
    known.slices.insert(known.slices.end(), read.slices.begin(), read.slices.end());
}

bool SavedSlices::add(Table table, std::optional<Problem>& fault)
{
    if (table.entries.empty() || !table.entries[0].key.empty())
        return false;
    bool isWhole = true;
    const std::string_view meta = fieldOf(table.entries[0].value, 1, isWhole);
    if (!isWhole || meta.empty())
        return false;
    WireReader reader(meta);
    while (reader.next()) {
        if (reader.field() == 1 && reader.type() == WireType::Bytes)
            addMeta(reader.bytes());
        else if (reader.field() == 2 && reader.type() == WireType::Bytes && !fault)
            fault = checkpointVersionFault(reader.bytes());
    }
    if (reader.failed())
        return false;
    for (const TableEntry& entry : table.entries)
        m_records.emplace(entry.key, entry.value);
    m_tables.push_back(std::move(table));
    return true;
}

void SavedSlices::finish()
{
    for (const auto& [name, variable] : m_saved)
        m_variables.push_back({name, variable.dtype, variable.shape});
}

std::optional<SavedSliceFault> SavedSlices::readSlice(std::string_view name,
                                                      const SavedVariable& variable,
                                                      const Slice& slice,
                                                      CheckpointValue& value) const
{
    const auto record = m_records.find(encodeSliceKey(name, slice));
    if (record == m_records.end())
        return SavedSliceFault{"missing_slice", "the record of one of its slices is missing"};
    bool isWhole = true;
    bool isInnerWhole = true;
    const std::string_view saved = fieldOf(record->second, 2, isWhole);
    const std::string_view data = fieldOf(saved, 3, isInnerWhole);
    if (!isWhole || !isInnerWhole || saved.empty())
        return SavedSliceFault{"bad_entry", "the record of one of its slices cannot be read"};
    // The stored TensorProto has neither type nor shape.
    std::string proto;
    WireWriter writer(proto);
    value.dims = sliceDims(slice, variable.shape.dims);
    value.dtype = variable.dtype;
    writer.varint(1, std::uint64_t(variable.dtype));
    writer.bytes(2, encodeShape({value.dims, false}));
    proto.append(data);
    const TensorLayout layout = readTensorLayout(proto);
    if (layout.faultKind.empty() && layout.stored != std::uint64_t(layout.elements))
        return SavedSliceFault{"value_count", "a slice of " + std::to_string(layout.elements) +
                                                  " elements has " + std::to_string(layout.stored) +
                                                  " values"};
    const BufferPtr owner = makeBuffer(std::move(proto));
    const auto tensor = Tensor::decode(owner->bytes(), owner);
    if (!tensor)
        return SavedSliceFault{"bad_entry", tensor.error().message};
    if (variable.dtype == DType::String) {
        auto strings = tensor->strings();
        if (!strings)
            return SavedSliceFault{"bad_entry", strings.error().message};
        value.strings = *std::move(strings);
        return {};
    }
    auto bytes = tensor->values();
    if (!bytes)
        return SavedSliceFault{"bad_entry", bytes.error().message};
    value.bytes = *std::move(bytes);
    return {};
}

std::optional<SavedSliceFault> SavedSlices::readAll(std::string_view name,
                                                    const SavedVariable& variable,
                                                    CheckpointValue& value) const
{
    if (variable.dtype == DType::Invalid || isReference(variable.dtype) ||
        (dtypeSize(variable.dtype) == 0 && variable.dtype != DType::String))
        return SavedSliceFault{"bad_dtype",
                               "values of type " + dtypeName(variable.dtype) + " cannot be read"};
    if (const std::string fault = fullShapeFault(variable.shape); !fault.empty())
        return SavedSliceFault{"bad_shape", fault};
    if (const auto fault = checkTiling(variable.shape.dims, variable.slices))
        return SavedSliceFault{fault->kind, fault->message};
    std::vector<CheckpointValue> parts;
    for (const Slice& slice : variable.slices) {
        parts.emplace_back();
        if (auto fault = readSlice(name, variable, slice, parts.back()))
            return fault;
    }
    value.dtype = variable.dtype;
    value.dims = variable.shape.dims;
    joinSlices(value, variable.slices, std::move(parts));
    return {};
}

CheckpointRead SavedSlices::read(std::string_view name) const
{
    CheckpointRead read;
    const auto found = m_saved.find(name);
    std::optional<SavedSliceFault> fault =
        SavedSliceFault{"missing_variable", "it is not in the checkpoint"};
    if (found != m_saved.end())
        fault = readAll(name, found->second, read.value);
    if (fault) {
        read.value = {};
        read.problem = problemOf(*fault, name);
    }
    return read;
}

} // namespace

OpenedCheckpoint openSavedSlices(const fs::path& pattern, const Job& job)
{
    OpenedCheckpoint opened;
    opened.version = 1;
    const auto refuse = [&](const fs::path& file, Problem problem) {
        problem.message = file.string() + ": " + problem.message;
        opened.problems.push_back(std::move(problem));
        return opened;
    };
    const std::vector<fs::path> files = matchingFiles(pattern);
    if (files.empty())
        return refuse(pattern, {"missing_file",
                                Severity::Error,
                                {},
                                {},
                                {},
                                {},
                                "no such checkpoint: neither an index nor a file"});
    const auto slices = std::make_shared<SavedSlices>();
    for (const fs::path& file : files) {
        const auto buffer = openFile(file);
        if (!buffer)
            return refuse(
                file, {"missing_file", Severity::Error, {}, {}, {}, {}, buffer.error().message});
        Table table = readTable((*buffer)->bytes(), job);
        table.unpacked.push_back(*buffer);
        if (table.fault)
            return refuse(file, std::move(*table.fault));
        std::optional<Problem> fault;
        if (!slices->add(std::move(table), fault))
            return refuse(file, {"no_header",
                                 Severity::Error,
                                 {},
                                 0,
                                 {},
                                 {},
                                 "it has no record that says what it holds"});
        if (fault)
            return refuse(file, std::move(*fault));
    }
    slices->finish();
    opened.checkpoint = slices;
    return opened;
}

} // namespace lapidary
