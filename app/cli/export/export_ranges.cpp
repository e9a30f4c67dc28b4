// SPDX-License-Identifier: Apache-2.0
#include "app/cli/evaluation.h"
#include "app/cli/export/export_flags.h"
#include "graph_model/interface/interface_flags.h"

#include <algorithm>
#include <filesystem>

namespace lapidary {
namespace {

// The input that pictures are fed into; it has to be the only one.
Status checkInput(const PortableModel& model, const Labeling& labeling)
{
    if (model.inputs.size() != 1 || model.at(model.inputs[0]).name != tensorAsFlag(labeling.input))
        return Error{ErrorCode::Unsupported,
                     "pictures can be fed where the only input is " + labeling.input +
                         "; the file has " + std::to_string(model.inputs.size()) +
                         " inputs, the first one " + model.at(model.inputs[0]).name};
    return Done{};
}

Result<TensorRanges> rangesOfPictures(const PortableModel& model, const ExportFlags& flags,
                                      const Job& job)
{
    RETURN_IF_ERROR(checkInput(model, flags.labeling));
    ASSIGN_OR_RETURN(const auto pictures, picturesIn(flags.images));
    ASSIGN_OR_RETURN(RangeObserver observer, RangeObserver::make(model));
    Labeling labeling = flags.labeling;
    for (std::size_t i = 0; i < pictures.size(); ++i) {
        labeling.image = (std::filesystem::path(flags.images) / pictures[i]).string();
        ASSIGN_OR_RETURN(Value picture, readImage(labeling, observer.session(), job));
        std::vector<Value> inputs;
        inputs.push_back(std::move(picture));
        const Status added = observer.add(std::move(inputs), job);
        if (!added)
            return added.error().within(labeling.image);
        job.progress(double(i + 1) / double(pictures.size()));
    }
    return observer.ranges();
}

Result<TensorRanges> rangesOfFile(const PortableModel& model, const ExportFlags& flags)
{
    ASSIGN_OR_RETURN(const FrozenRanges log, frozenRanges(flags.log, RangeChoice{0, 0, 0}));
    const ImageFeed& feed = flags.labeling.feed;
    std::map<std::string, FrozenRange> inputs;
    for (const TensorIndex input : model.inputs)
        inputs[model.at(input).name] = {(0 - feed.mean) / feed.std, (255 - feed.mean) / feed.std};
    return rangesOfLog(model, log, inputs);
}

} // namespace

Status addMeasurement(ExportFlags& flags, const GraphEntry& entry, const Job& job,
                      ModelExportOptions& options)
{
    if (!flags.int8)
        return Done{};
    if (flags.labeling.input.empty() && flags.inputs.size() == 1)
        flags.labeling.input = flags.inputs.front();
    if (flags.labeling.output.empty() && !flags.outputs.empty())
        flags.labeling.output = flags.outputs.front();
    RETURN_IF_ERROR(completeLabeling(flags.labeling, entry));
    options.measure = [&flags, &job](const PortableModel& model) {
        return flags.log.empty() ? rangesOfPictures(model, flags, job) : rangesOfFile(model, flags);
    };
    return Done{};
}

} // namespace lapidary
