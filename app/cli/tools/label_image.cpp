// SPDX-License-Identifier: Apache-2.0
// label_image, as called through a link of that name (spec: tools, section 12). BMP files are
// recognized by their content too, and converted to three channels.
#include "app/cli/guard.h"
#include "app/cli/originals/original_flags.h"
#include "app/cli/originals/original_loading.h"
#include "app/cli/tool_list.h"
#include "runner/guard/machine_memory.h"
#include "transforms/classify/labeling.h"

#include <ostream>

namespace lapidary {
namespace {

constexpr std::int64_t selfTestLabel = 653; // label of the picture that comes with the original

struct LabelImageFlags {
    std::string image = "tensorflow/examples/label_image/data/grace_hopper.jpg";
    std::string graph = "tensorflow/examples/label_image/data/inception_v3_2016_08_28_frozen.pb";
    std::string labels = "tensorflow/examples/label_image/data/imagenet_slim_labels.txt";
    std::int32_t width = 299;
    std::int32_t height = 299;
    float mean = 0.0F;
    float std = 255.0F;
    std::string input = "input";
    std::string output = "InceptionV3/Predictions/Reshape_1";
    bool selfTest = false;
    std::string rootFolder;
};

void addFlags(OriginalFlags& flags, LabelImageFlags& values)
{
    flags.addString("image", values.image, "image to be processed");
    flags.addString("graph", values.graph, "graph to be executed");
    flags.addString("labels", values.labels, "name of file containing labels");
    flags.addInt("input_width", values.width, "resize image to this width in pixels");
    flags.addInt("input_height", values.height, "resize image to this height in pixels");
    flags.addFloat("input_mean", values.mean, "scale pixel values to this mean");
    flags.addFloat("input_std", values.std, "scale pixel values to this std deviation");
    flags.addString("input_layer", values.input, "name of input layer");
    flags.addString("output_layer", values.output, "name of output layer");
    flags.addBool("self_test", values.selfTest, "run a self test");
    flags.addString("root_dir", values.rootFolder,
                    "interpret image and graph file names relative to this directory");
}

std::string below(const std::string& folder, const std::string& path)
{
    if (folder.empty() || path.starts_with('/'))
        return folder + path;
    return folder.ends_with('/') ? folder + path : folder + "/" + path;
}

int fail(Console& console, const std::string& message)
{
    originalLog(console.err, message);
    return originalFailure;
}

int selfTest(const Value& scores, Console& console)
{
    const auto best = bestLabels(scores, {}, 1);
    if (best.front().index == selfTestLabel)
        return 0;
    originalLog(console.err, "Expected label #" + std::to_string(selfTestLabel) + " but got #" +
                                 std::to_string(best.front().index));
    return fail(console, "Self-test failed!");
}

int label(const LabelImageFlags& flags, Console& console)
{
    const std::string path = below(flags.rootFolder, flags.graph);
    const auto graph = loadBinaryAsOriginal(path, console.job);
    if (!graph)
        return fail(console, "Not found: Failed to load compute graph at '" + path + "'");
    if (flags.width <= 0 || flags.height <= 0)
        return fail(console, "Invalid argument: output dimensions must be positive");
    const Labeling labeling{.image = below(flags.rootFolder, flags.image),
                            .feed = {.height = flags.height,
                                     .width = flags.width,
                                     .mean = flags.mean,
                                     .std = flags.std},
                            .input = flags.input,
                            .output = flags.output};
    const auto scores = scoreImage(*graph, labeling, console.job);
    if (!scores)
        return fail(console, "Running model failed: " + scores.error().message);
    if (flags.selfTest)
        if (const int failed = selfTest(*scores, console); failed != 0)
            return failed;
    const auto labels = readLabels(flags.labels);
    if (!labels)
        return fail(console,
                    "Running print failed: Not found: Labels file " + flags.labels + " not found.");
    constexpr std::size_t most = 5;
    const std::size_t count = std::min(most, labels->size());
    for (const ScoredLabel& best : bestLabels(*scores, *labels, count))
        originalLog(console.err, labeline(best), 'I');
    return 0;
}

int runLabelImage(std::string_view calledAs, std::span<const std::string> arguments,
                  Console& console)
{
    LabelImageFlags values;
    OriginalFlags flags(calledAs);
    addFlags(flags, values);
    if (!flags.parse(arguments, console.err))
        return fail(console, flags.usage());
    if (!flags.leftover().empty())
        return fail(console, "Unknown argument " + flags.leftover().front() + "\n" + flags.usage());
    BoxGrants grants{.memory = usualMemoryLimit()};
    grantModel(below(values.rootFolder, values.graph), grants);
    for (const std::string& path : {below(values.rootFolder, values.image), values.labels})
        grants.readable.emplace_back(path);
    if (const auto outside = startGuarded(GuardFlags(), grants, console))
        return *outside;
    return label(values, console);
}

} // namespace

const ReplacedTool tools::labelImage{
    .name = "label_image", .run = runLabelImage, .runsGraphs = true};

} // namespace lapidary
