#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>

namespace tidewise {

/// Wrong input: a file, a key, an option. The program prints the text as one line and exits with
/// status 2. The text states what is wrong (with the value), why, and what to do. It has no line
/// breaks and ends with the error's code in brackets: "m.toml: there is no such file; check the
/// path [file_missing]".
class InputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;

  /// The code at the end of the text, such as file_missing; empty if there is none. The code is
  /// stored only in the text, so that it survives a prefix and the passage between processes.
  std::string_view code() const noexcept {
    const std::string_view line = what();
    const std::size_t open = code_begin(line);
    return open == line.size() ? std::string_view() : line.substr(open + 2, line.size() - open - 3);
  }
  /// The text before the code.
  std::string_view text() const noexcept {
    const std::string_view line = what();
    return line.substr(0, code_begin(line));
  }

 private:
  /// Position of " [code]", or the size of the line if it has no code. A code has small letters,
  /// digits and an underscore.
  static std::size_t code_begin(std::string_view line) noexcept {
    const std::size_t open = line.rfind(" [");
    if (open == std::string_view::npos || line.back() != ']') return line.size();
    const std::string_view code = line.substr(open + 2, line.size() - open - 3);
    const bool is_code =
        code.find('_') != std::string_view::npos &&
        code.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") == std::string_view::npos;
    return is_code ? open : line.size();
  }
};

/// A failure of a run whose input is right: disk full, GPU lost. Exit status 1.
class RunError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace tidewise
