// SPDX-License-Identifier: Apache-2.0
// The autopilot's predictions for files of real and of generated networks, compared with its
// measurements.
#include "graph_model/read/model_file.h"
#include "tests/catch.h"
#include "tests/shared_data.h"
#include "transforms/accuracy/autopilot.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace lapidary {
namespace {

struct Network {
    const char* file;
    std::vector<std::string> outputs; // none: the likely outputs
};

// Differences in dB for mixed files with so little noise that the answers should stay. Files in one
// form come before any measurement; predictions are fitted to them.
std::vector<double> differences(const Autopilot& found)
{
    constexpr double leastDb = 20;
    std::vector<double> differences;
    for (const AutopilotPoint& point : found.points) {
        const bool isMixed = std::ranges::any_of(point.layers, [&](const auto& layer) {
            return layer.second != point.layers.front().second;
        });
        if (isMixed && std::isfinite(point.noise.sqnrDb()) && point.noise.sqnrDb() >= leastDb)
            differences.push_back(std::abs(point.noise.sqnrDb() - point.predictedDb));
    }
    return differences;
}

TEST_CASE("predicted and verified noise of networks are within 2 dB", "[accuracy][prediction]")
{
    const Network networks[] = {{"trained/tiny_mobilenet.pb", {}},
                                {"trained/tiny_mobilenet_skewed.pb", {}},
                                {"made/mobilenet_v1.pb", {}},
                                {"real/utensor_cifar10_cnn.pb", {"fully_connect_2/logits"}}};
    std::size_t networksSeen = 0;
    for (const Network& network : networks) {
        const auto path = sharedData() / "models" / network.file;
        if (!std::filesystem::exists(path))
            continue;
        const auto file = readModel(path, Job(), {.check = false});
        REQUIRE(file.ok());
        AutopilotOptions options;
        options.probes.count = 4;
        options.seconds = 1000;
        const auto found =
            runAutopilot(file->graphs.front(), path, {}, network.outputs, options, Job());
        INFO(network.file << (found ? "" : ": " + found.error().message));
        REQUIRE(found.ok());
        const std::vector<double> off = differences(*found);
        CHECK(off.size() >= 3);
        for (const double one : off)
            CHECK(one <= 2);
        ++networksSeen;
    }
    if (networksSeen == 0)
        WARN("no recorded models: set LAPIDARY_SHARED");
}

} // namespace
} // namespace lapidary
