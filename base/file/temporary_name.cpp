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

std::string beginning(const std::string& name) { return fmt::format(".{}.", name); }

/// From the system's generator or, if that fails, from the clock. The clock suffices, because such
/// names are created exclusively.
std::uint64_t random_number() {
  std::uint64_t number = 0;
  if (::getrandom(&number, sizeof number, 0) == sizeof number) return number;
  static std::atomic<std::uint64_t> calls = 0;
  number = static_cast<std::uint64_t>(std::chrono::system_clock::now().time_since_epoch().count());
  return number * 0x9e3779b97f4a7c15u + (static_cast<std::uint64_t>(::getpid()) << 32) + calls++;
}

}  // namespace

std::string temporary_name(const std::string& name) {
  return fmt::format("{}{:0{}x}{}", beginning(name), random_number(), digits, ending);
}

std::vector<fs::path> find_temporaries(const fs::path& folder, const std::string& name) {
  const std::string before = name.empty() ? "." : beginning(name);
  const auto is_one = [&](std::string_view file) {
    const std::size_t after = digits + ending.size();
    if (file.size() < before.size() + after || !file.starts_with(before)) return false;
    if (!name.empty() && file.size() != before.size() + after) return false;
    const auto number = file.substr(file.size() - after, digits);
    return file.ends_with(ending) &&
           number.find_first_not_of("0123456789abcdef") == std::string_view::npos;
  };
  std::vector<fs::path> found;
  std::error_code error;
  fs::directory_iterator entry(folder, error);
  for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
    if (is_one(entry->path().filename().string())) found.push_back(entry->path());
  }
  return found;
}

}  // namespace tidewise
