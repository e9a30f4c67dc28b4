// SPDX-License-Identifier: Apache-2.0
#include "app/document/run/feed_session.h"

#include "app/boxed/run_limits.h"
#include "app/document/base/remedy.h"
#include "app/document/file/interface_session.h"
#include "graph_model/tensor/statistics.h"
#include "runner/feeds/feed_text.h"
#include "runner/feeds/picture_feed.h"
#include "runner/setup/model_interface.h"
#include "runner/values/memory_pool.h"
#include "runner/values/value_tensor.h"
#include "views/models/display_text.h"

#include <algorithm>
#include <utility>

#include <nlohmann/json.hpp>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr std::int64_t mostPreviewPixels = 1 << 22;

// If the user gave no sizes for an input, the known ones come from the nodes around it.
FeedTarget targetOf(const FedInput& input)
{
    return {input.tensor.tensor, input.tensor.dtype,
            input.tensor.shape.unknownRank ? input.shape : input.tensor.shape, input.form};
}

bool isSame(const FedInput& a, const FedInput& b)
{
    return a.tensor == b.tensor && a.words == b.words && a.shape == b.shape;
}

// Returns a description of a value, and for a picture a preview.
Result<FeedCheck> describe(const Value& value, const TextForm& form, bool isPicture, const Job& job)
{
    FeedCheck check;
    check.says = plainText(dtypeName(value.dtype()) + ' ' + shapeLabel({value.dims(), false}));
    if (value.dtype() == DType::String) {
        const auto strings = value.strings();
        const TextFormWords name = textFormWords(form);
        if (strings.size() == 1 && !name.one.empty())
            check.says = plainText(name.one) + u", "_s + bytesText(strings[0].size());
        else if (!strings.empty() && !name.many.empty())
            check.says = u"%1 %2"_s.arg(strings.size()).arg(plainText(name.many));
        else if (!strings.empty())
            check.says += u", %1"_s.arg(strings.size() == 1
                                            ? bytesText(strings[0].size())
                                            : counted(std::int64_t(strings.size()), u"string"_s));
        return check;
    }
    ASSIGN_OR_RETURN(const auto tensor, tensorOf(value));
    ASSIGN_OR_RETURN(const auto statistics, tensorStatistics(tensor, 0, job));
    if (statistics.finite() > 0)
        check.says += statistics.isConstant
                          ? u", all are "_s + valueText(statistics.minimum, 4)
                          : u", from %1 to %2"_s.arg(valueText(statistics.minimum, 4),
                                                     valueText(statistics.maximum, 4));
    const bool isChannelsFirst = takesChannelsFirst(tensor.shape());
    if (isPicture && isPictureShape(tensor.shape(), isChannelsFirst)) {
        auto picture = tensorPicture(tensor,
                                     {.mode = usualMode(tensor.shape(), isChannelsFirst),
                                      .isChannelsFirst = isChannelsFirst},
                                     mostPreviewPixels, job);
        if (picture)
            check.picture = *std::move(picture);
    }
    return check;
}

FeedCheck checked(const FedInput& input, const Job& job)
{
    const auto wrong = [](const Error& error) {
        FeedCheck check{
            plainText(messageForWindow(error)), true, error.reason == ErrorReason::MissingSize, {}};
        if (check.isSizeOpen)
            check.inTable = plainText(error.message) + u"; type them under Size"_s;
        return check;
    };
    const auto source = parseFeedSource(input.words);
    if (!source)
        return wrong(source.error());
    MemoryPool pool(runLimits().memory);
    const auto value = makeFeed(targetOf(input), *source, pool, job);
    if (!value)
        return wrong(value.error());
    const bool isFile =
        std::holds_alternative<PictureFeed>(*source) || std::holds_alternative<FileFeed>(*source);
    auto check = describe(*value, input.form, isFile, job);
    return check ? *std::move(check) : wrong(check.error());
}

} // namespace

FeedSession::FeedSession(InterfaceSession& interface, QObject* parent)
    : QObject(parent)
    , m_interface(interface)
{
    connect(&m_interface, &InterfaceSession::choiceChanged, this, &FeedSession::renew);
    connect(&m_job, &LatestJob::runningChanged, this, &FeedSession::busyChanged);
}

// A setting of training is one number, by default the one for
// inference.
FedInput FeedSession::fedInput(ChosenTensor input) const
{
    const auto setting = m_interface.settingOf(input);
    ReadText text = m_interface.readTextOf(input);
    if ((setting || text.isOne) && input.shape.unknownRank)
        input.shape = {};
    std::string words = usualWords;
    if (setting)
        words = feedSourceText(ConstantFeed{setting->value});
    else if (input.dtype == DType::String && isPlain(text.form))
        words = feedSourceText(ConstantFeed{0}); // empty texts; no other text fits all strings
    if (const auto found = m_words.find(input.tensor); found != m_words.end())
        words = found->second;
    Shape shape = m_interface.shapeOf(input);
    if (shape.unknownRank) // shapes are being inferred again, or a changed graph tells less
        for (const FedInput& before : m_inputs)
            if (before.tensor.tensor == input.tensor)
                shape = before.shape;
    return {std::move(input), std::move(shape), std::move(words), std::move(text.form), {}};
}

