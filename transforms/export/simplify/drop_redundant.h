// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "transforms/export/base/export_target.h"
#include "transforms/export/base/portable_edit.h"

namespace lapidary {

// Makes a Reshape of what moves no element: a Transpose that only moves axes of size 1, and Pack
// and Unpack of one tensor. In ONNX, pictures keep their Transpose, which tells their layout.
void recognizeReshapes(PortableEdit& edit, ExportTarget target);
// Makes a Reshape of operations that join the parts into which another one cut a tensor.
void joinCut(PortableEdit& edit);
// Removes operations that change nothing (x * 1, x + 0), and pairs of which the second undoes the
// first (-(-x)).
void dropNeutral(PortableEdit& edit);
// Makes the readers of operations that compute the same from the same tensors read the first one.
void mergeTwins(PortableEdit& edit);
// Makes constants that are only copied to outputs of the model these outputs themselves: a file of
// TFLite may have such outputs.
void outputConstants(PortableModel& model);

} // namespace lapidary
