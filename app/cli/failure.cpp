#include "app/cli/failure.h"

#include <fmt/core.h>

#include <filesystem>
#include <new>
#include <string_view>
#include <system_error>

#include "app/terminal/terminal.h"
#include "base/error.h"
#include "base/printable.h"

namespace tidewise {
namespace {

/// Prints an error in one line, since messages of libraries may have several.
int print_error(int status, std::string_view text) {
  print_to_stderr(
      fmt::format("tidewise: error: {}\n", shortened(on_one_line(text), max_message_bytes)));
  return status;
}

}  // namespace

int status_of(const std::exception& error) {
  return dynamic_cast<const InputError*>(&error) != nullptr ? exit_wrong_input : exit_run_failed;
}

std::string describe_failure(const std::exception& error) {
  const auto* files = dynamic_cast<const std::filesystem::filesystem_error*>(&error);
  if (files == nullptr) return error.what();
  std::error_code folder_error;
  (void)std::filesystem::current_path(folder_error);
  if (folder_error) {
    return fmt::format("the working folder cannot be used ({}); change into one that is there (cd)",
                       folder_error.message());
  }
  return fmt::format("{}: {}; check the path and run again", files->path1().string(),
                     files->code().message());
}

int report_error(const std::exception& error) {
  if (dynamic_cast<const std::bad_alloc*>(&error) != nullptr) {
    return print_error(exit_run_failed,
                       "out of memory; use fewer realizations, modes or cells, or fewer threads");
  }
  return print_error(status_of(error), describe_failure(error));
}

}  // namespace tidewise
