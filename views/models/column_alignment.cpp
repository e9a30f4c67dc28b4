// SPDX-License-Identifier: Apache-2.0
#include "views/models/column_alignment.h"

#include <Qt>

namespace lapidary {

int columnAlignment(bool isOfNumbers)
{
    return int((isOfNumbers ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
}

} // namespace lapidary
