#include "env/tools/derived_file.h"

namespace tidewise {
std::string with_line(std::string text, const std::string& line) {
  if (!text.empty() && !line.empty()) text += '\n';
  return text + line;
}

}  // namespace tidewise
