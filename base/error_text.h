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

/// Defines the constant errors::name, whose code is its name.
#define TIDEWISE_ERROR(name, wording) \
  inline constexpr ErrorMessage name { #name, wording }

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

/// An error's text with words after it, before its code.
std::string add_words(const std::string& text, std::string_view words);

}  // namespace tidewise
