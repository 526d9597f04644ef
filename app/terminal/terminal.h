#pragma once

#include <fmt/core.h>

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <utility>

namespace tidewise {

// All that the program says goes through here: to standard output what a command was asked for, to
// standard error what is to be said beside it. Neither lets a control character through that stood
// in some file.

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
/// The same; to standard output where there is none. Errors: as of print().
void print_figures(const nlohmann::ordered_json& figures);

/// As a word of a command to paste into a shell: in quotes where it needs them.
std::string shell_word(const std::string& text);

/// Brings what was printed to where it is to go. Errors: as above.
void finish_printing();

/// To standard error, if that can be written: what nobody can read is no reason to fail.
void tell(std::string_view text) noexcept;

/// The same as it stands: for what moves the cursor on a terminal.
void tell_raw(std::string_view text) noexcept;

}  // namespace tidewise
