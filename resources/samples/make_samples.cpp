// SPDX-License-Identifier: Apache-2.0
// make_samples FOLDER: writes the bundled models.
#include "graph_model/write/write_model.h"
#include "samples.h"

#include <array>
#include <filesystem>
#include <iostream>

namespace {

struct Sample {
    const char* file;
    lapidary::GraphPtr (*make)();
};

constexpr std::array samples{
    Sample{"residual_network.pb", lapidary::samples::residualNetwork},
    Sample{"transformer_encoder.pb", lapidary::samples::transformerEncoder},
    Sample{"quantized_chain.pb", lapidary::samples::quantizedChain},
    Sample{"flat_chain.pb", lapidary::samples::flatChain},
    Sample{"broken_graph.pb", lapidary::samples::brokenGraph},
};

} // namespace

int main(int argc, char** argv)
{
    if (argc != 2) {
        std::cerr << "usage: make_samples FOLDER\n";
        return 2;
    }
    const std::filesystem::path folder = argv[1];
    for (const Sample& sample : samples) {
        const auto written = lapidary::writeFileAtomically(
            folder / sample.file, lapidary::encodeGraphDef(*sample.make()));
        if (!written.ok()) {
            std::cerr << "make_samples: " << written.error().message << '\n';
            return 1;
        }
    }
    return 0;
}
