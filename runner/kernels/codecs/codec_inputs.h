// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/kernels/codecs/picture.h"
#include "runner/kernels/kernel.h"

namespace lapidary {

// Input `i`, a scalar string.
Result<std::string_view> contentsInput(const KernelContext& context, std::size_t i = 0);
// The attribute `channels`: 0, 1, 3 or 4.
Result<int> channelsAttr(const KernelContext& context);
// The attributes of DecodeJpeg and DecodeAndCropJpeg.
Result<JpegOptions> jpegAttrs(const KernelContext& context);
DecodeRoom decodeRoom(const KernelContext& context);
// Sets output 0, or names the node in the error.
Status setPicture(KernelContext& context, Result<Value> picture);
Status setContents(KernelContext& context, Result<std::string> contents);
// Empty where `image` can be encoded: [height, width, 1 to `channels`], not empty.
std::string imageFault(const Value& image);

} // namespace lapidary
