#pragma once

#include <cstddef>
#include <string>

namespace tidewise {

/// Returns `text` in lower case (ASCII).
std::string lower_case(std::string text);

/// Returns `text` without white space and NUL at its ends.
std::string trimmed(const std::string& text);

/// Returns the text of a number of things: "1 step", "2 steps".
std::string counted(std::size_t count, const std::string& noun);

}  // namespace tidewise
