#include "support/program.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <set>
#include <stdexcept>
#include <thread>
#include <utility>

#include "app/program.h"
#include "support/temporary_folder.h"

namespace tidewise::test {
namespace fs = std::filesystem;

namespace {

/// Redirects `descriptor` to `file`, in the child process.
void redirect(int descriptor, const fs::path& file) {
  const int opened = ::open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (opened < 0 || ::dup2(opened, descriptor) < 0) ::_exit(126);
  ::close(opened);
}

ProgramResult run_words(std::vector<std::string> words, const fs::path& folder,
                        const std::function<void(pid_t)>& meanwhile,
                        std::uint64_t file_limit = RLIM_INFINITY) {
  const TemporaryFolder results;
  std::vector<char*> pointers;
  for (auto& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);

  const pid_t child = ::fork();
  if (child < 0) throw std::runtime_error("fork failed");
  if (child == 0) {
    redirect(STDOUT_FILENO, results / "output");
    redirect(STDERR_FILENO, results / "errors");
    if (::chdir(folder.c_str()) != 0) ::_exit(126);
    const rlimit limit{file_limit, file_limit};
    if (file_limit != RLIM_INFINITY && ::setrlimit(RLIMIT_FSIZE, &limit) != 0) ::_exit(126);
    ::execvp(pointers.front(), pointers.data());
    ::_exit(127);
  }
  meanwhile(child);
  int state = 0;
  if (::waitpid(child, &state, 0) != child) throw std::runtime_error("waitpid failed");
  const int status = WIFEXITED(state) ? WEXITSTATUS(state) : 128 + WTERMSIG(state);
  return {status, bytes_of(results / "output"), bytes_of(results / "errors")};
}

ProgramResult run(const std::vector<std::string>& arguments, const fs::path& folder,
                  const std::function<void(pid_t)>& meanwhile,
                  std::uint64_t file_limit = RLIM_INFINITY) {
  std::vector<std::string> words{TIDEWISE_PROGRAM};
  words.insert(words.end(), arguments.begin(), arguments.end());
  return run_words(std::move(words), folder, meanwhile, file_limit);
}

std::multiset<std::string> environment_variables() {
  std::multiset<std::string> variables;
  for (char** variable = environ; *variable != nullptr; ++variable) variables.insert(*variable);
  return variables;
}
/// The environment variables of this process at its start.
const std::multiset<std::string> first_variables = environment_variables();

/// Redirects a stream of this process to a file during its lifetime.
class RedirectedStream {
 public:
  RedirectedStream(std::FILE* stream, const fs::path& file)
      : stream_(stream), original_(::dup(::fileno(stream))) {
    std::fflush(stream);
    const int opened = ::open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (opened < 0 || original_ < 0 || ::dup2(opened, ::fileno(stream)) < 0) {
      throw std::runtime_error("a stream cannot be redirected");
    }
    ::close(opened);
  }
  RedirectedStream(const RedirectedStream&) = delete;
  RedirectedStream& operator=(const RedirectedStream&) = delete;
  ~RedirectedStream() {
    std::fflush(stream_);
    std::clearerr(stream_);
    ::dup2(original_, ::fileno(stream_));
    ::close(original_);
  }

 private:
  std::FILE* stream_;
  int original_;
};

ProgramResult run_in_this_process(const std::vector<std::string>& arguments,
                                  const fs::path& folder) {
  const TemporaryFolder results;
  std::vector<const char*> words{"tidewise"};
  for (const auto& argument : arguments) words.push_back(argument.c_str());
  const fs::path before = fs::current_path();
  ProgramResult result;
  {
    const RedirectedStream output(stdout, results / "output");
    const RedirectedStream errors(stderr, results / "errors");
    fs::current_path(folder);
    result.status = run_program(static_cast<int>(words.size()), words.data());
    fs::current_path(before);
  }
  result.output = bytes_of(results / "output");
  result.errors = bytes_of(results / "errors");
  return result;
}

}  // namespace

ProgramResult run_tidewise(const std::vector<std::string>& arguments, const fs::path& folder) {
  // The program reads environment variables at its start, so that changed ones need a new process.
  const bool changed = environment_variables() != first_variables;
  ProgramResult result =
      changed ? run_tidewise_alone(arguments, folder) : run_in_this_process(arguments, folder);
  if (result.status == 2) {
    EXPECT_THAT(result.errors, testing::ContainsRegex(" \\[[a-z0-9]+_[a-z0-9_]+\\]\n$"));
  }
  return result;
}

ProgramResult run_tidewise_alone(const std::vector<std::string>& arguments,
                                 const fs::path& folder) {
  return run(arguments, folder, [](pid_t) {});
}

ProgramResult run_tidewise_together(int processes, const std::vector<std::string>& arguments,
                                    const fs::path& folder) {
  // mpirun refuses root, and more processes than cores, without these options.
  std::vector<std::string> words{"/usr/bin/env",
                                 "OMPI_ALLOW_RUN_AS_ROOT=1",
                                 "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1",
                                 "OMPI_MCA_rmaps_base_oversubscribe=1",
                                 "ASAN_OPTIONS=detect_leaks=0",
                                 TIDEWISE_MPIEXEC,
                                 "-n",
                                 std::to_string(processes),
                                 TIDEWISE_PROGRAM};
  words.insert(words.end(), arguments.begin(), arguments.end());
  return run_command(words, folder);
}

ProgramResult interrupt_tidewise(const std::vector<std::string>& arguments, const fs::path& folder,
                                 const std::function<bool()>& ready) {
  return run(arguments, folder, [&](pid_t child) {
    for (int wait = 0; wait < 5000 && !ready(); ++wait) {
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    ::kill(child, SIGINT);
  });
}

ProgramResult run_tidewise_on_full_disk(const std::vector<std::string>& arguments,
                                        const fs::path& folder, std::uint64_t file_limit) {
  return run(
      arguments, folder, [](pid_t) {}, file_limit);
}

ProgramResult kill_tidewise(const std::vector<std::string>& arguments, const fs::path& folder,
                            std::chrono::milliseconds after) {
  return run(arguments, folder, [&](pid_t child) {
    const auto end = std::chrono::steady_clock::now() + after;
    siginfo_t ended{};
    while (std::chrono::steady_clock::now() < end && ended.si_pid == 0) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      // WNOWAIT leaves the ended child to waitpid().
      ::waitid(P_PID, static_cast<id_t>(child), &ended, WEXITED | WNOHANG | WNOWAIT);
    }
    ::kill(child, SIGKILL);
  });
}

ProgramResult run_command(const std::vector<std::string>& words, const fs::path& folder) {
  return run_words(words, folder, [](pid_t) {});
}

fs::path tidewise_program() { return TIDEWISE_PROGRAM; }

std::string listing(const fs::path& folder) {
  std::set<std::string> lines;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    const std::string size = entry.is_regular_file() ? std::to_string(entry.file_size()) : "-";
    lines.insert(fmt::format("{} {} {}\n", entry.path().string(), size,
                             entry.last_write_time().time_since_epoch().count()));
  }
  std::string text;
  for (const auto& line : lines) text += line;
  return text;
}

std::string bytes_of(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

}  // namespace tidewise::test
