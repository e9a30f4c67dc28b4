// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph_model/base/buffer.h"
#include "graph_model/graph/node.h"
#include "graph_model/tensor/dtype.h"
#include "graph_model/tensor/shape.h"

#include <cstddef>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lapidary {

// Returns the bytes that precede those of a tensor in an encoded AttrValue.
std::string headOfConstant(DType dtype, const Shape& shape, std::uint64_t length);

// Values of constants that are stored in files of another format, as the attribute `value` of a
// Const. Large ones stay in the mapped file: their pages are mapped a second time, after the head
// that the attribute needs. Others are copied.
class ConstantValues {
public:
    void addFile(std::filesystem::path path, BufferPtr bytes);
    // `bytes` must be in one of the files or live until map() returns. Returns the index of the
    // value; the same bytes in the same shape have the same index and take no more memory. Fails if
    // the same bytes are added in so many shapes that they would take many times the memory of the
    // files.
    Result<std::size_t> add(DType dtype, const Shape& shape, std::string_view bytes);
    // Adds a value that is already encoded.
    std::size_t add(std::string encodedValue);
    void map();
    // May be called after map().
    const AttrBytes& value(std::size_t index) const { return m_values[index].value; }

private:
    struct File {
        std::filesystem::path path;
        BufferPtr bytes;
    };
    struct Value {
        std::string head = {};
        std::string_view bytes = {};
        std::optional<std::size_t> file = {}; // index of its file, if mapped
        AttrBytes value = {};
    };
    void mapFrom(std::size_t file);

    std::vector<File> m_files;
    std::vector<Value> m_values;
    std::map<std::pair<const char*, std::string>, std::size_t> m_known; // by address and head
    std::uint64_t m_fileBytes = 0;
    std::uint64_t m_asked = 0;
};

} // namespace lapidary
