// SPDX-License-Identifier: Apache-2.0
#include "graph_model/tflite/option_fields.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace lapidary {
namespace {

using Type = TfliteOption::Type;

// The fields of the schema's option tables, by table, then by index.
constexpr std::array fields = std::to_array<OptionField>({
    // Conv2DOptions
    {1, 0, "padding", Type::Byte},
    {1, 1, "stride_w", Type::Int},
    {1, 2, "stride_h", Type::Int},
    {1, 3, "fused_activation_function", Type::Byte},
    {1, 4, "dilation_w_factor", Type::Int, 1},
    {1, 5, "dilation_h_factor", Type::Int, 1},
    {1, 6, "quantized_bias_type", Type::Byte},
    // DepthwiseConv2DOptions
    {2, 0, "padding", Type::Byte},
    {2, 1, "stride_w", Type::Int},
    {2, 2, "stride_h", Type::Int},
    {2, 3, "depth_multiplier", Type::Int},
    {2, 4, "fused_activation_function", Type::Byte},
    {2, 5, "dilation_w_factor", Type::Int, 1},
    {2, 6, "dilation_h_factor", Type::Int, 1},
    // ConcatEmbeddingsOptions
    {3, 0, "num_channels", Type::Int},
    // LSHProjectionOptions
    {4, 0, "type", Type::Byte},
    // Pool2DOptions
    {5, 0, "padding", Type::Byte},
    {5, 1, "stride_w", Type::Int},
    {5, 2, "stride_h", Type::Int},
    {5, 3, "filter_width", Type::Int},
    {5, 4, "filter_height", Type::Int},
    {5, 5, "fused_activation_function", Type::Byte},
    // SVDFOptions
    {6, 0, "rank", Type::Int},
    {6, 1, "fused_activation_function", Type::Byte},
    {6, 2, "asymmetric_quantize_inputs", Type::Bool},
    // RNNOptions
    {7, 0, "fused_activation_function", Type::Byte},
    {7, 1, "asymmetric_quantize_inputs", Type::Bool},
    // FullyConnectedOptions
    {8, 0, "fused_activation_function", Type::Byte},
    {8, 1, "weights_format", Type::Byte},
    {8, 2, "keep_num_dims", Type::Bool},
    {8, 3, "asymmetric_quantize_inputs", Type::Bool},
    {8, 4, "quantized_bias_type", Type::Byte},
    // SoftmaxOptions
    {9, 0, "beta", Type::Float},
    // ConcatenationOptions
    {10, 0, "axis", Type::Int},
    {10, 1, "fused_activation_function", Type::Byte},
    // AddOptions
    {11, 0, "fused_activation_function", Type::Byte},
    {11, 1, "pot_scale_int16", Type::Bool, 1},
    // L2NormOptions
    {12, 0, "fused_activation_function", Type::Byte},
    // LocalResponseNormalizationOptions
    {13, 0, "radius", Type::Int},
    {13, 1, "bias", Type::Float},
    {13, 2, "alpha", Type::Float},
    {13, 3, "beta", Type::Float},
    // LSTMOptions
    {14, 0, "fused_activation_function", Type::Byte},
    {14, 1, "cell_clip", Type::Float},
    {14, 2, "proj_clip", Type::Float},
    {14, 3, "kernel_type", Type::Byte},
    {14, 4, "asymmetric_quantize_inputs", Type::Bool},
    // ResizeBilinearOptions
    {15, 2, "align_corners", Type::Bool},
    {15, 3, "half_pixel_centers", Type::Bool},
    // CallOptions
    {16, 0, "subgraph", Type::Int},
    // ReshapeOptions
    {17, 0, "new_shape", Type::Ints},
    // SkipGramOptions
    {18, 0, "ngram_size", Type::Int},
    {18, 1, "max_skip_size", Type::Int},
    {18, 2, "include_all_ngrams", Type::Bool},
    // SpaceToDepthOptions
    {19, 0, "block_size", Type::Int},
    // EmbeddingLookupSparseOptions
    {20, 0, "combiner", Type::Byte},
    // MulOptions
    {21, 0, "fused_activation_function", Type::Byte},
    // GatherOptions
    {23, 0, "axis", Type::Int},
    {23, 1, "batch_dims", Type::Int},
    // ReducerOptions
    {27, 0, "keep_dims", Type::Bool},
    // SubOptions
    {28, 0, "fused_activation_function", Type::Byte},
    {28, 1, "pot_scale_int16", Type::Bool, 1},
    // DivOptions
    {29, 0, "fused_activation_function", Type::Byte},
    // SqueezeOptions
    {30, 0, "squeeze_dims", Type::Ints},
    // SequenceRNNOptions
    {31, 0, "time_major", Type::Bool},
    {31, 1, "fused_activation_function", Type::Byte},
    {31, 2, "asymmetric_quantize_inputs", Type::Bool},
    // StridedSliceOptions
    {32, 0, "begin_mask", Type::Int},
    {32, 1, "end_mask", Type::Int},
    {32, 2, "ellipsis_mask", Type::Int},
    {32, 3, "new_axis_mask", Type::Int},
    {32, 4, "shrink_axis_mask", Type::Int},
    {32, 5, "offset", Type::Bool},
    // SplitOptions
    {35, 0, "num_splits", Type::Int},
    // CastOptions
    {37, 0, "in_data_type", Type::Byte},
    {37, 1, "out_data_type", Type::Byte},
    // ArgMaxOptions
    {40, 0, "output_type", Type::Byte},
    // TransposeConvOptions
    {49, 0, "padding", Type::Byte},
    {49, 1, "stride_w", Type::Int},
    {49, 2, "stride_h", Type::Int},
    {49, 3, "fused_activation_function", Type::Byte},
    {49, 4, "quantized_bias_type", Type::Byte},
    // SparseToDenseOptions
    {50, 0, "validate_indices", Type::Bool},
    // ShapeOptions
    {55, 0, "out_type", Type::Byte},
    // ArgMinOptions
    {57, 0, "output_type", Type::Byte},
    // FakeQuantOptions
    {58, 0, "min", Type::Float},
    {58, 1, "max", Type::Float},
    {58, 2, "num_bits", Type::Int},
    {58, 3, "narrow_range", Type::Bool},
    // PackOptions
    {59, 0, "values_count", Type::Int},
    {59, 1, "axis", Type::Int},
    // OneHotOptions
    {61, 0, "axis", Type::Int},
    // UnpackOptions
    {64, 0, "num", Type::Int},
    {64, 1, "axis", Type::Int},
    // BidirectionalSequenceLSTMOptions
    {69, 0, "fused_activation_function", Type::Byte},
    {69, 1, "cell_clip", Type::Float},
    {69, 2, "proj_clip", Type::Float},
    {69, 3, "merge_outputs", Type::Bool},
    {69, 4, "time_major", Type::Bool, 1},
    {69, 5, "asymmetric_quantize_inputs", Type::Bool},
    // BidirectionalSequenceRNNOptions
    {70, 0, "time_major", Type::Bool},
    {70, 1, "fused_activation_function", Type::Byte},
    {70, 2, "merge_outputs", Type::Bool},
    {70, 3, "asymmetric_quantize_inputs", Type::Bool},
    // UnidirectionalSequenceLSTMOptions
    {71, 0, "fused_activation_function", Type::Byte},
    {71, 1, "cell_clip", Type::Float},
    {71, 2, "proj_clip", Type::Float},
    {71, 3, "time_major", Type::Bool},
    {71, 4, "asymmetric_quantize_inputs", Type::Bool},
    {71, 5, "diagonal_recurrent_tensors", Type::Bool},
    // ResizeNearestNeighborOptions
    {74, 0, "align_corners", Type::Bool},
    {74, 1, "half_pixel_centers", Type::Bool},
    // LeakyReluOptions
    {75, 0, "alpha", Type::Float},
    // MirrorPadOptions
    {77, 0, "mode", Type::Byte},
    // SplitVOptions
    {79, 0, "num_splits", Type::Int},
    // UniqueOptions
    {80, 0, "idx_out_type", Type::Byte, 2},
    // ReverseSequenceOptions
    {87, 0, "seq_dim", Type::Int},
    {87, 1, "batch_dim", Type::Int},
    // IfOptions
    {92, 0, "then_subgraph_index", Type::Int},
    {92, 1, "else_subgraph_index", Type::Int},
    // WhileOptions
    {93, 0, "cond_subgraph_index", Type::Int},
    {93, 1, "body_subgraph_index", Type::Int},
    // DepthToSpaceOptions
    {94, 0, "block_size", Type::Int},
    // BatchMatMulOptions
    {101, 0, "adj_x", Type::Bool},
    {101, 1, "adj_y", Type::Bool},
    {101, 2, "asymmetric_quantize_inputs", Type::Bool},
    // CumsumOptions
    {102, 0, "exclusive", Type::Bool},
    {102, 1, "reverse", Type::Bool},
    // CallOnceOptions
    {103, 0, "init_subgraph_index", Type::Int},
    // Conv3DOptions
    {106, 0, "padding", Type::Byte},
    {106, 1, "stride_d", Type::Int},
    {106, 2, "stride_w", Type::Int},
    {106, 3, "stride_h", Type::Int},
    {106, 4, "fused_activation_function", Type::Byte},
    {106, 5, "dilation_d_factor", Type::Int, 1},
    {106, 6, "dilation_w_factor", Type::Int, 1},
    {106, 7, "dilation_h_factor", Type::Int, 1},
    // HashtableOptions
    {107, 0, "table_id", Type::Int},
    {107, 1, "key_dtype", Type::Byte},
    {107, 2, "value_dtype", Type::Byte},
    // GeluOptions
    {116, 0, "approximate", Type::Bool},
    // StableHLOCompositeOptions, in the second union
    {149, 1, "decomposition_subgraph_index", Type::Int},
});

} // namespace

std::span<const OptionField> optionFields(std::uint8_t table)
{
    const auto first = std::ranges::lower_bound(fields, table, {}, &OptionField::table);
    const auto last = std::ranges::upper_bound(fields, table, {}, &OptionField::table);
    return {first, last};
}

FlexMap plainOptions(std::string_view customCode, std::string_view bytes)
{
    constexpr std::array names{"padding", "stride_w", "stride_h"};
    std::array<std::int32_t, names.size()> numbers{};
    if (customCode != "Convolution2DTransposeBias" || bytes.size() < sizeof(numbers))
        return {};
    std::memcpy(numbers.data(), bytes.data(), sizeof(numbers));
    constexpr std::int32_t same = 1;
    FlexMap options{{names[0], std::string(numbers[0] == same ? "SAME" : "VALID")}};
    for (std::size_t i = 1; i < names.size(); ++i)
        options.emplace_back(names[i], std::int64_t(numbers[i]));
    return options;
}

} // namespace lapidary
