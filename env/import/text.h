#pragma once

#include <string>

namespace tidewise {

/// `text` in lower case (ASCII).
std::string lower_case(std::string text);

/// `text` without white space and NUL at its ends.
std::string trimmed(const std::string& text);

}  // namespace tidewise
