// SPDX-License-Identifier: Apache-2.0
#include "app/document/base/remedy.h"

namespace lapidary {
namespace {

std::string remedyOf(ErrorReason reason)
{
    switch (reason) {
    case ErrorReason::MissingSize: return "type them in the table Run (Shift+F7)";
    case ErrorReason::MissingFeed: return "mark it as an input (I)";
    case ErrorReason::NoOutputs: return "mark an output (O) and run again";
    case ErrorReason::NoCounterpart: return "mark other outputs";
    case ErrorReason::MissingKernel: return "mark an output before them";
    case ErrorReason::PictureSize: return "choose a smaller one";
    case ErrorReason::MemoryLimit:
        return "raise the memory limit in the settings (Ctrl+,) if the machine has more";
    case ErrorReason::TimeLimit: return "raise the time limit in the settings (Ctrl+,)";
    case ErrorReason::ForeignFile:
    case ErrorReason::BackEnd:
    case ErrorReason::None: break;
    }
    return "";
}

} // namespace

std::string messageForWindow(const Error& error)
{
    const std::string remedy = remedyOf(error.reason);
    return remedy.empty() ? error.message : error.message + "; " + remedy;
}

} // namespace lapidary
