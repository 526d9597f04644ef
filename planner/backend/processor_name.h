#pragma once

#include <string>

namespace tidewise {

/// What the processor calls itself, or what kind it is.
std::string processor_name();

}  // namespace tidewise
