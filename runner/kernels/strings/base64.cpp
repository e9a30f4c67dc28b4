// SPDX-License-Identifier: Apache-2.0
// EncodeBase64, DecodeBase64: the web-safe alphabet ('-' and '_'), padding optional.
#include "graph_model/base/base64.h"

#include "runner/kernels/kernel.h"
#include "runner/kernels/strings/string_tools.h"

namespace lapidary {
namespace {

Status runEncode(KernelContext& context)
{
    const bool pads = context.boolAttr("pad", false);
    return mapStrings(context, [&](const std::string& text) {
        return encodedBase64(text, Base64::WebSafe, pads);
    });
}

Status runDecode(KernelContext& context)
{
    bool isValid = true;
    const Status status = mapStrings(context, [&](const std::string& text) {
        auto bytes = decodedBase64(text, Base64::WebSafe);
        isValid = isValid && bytes.has_value();
        return bytes.value_or("");
    });
    return isValid ? status : Status(context.error("its input is not valid web-safe base64"));
}

} // namespace

LAPIDARY_KERNEL(EncodeBase64, runEncode);
LAPIDARY_KERNEL(DecodeBase64, runDecode);

} // namespace lapidary
