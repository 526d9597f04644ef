#include "mdp/text/line_reader.h"

#include <fmt/format.h>

#include "base/error.h"
#include "mdp/text/file_text.h"

namespace tidewise::mdp {
namespace {

constexpr std::size_t longest_line = 16 << 20;

std::string_view without_comment(std::string_view line) {
  for (auto at = line.find('#'); at != std::string_view::npos; at = line.find('#', at + 1)) {
    if (at == 0 || line[at - 1] == ' ' || line[at - 1] == '\t') return line.substr(0, at);
  }
  return line;
}

}  // namespace

void LineReader::refuse_at(std::int64_t number, const std::string& why) const {
  throw InputError(fmt::format("{}: line {}: {}", name(), number, why));
}

/// Without its end. Leaves the bytes where they are, as the line may lie in the stream's buffer.
std::string_view LineReader::read_line() {
  parts_.clear();
  for (;;) {
    const std::string_view held = bytes_.at_hand();
    const auto end = held.find('\n');
    if (end != std::string_view::npos) {
      passed_ = end + 1;
      if (parts_.empty()) return held.substr(0, end);
      parts_ += held.substr(0, end);
      return parts_;
    }
    parts_ += held;
    bytes_.skip(held.size());
    if (bytes_.at_end()) return parts_;
    if (parts_.size() > longest_line) {
      refuse("it has no end within 16 MiB; this is no text of lines");
    }
  }
}

bool LineReader::next() {
  do {
    bytes_.skip(passed_);
    passed_ = 0;
    if (bytes_.at_end()) return false;
    ++number_;
    text_ = trimmed(without_comment(read_line()));
  } while (text_.empty());
  return true;
}

}  // namespace tidewise::mdp
