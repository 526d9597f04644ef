#pragma once

#include <string>

namespace tidewise {

/// The machine that a benchmark ran on, e.g. "AMD EPYC, 2 cores, AVX-512 kernels, g++ 12.2.0".
std::string describe_machine();

}  // namespace tidewise
