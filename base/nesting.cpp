#include "base/nesting.h"

#include <algorithm>
#include <vector>

#include "base/error.h"
#include "base/error_codes.h"

namespace tidewise {
namespace {

/// End of the quoted text that begins at `at`: after its last quote.
std::size_t end_of_quotes(std::string_view text, std::size_t at, NestedText kind) {
  const char quote = text[at];
  const bool escapes = quote == '"';
  const bool is_multiline = kind == NestedText::toml && text.size() >= at + 3 &&
                            text[at + 1] == quote && text[at + 2] == quote;
  const std::string_view end = text.substr(at, is_multiline ? 3 : 1);
  for (at += end.size(); at < text.size(); ++at) {
    if (escapes && text[at] == '\\') {
      ++at;
    } else if (text.substr(at, end.size()) == end) {
      return at + end.size();
    } else if (kind == NestedText::toml && !is_multiline && text[at] == '\n') {
      return at;  // an error that the parser reports
    }
  }
  return text.size();
}

/// Nesting depth of the text read so far.
class Depth {
 public:
  void open() {
    levels_.push_back(1 + dots_);
    open_ += 1 + dots_;
    dots_ = 0;
    update_deepest();
  }
  void close() {
    dots_ = 0;
    if (levels_.empty()) return;
    open_ -= levels_.back();
    levels_.pop_back();
  }
  void dot() {
    ++dots_;
    update_deepest();
  }
  void end_of_key() { dots_ = 0; }
  bool too_deep() const { return deepest_ > max_nesting; }

 private:
  void update_deepest() { deepest_ = std::max(deepest_, open_ + dots_); }

  std::vector<int> levels_;  ///< levels of each open bracket
  int open_ = 0;             ///< sum of levels_
  int dots_ = 0;             ///< dots of the current key
  int deepest_ = 0;
};

}  // namespace

void require_shallow(std::string_view text, NestedText kind, const std::string& place) {
  const bool toml = kind == NestedText::toml;
  Depth depth;
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    if (c == '"' || (toml && c == '\'')) {
      at = end_of_quotes(text, at, kind);
      continue;
    }
    if (toml && c == '#') {
      at = std::min(text.find('\n', at), text.size());
      continue;
    }
    ++at;
    if (c == '{' || c == '[') depth.open();
    if (c == '}' || c == ']') depth.close();
    if (toml && c == '.') depth.dot();
    if (c == ',' || c == '\n') depth.end_of_key();
    if (!depth.too_deep()) continue;
    throw input_error(
        errors::nesting_too_deep, place,
        1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at - 1), '\n'),
        max_nesting);
  }
}

}  // namespace tidewise
