#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>

namespace tidewise {

/// A kind of text file that is read whole, and its greatest size. A larger file is of another kind
/// or damaged, and would only fill the memory.
struct TextFormat {
  const char* name;     ///< for messages
  std::uint64_t limit;  ///< [B]
};

/// All text inputs, with their limits (docs/missions.md, "Exit statuses").
namespace text_format {
inline constexpr TextFormat toml{"a TOML file", 16'000'000};
inline constexpr TextFormat profile{"a profile's CSV", 1'000'000};  // 1000 ranges at most
inline constexpr TextFormat polygons{"a GeoJSON file", 100'000'000};
inline constexpr TextFormat track{"a track", 250'000'000};  // some million fixes
inline constexpr TextFormat summary{"a summary.json", 100'000'000};
inline constexpr TextFormat failures{"a batch's list of failures", 100'000'000};
inline constexpr TextFormat options{"a list of options", 1'000'000};
inline constexpr TextFormat predictions{"a log of predictions", 250'000'000};
inline constexpr TextFormat rehearsal{"a rehearsal's map", 50'000'000};
}  // namespace text_format

/// The bytes of a whole text file. Its kind and size are checked before it is read, and a file that
/// grows meanwhile is read no further than its limit. Errors: InputError for a file that is not
/// there, not regular, not readable or larger than its format's limit; RunError where too many
/// files are open.
std::string read_text_file(const std::filesystem::path& path, const TextFormat& format);

/// The first bytes of any file, `count` at most, which name its kind. Errors: as above, but for the
/// size.
std::string read_beginning(const std::filesystem::path& path, std::size_t count);

}  // namespace tidewise
