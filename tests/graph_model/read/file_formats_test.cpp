// SPDX-License-Identifier: Apache-2.0
#include "graph_model/read/file_formats.h"
#include "tests/catch.h"

#include <set>
#include <string>

namespace lapidary {

TEST_CASE("Every format has a number and names of its own", "[read][formats]")
{
    std::set<int> numbers;
    std::set<std::string_view> names;
    std::set<std::string_view> titles;
    for (const FileFormatRow& row : fileFormats()) {
        INFO(row.name);
        CHECK(numbers.insert(int(row.format)).second);
        CHECK(names.insert(row.name).second);
        CHECK(titles.insert(row.title).second);
        CHECK(&fileFormatRow(row.format) == &row);
        CHECK((!row.holdsGraphs || row.message || row.read != nullptr));
    }
    CHECK(fileFormatName(FileFormat::Foreign) == "foreign");
    CHECK(fileFormatName(FileFormat(1'000'000)) == "unknown");
}

TEST_CASE("Dialogs look for the names of all formats", "[read][formats]")
{
    const std::string all = " " + fileNamePatterns() + " ";
    CHECK(all.starts_with(" *.pb *.pbtxt ")); // TensorFlow's own come first
    for (const char* pattern : {" *.meta ", " *.onnx ", " *.tflite "})
        CHECK(all.find(pattern) != all.npos);
}

} // namespace lapidary
