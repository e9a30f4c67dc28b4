// SPDX-License-Identifier: Apache-2.0
#include "tests/catch.h"
#include "tests/source_folder.h"
#include "transforms/export/op_page.h"

#include <fstream>
#include <iterator>

namespace lapidary {

TEST_CASE("the handbook's page of exported ops is the one that the table gives", "[reference]")
{
    std::ifstream file(sourceFolder() / "resources/help/export_ops.md", std::ios::binary);
    const std::string committed{std::istreambuf_iterator<char>(file), {}};
    INFO("make it anew: lapidary export --reference > resources/help/export_ops.md");
    CHECK((committed == exportOpsPage()));
}

} // namespace lapidary
