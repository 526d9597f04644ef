#include "base/file/temporary_name.h"

#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <string_view>
#include <system_error>

namespace tidewise {
namespace fs = std::filesystem;

namespace {

constexpr std::size_t digits = 12;  // of a hexadecimal number
constexpr std::string_view ending = ".tmp";

std::string beginning(const std::string& name) { return fmt::format(".{}.", name); }

/// Differs from call to call, and between processes, whose numbers are unique in a container alone.
std::uint64_t next_number() {
  static std::atomic<std::uint64_t> calls = 0;
  const auto now = std::chrono::system_clock::now().time_since_epoch().count();
  std::uint64_t number = static_cast<std::uint64_t>(now);
  number = number * 0x9e3779b97f4a7c15u + static_cast<std::uint64_t>(::getpid());
  number = (number ^ (number >> 29)) * 0xbf58476d1ce4e5b9u + calls++;
  return (number ^ (number >> 32)) & ((std::uint64_t{1} << (4 * digits)) - 1);
}

}  // namespace

std::string temporary_name(const std::string& name) {
  return fmt::format("{}{:0{}x}{}", beginning(name), next_number(), digits, ending);
}

std::vector<fs::path> find_temporaries(const fs::path& folder, const std::string& name) {
  const std::string before = beginning(name);
  const auto is_one = [&](std::string_view file) {
    if (file.size() != before.size() + digits + ending.size()) return false;
    if (!file.starts_with(before) || !file.ends_with(ending)) return false;
    const auto number = file.substr(before.size(), digits);
    return number.find_first_not_of("0123456789abcdef") == std::string_view::npos;
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
