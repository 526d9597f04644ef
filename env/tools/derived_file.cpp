#include "env/tools/derived_file.h"

#include <fmt/format.h>

#include <system_error>

#include "base/error.h"

namespace tidewise {
namespace fs = std::filesystem;

void refuse_overwriting(const fs::path& out, const std::vector<fs::path>& inputs) {
  for (const fs::path& input : inputs) {
    std::error_code ignored;
    if (!fs::equivalent(out, input, ignored)) continue;
    throw InputError(fmt::format("--out {}: is the file {}, which is read; name another file",
                                 out.string(), input.string()));
  }
}

std::string with_line(std::string text, const std::string& line) {
  if (!text.empty() && !line.empty()) text += '\n';
  return text + line;
}

}  // namespace tidewise
