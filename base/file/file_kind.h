#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace tidewise {

/// A kind of file that the program writes.
struct FileKind {
  std::string name;  ///< name in messages: "route (GPX)"
  /// True if an existing file has this kind by its content; the name does not matter.
  std::function<bool(const std::filesystem::path&)> fits;
};

/// Text that contains one of these marks near its beginning or end.
FileKind text_kind(std::string name, std::vector<std::string> marks);
/// Text whose first character other than white space is one of these.
FileKind text_beginning_with(std::string name, std::string characters);
/// A file that begins with these bytes.
FileKind kind_beginning_with(std::string name, std::string bytes);
/// GeoJSON text.
FileKind geojson_kind();

}  // namespace tidewise
