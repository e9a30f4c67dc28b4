// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/models/run/feed_model.h"

#include <QImage>
#include <QString>

#include <map>
#include <vector>

namespace lapidary {

class Document;

// The content of the table of inputs.
struct FeedRows {
    std::vector<FeedRow> rows;
    std::map<QString, QImage> pictures; // pictures that are fed, by input
};
FeedRows feedRows(const Document& document);

// Returns a sentence with the number of inputs that cannot be fed; empty if all can.
QString faultOf(const std::vector<FeedRow>& rows);

} // namespace lapidary
