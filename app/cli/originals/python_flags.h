// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/console.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lapidary {

// The exit code after an uncaught exception.
inline constexpr int pythonFailure = 1;

// The exit code of flags that argparse refuses.
inline constexpr int argumentFailure = 2;

// Prints "Kind: message", as the last line of a traceback; returns pythonFailure.
int pythonException(std::string_view kind, const std::string& message, const Console& console);

// The flags of TensorFlow's Python tools: "--name=value", "--name value", and names that are
// abbreviated but unique. Words that are not flags of the tool are refused.
class PythonFlags {
public:
    explicit PythonFlags(std::string_view calledAs);

    enum class Need { Optional, Required };
    void addText(std::string name, std::string& value, Need need = Need::Optional);
    void addInt(std::string name, std::int64_t& value);
    // "true" in any case is true, every other text is false; without a value it is true.
    void addBool(std::string name, bool& value);
    // Reads a flag as Python reads bool("text"): every text but the empty one is true.
    void addPresence(std::string name, bool& value);

    // Returns the exit code if the program should end: 0 after --help, 2 for wrong use, which is
    // reported.
    std::optional<int> parse(std::span<const std::string> words, const Console& console) const;
    const std::string& program() const { return m_program; }

private:
    struct Flag {
        std::string name;
        // Returns false if the value is not of the flag's type.
        std::function<bool(const std::string& value)> set;
        bool isRequired = false;
        bool standsAlone = false; // may be given without a value
    };
    const Flag* find(const std::string& name) const;
    std::string fault(std::span<const std::string> words) const;
    std::string usage() const;

    std::string m_program;
    std::vector<Flag> m_flags;
};

} // namespace lapidary
