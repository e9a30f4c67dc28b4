// SPDX-License-Identifier: Apache-2.0
#include "tests/transforms/passes/pattern_graphs.h"

#include <string>

namespace lapidary {

GraphBuilder imageInput(std::vector<std::int64_t> dims)
{
    GraphBuilder builder;
    builder.placeholder("x", std::move(dims));
    return builder;
}

GraphPtr reluOnly()
{
    return imageInput().node("y", "Relu", {"x"}).build();
}

GraphPtr negated()
{
    return imageInput().node("neg", "Neg", {"x"}).node("y", "Relu", {"neg"}).build();
}

GraphPtr negatedWithNote()
{
    return imageInput()
        .node("neg", "Neg", {"x"}, {{"_note", attr::fromInt(1)}})
        .node("y", "Relu", {"neg"})
        .build();
}

GraphPtr negatedOnDevice()
{
    return passed("set_device(device=\"/cpu:0\")", negated(), {"x"}, {"y"});
}

GraphPtr copiedOnce()
{
    return imageInput().node("copy", "Identity", {"x"}).node("y", "Relu", {"copy"}).build();
}

GraphPtr twinsAndDead()
{
    return imageInput()
        .node("copy", "Identity", {"x"})
        .node("a", "Neg", {"copy"})
        .node("b", "Neg", {"x"})
        .node("sum", "Add", {"a", "b"})
        .node("dead", "Neg", {"sum"})
        .node("y", "Relu", {"sum"})
        .build();
}

GraphPtr copyAndDead()
{
    return imageInput()
        .node("copy", "Identity", {"x"})
        .node("kept", "Neg", {"copy"})
        .node("y", "Relu", {"kept"})
        .node("dead", "Neg", {"kept"})
        .build();
}

TestAttrs convolutionAttrs(const char* padding, const char* format, std::int64_t dilation)
{
    return {{"strides", attr::fromInts({1, 1, 1, 1})},
            {"padding", attr::fromString(padding)},
            {"data_format", attr::fromString(format)},
            {"dilations", attr::fromInts({1, dilation, dilation, 1})}};
}

std::vector<float> spreadValues(std::size_t count)
{
    std::vector<float> values(count);
    for (std::size_t i = 0; i < count; ++i)
        values[i] = float(i * 7 % 17) / 17 - 0.4F;
    return values;
}

GraphPtr convolutionWith(std::vector<float> weights)
{
    return imageInput()
        .floats("w", {3, 3, 2, 2}, std::move(weights))
        .node("conv", "Conv2D", {"x", "w"}, convolutionAttrs("SAME"))
        .node("y", "Relu", {"conv"})
        .build();
}

GraphPtr resizedAndPadded(bool resizes, bool pads, const char* format, std::int64_t dilation)
{
    GraphBuilder builder = imageInput({1, 4, 4, 2});
    std::string last = "x";
    if (resizes)
        builder.ints("size", {2}, {8, 6}).node("resized", "ResizeBilinear", {"x", "size"});
    last = resizes ? "resized" : last;
    if (pads)
        builder.ints("paddings", {4, 2}, {0, 0, 1, 1, 2, 2, 0, 0})
            .node("padded", "MirrorPad", {last, "paddings"},
                  {{"mode", attr::fromString("REFLECT")}});
    return builder.floats("w", {2, 2, 2, 3}, spreadValues(24))
        .node("conv", "Conv2D", {pads ? "padded" : last, "w"},
              convolutionAttrs("VALID", format, dilation))
        .node("y", "Relu", {"conv"})
        .build();
}

} // namespace lapidary
