#pragma once

#include <gmock/gmock.h>

#include <algorithm>
#include <cstddef>
#include <string>

namespace tidewise::test {

/// Matches an error text that contains "[code]" and `value`, such as a file or a key.
inline auto has_code(const std::string& code, const std::string& value = "") {
  return testing::AllOf(testing::HasSubstr(" [" + code + "]"), testing::HasSubstr(value));
}

/// Calls has_code() with the parts of one text: "VALUE [code]" or "[code]".
inline auto has_code_of(const std::string& text) {
  const std::size_t open = std::min(text.rfind('['), text.size());
  const std::string code = text.substr(std::min(open + 1, text.size()));
  const std::string value = open == 0 ? "" : text.substr(0, open - 1);
  return has_code(code.substr(0, code.rfind(']')), value);
}

}  // namespace tidewise::test
