#pragma once

#include <fmt/core.h>

#include <string>
#include <string_view>
#include <type_traits>

#include "base/error.h"

namespace tidewise {

/// An error of the input. The tables are base/error_codes.h and error/codes.h of each other layer.
struct ErrorMessage {
  const char* code;
  const char* wording;  ///< with {} for each value
};

/// An error's message whose wording takes values of these types; others do not compile.
template <class... Values>
struct CheckedMessage {
  // NOLINTNEXTLINE(google-explicit-constructor): as fmt::format_string is made.
  consteval CheckedMessage(const ErrorMessage& of) : message(of) {
    (void)fmt::format_string<Values...>(of.wording);
  }
  const ErrorMessage& message;
};

std::string format_error(const ErrorMessage& message, fmt::format_args values);

/// The text of an error, with its code in brackets at the end.
template <class... Values>
std::string error_text(std::type_identity_t<CheckedMessage<Values...>> checked,
                       Values&&... values) {
  return format_error(checked.message, fmt::make_format_args(values...));
}

/// The error itself: throw input_error(errors::file_missing, path).
template <class... Values>
InputError input_error(std::type_identity_t<CheckedMessage<Values...>> checked,
                       Values&&... values) {
  return InputError(format_error(checked.message, fmt::make_format_args(values...)));
}

/// The code at the end of an error's text, such as file_missing; empty if there is none. It is kept
/// in the text alone, and survives words put before it and a way from process to process.
std::string_view code_in(std::string_view text);

/// An error's text without its code.
std::string_view text_without_code(std::string_view text);

/// An error's text with words after it, before its code.
std::string add_words(const std::string& text, std::string_view words);

}  // namespace tidewise
