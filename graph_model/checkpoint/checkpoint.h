// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/job.h"
#include "graph_model/base/result.h"
#include "graph_model/check/problem.h"
#include "graph_model/checkpoint/slice.h"
#include "graph_model/tensor/dtype.h"
#include "graph_model/tensor/shape.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lapidary {

struct CheckpointVariable {
    std::string name;
    DType dtype = DType::Invalid;
    Shape shape;
};

// The values of one variable: row-major little-endian bytes, or strings.
struct CheckpointValue {
    DType dtype = DType::Invalid;
    std::vector<std::int64_t> dims;
    std::string bytes;
    std::vector<std::string> strings;
};
struct CheckpointRead {
    CheckpointValue value;
    std::optional<Problem> problem; // the reason why there is no value; names the variable
};

// Where the values of a variable are stored in a file, row-major and little-endian.
struct CheckpointPlace {
    std::filesystem::path file;
    std::uint64_t offset = 0;
    std::uint64_t size = 0;
    DType dtype = DType::Invalid;
    std::vector<std::int64_t> dims;
    std::uint32_t checksum = 0; // CRC-32C, masked, as it is stored
};
// Whether the bytes have their checksum: looked at now, which reads them once, or left to whoever
// reads them.
enum class PlaceChecks : std::uint8_t { Now, Later };

// The variables of a checkpoint of version 1 or 2 (spec: tools, sections 9 and 10). Immutable;
// values are read when asked for, checksums checked, slices joined.
class Checkpoint {
public:
    virtual ~Checkpoint() = default;

    // Sorted by name.
    const std::vector<CheckpointVariable>& variables() const { return m_variables; }
    const CheckpointVariable* find(std::string_view name) const;
    // Allocates no more than the files hold.
    virtual CheckpointRead read(std::string_view name) const = 0;
    // Returns nothing if the values are fewer bytes than that, strings, in slices, packed, swapped
    // or damaged, and read() must be used.
    virtual std::optional<CheckpointPlace> place(std::string_view name, std::uint64_t fewestBytes,
                                                 PlaceChecks checks) const;
    // Returns a part that is stored as exactly this slice, even if other parts of the variable are
    // missing; nothing if there is no such part.
    virtual std::optional<CheckpointRead> readPart(std::string_view name, const Slice& slice) const;

protected:
    std::vector<CheckpointVariable> m_variables;
};
using CheckpointPtr = std::shared_ptr<const Checkpoint>;

struct OpenedCheckpoint {
    CheckpointPtr checkpoint; // null: refused, problems say why
    int version = 0;          // 1 or 2
    Problems problems;
};

// `prefix` is what a saver was given: "model" for model.index and its shards (version 2); else a
// file of version 1, or a pattern of such, "model-?????-of-00002".
OpenedCheckpoint openCheckpoint(const std::filesystem::path& prefix, const Job& job);

// Returns the faults of the values: reads every variable.
Result<Problems> checkValues(const Checkpoint& checkpoint, const Job& job);

// The files that a pattern with '*' and '?' in its last part matches, sorted.
std::vector<std::filesystem::path> matchingFiles(const std::filesystem::path& pattern);

} // namespace lapidary
