// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/read/model_file.h"
#include "tests/app/window/desktop.h"
#include "tests/app/window/program_runs.h"

#include <string>

namespace lapidary::testing {

// A window on a network of products whose graphs run in a sandboxed process, as they do for users.
struct LayerDesk : Desktop {
    Sandboxed boxed;
    static constexpr int layers = 5;
    static constexpr int width = 24;
    std::string model = path("layers.pb");

    Document& document() const { return *window->parts().tabs->document(); }
    std::string opened(const std::string& script) const
    {
        return "open \"" + model + "\"\nwait idle\n" + script;
    }
    // layer0 to layer4, each but the last followed by a Relu; the last one is "scores". In the
    // damaged network, an unused weight is so large that it leaves no codes to the others.
    void writeModel(int damaged = -1) const
    {
        std::string text = "node { name: \"x\" op: \"Placeholder\" attr { key: \"dtype\" value { "
                           "type: DT_FLOAT } } attr { key: \"shape\" value { shape { dim { size: "
                           "2 } dim { size: " +
                           std::to_string(width) + " } } } } }\n";
        std::string before = "x";
        for (int i = 0; i < layers; ++i) {
            const std::string number = std::to_string(i);
            const std::string name = i + 1 == layers ? "scores" : "layer" + number;
            text += weights("w" + number, i, i == damaged, i == damaged + 1 && damaged >= 0);
            text += product(name, before, "w" + number);
            before = name;
            if (i + 1 == layers)
                continue;
            before = "relu" + number;
            text += "node { name: \"" + before + "\" op: \"Relu\" input: \"" + name +
                    "\" attr { key: \"T\" value { type: DT_FLOAT } } }\n";
        }
        const auto read = readModelBytes(text, "layers.pbtxt", Job());
        REQUIRE(read.ok());
        REQUIRE(writeFileAtomically(model, encodeGraphDef(*read->graphs.front().graph)).ok());
    }

private:
    static std::string product(const std::string& name, const std::string& input,
                               const std::string& weights)
    {
        return "node { name: \"" + name + "\" op: \"MatMul\" input: \"" + input + "\" input: \"" +
               weights + "\" attr { key: \"T\" value { type: DT_FLOAT } } }\n";
    }
    static std::string weights(const std::string& name, int seed, bool isDamaged,
                               bool readsNoneOfTheFirst)
    {
        const std::string size = "dim { size: " + std::to_string(width) + " } ";
        std::string text =
            "node { name: \"" + name +
            "\" op: \"Const\" attr { key: \"dtype\" value { type: DT_FLOAT } } "
            "attr { key: \"value\" value { tensor { dtype: DT_FLOAT tensor_shape { " +
            size + size + "} ";
        unsigned state = unsigned(seed) * 7919U + 17U;
        for (int i = 0; i < width * width; ++i) {
            state = state * 1664525U + 1013904223U;
            double value = double(state >> 8) / double(1U << 24) - 0.5;
            if (isDamaged && i == 0)
                value = 300; // the first channel of the first input
            if (readsNoneOfTheFirst && i < width)
                value = 0;
            text += "float_val: " + std::to_string(value) + " ";
        }
        return text + "} } } }\n";
    }
};

} // namespace lapidary::testing
