#pragma once

#include <gmock/gmock.h>

#include <string>

namespace tidewise::test {

/// Matches an error's text that ends with this code and holds this value, such as a file or a key.
inline auto has_code(const std::string& code, const std::string& value = "") {
  return testing::AllOf(testing::HasSubstr(" [" + code + "]"), testing::HasSubstr(value));
}

}  // namespace tidewise::test
