#pragma once

#include <string>
#include <vector>

namespace tidewise {

/// Formats rows of the same length as lines of a table: the first column is aligned on the left,
/// the others on the right.
std::string as_columns(const std::vector<std::vector<std::string>>& rows);

}  // namespace tidewise
