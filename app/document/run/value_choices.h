// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/models/run/value_report.h"

#include <map>
#include <string>

#include <nlohmann/json_fwd.hpp>

namespace lapidary {

// The user's choices of how the values of tensors are shown, and the names of their classes. They
// are kept longer than the values.
class ValueChoices {
public:
    ValueChoice of(const std::string& tensor) const; // the default one if nothing was chosen
    void set(const std::string& tensor, const ValueChoice& choice);
    const std::string& labels() const { return m_labels; } // path of the file; empty: none
    void setLabels(std::string path) { m_labels = std::move(path); }

    nlohmann::json remembered() const;
    void restore(const nlohmann::json& state);

private:
    std::map<std::string, ValueChoice> m_ofTensor;
    std::string m_labels;
};

} // namespace lapidary
