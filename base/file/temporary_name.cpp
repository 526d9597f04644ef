#include "base/file/temporary_name.h"

#include <fmt/format.h>
#include <sys/random.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <string_view>
#include <system_error>

namespace tidewise {
namespace fs = std::filesystem;

namespace {

constexpr std::size_t digits = 16;  // digits of the hexadecimal number
constexpr std::string_view ending = ".tmp";

std::string prefix_of(const std::string& name) { return fmt::format(".{}.", name); }

/// A random number from the system's generator or, if that fails, from the clock. The clock
/// suffices, because such names are created exclusively.
std::uint64_t random_number() {
  std::uint64_t number = 0;
  if (::getrandom(&number, sizeof number, 0) == sizeof number) return number;
  static std::atomic<std::uint64_t> calls = 0;
  number = static_cast<std::uint64_t>(std::chrono::system_clock::now().time_since_epoch().count());
  return number * 0x9e3779b97f4a7c15u + (static_cast<std::uint64_t>(::getpid()) << 32) + calls++;
}

}  // namespace

std::string temporary_name(const std::string& name) {
  return fmt::format("{}{:0{}x}{}", prefix_of(name), random_number(), digits, ending);
}

std::vector<fs::path> find_temporaries(const fs::path& folder, const std::string& name) {
  const std::string prefix = name.empty() ? "." : prefix_of(name);
  const auto is_temporary = [&](std::string_view file) {
    const std::size_t suffix_size = digits + ending.size();
    if (file.size() < prefix.size() + suffix_size || !file.starts_with(prefix)) return false;
    if (!name.empty() && file.size() != prefix.size() + suffix_size) return false;
    const auto number = file.substr(file.size() - suffix_size, digits);
    return file.ends_with(ending) &&
           number.find_first_not_of("0123456789abcdef") == std::string_view::npos;
  };
  std::vector<fs::path> paths;
  std::error_code error;
  fs::directory_iterator entry(folder, error);
  for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
    if (is_temporary(entry->path().filename().string())) paths.push_back(entry->path());
  }
  return paths;
}

}  // namespace tidewise