void FeedSession::renew()
{
    std::vector<FedInput> inputs;
    for (const ChosenTensor& tensor : m_interface.choice().inputs)
        inputs.push_back(fedInput(tensor));
    if (std::ranges::equal(inputs, m_inputs, isSame))
        return;
    for (FedInput& input : inputs)
        for (const FedInput& old : m_inputs)
            if (isSame(input, old))
                input.check = old.check;
    m_inputs = std::move(inputs);
    ++m_version;
    check();
    emit changed();
}

void FeedSession::check()
{
    std::vector<FedInput> inputs;
    for (const FedInput& input : m_inputs)
        if (input.check.says.isEmpty())
            inputs.push_back(input);
    if (inputs.empty())
        return m_job.cancel();
    m_job.start(
        [inputs](const Job& job) -> Result<std::vector<FedInput>> {
            std::vector<FedInput> done = inputs;
            for (FedInput& input : done) {
                input.check = checked(input, job);
                if (job.cancelled())
                    return cancelledError();
            }
            return done;
        },
        [this](Result<std::vector<FedInput>> done) {
            if (!done)
                return;
            for (FedInput& input : m_inputs)
                for (FedInput& other : *done)
                    if (isSame(input, other))
                        input.check = std::move(other.check);
            emit changed();
        });
}

void FeedSession::setWords(const std::string& tensor, const std::string& words)
{
    m_words[tensor] = words;
    renew();
}

void FeedSession::setShape(const std::string& tensor, const Shape& shape)
{
    for (const ChosenTensor& input : m_interface.choice().inputs) {
        if (input.tensor != tensor)
            continue;
        ChosenTensor edited = input;
        edited.shape = shape;
        return m_interface.edit(InterfaceSide::Inputs, edited);
    }
}

void FeedSession::reset()
{
    m_words.clear();
    renew();
}

void FeedSession::take(const RunPlan& plan)
{
    for (const RunPlan::Feed& feed : plan.feeds) {
        const std::string tensor = withPort(feed.tensor);
        m_words[tensor] = feedSourceText(feed.source);
        m_interface.mark(InterfaceSide::Inputs, tensor, true);
    }
    if (plan.otherInputs)
        for (const ChosenTensor& input : m_interface.choice().inputs)
            if (std::ranges::none_of(plan.feeds, [&](const RunPlan::Feed& feed) {
                    return withPort(feed.tensor) == input.tensor;
                }))
                m_words[input.tensor] = feedSourceText(*plan.otherInputs);
    for (const auto& [name, shape] : plan.shapes)
        setShape(withPort(name), shape);
    for (const std::string& fetch : plan.fetches)
        m_interface.mark(InterfaceSide::Outputs, withPort(fetch), true);
    renew();
}

RunPlan FeedSession::plan() const
{
    RunPlan plan;
    plan.session.threads = runLimits().threads;
    plan.session.memoryLimit = runLimits().memory;
    plan.otherInputs.reset();
    for (const FedInput& input : m_inputs) {
        const auto source = parseFeedSource(input.words);
        if (!source)
            continue; // fault() reports it
        plan.feeds.push_back({input.tensor.tensor, *source, input.tensor.dtype});
        // The shape is stated even if the nodes around the input tell it: those of a changed graph
        // may not.
        if (Shape shape = targetOf(input).shape; !shape.unknownRank)
            plan.shapes.emplace_back(input.tensor.tensor, std::move(shape));
    }
    return plan;
}

const FedInput* FeedSession::openInput() const
{
    const auto open = std::ranges::find_if(
        m_inputs, [](const FedInput& input) { return input.check.isSizeOpen; });
    return open == m_inputs.end() ? nullptr : &*open;
}

QString FeedSession::fault() const
{
    for (const FedInput& input : m_inputs)
        if (input.check.isWrong)
            return input.check.says.contains(plainText(input.tensor.tensor))
                       ? input.check.says
                       : u"%1: %2"_s.arg(plainText(input.tensor.tensor), input.check.says);
    return {};
}

nlohmann::json FeedSession::remembered() const
{
    const nlohmann::json words = m_words.empty() ? nlohmann::json() : nlohmann::json(m_words);
    if (m_sets.empty())
        return words;
    return {{"words", words}, {"sets", rememberedSets()}};
}

void FeedSession::restore(const nlohmann::json& state)
{
    if (!state.is_object())
        return;
    const auto sets = state.find("sets");
    const bool hasSets = sets != state.end() && sets->is_object();
    const nlohmann::json words = hasSets ? state.value("words", nlohmann::json()) : state;
    m_words.clear();
    if (words.is_object())
        for (const auto& [tensor, text] : words.items())
            if (text.is_string())
                m_words[tensor] = text.get<std::string>();
    restoreSets(hasSets ? *sets : nlohmann::json());
    renew();
    emit changed();
}

} // namespace lapidary
