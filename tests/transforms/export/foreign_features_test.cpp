// SPDX-License-Identifier: Apache-2.0
// Operators of ai.onnx.ml, in files converted from scikit-learn, XGBoost and LightGBM, with the
// results of onnxruntime.
#include "tests/transforms/export/one_operator.h"

#include <cmath>
#include <limits>

namespace lapidary::foreign_features {
namespace {

using foreign::Attributes;
using foreign::checkValues;
using foreign::Dims;
using foreign::Floats;
using foreign::list;
using foreign::number;
using foreign::OneOperator;
using foreign::reals;
using foreign::word;
using foreign::words;

constexpr const char* ml = "ai.onnx.ml";
const float nan = std::numeric_limits<float>::quiet_NaN();

// Two trees: x0 <= 1 (missing: yes) ? 1 : (x1 > 0 ? 2 : 4), and 8 for all inputs.
Attributes treeAttributes(const std::string& prefix, Floats weights)
{
    return {list("nodes_treeids", {0, 0, 0, 0, 0, 1}),
            list("nodes_nodeids", {0, 1, 2, 3, 4, 0}),
            list("nodes_featureids", {0, 0, 1, 0, 0, 0}),
            reals("nodes_values", {1, 0, 0, 0, 0, 0}),
            words("nodes_modes", {"BRANCH_LEQ", "LEAF", "BRANCH_GT", "LEAF", "LEAF", "LEAF"}),
            list("nodes_truenodeids", {1, 0, 3, 0, 0, 0}),
            list("nodes_falsenodeids", {2, 0, 4, 0, 0, 0}),
            list("nodes_missing_value_tracks_true", {1, 0, 0, 0, 0, 0}),
            list(prefix + "_treeids", {0, 0, 1, 0}),
            list(prefix + "_nodeids", {1, 3, 0, 4}),
            reals(prefix + "_weights", std::move(weights))};
}

Attributes with(Attributes attributes, const Attributes& more)
{
    attributes.insert(attributes.end(), more.begin(), more.end());
    return attributes;
}

const Floats rows{0, 0, 2, 5, 2, -5, nan, 0};

template <class T>
OnnxAttribute tensor(std::string name, DType dtype, const std::vector<T>& values)
{
    OnnxAttribute attribute{.name = std::move(name), .type = OnnxAttribute::Type::Tensor};
    attribute.tensor.dtype = dtype;
    attribute.tensor.dims = {std::int64_t(values.size())};
    attribute.tensor.bytes = ConstantBytes(
        std::string(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)));
    return attribute;
}

// One tree: x0 <= 1 ? 3 : 5.
Attributes oneSplit(std::int64_t otherLeaf)
{
    return {number("n_targets", 1),
            list("tree_roots", {0}),
            list("nodes_featureids", {0}),
            tensor("nodes_splits", DType::Float, Floats{1}),
            tensor("nodes_modes", DType::UInt8, std::vector<std::uint8_t>{0}),
            list("nodes_truenodeids", {0}),
            list("nodes_falsenodeids", {otherLeaf}),
            list("nodes_trueleafs", {1}),
            list("nodes_falseleafs", {1}),
            list("leaf_targetids", {0, 0}),
            tensor("leaf_weights", DType::Float, Floats{3, 5})};
}

} // namespace

TEST_CASE("Trees give the sums of the leaves that rows reach", "[export][foreign][trees]")
{
    const Attributes trees =
        with(treeAttributes("target", {1, 2, 8, 4}), {list("target_ids", {0, 0, 0, 0})});
    OneOperator sum("TreeEnsembleRegressor", {4, 2},
                    with(trees, {number("n_targets", 1), reals("base_values", {0.5F})}), ml);
    checkValues(sum.run(rows), {4, 1}, {9.5F, 10.5F, 12.5F, 9.5F});
    OneOperator mean("TreeEnsembleRegressor", {4, 2},
                     with(trees, {word("aggregate_function", "AVERAGE")}), ml);
    checkValues(mean.run(rows), {4, 1}, {4.5F, 5, 6, 4.5F});
    OneOperator least("TreeEnsembleRegressor", {4, 2},
                      with(trees, {word("aggregate_function", "MIN")}), ml);
    checkValues(least.run(rows), {4, 1}, {1, 2, 4, 1});
}

