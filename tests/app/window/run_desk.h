// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/kernels/codecs/picture.h"
#include "runner/values/memory_pool.h"
#include "tests/app/window/desktop.h"

#include <algorithm>
#include <fstream>

namespace lapidary::testing {

inline const char* const runNetwork = R"(
node { name: "picture" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } }
  attr { key: "shape" value { shape { dim { size: 1 } dim { size: 4 } dim { size: 4 } dim { size: 3 } } } } }
node { name: "bias" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } }
  attr { key: "shape" value { shape { dim { size: 3 } } } } }
node { name: "net/sum" op: "BiasAdd" input: "picture" input: "bias"
  attr { key: "T" value { type: DT_FLOAT } } }
node { name: "net/relu" op: "Relu" input: "net/sum" attr { key: "T" value { type: DT_FLOAT } } }
node { name: "net/axes" op: "Const" attr { key: "dtype" value { type: DT_INT32 } }
  attr { key: "value" value { tensor { dtype: DT_INT32 int_val: 1 int_val: 2
    tensor_shape { dim { size: 2 } } } } } }
node { name: "net/mean" op: "Mean" input: "net/relu" input: "net/axes"
  attr { key: "T" value { type: DT_FLOAT } } attr { key: "Tidx" value { type: DT_INT32 } } }
node { name: "scores" op: "Softmax" input: "net/mean" attr { key: "T" value { type: DT_FLOAT } } }
versions { producer: 134 }
)";

struct RunDesk : Desktop {
    std::string model = path("net.pbtxt");

    RunDesk() { REQUIRE(writeFileAtomically(model, runNetwork).ok()); }
    Document& document() const { return *window->parts().tabs->document(); }
    std::string opened(const std::string& script) const
    {
        return "open \"" + model + "\"\nwait idle\n" + script;
    }
    const FedInput& input(const char* tensor) const
    {
        const auto& inputs = document().feeds().inputs();
        const auto found = std::ranges::find_if(
            inputs, [&](const FedInput& one) { return one.tensor.tensor == tensor; });
        REQUIRE(found != inputs.end());
        return *found;
    }
    // A picture of 4 by 4 pixels of one color.
    std::string writePicture(const char* name, std::uint8_t red, std::uint8_t green,
                             std::uint8_t blue) const
    {
        MemoryPool pool(1 << 20);
        Value pixels = Value::make(DType::UInt8, {4, 4, 3}, pool).value();
        const auto bytes = pixels.mutableAs<std::uint8_t>();
        for (std::size_t i = 0; i < bytes.size(); i += 3) {
            bytes[i] = red;
            bytes[i + 1] = green;
            bytes[i + 2] = blue;
        }
        std::ofstream(path(name), std::ios::binary) << encodePng(pixels, -1).value();
        return path(name);
    }
};

} // namespace lapidary::testing
