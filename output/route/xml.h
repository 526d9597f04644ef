#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tidewise {

/// XML 1.0 in ASCII, one element per line, children indented. Writing needs no library: names come
/// from the program, and texts need five characters escaped.
class XmlWriter {
 public:
  using Attributes = std::vector<std::pair<std::string_view, std::string>>;

  XmlWriter();
  /// Begins an element that contains others, until end().
  void begin(std::string_view name, const Attributes& attributes = {});
  void end();
  /// Writes an empty element.
  void empty(std::string_view name, const Attributes& attributes);
  /// Writes an element with a text and no children.
  void text(std::string_view name, std::string_view text, const Attributes& attributes = {});
  /// Returns the document. Requires that every element has ended.
  std::string take();

 private:
  void open(std::string_view name, const Attributes& attributes);

  std::string text_;
  std::vector<std::string> open_;
};

}  // namespace tidewise