TEST_CASE("Trees choose a class, and one of two by a single score", "[export][foreign][trees]")
{
    const Attributes labels{list("classlabels_int64s", {7, 9})};
    OneOperator many("TreeEnsembleClassifier", {4, 2},
                     with(with(treeAttributes("class", {1, 2, 1.5F, 4}), labels),
                          {list("class_ids", {0, 1, 0, 1})}),
                     ml);
    many.outputs({"label", "y"});
    checkValues(many.run(rows), {4, 2}, {2.5F, 0, 1.5F, 2, 1.5F, 4, 2.5F, 0});
    OneOperator shares("TreeEnsembleClassifier", {4, 2},
                       with(with(treeAttributes("class", {0.1F, 0.5F, 0.25F, 0}), labels),
                            {list("class_ids", {0, 0, 0, 0})}),
                       ml);
    shares.outputs({"label", "y"});
    checkValues(shares.run(rows), {4, 2}, {0.65F, 0.35F, 0.25F, 0.75F, 0.75F, 0.25F, 0.65F, 0.35F});
    OneOperator apart("TreeEnsembleClassifier", {4, 2},
                      with(with(treeAttributes("class", {0.1F, 0.5F, 0.25F, 0}), labels),
                           {list("class_ids", {1, 1, 1, 1}), word("post_transform", "LOGISTIC")}),
                      ml);
    apart.outputs({"label", "y"});
    checkValues(apart.run({0, 0, 0, 0, 0, 0, 0, 0}), {4, 2},
                {0.5F, 0.586618F, 0.5F, 0.586618F, 0.5F, 0.586618F, 0.5F, 0.586618F});
    OneOperator logits("TreeEnsembleClassifier", {4, 2},
                       with(with(treeAttributes("class", {-1, 1, 0, 0}), labels),
                            {list("class_ids", {0, 0, 0, 0}), word("post_transform", "LOGISTIC")}),
                       ml);
    logits.outputs({"label", "y"});
    const float high = 1 / (1 + std::exp(-1.0F));
    checkValues(logits.run(rows), {4, 2},
                {high, 1 - high, 1 - high, high, 0.5F, 0.5F, high, 1 - high});
    for (OneOperator* one : {&many, &shares, &logits})
        one->outputs({"label", "scores"}).then("Cast", "label", "y", {number("to", 1)});
    checkValues(many.run(rows), {4}, {7, 9, 9, 7});
    checkValues(shares.run(rows), {4}, {7, 9, 7, 7});
    checkValues(logits.run(rows), {4}, {7, 9, 7, 7});
}

TEST_CASE("Trees that go in circles, or ask for features that rows lack, are refused",
          "[export][foreign][trees]")
{
    const auto tree = [](Dims features, Dims onYes) {
        return Attributes{list("nodes_treeids", {0, 0, 0}),
                          list("nodes_nodeids", {0, 1, 2}),
                          list("nodes_featureids", std::move(features)),
                          reals("nodes_values", {0, 0, 0}),
                          words("nodes_modes", {"BRANCH_LEQ", "BRANCH_LEQ", "LEAF"}),
                          list("nodes_truenodeids", std::move(onYes)),
                          list("nodes_falsenodeids", {2, 2, 0}),
                          list("target_treeids", {0}),
                          list("target_nodeids", {2}),
                          list("target_ids", {0}),
                          reals("target_weights", {1})};
    };
    OneOperator circle("TreeEnsembleRegressor", {1, 1}, tree({0, 0, 0}, {1, 1, 0}), ml);
    CHECK(circle.failure({-1}).find("circle") != std::string::npos);
    checkValues(circle.run({1}), {1, 1}, {1});
    OneOperator beyond("TreeEnsembleRegressor", {1, 1}, tree({0, 7, 0}, {2, 2, 0}), ml);
    CHECK(beyond.failure({-1}).find("feature 7") != std::string::npos);
    OneOperator lost("TreeEnsembleRegressor", {1, 1}, tree({0, 0, 0}, {9, 2, 0}), ml);
    CHECK(lost.obstacle("y").find("TreeEnsembleRegressor") != std::string::npos);
}

