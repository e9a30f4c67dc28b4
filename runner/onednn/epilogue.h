// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace lapidary::onednn {

enum class Activation : std::uint8_t { None, Relu, Relu6 };

// Describes what is applied to the sums before they are stored: bias, the output's former content,
// activation.
struct Epilogue {
    bool bias = false;
    bool addToOutput = false;
    Activation activation = Activation::None;

    bool operator==(const Epilogue&) const = default;
};

} // namespace lapidary::onednn
