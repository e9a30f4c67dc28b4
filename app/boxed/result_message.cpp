// SPDX-License-Identifier: Apache-2.0
#include "app/boxed/result_message.h"

#include <algorithm>

namespace lapidary {
namespace {

template <class T>
Message optionalMessage(const std::optional<T>& value)
{
    return value ? Message(*value) : Message();
}

Message messageOf(const ProfiledNode& node)
{
    return {{"name", node.name},
            {"op", node.op},
            {"output", node.output},
            {"order", node.order},
            {"calls", node.calls},
            {"ns", node.nanoseconds},
            {"least", optionalMessage(node.least)},
            {"most", optionalMessage(node.most)},
            {"bytes", node.bytes},
            {"flops", optionalMessage(node.flops)},
            {"in_function", node.isInFunction}};
}

ProfiledNode profiledNodeOf(const Message& message)
{
    ProfiledNode node;
    node.name = message.at("name");
    node.op = message.at("op");
    node.output = message.at("output");
    node.order = message.at("order");
    node.calls = message.at("calls");
    node.nanoseconds = message.at("ns");
    node.least = optionalOf<std::int64_t>(message.at("least"));
    node.most = optionalOf<std::int64_t>(message.at("most"));
    node.bytes = message.at("bytes");
    node.flops = optionalOf<std::int64_t>(message.at("flops"));
    node.isInFunction = message.at("in_function");
    return node;
}

Message messageOf(const TensorAgreement& agreement)
{
    return {{"elements", agreement.elements},
            {"not_finite_a", agreement.notFiniteA},
            {"not_finite_b", agreement.notFiniteB},
            {"magnitude", agreement.magnitude},
            {"max_abs", agreement.maxAbs},
            {"max_rel", agreement.maxRel},
            {"mean_squared", agreement.meanSquared},
            {"sqnr", agreement.sqnrDb},
            {"cosine", agreement.cosine},
            {"equal", agreement.equal},
            {"saturated", agreement.saturated},
            {"top1", optionalMessage(agreement.top1)},
            {"top5", optionalMessage(agreement.top5)},
            {"rows", agreement.rows},
            {"classes", agreement.classes},
            {"rescaled", optionalMessage(agreement.rescaledDb)},
            {"floats", agreement.hasFloats},
            {"texts", agreement.hasTexts}};
}

TensorAgreement agreementOf(const Message& message)
{
    TensorAgreement agreement;
    agreement.elements = message.at("elements");
    agreement.notFiniteA = message.at("not_finite_a");
    agreement.notFiniteB = message.at("not_finite_b");
    agreement.magnitude = message.at("magnitude");
    agreement.maxAbs = message.at("max_abs");
    agreement.maxRel = message.at("max_rel");
    agreement.meanSquared = message.at("mean_squared");
    agreement.sqnrDb = message.at("sqnr");
    agreement.cosine = message.at("cosine");
    agreement.equal = message.at("equal");
    agreement.saturated = message.at("saturated");
    agreement.top1 = optionalOf<double>(message.at("top1"));
    agreement.top5 = optionalOf<double>(message.at("top5"));
    agreement.rows = message.at("rows");
    agreement.classes = message.at("classes");
    agreement.rescaledDb = optionalOf<double>(message.at("rescaled"));
    agreement.hasFloats = message.at("floats");
    agreement.hasTexts = message.at("texts");
    return agreement;
}

Message messageOf(const std::optional<QuantizedCodes>& codes)
{
    if (!codes)
        return {};
    return {{"scale", codes->scale},
            {"zero", codes->zeroPoint},
            {"used", codes->used},
            {"range", optionalMessage(codes->range)}};
}

std::optional<QuantizedCodes> codesOf(const Message& message)
{
    if (message.is_null())
        return {};
    return QuantizedCodes{.scale = message.at("scale"),
                          .zeroPoint = message.at("zero"),
                          .range = optionalOf<std::pair<float, float>>(message.at("range")),
                          .used = message.at("used")};
}

Message messageOf(const VerifiedPair& pair)
{
    return {{"a", pair.a},
            {"b", pair.b},
            {"output", pair.isOutput},
            {"within", pair.isWithin},
            {"undone", pair.isUndone},
            {"agreement", messageOf(pair.agreement)},
            {"grade", int(pair.grade)},
            {"node", pair.node.value},
            {"codes", messageOf(pair.codes)},
            {"rounding", pair.isRounding}};
}

VerifiedPair pairOf(const Message& message)
{
    VerifiedPair pair;
    pair.a = message.at("a");
    pair.b = message.at("b");
    pair.isOutput = message.at("output");
    pair.isWithin = message.at("within");
    pair.isUndone = message.at("undone");
    pair.agreement = agreementOf(message.at("agreement"));
    pair.grade = Grade(std::clamp(message.at("grade").get<int>(), 0, int(Grade::Broken)));
    pair.node = NodeId{message.at("node").get<std::uint32_t>()};
    pair.codes = codesOf(message.at("codes"));
    pair.isRounding = message.at("rounding");
    return pair;
}

std::optional<std::size_t> positionOf(const Message& message, const Verification& verification)
{
    const auto position = optionalOf<std::size_t>(message);
    return position && *position < verification.pairs.size() ? position : std::nullopt;
}

} // namespace

Message messageOf(const NodeProfile& profile)
{
    Message nodes = Message::array();
    for (const ProfiledNode& node : profile.nodes)
        nodes.push_back(messageOf(node));
    Message slices = Message::array();
    for (const ProfiledSlice& slice : profile.slices)
        slices.push_back(
            Message::array({slice.row, slice.lane, slice.startNanoseconds, slice.nanoseconds}));
    return {{"source", profile.source},  {"nodes", std::move(nodes)},
            {"runs", profile.runs},      {"outside", profile.outsideNanoseconds},
            {"peak", profile.peakBytes}, {"slices", std::move(slices)},
            {"lanes", profile.lanes}};
}

NodeProfile profileOf(const Message& message)
{
    NodeProfile profile;
    profile.source = message.at("source");
    for (const Message& node : message.at("nodes"))
        profile.nodes.push_back(profiledNodeOf(node));
    profile.runs = std::max<std::int64_t>(message.at("runs").get<std::int64_t>(), 1);
    profile.outsideNanoseconds = message.at("outside");
    profile.peakBytes = message.at("peak");
    profile.lanes = message.at("lanes").get<std::vector<std::string>>();
    for (const Message& slice : message.at("slices")) {
        profile.slices.push_back({slice.at(0), slice.at(1), slice.at(2), slice.at(3)});
        if (profile.slices.back().row >= profile.nodes.size() ||
            profile.slices.back().lane >= profile.lanes.size())
            profile.slices.pop_back(); // the sandboxed process is not trusted
    }
    return profile;
}

Message messageOf(const Verification& verification)
{
    Message pairs = Message::array();
    for (const VerifiedPair& pair : verification.pairs)
        pairs.push_back(messageOf(pair));
    Message missing = Message::array();
    for (const MissingKernel& kernel : verification.missing)
        missing.push_back({{"op", kernel.op}, {"nodes", kernel.nodes}});
    return {{"pairs", std::move(pairs)},
            {"first_above", optionalMessage(verification.firstAbove)},
            {"first_large", optionalMessage(verification.firstLarge)},
            {"incomparable", verification.incomparable},
            {"left_out", verification.leftOut},
            {"missing", std::move(missing)},
            {"samples", verification.samples},
            {"stopped", verification.isStopped}};
}

Verification verificationOf(const Message& message)
{
    Verification verification;
    for (const Message& pair : message.at("pairs"))
        verification.pairs.push_back(pairOf(pair));
    verification.firstAbove = positionOf(message.at("first_above"), verification);
    verification.firstLarge = positionOf(message.at("first_large"), verification);
    verification.incomparable = message.at("incomparable").get<std::vector<std::string>>();
    verification.leftOut = message.at("left_out");
    for (const Message& kernel : message.at("missing"))
        verification.missing.push_back(
            {kernel.at("op"), kernel.at("nodes").get<std::vector<std::string>>()});
    verification.samples = message.at("samples");
    verification.isStopped = message.at("stopped");
    return verification;
}

} // namespace lapidary
