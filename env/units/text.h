#pragma once

#include <cstddef>
#include <string>

namespace tidewise {

/// `text` in lower case (ASCII).
std::string lower_case(std::string text);

/// `text` without white space and NUL at its ends.
std::string trimmed(const std::string& text);

/// "1 step", "2 steps".
std::string counted(std::size_t count, const std::string& noun);

}  // namespace tidewise
