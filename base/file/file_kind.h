#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace tidewise {

/// A kind of file that the program writes.
struct FileKind {
  std::string name;  ///< as messages have it: "route (GPX)"
  /// True where an existing file is of this kind by its content. Its name does not matter.
  std::function<bool(const std::filesystem::path&)> fits;
};

/// Text with one of these marks near its beginning or end.
FileKind text_kind(std::string name, std::vector<std::string> marks);
/// Text whose first characters other than white space are among these.
FileKind text_beginning_with(std::string name, std::string characters);
/// A file whose first bytes are these.
FileKind kind_beginning_with(std::string name, std::string bytes);
FileKind geojson_kind();

}  // namespace tidewise
