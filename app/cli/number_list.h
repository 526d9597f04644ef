#pragma once

#include <string>
#include <vector>

namespace tidewise {

/// `count` numbers with commas between them, as an option holds them. Errors: InputError naming
/// `option`; `example` is what to write.
std::vector<double> parse_number_list(const std::string& option, const std::string& text,
                                      std::size_t count, const std::string& example);

}  // namespace tidewise
