// SPDX-License-Identifier: Apache-2.0
// Converts a text file to a C++ constant of its deflated bytes:
//     pack_text facts.tsv facts.cpp symbol
#include <cstdio>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

#include <zlib.h>

namespace {

bool write(const std::string& path, const std::string& symbol, const std::vector<Bytef>& packed,
           std::size_t textSize)
{
    std::ofstream out(path, std::ios::binary);
    out << "#include \"graph_model/targets/packed_text.h\"\n"
           "namespace lapidary::packed {\n"
           "namespace {\n"
           "constexpr unsigned char bytes[] = {";
    for (std::size_t i = 0; i < packed.size(); ++i)
        out << (i % 32 == 0 ? "\n" : "") << unsigned(packed[i]) << ',';
    out << "};\n"
           "} // namespace\n"
           "const PackedText "
        << symbol << "{bytes, " << textSize << "};\n"
        << "} // namespace lapidary::packed\n";
    return out.flush().good();
}

} // namespace

int main(int count, char** arguments)
{
    if (count != 4) {
        std::cerr << "usage: pack_text IN OUT SYMBOL\n";
        return 2;
    }
    std::ifstream in(arguments[1], std::ios::binary);
    const std::string text((std::istreambuf_iterator<char>(in)), {});
    uLongf size = compressBound(uLong(text.size()));
    std::vector<Bytef> packed(size);
    if (!in.good() && text.empty())
        std::cerr << arguments[1] << ": cannot be read\n";
    else if (compress2(packed.data(), &size, reinterpret_cast<const Bytef*>(text.data()),
                       uLong(text.size()), 9) != Z_OK)
        std::cerr << arguments[1] << ": cannot be packed\n";
    else {
        packed.resize(size);
        if (write(arguments[2], arguments[3], packed, text.size()))
            return 0;
        std::cerr << arguments[2] << ": cannot be written\n";
    }
    return 1;
}
