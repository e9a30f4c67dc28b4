// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runner/kernels/kernel.h"
#include "runner/kernels/resource_owner.h"

#include <memory>
#include <string>
#include <unordered_map>

namespace lapidary {

// A table with keys and values of one type each. Both are stored as the bytes of an element (of a
// string: the string; of a value with a shape: all its elements).
class LookupTable final : public ResourceOwner {
public:
    struct Options {
        DType keyType = DType::Invalid;
        DType valueType = DType::Invalid;
        Dims valueShape;
        bool isMutable = false;
        std::vector<std::string> reservedKeys; // keys that cannot be inserted
    };
    explicit LookupTable(Options options)
        : m_options(std::move(options))
    {
    }

    const Options& options() const { return m_options; }
    bool isReady() const { return m_ready || m_options.isMutable; }
    std::size_t size() const { return m_rows.size(); }
    const std::string* find(const std::string& key) const;
    const std::unordered_map<std::string, std::string>& rows() const { return m_rows; }

    using Rows = std::vector<std::pair<std::string, std::string>>;
    // Fills a table that can be filled only once; the same data is accepted again.
    Status initialize(KernelContext& context, const Rows& rows);
    Status insert(KernelContext& context, const Rows& rows);
    void remove(const std::string& key) { m_rows.erase(key); }
    void removeAll() { m_rows.clear(); }
    void clear() override { m_rows.clear(); }

private:
    Status charge(KernelContext& context, const Rows& rows);

    Options m_options;
    std::unordered_map<std::string, std::string> m_rows;
    std::vector<std::shared_ptr<void>> m_charges; // against the memory limit
    bool m_ready = false;
};

// Returns the table whose handle is input 0. Fails if its types are not those of these attributes
// of the op (empty: not checked).
Result<std::shared_ptr<LookupTable>> tableInput(const KernelContext& context,
                                                std::string_view keyAttr = {},
                                                std::string_view valueAttr = {});
// Returns element `i`, of `count` consecutive numbers, in the form in which a table stores it.
std::string tableElement(const Value& value, std::size_t i, std::size_t count = 1);

} // namespace lapidary
