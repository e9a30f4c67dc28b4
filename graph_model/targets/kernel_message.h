// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lapidary {

// The content of a message that a program printed when a graph did not load, run or convert.
struct KernelMessage {
    enum class Kind {
        NoKernel,      // "No OpKernel was registered to support Op 'X'"
        NoExecutable,  // "No registered 'X' OpKernel for CPU devices compatible with node"
        NotAllowed,    // "Value for attr 'T' of int64 is not in the list of allowed values"
        NotRegistered, // "Op type not registered 'X' in binary running on HOST"
        Converter,     // a converter lists ops that it does not know
    };
    Kind kind = Kind::NoKernel;
    std::vector<std::string> ops = {};
    std::string node = {};                                       // empty: not given
    std::vector<std::pair<std::string, std::string>> attrs = {}; // T, "int64"
    std::vector<std::string> registered = {}; // "T: float" for each registered kernel
    bool listsKernels = false;                // `registered` is complete, even if empty
};

// Finds such a message in a text; log prefixes, line breaks and surrounding words do not matter.
std::optional<KernelMessage> parseKernelMessage(std::string_view text);

} // namespace lapidary
