// SPDX-License-Identifier: Apache-2.0
#include "app/cli/remedy.h"

namespace lapidary {
namespace {

std::string remedyOf(const Error& error)
{
    switch (error.reason) {
    case ErrorReason::MissingSize:
        return error.subject.find('=') != std::string::npos
                   ? "give them, as with --shape " + error.subject
                   : "give them with --shape " + error.subject + "=SIZES, as in 1,224,224,3";
    case ErrorReason::MissingFeed:
        return "give it with --feed " + error.subject + "=FILE, or =value:NUMBERS, or =random";
    case ErrorReason::NoOutputs:
        return error.subject.empty() ? "name the outputs with --outputs"
                                     : "name the outputs, as with --outputs " + error.subject;
    case ErrorReason::NoCounterpart: return "name the outputs with --outputs";
    case ErrorReason::MissingKernel: return "choose outputs before them";
    case ErrorReason::MemoryLimit: return "raise it with --memory-limit";
    case ErrorReason::ForeignFile: return "--allow-files permits it";
    case ErrorReason::PictureSize: return "ask for a smaller one with --size";
    case ErrorReason::BackEnd: return "choose another one with --backend";
    case ErrorReason::TimeLimit:
    case ErrorReason::None: break;
    }
    return "";
}

} // namespace

std::string messageWithRemedy(const Error& error)
{
    const std::string remedy = remedyOf(error);
    return remedy.empty() ? error.message : error.message + "; " + remedy;
}

} // namespace lapidary
