#include "tests/fuzz/draw.h"

namespace lapidary::fuzz {

void draw(const GraphPtr&) {}

} // namespace lapidary::fuzz
