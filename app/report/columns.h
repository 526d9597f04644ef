#pragma once

#include <string>
#include <vector>

namespace tidewise {

/// Rows of the same length as lines of a table: the first column on the left, the others on the
/// right.
std::string as_columns(const std::vector<std::vector<std::string>>& rows);

}  // namespace tidewise
