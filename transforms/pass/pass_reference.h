#pragma once

#include "transforms/pass/pass.h"

#include <string>
#include <string_view>

namespace lapidary {

// What a user has to know of a pass beside its summary and parameters.
struct PassReference {
    std::string_view name;
    std::string_view before;      // a small graph
    std::string_view after;       // what becomes of it
    std::string_view declines;    // when a place is left alone; sentences
    std::string_view differences; // from TensorFlow 1.15's transform of that name; sentences
};

// Of a pass of the table; every one has an entry, which a test watches.
const PassReference& referenceOf(const Pass& pass);

// Everything about one pass, in Markdown that reads well as it is.
std::string passReference(const Pass& pass);
// The page of all passes, in Markdown: resources/help/passes.md.
std::string passReferencePage();

} // namespace lapidary
