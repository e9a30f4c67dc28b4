// SPDX-License-Identifier: Apache-2.0
#include "app/boxed/export_message.h"

#include "app/boxed/result_message.h"

#include <algorithm>

namespace lapidary {
namespace {

using Strings = std::vector<std::string>;
using Counts = std::map<std::string, std::size_t>;

template <class Enum>
Enum enumOf(const Message& message, Enum last)
{
    return Enum(std::clamp(message.get<int>(), 0, int(last)));
}

Message messageOf(const ExportInterface& interface)
{
    return {{"inputs", interface.inputs},
            {"outputs", interface.outputs},
            {"shapes", lapidary::messageOf(interface.shapes)},
            {"fixed", interface.fixed},
            {"loops", int(interface.loops)}};
}

ExportInterface interfaceOf(const Message& message)
{
    return {message.at("inputs").get<Strings>(), message.at("outputs").get<Strings>(),
            shapesOf(message.at("shapes")),
            message.at("fixed").get<std::vector<std::pair<std::string, std::string>>>(),
            enumOf(message.at("loops"), LoopForm::Operators)};
}

Message messageOf(const RangeSource& source)
{
    return {{"pictures", source.pictures}, {"log", source.log},
            {"input", source.input},       {"height", source.feed.height},
            {"width", source.feed.width},  {"mean", source.feed.mean},
            {"std", source.feed.std},      {"channels", source.feed.channels}};
}

RangeSource rangeSourceOf(const Message& message)
{
    return {.pictures = message.at("pictures"),
            .log = message.at("log"),
            .feed = {.height = message.at("height"),
                     .width = message.at("width"),
                     .mean = message.at("mean"),
                     .std = message.at("std"),
                     .channels = message.at("channels")},
            .input = message.at("input")};
}

Message messageOf(const std::vector<ExportedEnd>& ends)
{
    Message list = Message::array();
    for (const ExportedEnd& end : ends)
        list.push_back(
            {{"name", end.name}, {"dtype", std::int32_t(end.dtype)}, {"dims", end.dims}});
    return list;
}

std::vector<ExportedEnd> endsOf(const Message& message)
{
    std::vector<ExportedEnd> ends;
    for (const Message& one : message)
        ends.push_back({one.at("name"), DType(one.at("dtype").get<std::int32_t>()),
                        one.at("dims").get<std::vector<std::int64_t>>()});
    return ends;
}

Message messageOf(const std::vector<ExportRefusal>& refused)
{
    Message list = Message::array();
    for (const ExportRefusal& refusal : refused)
        list.push_back({{"node", refusal.node},
                        {"op", refusal.op},
                        {"reason", refusal.reason},
                        {"tainted", refusal.isTainted}});
    return list;
}

std::vector<ExportRefusal> refusedOf(const Message& message)
{
    std::vector<ExportRefusal> refused;
    for (const Message& one : message)
        refused.push_back({one.at("node"), one.at("op"), one.at("reason"), one.at("tainted")});
    return refused;
}

std::optional<EncodedModel> fileOf(const Message& message)
{
    if (message.is_null())
        return std::nullopt;
    const auto& bytes = message.get_binary();
    return EncodedModel(makeBuffer(std::string(bytes.begin(), bytes.end())));
}

} // namespace

Message messageOf(const ExportPlan& plan)
{
    return {{"interface", messageOf(plan.interface)},
            {"target", int(plan.target)},
            {"weights", int(plan.weights)},
            {"ranges", plan.ranges ? messageOf(*plan.ranges) : Message()},
            {"ends", int(plan.ends)},
            {"reduces_range", plan.reducesRange},
            {"opset", plan.opset},
            {"description", plan.description}};
}

ExportPlan exportPlanOf(const Message& message)
{
    ExportPlan plan;
    plan.interface = interfaceOf(message.at("interface"));
    plan.target = enumOf(message.at("target"), ExportTarget::Onnx);
    plan.weights = enumOf(message.at("weights"), WeightFormat::Int8);
    if (!message.at("ranges").is_null())
        plan.ranges = rangeSourceOf(message.at("ranges"));
    plan.ends = enumOf(message.at("ends"), QuantizedEnds::Int8);
    plan.reducesRange = message.at("reduces_range");
    plan.opset = message.at("opset");
    plan.description = message.at("description");
    return plan;
}

Strings filesOf(const ExportPlan& plan)
{
    Strings files;
    if (plan.ranges)
        for (const std::string& path : {plan.ranges->pictures, plan.ranges->log})
            if (!path.empty())
                files.push_back(path);
    return files;
}

Result<Message> messageOf(const ExportReport& report)
{
    Message file;
    if (report.file) {
        ASSIGN_OR_RETURN(const std::string bytes, report.file->bytes());
        file = Message::binary(std::vector<std::uint8_t>(bytes.begin(), bytes.end()));
    }
    Message message{{"file", std::move(file)},
                    {"inputs", messageOf(report.inputs)},
                    {"outputs", messageOf(report.outputs)},
                    {"operators", report.operators},
                    {"merged", report.merged},
                    {"dropped", report.dropped},
                    {"notes", report.notes},
                    {"refused", messageOf(report.refused)},
                    {"cut", report.cut ? messageOf(*report.cut) : Message()},
                    {"check", report.check ? messageOf(*report.check) : Message()}};
    return message;
}

ExportReport exportReportOf(const Message& message)
{
    ExportReport report;
    report.file = fileOf(message.at("file"));
    report.inputs = endsOf(message.at("inputs"));
    report.outputs = endsOf(message.at("outputs"));
    report.operators = message.at("operators").get<Counts>();
    report.merged = message.at("merged").get<Counts>();
    report.dropped = message.at("dropped").get<Counts>();
    report.notes = message.at("notes").get<Strings>();
    report.refused = refusedOf(message.at("refused"));
    if (!message.at("cut").is_null())
        report.cut = interfaceOf(message.at("cut"));
    if (!message.at("check").is_null())
        report.check = verificationOf(message.at("check"));
    return report;
}

} // namespace lapidary
