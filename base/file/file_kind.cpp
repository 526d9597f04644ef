#include "base/file/file_kind.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <string_view>
#include <utility>

namespace tidewise {
namespace fs = std::filesystem;

namespace {

/// The first and the last bytes of a file, enough to recognise it; they overlap in a short file.
struct Ends {
  std::string first;
  std::string last;
};

Ends read_ends(const fs::path& path) {
  std::array<char, 4096> bytes;
  std::ifstream stream(path, std::ios::binary);
  const auto read = [&] {
    stream.read(bytes.data(), bytes.size());
    return std::string(bytes.data(), static_cast<std::size_t>(stream.gcount()));
  };
  Ends ends{read(), {}};
  stream.clear();
  stream.seekg(0, std::ios::end);
  const std::streamoff size = stream.tellg();
  stream.seekg(std::max<std::streamoff>(size - static_cast<std::streamoff>(bytes.size()), 0));
  ends.last = read();
  return ends;
}

bool is_text(const std::string& bytes) { return bytes.find('\0') == std::string::npos; }

}  // namespace

FileKind text_kind(std::string name, std::vector<std::string> marks) {
  return {std::move(name), [marks = std::move(marks)](const fs::path& path) {
            const Ends ends = read_ends(path);
            if (!is_text(ends.first)) return false;
            return std::any_of(marks.begin(), marks.end(), [&](const std::string& mark) {
              return ends.first.find(mark) != std::string::npos ||
                     ends.last.find(mark) != std::string::npos;
            });
          }};
}

FileKind text_beginning_with(std::string name, std::string characters) {
  return {std::move(name), [characters = std::move(characters)](const fs::path& path) {
            const std::string first = read_ends(path).first;
            constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
            const std::size_t from = first.starts_with(byte_order_mark) ? 3 : 0;
            const auto position = first.find_first_not_of(" \t\r\n", from);
            return is_text(first) && position != std::string::npos &&
                   characters.find(first[position]) != std::string::npos;
          }};
}

FileKind kind_beginning_with(std::string name, std::string bytes) {
  return {std::move(name), [bytes = std::move(bytes)](const fs::path& path) {
            return read_ends(path).first.starts_with(bytes);
          }};
}

FileKind geojson_kind() { return text_kind("GeoJSON", {"\"FeatureCollection\""}); }

}  // namespace tidewise
