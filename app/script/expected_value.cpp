// SPDX-License-Identifier: Apache-2.0
#include "app/script/expected_value.h"

#include "app/document/document.h"
#include "graph_model/base/digits.h"
#include "graph_model/interface/interface_flags.h"
#include "graph_model/tensor/statistics.h"
#include "graph_model/tensor/top_elements.h"
#include "runner/setup/model_interface.h"
#include "runner/values/value_tensor.h"

#include <algorithm>
#include <charconv>
#include <optional>

namespace lapidary {
namespace {

Error unmetValue(std::string why)
{
    return {ErrorCode::InvalidArgument, std::move(why)};
}

std::optional<bool> compared(double found, const std::string& op, double wanted)
{
    if (op == "<")
        return found < wanted;
    if (op == "<=")
        return found <= wanted;
    if (op == ">")
        return found > wanted;
    if (op == ">=")
        return found >= wanted;
    return op == "=" || op == "==" ? std::optional(found == wanted) : std::nullopt;
}

Result<double> figureOf(const Tensor& tensor, const std::string& figure)
{
    if (figure == "top") {
        ASSIGN_OR_RETURN(const auto best, topElements(tensor, 0, 1, Job()));
        return best.empty() ? Result<double>(unmetValue("it has no largest element"))
                            : Result<double>(double(best.front().index));
    }
    ASSIGN_OR_RETURN(const auto s, tensorStatistics(tensor, 0, Job()));
    if (figure == "min")
        return s.minimum;
    if (figure == "max")
        return s.maximum;
    if (figure == "mean")
        return s.mean;
    if (figure == "std")
        return s.deviation;
    if (figure == "zeros")
        return double(s.zeros);
    if (figure == "nans")
        return double(s.nans);
    if (figure == "elements")
        return double(s.elements);
    return unmetValue("nothing is known of \"" + figure + "\"");
}

} // namespace

Status expectValue(const Document& document, const std::vector<std::string>& words)
{
    const std::string wanted = withPort(words[1]);
    const std::vector<NodeOutput>& outputs = document.values().outputs();
    const auto output = std::ranges::find(outputs, wanted, &NodeOutput::tensor);
    if (output == outputs.end())
        return unmetValue(document.values().failure().isEmpty()
                              ? "it is not shown; run to it first"
                              : document.values().failure().toStdString());
    if (!output->value)
        return unmetValue(output->failure.toStdString());
    if (words[2] == "shape") {
        const std::string has = typedShape({output->value->dims(), false});
        return has == words.back() ? Status(Done{}) : unmetValue("it is " + has);
    }
    ASSIGN_OR_RETURN(const auto tensor, tensorOf(*output->value));
    ASSIGN_OR_RETURN(const auto found, figureOf(tensor, words[2]));
    const std::string& text = words.back();
    double number = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
    const auto holds = compared(found, words.size() == 5 ? words[3] : "=", number);
    if (read.ec != std::errc() || !holds)
        return unmetValue("write a number, or <, <=, >, >= or = and a number");
    return *holds ? Status(Done{}) : unmetValue("it is " + shortestDigits(found));
}

} // namespace lapidary
