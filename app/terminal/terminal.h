#pragma once

#include <fmt/core.h>

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <utility>

namespace tidewise {

// All output of the program: results to standard output, everything else to standard error. Control
// characters, which may come from files, are escaped in both.

/// Makes descriptors 0, 1 and 2 lead somewhere, so that no file that is opened later gets one of
/// them and is written to by mistake, and lets a reader that went away be an error of the write.
void hold_standard_streams();

/// To standard output. Errors: RunError where it is full, closed or its reader has gone.
void print_text(std::string_view text);
template <class... Values>
void print(fmt::format_string<Values...> format, Values&&... values) {
  print_text(fmt::format(format, std::forward<Values>(values)...));
}

/// Figures for another program that runs the command. Returns whether there is one that takes them.
bool give_figures(const nlohmann::ordered_json& figures);
/// The same; to standard output if there is no outlet. Errors: as of print().
void print_figures(const nlohmann::ordered_json& figures);

/// A word to paste into a shell command, in quotes if needed.
std::string shell_word(const std::string& text);

/// Brings what was printed to where it is to go. Errors: as above.
void finish_printing();

/// To standard error. A failure to write is ignored.
void tell(std::string_view text) noexcept;

/// The same without escaping, for cursor control.
void tell_raw(std::string_view text) noexcept;

}  // namespace tidewise
