// Conv2D: cross-correlation of NHWC images with an HWIO filter (spec: kernels, A3.2). Without input
// channels or filter rows the sums are 0.
#include "runner/kernels/convolution/convolve.h"
#include "runner/kernels/convolution/kernels.h"

namespace lapidary {
namespace {

Status checkShapes(const KernelContext& context)
{
    const Value& x = context.input(0);
    const Value& filter = context.input(1);
    if (x.rank() != 4)
        return context.error("input must be 4-dimensional, but is " + dimsText(x.dims()));
    if (filter.rank() != 4)
        return context.error("filter must be 4-dimensional, but is " + dimsText(filter.dims()));
    if (x.dim(3) != filter.dim(2))
        return context.error("the input has " + std::to_string(x.dim(3)) +
                             " channels, but the filter takes " + std::to_string(filter.dim(2)) +
                             " (grouped convolutions are not supported)");
    return Done{};
}

Status run(KernelContext& context)
{
    if (context.stringAttr("data_format", "NHWC") != "NHWC")
        return context.error("Conv2D computes NHWC only, but data_format is " +
                             std::string(context.stringAttr("data_format")));
    if (const Status status = checkShapes(context); !status)
        return status;
    auto attributes = convAttributes(context, 2);
    if (!attributes)
        return attributes.error();
    const Value& x = context.input(0);
    const Value& filter = context.input(1);
    for (int i = 0; i < 2; ++i) {
        WindowAxis& axis = attributes.value().axes[std::size_t(i)];
        axis.input = x.dim(i + 1);
        axis.kernel = filter.dim(i);
        const Status placed = placeWindow(context, axis, attributes.value().padding,
                                          attributes.value().after[std::size_t(i)]);
        if (!placed)
            return placed;
    }
    const Conv2dGeometry geometry{.batch = x.dim(0),
                                  .inChannels = x.dim(3),
                                  .outChannels = filter.dim(3),
                                  .rows = attributes.value().axes[0],
                                  .columns = attributes.value().axes[1]};
    auto y = convolve(context, geometry, x, filter, context.state<PackedConvolutions>());
    return y ? context.setOutput(0, std::move(y).value()) : y.error();
}

} // namespace

const Kernel kernels::conv2d{.op = "Conv2D", .run = run};

} // namespace lapidary
