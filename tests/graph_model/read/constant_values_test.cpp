// SPDX-License-Identifier: Apache-2.0
#include "graph_model/base/buffer.h"
#include "graph_model/read/constant_values.h"
#include "tests/catch.h"

namespace lapidary {

TEST_CASE("the same value again takes up nothing, however often it is read", "[read]")
{
    const auto file = std::make_shared<const TextBuffer>(std::string(1 << 20, 'x'));
    ConstantValues values;
    values.addFile("none.tflite", file);
    const Shape flat{{1 << 18}, false};
    const auto first = values.add(DType::Float, flat, file->bytes());
    REQUIRE(first);
    for (int i = 0; i < 1000; ++i) {
        const auto again = values.add(DType::Float, flat, file->bytes());
        REQUIRE(again);
        REQUIRE(*again == *first);
    }
    // Another shape of the same bytes is another value; too many are refused.
    std::size_t more = 0;
    while (more < 1000 &&
           values.add(DType::Float, {{1 << 18, std::int64_t(more) + 1}, false}, file->bytes()))
        ++more;
    CHECK(more > 8);
    CHECK(more < 100);
    values.map();
    CHECK(values.value(*first).size() > std::size_t(1 << 20));
}

} // namespace lapidary
