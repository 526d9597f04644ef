#include "base/error_text.h"

#include <fmt/format.h>

namespace tidewise {

std::string format_error(const ErrorMessage& message, fmt::format_args values) {
  return fmt::format("{} [{}]", fmt::vformat(message.wording, values), message.code);
}

std::string add_words(const std::string& text, std::string_view words) {
  const InputError error(text);
  return fmt::format("{}{}{}", error.text(), words, text.substr(error.text().size()));
}

}  // namespace tidewise
