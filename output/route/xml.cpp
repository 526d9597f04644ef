#include "output/route/xml.h"

#include <fmt/format.h>

#include "base/printable.h"

namespace tidewise {
XmlWriter::XmlWriter() : text_("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n") {}

void XmlWriter::open(std::string_view name, const Attributes& attributes) {
  text_.append(2 * open_.size(), ' ');
  text_ += '<';
  text_ += name;
  for (const auto& [key, value] : attributes) {
    text_ += fmt::format(" {}=\"{}\"", key, xml_escaped(value));
  }
}

void XmlWriter::begin(std::string_view name, const Attributes& attributes) {
  open(name, attributes);
  text_ += ">\n";
  open_.emplace_back(name);
}

void XmlWriter::end() {
  const std::string name = open_.back();
  open_.pop_back();
  text_.append(2 * open_.size(), ' ');
  text_ += fmt::format("</{}>\n", name);
}

void XmlWriter::empty(std::string_view name, const Attributes& attributes) {
  open(name, attributes);
  text_ += "/>\n";
}

void XmlWriter::text(std::string_view name, std::string_view text, const Attributes& attributes) {
  open(name, attributes);
  text_ += fmt::format(">{}</{}>\n", xml_escaped(text), name);
}

std::string XmlWriter::take() { return std::move(text_); }

}  // namespace tidewise
