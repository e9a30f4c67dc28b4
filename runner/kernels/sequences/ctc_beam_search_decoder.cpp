// SPDX-License-Identifier: Apache-2.0
// CTCBeamSearchDecoder: the most likely label sequences; softmax turns the inputs into
// probabilities.
#include "runner/kernels/dispatch.h"
#include "runner/kernels/kernel.h"
#include "runner/kernels/sequences/beam_search.h"
#include "runner/kernels/sequences/ctc.h"

#include <algorithm>

namespace lapidary {
namespace {

struct BeamOptions {
    std::int64_t width = 0;
    std::int64_t paths = 0;
    bool mergesRepeated = true;
};

template <class T>
Result<std::vector<BeamSearch::Path>> decode(const KernelContext& context, CtcShape shape,
                                             const BeamOptions& options, std::int64_t sequence)
{
    ASSIGN_OR_RETURN(auto search,
                     BeamSearch::make(options.width, shape.classes, context.session().pool));
    const std::int32_t length = context.input(1).as<std::int32_t>()[std::size_t(sequence)];
    std::vector<double> row(std::size_t(shape.classes));
    for (std::int64_t time = 0; time < length; ++time) {
        if (context.job().cancelled())
            return cancelledError();
        const auto start = std::size_t((time * shape.batch + sequence) * shape.classes);
        std::ranges::copy(context.input(0).as<T>().subspan(start, row.size()), row.begin());
        RETURN_IF_ERROR(search.step(row));
    }
    return search.best(options.paths, options.mergesRepeated);
}

template <class T>
Status decodeAll(KernelContext& context, CtcShape shape, const BeamOptions& options)
{
    const auto paths = std::size_t(options.paths);
    ASSIGN_OR_RETURN(auto scores,
                     context.makeOutput(3 * paths, dtypeOf<T>(), {shape.batch, options.paths}));
    std::vector<std::vector<Labels>> decoded(paths);
    T* score = scores.template mutableAs<T>().data();
    for (std::int64_t b = 0; b < shape.batch; ++b) {
        auto best = decode<T>(context, shape, options, b);
        if (!best)
            return context.error(best.error().message);
        for (std::size_t path = 0; path < paths; ++path) {
            *score++ = T((*best)[path].score);
            decoded[path].push_back(std::move((*best)[path].labels));
        }
    }
    for (std::size_t path = 0; path < paths; ++path)
        RETURN_IF_ERROR(setDecoded(context, path, paths, decoded[path]));
    return Done{};
}

Status runCTCBeamSearchDecoder(KernelContext& context)
{
    ASSIGN_OR_RETURN(const auto shape, ctcShape(context));
    const BeamOptions options{.width = context.intAttr("beam_width"),
                              .paths = context.intAttr("top_paths"),
                              .mergesRepeated = context.boolAttr("merge_repeated", true)};
    if (options.paths < 1 || options.paths > options.width)
        return context.error("top_paths must be between 1 and beam_width");
    if (std::size_t(3 * options.paths + 1) != context.outputCount())
        return context.error("has " + std::to_string(context.outputCount()) +
                             " outputs, top_paths is " + std::to_string(options.paths));
    if (context.input(0).dtype() == DType::Double)
        return decodeAll<double>(context, shape, options);
    return decodeAll<float>(context, shape, options);
}

} // namespace

LAPIDARY_KERNEL(CTCBeamSearchDecoder, runCTCBeamSearchDecoder);

} // namespace lapidary
