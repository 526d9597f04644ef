#pragma once

#include <string>

namespace tidewise {

/// The processor's own name, or its kind.
std::string processor_name();

}  // namespace tidewise
