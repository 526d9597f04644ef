#pragma once

#include <string>

namespace tidewise {

/// The model name of the CPU, or its architecture if the system does not report a model.
std::string processor_name();

}  // namespace tidewise
