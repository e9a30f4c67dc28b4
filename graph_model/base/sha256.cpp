// SPDX-License-Identifier: Apache-2.0
#include "graph_model/base/sha256.h"

#include <array>
#include <cstdint>

#include <nettle/sha2.h>

namespace lapidary {

struct Sha256::State {
    sha256_ctx context;
};

Sha256::Sha256()
    : m_state(std::make_unique<State>())
{
    sha256_init(&m_state->context);
}

Sha256::~Sha256() = default;

void Sha256::add(std::string_view bytes)
{
    if (!bytes.empty())
        sha256_update(&m_state->context, bytes.size(),
                      reinterpret_cast<const std::uint8_t*>(bytes.data()));
}

std::string Sha256::finish()
{
    std::array<std::uint8_t, SHA256_DIGEST_SIZE> digest{};
    sha256_digest(&m_state->context, digest.size(), digest.data());
    constexpr std::string_view digits = "0123456789abcdef";
    std::string text;
    for (const std::uint8_t byte : digest) {
        text += digits[byte >> 4];
        text += digits[byte & 15];
    }
    return text;
}

std::string sha256Of(std::string_view bytes)
{
    Sha256 digest;
    digest.add(bytes);
    return digest.finish();
}

} // namespace lapidary
