// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace lapidary {

// While it lives, this thread reads denormal numbers as zero and writes zero instead of them, as
// TensorFlow's threads do. Threads of libraries set it themselves.
class FlushDenormals {
public:
    FlushDenormals();
    ~FlushDenormals();
    FlushDenormals(const FlushDenormals&) = delete;
    FlushDenormals& operator=(const FlushDenormals&) = delete;

private:
    unsigned long long m_before = 0;
};

// While it lives, this thread reads and writes denormal numbers as they are, even if it otherwise
// flushes them, as the threads of a team may.
class KeepDenormals {
public:
    KeepDenormals();
    ~KeepDenormals();
    KeepDenormals(const KeepDenormals&) = delete;
    KeepDenormals& operator=(const KeepDenormals&) = delete;

private:
    unsigned long long m_before = 0;
};

} // namespace lapidary
