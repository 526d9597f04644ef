#include "base/temporary_name.h"

#include <fmt/format.h>
#include <signal.h>  // kill() is POSIX's: <csignal> need not have it
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <optional>
#include <string_view>
#include <system_error>

namespace tidewise {
namespace fs = std::filesystem;

namespace {

/// The process that a temporary name of `name` tells of.
std::optional<pid_t> process_of(std::string_view file, const std::string& name) {
  const std::string before = fmt::format(".{}.", name);
  constexpr std::string_view after = ".tmp";
  if (!file.starts_with(before) || !file.ends_with(after)) return std::nullopt;
  if (file.size() <= before.size() + after.size()) return std::nullopt;
  const auto digits = file.substr(before.size(), file.size() - before.size() - after.size());
  pid_t process = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), process);
  // kill() takes 0 and less for groups of processes.
  if (error != std::errc() || end != digits.data() + digits.size() || process <= 0) {
    return std::nullopt;
  }
  return process;
}

bool has_ended(pid_t process) { return ::kill(process, 0) != 0 && errno == ESRCH; }

}  // namespace

std::string temporary_name(const std::string& name) {
  return fmt::format(".{}.{}.tmp", name, ::getpid());
}

std::vector<fs::path> stale_temporaries(const fs::path& folder, const std::string& name) {
  std::vector<fs::path> stale;
  std::error_code error;
  fs::directory_iterator entry(folder, error);
  for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
    const auto process = process_of(entry->path().filename().string(), name);
    if (process && has_ended(*process)) stale.push_back(entry->path());
  }
  return stale;
}

}  // namespace tidewise
