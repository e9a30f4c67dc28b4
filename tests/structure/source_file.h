// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace structure {

// One source or header of the tree.
struct SourceFile {
    std::string path;   // relative to the root, with slashes
    std::string folder; // "graph_model/read"
    std::string layer;  // "graph_model"
    std::string text;
    std::string code; // the text with blanks for comments and for the content of literals; of the
                      // same length
    std::vector<std::string> includes; // of the own tree: "graph_model/read/sniff.h"
};

// Returns all .h, .cpp and .inc files below the folders of `layers`, sorted by path; none for
// folders that do not exist.
std::vector<SourceFile> readTree(const std::filesystem::path& root,
                                 const std::vector<std::string>& layers);

// Returns `text` with blanks for every comment and the content of literals; line ends stay. It
// handles raw strings, but neither digraphs nor line continuations in comments.
std::string withoutComments(const std::string& text);

std::size_t lineCount(const std::string& text);

} // namespace structure
