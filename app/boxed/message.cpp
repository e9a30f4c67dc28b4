// SPDX-License-Identifier: Apache-2.0
#include "app/boxed/message.h"

namespace lapidary {
namespace {

using Strings = std::vector<std::string>;

Message messageOf(const Shape& shape)
{
    return {{"sizes", shape.dims}, {"unknown", shape.unknownRank}};
}

Shape shapeOf(const Message& message)
{
    return {message.at("sizes").get<std::vector<std::int64_t>>(),
            message.at("unknown").get<bool>()};
}

DType dtypeOf(const Message& message)
{
    return DType(message.get<std::int32_t>());
}

Message messageOf(const SignatureTensor& tensor);
Message messageOf(const Signature& signature);
Message messageOf(const VariableInfo& variable);
Message messageOf(const ChosenTensor& tensor);

template <class T>
Message listOf(const std::vector<T>& all)
{
    Message list = Message::array();
    for (const T& one : all)
        list.push_back(messageOf(one));
    return list;
}

Message messageOf(const SignatureTensor& tensor)
{
    return {{"key", tensor.key},
            {"tensor", tensor.tensor},
            {"dtype", std::int32_t(tensor.dtype)},
            {"shape", messageOf(tensor.shape)}};
}

std::vector<SignatureTensor> signatureTensorsOf(const Message& list)
{
    std::vector<SignatureTensor> tensors;
    for (const Message& one : list)
        tensors.push_back(
            {one.at("key"), one.at("tensor"), dtypeOf(one.at("dtype")), shapeOf(one.at("shape"))});
    return tensors;
}

Message messageOf(const Signature& signature)
{
    return {{"name", signature.name},
            {"method", signature.method},
            {"inputs", listOf(signature.inputs)},
            {"outputs", listOf(signature.outputs)}};
}

Message messageOf(const VariableInfo& variable)
{
    return {{"name", variable.name},
            {"op", variable.op},
            {"dtype", std::int32_t(variable.dtype)},
            {"shape", messageOf(variable.shape)}};
}

Message messageOf(const ChosenTensor& tensor)
{
    return {{"tensor", tensor.tensor},
            {"dtype", std::int32_t(tensor.dtype)},
            {"shape", messageOf(tensor.shape)}};
}

std::vector<ChosenTensor> chosenTensorsOf(const Message& list)
{
    std::vector<ChosenTensor> tensors;
    for (const Message& one : list)
        tensors.push_back(
            {{}, one.at("tensor"), dtypeOf(one.at("dtype")), shapeOf(one.at("shape"))});
    return tensors;
}

} // namespace

std::string encodeMessage(const Message& message)
{
    std::string bytes;
    Message::to_cbor(message, bytes);
    return bytes;
}

Message messageOf(const GraphEntry& entry)
{
    return {{"title", entry.title},
            {"tags", entry.tags},
            {"signatures", listOf(entry.signatures)},
            {"variables", listOf(entry.variables)},
            {"assets", entry.assets},
            {"filename", entry.loading.filenameTensor},
            {"restore", entry.loading.restoreOp},
            {"init", entry.loading.initOp},
            {"fed_assets", entry.loading.assets}};
}

GraphEntry entryOf(const Message& message)
{
    GraphEntry entry;
    entry.title = message.at("title");
    entry.tags = message.at("tags").get<Strings>();
    for (const Message& one : message.at("signatures"))
        entry.signatures.push_back({one.at("name"), one.at("method"),
                                    signatureTensorsOf(one.at("inputs")),
                                    signatureTensorsOf(one.at("outputs"))});
    for (const Message& one : message.at("variables"))
        entry.variables.push_back(
            {one.at("name"), one.at("op"), dtypeOf(one.at("dtype")), shapeOf(one.at("shape"))});
    entry.assets = message.at("assets").get<Strings>();
    entry.loading = {
        message.at("filename"), message.at("restore"), message.at("init"),
        message.at("fed_assets").get<std::vector<std::pair<std::string, std::string>>>()};
    return entry;
}

Message messageOf(const InterfaceChoice& choice)
{
    return {{"inputs", listOf(choice.inputs)}, {"outputs", listOf(choice.outputs)}};
}

InterfaceChoice choiceOf(const Message& message)
{
    return {chosenTensorsOf(message.at("inputs")), chosenTensorsOf(message.at("outputs"))};
}

Message messageOf(const TensorShapes& shapes)
{
    Message list = Message::array();
    for (const auto& [tensor, shape] : shapes)
        list.push_back({{"tensor", tensor}, {"shape", messageOf(shape)}});
    return list;
}

TensorShapes shapesOf(const Message& message)
{
    TensorShapes shapes;
    for (const Message& one : message)
        shapes.emplace_back(one.at("tensor").get<std::string>(), shapeOf(one.at("shape")));
    return shapes;
}

Message messageOf(const Error& error)
{
    return {{"code", int(error.code)},
            {"message", error.message},
            {"reason", int(error.reason)},
            {"subject", error.subject}};
}

Error errorOf(const Message& message)
{
    return {ErrorCode(message.at("code").get<int>()), message.at("message"),
            ErrorReason(message.at("reason").get<int>()), message.at("subject")};
}

} // namespace lapidary
