#include "base/file/same_file.h"

#include <system_error>

#include "base/error.h"
#include "base/error_codes.h"

namespace tidewise {
namespace fs = std::filesystem;

namespace {

/// Resolves symlinks of the folder, but not of the name, because a rename replaces a symlink and
/// not its target.
fs::path canonical_name(const fs::path& path) {
  std::error_code error;
  const fs::path absolute = fs::absolute(path, error);
  const fs::path folder = fs::weakly_canonical(absolute.parent_path(), error);
  return (error ? absolute.parent_path().lexically_normal() : folder) / absolute.filename();
}

}  // namespace

bool same_file(const fs::path& a, const fs::path& b) {
  if (a.empty() || b.empty()) return false;
  std::error_code ignored;
  return fs::equivalent(a, b, ignored) || canonical_name(a) == canonical_name(b);
}

void refuse_overwriting(const std::string& option, const fs::path& out,
                        const std::vector<fs::path>& inputs) {
  for (const fs::path& input : inputs) {
    if (!same_file(out, input)) continue;
    throw input_error(errors::output_is_input, option, out.string(), input.string());
  }
}

}  // namespace tidewise
