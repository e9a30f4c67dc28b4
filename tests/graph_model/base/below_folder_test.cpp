// SPDX-License-Identifier: Apache-2.0
#include "graph_model/base/below_folder.h"
#include "tests/catch.h"
#include "tests/test_folder.h"

#include <fstream>

namespace lapidary {

namespace fs = std::filesystem;

TEST_CASE("a path is below a folder where its links lead into it", "[base]")
{
    const TestFolder folder;
    const fs::path model = folder.path() / "model";
    fs::create_directories(model / "assets");
    std::ofstream(folder.path() / "secret") << "1";
    fs::create_symlink("../secret", model / "out");
    fs::create_symlink("assets", model / "in");
    CHECK(liesBelow(model / "assets" / "words.txt", model)); // need not exist
    CHECK(liesBelow(model / "in" / "words.txt", model / "assets"));
    CHECK_FALSE(liesBelow(model / "out", model));
    CHECK_FALSE(liesBelow(model / "assets" / ".." / ".." / "secret", model));
    CHECK_FALSE(liesBelow(model, model));
    CHECK_FALSE(liesBelow(folder.path() / "model2", model));
}

} // namespace lapidary
