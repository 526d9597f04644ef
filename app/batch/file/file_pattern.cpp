#include "app/batch/file/file_pattern.h"

#include <glob.h>

#include <memory>

#include "app/error/codes.h"
#include "base/error.h"
#include "base/printable.h"

namespace tidewise {
namespace fs = std::filesystem;

namespace {

/// A pattern that matches `path` literally: special characters are escaped.
std::string escape_pattern(const std::string& path) {
  std::string text;
  for (const char c : path) {
    if (c == '*' || c == '?' || c == '[' || c == '\\') text += '\\';
    text += c;
  }
  return text;
}

}  // namespace

std::vector<fs::path> expand_file_pattern(const fs::path& folder, const std::string& text,
                                          std::string_view place, std::string_view key) {
  if (text.find_first_of("*?[") == std::string::npos) {
    return {fs::absolute(folder / text).lexically_normal()};
  }
  const std::string pattern = fs::path(text).is_absolute()
                                  ? text
                                  : escape_pattern(fs::absolute(folder).string()) + "/" + text;
  glob_t matches{};
  const std::unique_ptr<glob_t, void (*)(glob_t*)> owner(&matches, ::globfree);
  std::vector<fs::path> files;
  if (::glob(pattern.c_str(), 0, nullptr, &matches) == 0) {
    for (std::size_t i = 0; i < matches.gl_pathc; ++i) {
      const fs::path file = fs::path(matches.gl_pathv[i]).lexically_normal();
      std::error_code ignored;
      if (fs::is_directory(file, ignored)) continue;
      require_utf8(file, place);
      files.push_back(file);
    }
  }
  if (files.empty()) {
    throw input_error(errors::pattern_matches_nothing, place, key, text,
                      fs::absolute(folder).lexically_normal().string());
  }
  return files;
}

void require_utf8(const fs::path& path, std::string_view place) {
  if (is_utf8(path.string())) return;
  throw input_error(errors::batch_file_name_not_utf8, place, path.string());
}

}  // namespace tidewise
