// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "transforms/export/base/portable_edit.h"

namespace lapidary {

// Moves channel steps before a layer, such as the normalization of a picture, into its weights and
// bias. One factor for all channels can always move, an offset only if the layer pads nothing:
// zeros beside a picture have no offset.
void foldPrecedingSteps(PortableEdit& edit);

} // namespace lapidary
