#include "app/serve/python_server.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <vector>

#include "app/error/codes.h"
#include "app/terminal/terminal.h"
#include "base/error.h"

namespace tidewise {
namespace {

constexpr const char* python = "python3";

/// Python code that exits with 0 if all packages of the server are installed. It loads none of
/// them.
constexpr const char* probe =
    "import importlib.util as u, sys\n"
    "sys.exit(any(u.find_spec(m) is None for m in ('starlette', 'uvicorn', 'tidewise.serve')))";

/// Arguments for exec, which no shell expands.
std::vector<char*> pointers_to(std::vector<std::string>& words) {
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  return pointers;
}

/// Runs Python without input and output. Returns its exit status; 127 if there is no Python.
int status_of_python(std::vector<std::string> words) {
  posix_spawn_file_actions_t actions{};
  ::posix_spawn_file_actions_init(&actions);
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    ::posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_RDWR, 0);
  }
  pid_t child = 0;
  const int failure =
      ::posix_spawnp(&child, python, &actions, nullptr, pointers_to(words).data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  int state = 0;
  if (failure != 0 || ::waitpid(child, &state, 0) != child || !WIFEXITED(state)) return 127;
  return WEXITSTATUS(state);
}

/// Keeps Python from loading modules of the working folder, whose files may have any name.
void exclude_working_folder() { ::setenv("PYTHONSAFEPATH", "1", 1); }

}  // namespace

void require_server() {
  exclude_working_folder();
  if (status_of_python({python, "-c", probe}) != 0) {
    throw input_error(errors::serve_packages_missing);
  }
}

void run_server(const ServeArguments& arguments) {
  require_server();
  std::vector<std::string> words{python, "-m", "tidewise.serve"};
  if (!arguments.watch.empty()) words.push_back("--watch=" + arguments.watch);
  if (arguments.no_browser) words.emplace_back("--no-browser");
  words.insert(words.end(), {"--", arguments.run});
  finish_printing();
  ::execvp(python, pointers_to(words).data());
  throw input_error(errors::serve_packages_missing);  // only if execvp() failed
}

}  // namespace tidewise
