// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/job.h"
#include "graph_model/base/result.h"
#include "runner/int8/convolution.h"

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace lapidary::int8 {

struct Range32 {
    std::int32_t least = 0;
    std::int32_t most = 0;
};

// The smallest and the largest sum of each channel.
struct ChannelRanges {
    std::vector<std::int32_t> least;
    std::vector<std::int32_t> most;

    explicit ChannelRanges(std::int64_t channels); // of no sums
    void include(const std::int32_t* lows, const std::int32_t* highs);
    Range32 all() const;
};

class Ending;

// One run of a convolution.
struct Task {
    Zeros zeros;
    const std::uint8_t* input = nullptr;
    const std::uint8_t* filter = nullptr; // unpacked; null if only `packed` is used
    const std::byte* packed = nullptr;
    std::int32_t* out = nullptr;
    std::byte* work = nullptr;       // workBytes() bytes, 64-byte aligned
    ChannelRanges* ranges = nullptr; // if set, of no sums: gets the range of each filter's sums
    Ending* ending = nullptr;        // if set, and the back end endsSums(): out gets floats
    const Job* job = nullptr;
};

// A convolution of one shape, prepared by a back end. No size is 0.
class Prepared {
public:
    virtual ~Prepared() = default;
    // Returns the bytes that pack() writes, to memory aligned to 64 bytes; 0 if the filter is used
    // unpacked.
    virtual std::size_t packedBytes() const { return 0; }
    virtual void pack(const std::uint8_t* /*filter*/, std::byte* /*packed*/) const {}
    // Returns whether a filter packed for the other one can be used for this one.
    virtual bool sharesPacked(const Prepared& /*other*/) const { return false; }
    // Returns the bytes of Task::work that a team of so many threads needs.
    virtual std::size_t workBytes(int /*threads*/) const { return 0; }
    // Returns whether run() applies Task::ending.
    virtual bool endsSums() const { return false; }
    // Returns whether run() is exact for these zero points; for others the plain sums are used.
    virtual bool takes(Zeros zeros) const = 0;
    virtual Status run(const Task& task) const = 0;
};

// One way to convolve codes. All give the same sums, to the last bit.
struct BackEnd {
    std::string_view name;    // on the command line
    std::string_view summary; // what it is and what it needs, for users
    bool (*isAvailable)() = nullptr;
    std::unique_ptr<Prepared> (*prepare)(const Convolution& shape) = nullptr;
    // Returns the result of the test on extreme data, which runs at the first call in this process.
    const Status& (*verdict)() = nullptr;
};

// Returns all back ends, the fastest first; the last one, `plain`, is always available.
std::span<const BackEnd* const> backEnds();
const BackEnd& plainBackEnd();

// Returns the back end of this name, or the first usable one if the name is empty. Fails if there
// is no such name, this processor cannot run it, or it failed its test.
Result<const BackEnd*> chooseBackEnd(std::string_view name);

// Returns the smallest and the largest sum, or {0, 0} if there are none.
Range32 rangeOfSums(std::span<const std::int32_t> sums);
// Does the same in the caller's thread, for sums that are too few to share among threads.
Range32 rangeOfFew(std::span<const std::int32_t> sums);
// Adds the range of each channel in rows of sums to `ranges`.
void includeRows(std::span<const std::int32_t> sums, ChannelRanges& ranges);

} // namespace lapidary::int8
