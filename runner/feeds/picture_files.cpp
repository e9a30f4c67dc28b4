// SPDX-License-Identifier: Apache-2.0
#include "runner/feeds/picture_files.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>

namespace lapidary {

namespace fs = std::filesystem;

bool isPictureFile(const std::string& path)
{
    constexpr std::array<std::string_view, 5> endings{".png", ".jpg", ".jpeg", ".gif", ".bmp"};
    std::string ending = fs::path(path).extension().string();
    for (char& c : ending)
        if (c >= 'A' && c <= 'Z')
            c = char(c - 'A' + 'a');
    return std::ranges::find(endings, ending) != endings.end();
}

Result<std::vector<std::string>> picturesIn(const std::string& folder)
{
    std::error_code fault;
    std::vector<std::string> files;
    for (fs::directory_iterator entry(folder, fault), end; !fault && entry != end;
         entry.increment(fault)) {
        std::error_code ignored;
        if (entry->is_regular_file(ignored) && isPictureFile(entry->path().string()))
            files.push_back(entry->path().filename().string());
    }
    if (fault)
        return Error{ErrorCode::Io, folder + ": " + fault.message()};
    if (files.empty())
        return Error{ErrorCode::NotFound,
                     folder + ": there is no picture in it (PNG, JPEG, GIF or BMP)"};
    std::ranges::sort(files);
    return files;
}

} // namespace lapidary