TEST_CASE("Trees whose leaves have lists of their own name them by their numbers",
          "[export][foreign][trees]")
{
    OneOperator split("TreeEnsemble", {2, 1}, oneSplit(1), ml);
    checkValues(split.run({0, 2}), {2, 1}, {3, 5});
    for (const std::int64_t beyond :
         {std::int64_t(-1), std::int64_t(2), std::numeric_limits<std::int64_t>::max()}) {
        OneOperator lost("TreeEnsemble", {2, 1}, oneSplit(beyond), ml);
        CHECK(lost.obstacle("y").find("TreeEnsemble") != std::string::npos);
    }
}

TEST_CASE("Labels of 64 bits are encoded to the last bit", "[export][foreign]")
{
    constexpr std::int64_t large = std::int64_t(1)
                                   << 53; // from here on, doubles have no odd numbers
    OneOperator encoder("LabelEncoder", {2},
                        {reals("keys_floats", {1, 2}),
                         tensor("values_tensor", DType::Int64, Dims{large + 1, large + 3})},
                        ml);
    encoder.longs({}, {large}).outputs({"label"});
    encoder.then("Sub", "label", "rest", {}, "c0").then("Cast", "rest", "y", {number("to", 1)});
    checkValues(encoder.run({2, 1}), {2}, {3, 1});
}

TEST_CASE("A machine of support vectors gives one number", "[export][foreign]")
{
    const Attributes machine{reals("support_vectors", {0, 0, 1, 1}), number("n_supports", 2),
                             reals("coefficients", {2, -1}), reals("rho", {0.5F}),
                             reals("kernel_params", {0.5F, 1, 2})};
    OneOperator radial("SVMRegressor", {1, 2}, with(machine, {word("kernel_type", "RBF")}), ml);
    checkValues(radial.run({1, 0}), {1, 1}, {std::exp(-0.5F) + 0.5F});
    OneOperator power("SVMRegressor", {1, 2}, with(machine, {word("kernel_type", "POLY")}), ml);
    checkValues(power.run({1, 1}), {1, 1}, {2 - 4 + 0.5F});
    OneOperator usual("SVMRegressor", {2, 2},
                      with(machine, {word("kernel_type", "LINEAR"), number("one_class", 1)}), ml);
    checkValues(usual.run({1, 1, -1, -1}), {2, 1}, {-1, 1});
}

TEST_CASE("Linear models are products and sums", "[export][foreign]")
{
    OneOperator regressor(
        "LinearRegressor", {2, 2},
        {reals("coefficients", {1, 2, 3, 4}), reals("intercepts", {10, 20}), number("targets", 2)},
        ml);
    checkValues(regressor.run({1, 0, 0, 1}), {2, 2}, {11, 23, 12, 24});
    OneOperator classifier("LinearClassifier", {2, 1},
                           {reals("coefficients", {-1, 1}), reals("intercepts", {0, 0}),
                            list("classlabels_ints", {3, 5}), word("post_transform", "SOFTMAX")},
                           ml);
    classifier.outputs({"label", "y"});
    const float high = 1 / (1 + std::exp(-2.0F));
    checkValues(classifier.run({1, -1}), {2, 2}, {1 - high, high, high, 1 - high});
    classifier.outputs({"label", "scores"}).then("Cast", "label", "y", {number("to", 1)});
    checkValues(classifier.run({1, -1}), {2}, {5, 3});
}

