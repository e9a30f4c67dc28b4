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

// The location of a variable's values in a file, row-major and little-endian.
struct CheckpointPlace {
    std::filesystem::path file;
    std::uint64_t offset = 0;
    std::uint64_t size = 0;
    DType dtype = DType::Invalid;
    std::vector<std::int64_t> dims;
    std::uint32_t checksum = 0; // CRC-32C, masked, as in the file
};
// When the checksum of the bytes is compared: Now reads them once; Later leaves it to the caller.
enum class PlaceChecks : std::uint8_t { Now, Later };

// The variables of a checkpoint of version 1 or 2 (spec: tools, sections 9 and 10). Immutable.
// Values are read on demand; checksums are checked and slices joined.
class Checkpoint {
public:
    virtual ~Checkpoint() = default;

    // Sorted by name.
    const std::vector<CheckpointVariable>& variables() const { return m_variables; }
    const CheckpointVariable* find(std::string_view name) const;
    // Allocates no more memory than the size of the files.
    virtual CheckpointRead read(std::string_view name) const = 0;
    // Returns nothing if the values have fewer bytes than that, or are strings, sliced, packed,
    // byte-swapped or damaged. Then read() must be used.
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
    CheckpointPtr checkpoint; // null: refused; problems contain the reason
    int version = 0;          // 1 or 2
    Problems problems;
};

// `prefix` is the saver's: "model" for model.index and its shards (version 2); else a file of
// version 1, or a pattern of several, "model-?????-of-00002".
OpenedCheckpoint openCheckpoint(const std::filesystem::path& prefix, const Job& job);

// Reads every variable. Returns the faults of the values.
Result<Problems> checkValues(const Checkpoint& checkpoint, const Job& job);

// Returns the files that match a pattern with '*' and '?' in its last component, sorted.
std::vector<std::filesystem::path> matchingFiles(const std::filesystem::path& pattern);

} // namespace lapidary
