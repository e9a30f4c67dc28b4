// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace lapidary {

// While it lives, this thread's floating point reads denormal numbers as zero and writes zero
// instead, as TensorFlow's threads do; libraries' threads set it for themselves.
class FlushDenormals {
public:
    FlushDenormals();
    ~FlushDenormals();
    FlushDenormals(const FlushDenormals&) = delete;
    FlushDenormals& operator=(const FlushDenormals&) = delete;

private:
    unsigned long long m_before = 0;
};

// While it lives, this thread's floating point reads and writes denormal numbers as they are,
// whatever the thread does otherwise: the threads of a team may flush them.
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
