#include "bench/mdp/timed_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstring>
#include <fstream>
#include <sstream>
#include <thread>

#include "base/error.h"
#include "base/stopwatch.h"

namespace tidewise {
namespace {

std::string text_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::string last_line(std::string text) {
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text.substr(text.rfind('\n') + 1);
}

/// Pointers to words, ended by none, as the system wants them.
std::vector<char*> pointers(std::vector<std::string>& words) {
  std::vector<char*> all;
  all.reserve(words.size() + 1);
  for (std::string& word : words) all.push_back(word.data());
  all.push_back(nullptr);
  return all;
}

std::vector<std::string> environment_with(const std::vector<std::string>& more) {
  std::vector<std::string> all = more;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string text = *entry;
    const std::string name = text.substr(0, text.find('=') + 1);
    bool is_set = false;
    for (const std::string& own : more) is_set = is_set || own.compare(0, name.size(), name) == 0;
    if (!is_set) all.push_back(text);
  }
  return all;
}

double processor_seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
}

pid_t start(std::vector<std::string> words, const std::vector<std::string>& environment,
            const std::filesystem::path& output, const std::filesystem::path& error) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  constexpr int flags = O_WRONLY | O_CREAT | O_TRUNC;
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 1, output.c_str(), flags, 0600);
  posix_spawn_file_actions_addopen(&actions, 2, error.c_str(), flags, 0600);
  std::vector<std::string> all = environment_with(environment);
  pid_t child = -1;
  const int reason = posix_spawnp(&child, words.front().c_str(), &actions, nullptr,
                                  pointers(words).data(), pointers(all).data());
  posix_spawn_file_actions_destroy(&actions);
  if (reason != 0) {
    throw RunError(fmt::format("{} could not be started ({})", words.front(),
                               std::strerror(reason)));  // NOLINT(concurrency-mt-unsafe)
  }
  return child;
}

}  // namespace

TimedProcess run_timed(const std::vector<std::string>& words,
                       const std::vector<std::string>& environment,
                       const std::filesystem::path& folder, double most_seconds) {
  const std::filesystem::path output = folder / "output";
  const std::filesystem::path error = folder / "error";
  const pid_t child = start(words, environment, output, error);
  const Stopwatch watch;
  TimedProcess process;
  rusage usage{};
  int status = 0;
  while (wait4(child, &status, process.timed_out ? 0 : WNOHANG, &usage) == 0) {
    if (watch.seconds() > most_seconds) {
      process.timed_out = true;
      ::kill(child, SIGKILL);
      continue;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  process.seconds = processor_seconds(usage.ru_utime) + processor_seconds(usage.ru_stime);
  process.memory = std::int64_t{usage.ru_maxrss} * 1024;
  process.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  process.output = text_of(output);
  process.error = last_line(text_of(error));
  return process;
}

}  // namespace tidewise
