// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <flatbuffers/flatbuffers.h>

// The tables of the format that are read and written: the index of each field, as in
// tensorflow/compiler/mlir/lite/schema/schema.fbs (Apache 2.0). Indices never change; later
// revisions append fields.
namespace lapidary::tflite_schema {

using Field = flatbuffers::voffset_t;

inline constexpr const char* identifier = "TFL3";
inline constexpr std::uint32_t version = 3;

namespace model {
inline constexpr Field version = 0, operatorCodes = 1, subgraphs = 2, description = 3, buffers = 4,
                       metadata = 6, signatures = 7;
}
namespace operator_code {
inline constexpr Field oldBuiltin = 0, custom = 1, version = 2, builtin = 3;
}
namespace subgraph {
inline constexpr Field tensors = 0, inputs = 1, outputs = 2, operators = 3, name = 4;
}
namespace tensor {
inline constexpr Field shape = 0, type = 1, buffer = 2, name = 3, quantization = 4, isVariable = 5,
                       sparsity = 6, openShape = 7;
}
namespace quantization {
inline constexpr Field scale = 2, zeroPoint = 3, axis = 6;
}
namespace sparsity {
inline constexpr Field order = 0, blocks = 1, axes = 2;
}
namespace sparse_axis {
inline constexpr Field format = 0, size = 1, segmentsType = 2, segments = 3, placesType = 4,
                       places = 5;
}
namespace sparse_list {
inline constexpr Field values = 0;
}
namespace op {
inline constexpr Field code = 0, inputs = 1, outputs = 2, optionsType = 3, options = 4,
                       customOptions = 5, laterOptionsType = 11, laterOptions = 12;
}
namespace composite_options {
inline constexpr Field name = 0, attributes = 2;
}
namespace buffer {
inline constexpr Field data = 0, offset = 1, size = 2;
}
namespace metadata {
inline constexpr Field name = 0, buffer = 1;
}
namespace signature {
inline constexpr Field inputs = 0, outputs = 1, key = 2, subgraph = 4;
}
namespace tensor_map {
inline constexpr Field name = 0, tensor = 1;
}

// The highest BuiltinOperator that fits the field of old runtimes.
inline constexpr std::int32_t lastOldBuiltin = 127;
inline constexpr std::int32_t customBuiltin = 32;
// Types of the second union of options are numbered from here.
inline constexpr std::uint8_t firstLaterOptions = 128;
inline constexpr std::uint8_t compositeOptions = firstLaterOptions + 21;

} // namespace lapidary::tflite_schema
