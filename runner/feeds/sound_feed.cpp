// SPDX-License-Identifier: Apache-2.0
#include "runner/feeds/sound_feed.h"

#include "runner/kernels/dispatch.h"
#include "runner/kernels/speech/wav.h"

#include <algorithm>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace lapidary {
namespace {

struct Form {
    Dims dims;
    bool isByChannel = false; // all samples of a channel first, else all of a moment
};

std::optional<Form> formFor(const WavFile& file, const Shape& shape)
{
    std::vector<Form> forms;
    if (file.channels == 1)
        forms = {{{file.length}}, {{1, file.length}}};
    forms.push_back({{file.length, file.channels}});
    forms.push_back({{1, file.length, file.channels}});
    forms.push_back({{1, file.channels, file.length}, true});
    const auto fitting =
        std::ranges::find_if(forms, [&](const Form& form) { return shapeFits(form.dims, shape); });
    return fitting == forms.end() ? std::nullopt : std::optional(*fitting);
}

// Writes the samples moment by moment, or channel by channel if `isByChannel`.
template <class T>
void fill(const WavFile& file, bool isByChannel, Value& value)
{
    T* to = value.mutableAs<T>().data();
    for (std::int64_t i = 0; i < file.length * file.channels; ++i) {
        const std::int16_t sample = isByChannel ? file.sample(i % file.length, i / file.length)
                                                : file.sample(i / file.channels, i % file.channels);
        if constexpr (std::is_same_v<T, std::int16_t>)
            *to++ = sample;
        else
            *to++ = T(loudness(sample));
    }
}

} // namespace

Result<Value> soundFeed(const FeedTarget& target, std::string_view path, std::string_view bytes,
                        MemoryPool& pool)
{
    const auto file = readWav(bytes);
    if (!file)
        return file.error().within(std::string(path));
    const std::string has = std::string(path) + " is a sound of " + std::to_string(file->length) +
                            " samples in " + std::to_string(file->channels) +
                            (file->channels == 1 ? " channel" : " channels");
    const DType dtype = target.dtype == DType::Invalid ? DType::Float : target.dtype;
    const auto form = formFor(*file, target.shape);
    if (!form)
        return misfit(target, has);
    ASSIGN_OR_RETURN(auto value, Value::make(dtype, form->dims, pool));
    using Types = TypeList<float, double, Half, BFloat16, std::int16_t>;
    const bool isNumber = dispatch(
        Types(), dtype, [&](auto zero) { fill<decltype(zero)>(*file, form->isByChannel, value); });
    return isNumber ? Result<Value>(std::move(value)) : misfit(target, has);
}

} // namespace lapidary
