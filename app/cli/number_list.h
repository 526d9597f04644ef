#pragma once

#include <string>
#include <vector>

namespace tidewise {

/// Parses `count` numbers with commas between them, the value of `option`. Errors: InputError that
/// names `option` and `example`.
std::vector<double> parse_number_list(const std::string& option, const std::string& text,
                                      std::size_t count, const std::string& example);

}  // namespace tidewise
