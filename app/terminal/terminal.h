#pragma once

#include <fmt/core.h>

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <utility>

namespace tidewise {

// All output of the program: results to standard output, everything else to standard error. Control
// characters, which may come from files, are escaped in both.

/// Opens /dev/null for closed descriptors of 0, 1 and 2, so that no file opened later is written to
/// by mistake. Makes writing to a closed pipe an error instead of a signal.
void hold_standard_streams();

/// Prints to standard output. Errors: RunError if it is full or closed, or its reader has ended.
void print_text(std::string_view text);
template <class... Values>
void print(fmt::format_string<Values...> format, Values&&... values) {
  print_text(fmt::format(format, std::forward<Values>(values)...));
}

/// Passes figures to a program that runs the command. Returns true if there is one that uses them.
bool give_figures(const nlohmann::ordered_json& figures);
/// Passes figures like give_figures(), or else prints them to standard output. Errors: those of
/// print().
void print_figures(const nlohmann::ordered_json& figures);

/// A word to paste into a shell command, in quotes if needed.
std::string shell_word(const std::string& text);

/// Flushes the standard output. Errors: as above.
void finish_printing();

/// Prints to standard error. A failure to write is ignored.
void print_to_stderr(std::string_view text) noexcept;

/// Like print_to_stderr() without escaping, for cursor control.
void print_raw_to_stderr(std::string_view text) noexcept;

}  // namespace tidewise
