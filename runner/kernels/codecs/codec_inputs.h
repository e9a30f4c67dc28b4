// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/kernels/codecs/picture.h"
#include "runner/kernels/kernel.h"

namespace lapidary {

// Returns input `i`, which must be a scalar string.
Result<std::string_view> contentsInput(const KernelContext& context, std::size_t i = 0);
// Returns the attribute `channels`: 0, 1, 3 or 4.
Result<int> channelsAttr(const KernelContext& context);
// Returns the attributes of DecodeJpeg and DecodeAndCropJpeg.
Result<JpegOptions> jpegAttrs(const KernelContext& context);
DecodeRoom decodeRoom(const KernelContext& context);
// Set output 0; add the node's name to an error.
Status setPicture(KernelContext& context, Result<Value> picture);
Status setContents(KernelContext& context, Result<std::string> contents);
// Returns why `image` cannot be encoded; empty if it can: [height, width, 1 to `channels`], with
// elements.
std::string imageFault(const Value& image);

} // namespace lapidary
