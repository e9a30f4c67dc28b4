// make_samples FOLDER: writes the bundled models.
#include "graph_model/base/wire.h"
#include "samples.h"

#include <array>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>

namespace {

struct Sample {
    const char* file;
    lapidary::GraphPtr (*make)();
};

constexpr std::array samples{
    Sample{"residual_network.pb", lapidary::samples::residualNetwork},
    Sample{"transformer_encoder.pb", lapidary::samples::transformerEncoder},
    Sample{"quantised_chain.pb", lapidary::samples::quantisedChain},
    Sample{"flat_chain.pb", lapidary::samples::flatChain},
    Sample{"broken_graph.pb", lapidary::samples::brokenGraph},
};

std::string encode(const lapidary::Graph& graph)
{
    std::string out;
    lapidary::WireWriter writer(out);
    for (const lapidary::NodePtr& node : graph.nodes())
        writer.bytes(1, node->encoded());
    std::string versions;
    lapidary::WireWriter(versions).varint(1, std::uint64_t(graph.versions().producer));
    writer.bytes(4, versions);
    return out;
}

} // namespace

int main(int argc, char** argv)
{
    if (argc != 2) {
        std::cerr << "usage: make_samples FOLDER\n";
        return 2;
    }
    const std::filesystem::path folder = argv[1];
    for (const Sample& sample : samples) {
        std::ofstream file(folder / sample.file, std::ios::binary);
        file << encode(*sample.make());
        if (!file.flush()) {
            std::cerr << "make_samples: cannot write " << folder / sample.file << '\n';
            return 1;
        }
    }
    return 0;
}
