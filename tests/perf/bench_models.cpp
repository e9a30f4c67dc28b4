// SPDX-License-Identifier: Apache-2.0
#include "tests/perf/bench_models.h"

#include "graph_model/read/model_file.h"
#include "runner/feeds/seeded_value.h"

#include <cstdio>

namespace lapidary::perf {
namespace {

std::vector<BenchFeed> image(const char* name, std::int64_t size, double low = -1, double high = 1)
{
    return {{name, DType::Float, {1, size, size, 3}, low, high}};
}

BenchModel keywords(const char* name, const char* file)
{
    return {name,
            file,
            false,
            {{"decoded_sample_data:0", DType::Float, {16000, 1}, -0.5, 0.5},
             {"decoded_sample_data:1", DType::Int32, {}, 16000, 16000}},
            {"labels_softmax:0"}};
}

std::vector<BenchFeed> words(std::int64_t steps, double count)
{
    return {{"input_ids:0", DType::Int32, {2, steps}, 0, count},
            {"input_mask:0", DType::Int32, {2, steps}, 0, 2}};
}

std::vector<BenchFeed> sequence(std::int64_t steps, std::int64_t width, double low, double high)
{
    return {{"lengths:0", DType::Int32, {2}, low, high}, {"x:0", DType::Float, {2, steps, width}}};
}

} // namespace

std::string BenchFeed::text() const
{
    std::string shape;
    for (const std::int64_t dim : dims)
        shape += (shape.empty() ? "" : ",") + std::to_string(dim);
    return std::string(name) + "=" + dtypeName(dtype) + ":" + shape + ":" + std::to_string(low) +
           ":" + std::to_string(high);
}

const std::vector<BenchModel>& benchModels()
{
    static const std::vector<BenchModel> models{
        {"resnet_v1_50",
         "resnet_v1_50.pb",
         true,
         image("Placeholder:0", 224),
         {"resnet_v1_50/predictions/Reshape_1:0"},
         0.95,
         0.5},
        {"mobilenet_v1",
         "mobilenet_v1.pb",
         true,
         image("input:0", 224),
         {"MobilenetV1/Predictions/Reshape_1:0"},
         0.6,
         0.35},
        {"lstm_dynamic",
         "lstm_dynamic.pb",
         true,
         sequence(100, 128, 100, 101),
         {"outputs:0", "last:0"},
         0.6,
         0.6},
        {"transformer_encoder",
         "transformer_encoder.pb",
         true,
         words(128, 2000),
         {"probabilities:0", "bert/encoder/layer_5/output:0"},
         0.9,
         0.9},
        {"small classifier",
         "models/trained/tiny_mobilenet.pb",
         false,
         image("input:0", 32),
         {"MobilenetV1/Predictions/Reshape_1:0"}},
        {"small detection",
         "models/made/ssd_detector.pb",
         false,
         {{"image_tensor:0", DType::UInt8, {1, 40, 48, 3}, 0, 256}},
         {"detection_boxes:0", "detection_scores:0", "detection_classes:0"}},
        {"small LSTM",
         "models/made/lstm_dynamic.pb",
         false,
         sequence(5, 6, 2, 6),
         {"outputs:0", "last:0"}},
        {"small transformer",
         "models/made/transformer_encoder.pb",
         false,
         words(10, 30),
         {"probabilities:0", "bert/encoder/layer_1/output:0"}},
        {"small style transfer",
         "models/made/style_transfer.pb",
         false,
         image("input:0", 24, 0, 1),
         {"output:0"}},
        keywords("keywords, CNN", "models/real/kws_cnn_s.pb"),
        keywords("keywords, depthwise", "models/real/kws_ds_cnn_s.pb"),
        keywords("keywords, dense", "models/real/kws_dnn_s.pb"),
        keywords("keywords, LSTM", "models/real/kws_lstm_s.pb"),
        keywords("keywords, GRU", "models/real/kws_gru_m.pb"),
        {"pose",
         "models/real/pose_mobilenet_v2_small_opt.pb",
         false,
         {{"image:0", DType::Float, {1, 96, 80, 3}, 0, 255}},
         {"Openpose/concat_stage7:0"}},
    };
    return models;
}

std::optional<Runnable> openModel(const std::filesystem::path& file, const BenchModel& model,
                                  int threads, const std::string& backEnd)
{
    auto read = readModel(file, Job(), {.check = false});
    if (!read || read.value().graphs.empty()) {
        std::printf("%s: not there or not readable\n", file.c_str());
        return std::nullopt;
    }
    Runnable made{Session(read.value().graphs.front().graph,
                          {.threads = threads, .fuse = true, .backEnd = backEnd}),
                  {}};
    std::uint64_t seed = 1;
    for (const BenchFeed& feed : model.feeds) {
        auto value =
            seededValue(feed.dtype, feed.dims, seed++, {feed.low, feed.high}, made.session.pool());
        if (!value) {
            std::printf("%s: %s\n", feed.name, value.error().message.c_str());
            return std::nullopt;
        }
        made.request.feeds.emplace_back(feed.name, *std::move(value));
    }
    for (const char* fetch : model.fetches)
        made.request.fetches.emplace_back(fetch);
    return made;
}

} // namespace lapidary::perf
