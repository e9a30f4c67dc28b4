// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace lapidary::onednn {

enum class Activation : std::uint8_t { None, Relu, Relu6 };

// The operations on sums before they are stored: the bias and the output's former content are
// added, then the activation is applied.
struct Epilogue {
    bool bias = false;
    bool addToOutput = false;
    Activation activation = Activation::None;

    bool operator==(const Epilogue&) const = default;
};

} // namespace lapidary::onednn
