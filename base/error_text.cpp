#include "base/error_text.h"

#include <fmt/format.h>

namespace tidewise {

std::string format_error(const ErrorMessage& message, fmt::format_args values) {
  return fmt::format("{} [{}]", fmt::vformat(message.wording, values), message.code);
}

std::string_view text_without_code(std::string_view text) {
  const std::size_t open = text.rfind(" [");
  if (open == std::string_view::npos || text.back() != ']') return text;
  const std::string_view code = text.substr(open + 2, text.size() - open - 3);
  const bool is_code =
      code.find('_') != std::string_view::npos &&
      code.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") == std::string_view::npos;
  return is_code ? text.substr(0, open) : text;
}

std::string_view code_in(std::string_view text) {
  const std::size_t size = text_without_code(text).size();
  return size == text.size() ? std::string_view() : text.substr(size + 2, text.size() - size - 3);
}

std::string add_words(const std::string& text, std::string_view words) {
  const std::string_view bare = text_without_code(text);
  return fmt::format("{}{}{}", bare, words, text.substr(bare.size()));
}

}  // namespace tidewise
