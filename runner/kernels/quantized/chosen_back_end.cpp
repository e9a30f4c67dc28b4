// SPDX-License-Identifier: Apache-2.0
#include "runner/kernels/quantized/chosen_back_end.h"

namespace lapidary {
namespace {

constexpr std::string_view key = "\nback end"; // cannot be a node's name

struct AskedName final : Resource {
    std::string name;
};

} // namespace

void askForBackEnd(SessionState& session, std::string_view name)
{
    auto asked = std::make_shared<AskedName>();
    asked->name = name;
    session.resources[std::string(key)] = std::move(asked);
}

Result<const int8::BackEnd*> chosenBackEnd(const SessionState& session)
{
    const auto found = session.resources.find(key);
    const auto* asked =
        found == session.resources.end() ? nullptr : static_cast<AskedName*>(found->second.get());
    return int8::chooseBackEnd(asked != nullptr ? asked->name : std::string_view());
}

} // namespace lapidary
