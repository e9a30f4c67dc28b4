// SPDX-License-Identifier: Apache-2.0
// Ops that join rows, convert colors or compute features of sound.
#include "tests/transforms/export/lower/op_cases.h"

namespace lapidary {
namespace {

OpCase segmentsOf(std::vector<std::int32_t> ids, bool hasNumber)
{
    TestAttrs attrs{{"Tindices", attr::fromType(DType::Int32)}};
    std::vector<std::string> inputs{"x", "i"};
    if (hasNumber) {
        attrs.emplace_back("Tnumsegments", attr::fromType(DType::Int32));
        inputs.emplace_back("number");
    }
    return {inputs, attrs, {4, 3}, [ids = std::move(ids)](GraphBuilder& builder) {
                builder.ints("i", {4}, ids).ints("number", {}, {4});
            }};
}

OpCase sparseSegments()
{
    return {{"x", "rows", "i"},
            {{"Tidx", attr::fromType(DType::Int32)}},
            {4, 3},
            [](GraphBuilder& builder) {
                builder.ints("rows", {3}, {3, 0, 2}).ints("i", {3}, {0, 2, 2});
            }};
}

OpCase colored(std::vector<std::string> inputs, float number)
{
    return {std::move(inputs), {}, {2, 3, 2, 3}, [number](GraphBuilder& builder) {
                builder.floats("number", {}, {number});
            }};
}

} // namespace

std::map<std::string_view, OpCase> joiningOpCases()
{
    std::map<std::string_view, OpCase> cases;
    for (const char* op : {"SegmentMax", "SegmentMean", "SegmentMin", "SegmentProd", "SegmentSum"})
        cases[op] = segmentsOf({0, 1, 1, 2}, false);
    for (const char* op :
         {"UnsortedSegmentMax", "UnsortedSegmentMin", "UnsortedSegmentProd", "UnsortedSegmentSum"})
        cases[op] = segmentsOf({2, 0, 2, 1}, true);
    cases["UnsortedSegmentSum"] = segmentsOf({2, 0, 2, -1}, true);
    for (const char* op : {"SparseSegmentMean", "SparseSegmentSqrtN", "SparseSegmentSum"})
        cases[op] = sparseSegments();
    for (const char* op : {"HSVToRGB", "RGBToHSV"})
        cases[op] = colored({"x"}, 0);
    for (const char* op : {"AdjustContrastv2", "AdjustHue", "AdjustSaturation"})
        cases[op] = colored({"x", "number"}, op == std::string_view("AdjustHue") ? 0.75F : 0.5F);
    cases["MatrixSetDiag"] = {{"x", "d"}, {}, {2, 3, 4}, [](GraphBuilder& builder) {
                                  builder.floats("d", {2, 3}, {7, 8, 9, -7});
                              }};
    cases["MatrixDiagPart"] = {{"x"}, {}, {2, 3, 4}};
    cases["AudioSpectrogram"] = {
        {"x"}, {{"window_size", attr::fromInt(12)}, {"stride", attr::fromInt(8)}}, {42, 2}};
    cases["Mfcc"] = {{"squares", "rate"},
                     {{"filterbank_channel_count", attr::fromInt(5)},
                      {"dct_coefficient_count", attr::fromInt(3)}},
                     {2, 3, 33},
                     [](GraphBuilder& builder) {
                         builder.node("squares", "Square", {"x"}).ints("rate", {}, {16000});
                     }};
    return cases;
}

} // namespace lapidary
