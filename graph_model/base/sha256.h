// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace lapidary {

// SHA-256 of bytes that are added piece by piece.
class Sha256 {
public:
    Sha256();
    ~Sha256();
    Sha256(const Sha256&) = delete;
    Sha256& operator=(const Sha256&) = delete;

    void add(std::string_view bytes);
    // Returns the digest of everything added so far, as sha256sum prints it, and begins anew.
    std::string finish();

private:
    struct State;
    std::unique_ptr<State> m_state;
};

// Returns the SHA-256 of `bytes`, as sha256sum prints it.
std::string sha256Of(std::string_view bytes);

} // namespace lapidary
