// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace structure {

// One source or header of the tree.
struct SourceFile {
    std::string path;   // from the root, with slashes
    std::string folder; // "graph_model/read"
    std::string layer;  // "graph_model"
    std::string text;
    std::string code; // text of the same length with blanks for comments and for what literals hold
    std::vector<std::string> includes; // of the own tree: "graph_model/read/sniff.h"
};

// All .h, .cpp and .inc files below the folders of `layers`, sorted by path. Folders that are not
// there have none.
std::vector<SourceFile> readTree(const std::filesystem::path& root,
                                 const std::vector<std::string>& layers);

// `text` with every comment and the contents of string and character literals as blanks; line ends
// stay. Raw strings are known, digraphs and line continuations in comments are not.
std::string withoutComments(const std::string& text);

std::size_t lineCount(const std::string& text);

} // namespace structure
