// SPDX-License-Identifier: Apache-2.0
// Lifts operators of ai.onnx.ml other than trees: linear models, and those that make features and
// labels.
#include "graph_model/graph/attr_lists.h"
#include "graph_model/lift/lift_rows.h"
#include "graph_model/lift/lift_steps.h"
#include "graph_model/lift/onnx/onnx_classes.h"
#include "graph_model/lift/onnx/onnx_operands.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

namespace lapidary {
namespace {

using Ints = LiftDraft::Ints;

std::vector<float> floatsAttr(const LiftDraft& d, std::string_view name)
{
    return d.node().attr(name).floats();
}

// Makes a constant of one number for all features, or of one for each.
std::string numberEach(LiftDraft& d, const std::vector<float>& values)
{
    return values.size() == 1 ? d.oneFloat(values[0])
                              : d.floatList({std::int64_t(values.size())}, values);
}

bool liftScaler(LiftDraft& d)
{
    std::string x = featuresOf(d, 0);
    if (x.empty())
        return false;
    if (const auto offset = floatsAttr(d, "offset"); !offset.empty())
        x = steps::both(d, "Sub", x, numberEach(d, offset));
    if (const auto scale = floatsAttr(d, "scale"); !scale.empty())
        x = steps::both(d, "Mul", x, numberEach(d, scale));
    d.give({x});
    return true;
}

// Rows of zeros stay unchanged.
bool liftNormalizer(LiftDraft& d)
{
    const std::string x = featuresOf(d, 0);
    const std::string_view norm = d.textAttr("norm");
    if (x.empty())
        return false;
    std::string size;
    if (norm == "L1")
        size = steps::reduce(d, "Sum", steps::one(d, "Abs", x), DType::Float, {-1}, true);
    else if (norm == "L2")
        size = steps::one(
            d, "Sqrt",
            steps::reduce(d, "Sum", steps::one(d, "Square", x), DType::Float, {-1}, true));
    else
        size = steps::reduce(d, "Max", x, DType::Float, {-1}, true);
    const std::string isZero = steps::both(d, "Equal", size, d.oneFloat(0));
    const std::string divisor = steps::select(d, isZero, d.oneFloat(1), size, DType::Float);
    d.give({steps::both(d, "Div", x, divisor)});
    return true;
}

// Returns x times the transposed coefficients [rows, features], plus an intercept for each row;
// empty if the attributes do not fit together.
std::string linear(LiftDraft& d, std::size_t rows)
{
    const std::string x = featuresOf(d, 0);
    const auto coefficients = floatsAttr(d, "coefficients");
    const auto intercepts = floatsAttr(d, "intercepts");
    if (x.empty() || rows == 0 || coefficients.empty() || coefficients.size() % rows != 0 ||
        (!intercepts.empty() && intercepts.size() != rows))
        return {};
    const Ints dims{std::int64_t(rows), std::int64_t(coefficients.size() / rows)};
    std::string made = d.step("MatMul", {x, d.floatList(dims, coefficients)},
                              {typeAttr("T", DType::Float),
                               {"transpose_a", attr::fromBool(false)},
                               {"transpose_b", attr::fromBool(true)}});
    if (!intercepts.empty())
        made = steps::both(d, "AddV2", made,
                           d.floatList({std::int64_t(intercepts.size())}, intercepts));
    return made;
}

bool liftLinearRegressor(LiftDraft& d)
{
    const std::string sums =
        linear(d, std::size_t(std::max<std::int64_t>(d.intAttr("targets", 1), 0)));
    const std::string made = sums.empty() ? sums : scoresAfter(d, sums);
    if (made.empty())
        return false;
    d.give({made});
    return true;
}

bool liftLinearClassifier(LiftDraft& d)
{
    const auto labels = labelsOf(d, "classlabels_ints", "classlabels_strings");
    const std::size_t rows = floatsAttr(d, "intercepts").size();
    const std::string sums = labels ? linear(d, rows) : std::string();
    return !sums.empty() && giveClasses(d, *labels, {sums, rows, 0, ScorePair::Rest});
}

bool liftBinarizer(LiftDraft& d)
{
    const std::string x = featuresOf(d, 0);
    if (x.empty())
        return false;
    const std::string isAbove =
        steps::both(d, "Greater", x, d.oneFloat(d.floatAttr("threshold", 0)));
    d.give({steps::cast(d, steps::cast(d, isAbove, DType::Bool, DType::Float), DType::Float,
                        d.type(0))});
    return true;
}

// Replaces missing numbers: NaN, or another value that represents them.
bool liftImputer(LiftDraft& d)
{
    const auto values = floatsAttr(d, "imputed_value_floats");
    if (d.type(0) != DType::Float || values.empty())
        return false;
    const std::string x = d.in(0);
    const float missing = d.floatAttr("replaced_value_float", 0);
    const std::string isMissing = std::isnan(missing)
                                      ? steps::one(d, "IsNan", x)
                                      : steps::both(d, "Equal", x, d.oneFloat(missing));
    d.give({steps::select(d, isMissing, numberEach(d, values), x, DType::Float)});
    return true;
}

// Joins the features of all inputs in one row.
bool liftFeatureVector(LiftDraft& d)
{
    std::vector<std::string> parts;
    for (std::size_t slot = 0; slot < d.slots(); ++slot) {
        parts.push_back(featuresOf(d, slot));
        if (parts.back().empty())
            return false;
    }
    d.give({parts.size() == 1 ? steps::one(d, "Identity", parts[0])
                              : steps::concat(d, std::move(parts), -1, DType::Float)});
    return true;
}

bool liftFeatureExtractor(LiftDraft& d)
{
    const auto shape = d.shape(0);
    const DType places = d.type(1);
    if (!shape || shape->dims.empty() || (places != DType::Int64 && places != DType::Int32))
        return false;
    const DType dtype = d.type(0);
    const std::string flat = reshaped(d, d.in(1), places, {-1});
    std::string made = steps::gather(d, d.in(0), dtype, flat, places, -1);
    if (shape->dims.size() == 1)
        made = steps::expandDims(d, made, dtype, 0);
    d.give({made});
    return true;
}

// Maps from classes to probabilities are not tensors, so there remains a column for each class.
bool liftZipMap(LiftDraft& d)
{
    d.give({steps::one(d, "Identity", d.in(0), d.type(0))});
    return true;
}

// Returns for each element which of these keys it equals, as bools along a new last axis; empty if
// the types differ.
std::string isKey(LiftDraft& d, const LabelList& keys)
{
    const DType dtype = d.type(0);
    const bool areBoth = dtype != DType::String && keys.dtype != DType::String;
    if (dtype == DType::Invalid || (dtype != keys.dtype && !areBoth))
        return {};
    const std::string x =
        steps::expandDims(d, steps::cast(d, d.in(0), dtype, keys.dtype), keys.dtype, -1);
    const std::string list = labelConstant(d, keys);
    std::string found = steps::both(d, "Equal", x, list, keys.dtype);
    if (keys.dtype == DType::Float &&
        std::ranges::any_of(keys.reals, [](float key) { return std::isnan(key); }))
        found = d.step("LogicalOr", {found, d.step("LogicalAnd", {steps::one(d, "IsNan", x),
                                                                  steps::one(d, "IsNan", list)})});
    return found;
}

bool liftOneHotEncoder(LiftDraft& d)
{
    const auto categories = labelsOf(d, "cats_int64s", "cats_strings");
    const std::string found = categories ? isKey(d, *categories) : std::string();
    if (found.empty())
        return false;
    d.give({steps::cast(d, found, DType::Bool, DType::Float)});
    return true;
}

// Sets the value of the first key that equals an element as output, or `other` if none does.
bool giveMapped(LiftDraft& d, const LabelList& keys, LabelList values, const LabelList& other)
{
    constexpr std::size_t mostKeys = 1 << 14; // each element is compared with all of them
    if (keys.size() != values.size() || keys.size() > mostKeys || other.dtype != values.dtype)
        return false;
    const std::string found = isKey(d, keys);
    if (found.empty())
        return false;
    values.numbers.insert(values.numbers.end(), other.numbers.begin(), other.numbers.end());
    values.texts.insert(values.texts.end(), other.texts.begin(), other.texts.end());
    values.reals.insert(values.reals.end(), other.reals.begin(), other.reals.end());
    // `other` comes after the last value.
    const auto count = std::int64_t(keys.size());
    Ints places;
    for (std::int64_t place = 0; place < count; ++place)
        places.push_back(place);
    const std::string place =
        steps::select(d, found, d.longList(places), d.oneInt64(count), DType::Int64);
    const std::string first = steps::reduce(d, "Min", place, DType::Int64, {-1}, false);
    d.give({steps::gather(d, labelConstant(d, values), values.dtype, first, DType::Int64, 0)});
    return true;
}

// Returns all elements of a tensor of that type; none if the file lacks some, or if there are too
// many for labels.
template <class T>
std::vector<T> labelElements(const Tensor& tensor)
{
    constexpr std::uint64_t mostBytes = 1 << 24;
    const auto bytes = tensor.values(mostBytes);
    std::vector<T> elements(bytes ? bytes->size() / sizeof(T) : 0);
    if (!elements.empty())
        std::memcpy(elements.data(), bytes->data(), elements.size() * sizeof(T));
    return elements;
}

// Reads a list that is an attribute of one of three types, or a tensor.
std::optional<LabelList> encodedList(const LiftDraft& d, const std::string& what)
{
    if (auto listed = labelsOf(d, what + "_int64s", what + "_strings", what + "_floats"))
        return listed;
    const auto tensor = d.node().tensor(what + "_tensor");
    if (!tensor)
        return std::nullopt;
    LabelList labels{tensor->dtype()};
    if (labels.dtype == DType::String) {
        const auto texts = tensor->strings();
        if (!texts)
            return std::nullopt;
        labels.texts.assign(texts->begin(), texts->end());
        return labels;
    }
    if (labels.dtype == DType::Int64)
        labels.numbers = labelElements<std::int64_t>(*tensor);
    else if (labels.dtype == DType::Float)
        labels.reals = labelElements<float>(*tensor);
    return labels.size() > 0 ? std::optional(std::move(labels)) : std::nullopt;
}

bool liftLabelEncoder(LiftDraft& d)
{
    const auto keys = encodedList(d, "keys");
    const auto values = encodedList(d, "values");
    if (!keys || !values)
        return false;
    LabelList other{values->dtype};
    const Node& node = d.node();
    if (other.dtype == DType::Int64)
        other.numbers = {d.intAttr("default_int64", -1)};
    else if (other.dtype == DType::Float)
        other.reals = {d.floatAttr("default_float", -0.0F)};
    else
        other.texts = {node.hasAttr("default_string") ? std::string(d.textAttr("default_string"))
                                                      : "_Unused"};
    if (node.hasAttr("default_tensor")) {
        const auto given = encodedList(d, "default");
        if (!given || given->dtype != other.dtype || given->size() != 1)
            return false;
        other = *given;
    }
    return giveMapped(d, *keys, *values, other);
}

bool liftCategoryMapper(LiftDraft& d)
{
    auto numbers = labelsOf(d, "cats_int64s", {});
    auto texts = labelsOf(d, {}, "cats_strings");
    if (!numbers || !texts)
        return false;
    if (d.type(0) == DType::String)
        return giveMapped(d, *texts, *numbers,
                          {DType::Int64, {d.intAttr("default_int64", -1)}, {}, {}});
    const std::string_view other = d.textAttr("default_string");
    return giveMapped(d, *numbers, *texts,
                      {DType::String, {}, {other.empty() ? "_Unused" : std::string(other)}, {}});
}

bool liftTfIdf(LiftDraft& d)
{
    const DType dtype = d.type(0);
    if (dtype != DType::String && dtype != DType::Int64 && dtype != DType::Int32)
        return false;
    LiftDraft::Attrs attrs;
    for (const std::string_view name :
         {"mode", "min_gram_length", "max_gram_length", "max_skip_count", "ngram_counts",
          "ngram_indexes", "pool_int64s", "pool_strings", "weights"})
        if (const AttrValue value = d.node().attr(name); d.node().hasAttr(name))
            attrs.emplace_back(name, std::string(value.encoded()));
    const DType words = dtype == DType::String ? dtype : DType::Int64;
    const Ints columns = d.intsAttr("ngram_indexes");
    const auto shape = d.shape(0);
    constexpr std::int64_t mostColumns = 1 << 24;
    if (!shape || columns.empty() || std::ranges::max(columns) >= mostColumns)
        return false;
    const std::string made =
        d.step("_Onnx_TfIdfVectorizer", {steps::cast(d, d.in(0), dtype, words)}, std::move(attrs));
    const std::int64_t count = std::ranges::max(columns) + 1;
    d.give(
        {reshaped(d, made, DType::Float, shape->dims.size() == 2 ? Ints{-1, count} : Ints{count})});
    return true;
}

constexpr std::array features = std::to_array<OnnxLift>({
    {"TfIdfVectorizer", liftTfIdf},
    {"ai.onnx.ml.ArrayFeatureExtractor", liftFeatureExtractor},
    {"ai.onnx.ml.Binarizer", liftBinarizer},
    {"ai.onnx.ml.CategoryMapper", liftCategoryMapper},
    {"ai.onnx.ml.FeatureVectorizer", liftFeatureVector},
    {"ai.onnx.ml.Imputer", liftImputer},
    {"ai.onnx.ml.LabelEncoder", liftLabelEncoder},
    {"ai.onnx.ml.LinearClassifier", liftLinearClassifier},
    {"ai.onnx.ml.LinearRegressor", liftLinearRegressor},
    {"ai.onnx.ml.Normalizer", liftNormalizer},
    {"ai.onnx.ml.OneHotEncoder", liftOneHotEncoder},
    {"ai.onnx.ml.Scaler", liftScaler},
    {"ai.onnx.ml.ZipMap", liftZipMap},
});

} // namespace

bool liftOnnxFeatures(LiftDraft& draft)
{
    return liftFrom(features, draft);
}

} // namespace lapidary