TEST_CASE("Features are scaled, completed and chosen", "[export][foreign]")
{
    const auto check = [](const char* op, Dims dims, Attributes attributes, const Floats& x,
                          const Dims& wantedDims, const Floats& wanted) {
        INFO(op);
        OneOperator one(op, std::move(dims), std::move(attributes), ml);
        checkValues(one.run(x), wantedDims, wanted);
    };
    check("Scaler", {1, 2}, {reals("offset", {1, 2}), reals("scale", {10})}, {3, 5}, {1, 2},
          {20, 30});
    check("Normalizer", {2, 2}, {word("norm", "L2")}, {3, 4, 0, 0}, {2, 2}, {0.6F, 0.8F, 0, 0});
    check("Normalizer", {1, 2}, {word("norm", "L1")}, {-1, 3}, {1, 2}, {-0.25F, 0.75F});
    check("Normalizer", {1, 2}, {word("norm", "MAX")}, {-1, 4}, {1, 2}, {-0.25F, 1});
    check("Binarizer", {3}, {{.name = "threshold", .type = OnnxAttribute::Type::Float, .real = 1}},
          {0, 1, 2}, {3}, {0, 0, 1});
    check("Imputer", {2, 2},
          {reals("imputed_value_floats", {5, 6}),
           {.name = "replaced_value_float", .type = OnnxAttribute::Type::Float, .real = nan}},
          {nan, 1, 2, nan}, {2, 2}, {5, 1, 2, 6});
    check("OneHotEncoder", {2}, {list("cats_int64s", {4, 2})}, {2, 3}, {2, 2}, {0, 1, 0, 0});
    check("LabelEncoder", {3},
          {reals("keys_floats", {1, nan}),
           reals("values_floats", {10, 20}),
           {.name = "default_float", .type = OnnxAttribute::Type::Float, .real = -1}},
          {nan, 2, 1}, {3}, {20, -1, 10});
    check("FeatureVectorizer", {1, 2}, {list("inputdimensions", {2})}, {1, 2}, {1, 2}, {1, 2});
    check("ZipMap", {1, 2}, {list("classlabels_int64s", {0, 1})}, {0.25F, 0.75F}, {1, 2},
          {0.25F, 0.75F});
    OneOperator extracted("ArrayFeatureExtractor", {2, 3}, {}, ml);
    extracted.longs({2}, {2, 0});
    checkValues(extracted.run({1, 2, 3, 4, 5, 6}), {2, 2}, {3, 1, 6, 4});
}

TEST_CASE("N-grams that would need more columns than anybody can hold are refused",
          "[export][foreign]")
{
    OneOperator one("Cast", {2, 4}, {number("to", 7)});
    one.outputs({"words"}).then(
        "TfIdfVectorizer", "words", "y",
        {word("mode", "TF"), number("min_gram_length", 1), number("max_gram_length", 1),
         number("max_skip_count", 0), list("ngram_counts", {0}),
         list("ngram_indexes", {0, std::numeric_limits<std::int64_t>::max()}),
         list("pool_int64s", {5, 6})});
    CHECK(one.obstacle("y").find("TfIdfVectorizer") != std::string::npos);
}

TEST_CASE("N-grams of a pool are counted, with words left out between", "[export][foreign]")
{
    const auto counted = [](const char* mode, std::int64_t skips) {
        OneOperator one("Cast", {2, 4}, {number("to", 7)});
        one.outputs({"words"}).then("TfIdfVectorizer", "words", "y",
                                    {word("mode", mode), number("min_gram_length", 1),
                                     number("max_gram_length", 2), number("max_skip_count", skips),
                                     list("ngram_counts", {0, 2}), list("ngram_indexes", {0, 1, 2}),
                                     list("pool_int64s", {5, 6, 5, 6}),
                                     reals("weights", {0.5F, 2, 3})});
        return one.run({5, 6, 5, 1, 5, 5, 6, 6});
    };
    checkValues(counted("TF", 0), {2, 3}, {2, 1, 1, 2, 2, 1});
    checkValues(counted("TF", 1), {2, 3}, {2, 1, 1, 2, 2, 3});
    checkValues(counted("IDF", 0), {2, 3}, {0.5F, 2, 3, 0.5F, 2, 3});
    checkValues(counted("TFIDF", 0), {2, 3}, {1, 2, 3, 1, 4, 3});
}

} // namespace lapidary::foreign_features
