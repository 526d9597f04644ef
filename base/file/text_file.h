#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>

namespace tidewise {

/// A kind of text file that is read whole, with its maximum size. A larger file has another format
/// or is damaged, and would only fill the memory.
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

/// Reads a whole text file. Checks kind and size first, and reads at most the limit even if the
/// file grows meanwhile. Errors: InputError for a file that is missing, not regular, not readable
/// or larger than its format's limit; RunError if too many files are open.
std::string read_text_file(const std::filesystem::path& path, const TextFormat& format);

/// The first bytes of any file, at most `count`; they identify its format. Errors: those of
/// read_text_file(), except for the size.
std::string read_beginning(const std::filesystem::path& path, std::size_t count);

}  // namespace tidewise
