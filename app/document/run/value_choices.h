// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/models/run/value_report.h"

#include <map>
#include <string>

#include <nlohmann/json_fwd.hpp>

namespace lapidary {

// How the values of tensors are shown where somebody chose it, and the names of their classes. They
// outlive the values.
class ValueChoices {
public:
    ValueChoice of(const std::string& tensor) const; // the usual one where nothing was chosen
    void set(const std::string& tensor, const ValueChoice& choice);
    const std::string& labels() const { return m_labels; } // the file; empty: none
    void setLabels(std::string path) { m_labels = std::move(path); }

    nlohmann::json remembered() const;
    void restore(const nlohmann::json& state);

private:
    std::map<std::string, ValueChoice> m_ofTensor;
    std::string m_labels;
};

} // namespace lapidary
