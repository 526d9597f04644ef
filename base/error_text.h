#pragma once

#include <fmt/core.h>

#include <string>
#include <string_view>
#include <type_traits>

#include "base/error.h"

namespace tidewise {

/// An error message for wrong input. base/error_codes.h and error/codes.h of each layer define all.
struct ErrorMessage {
  const char* code;     ///< stable name, printed in brackets
  const char* wording;  ///< text with {} for each value
};

/// Defines the constant errors::name with the code "name".
#define TIDEWISE_ERROR(name, wording) \
  inline constexpr ErrorMessage name { #name, wording }

/// A message whose wording is checked against the types of its values at compile time.
template <class... Values>
struct CheckedMessage {
  // NOLINTNEXTLINE(google-explicit-constructor): implicit as in fmt::format_string.
  consteval CheckedMessage(const ErrorMessage& unchecked) : message(unchecked) {
    (void)fmt::format_string<Values...>(unchecked.wording);
  }
  const ErrorMessage& message;
};

/// The text of a message with its values, and the code in brackets at the end.
std::string format_error(const ErrorMessage& message, fmt::format_args values);

/// Same as format_error(), for a message whose wording is checked at compile time.
template <class... Values>
std::string error_text(std::type_identity_t<CheckedMessage<Values...>> checked,
                       Values&&... values) {
  return format_error(checked.message, fmt::make_format_args(values...));
}

/// Makes an exception: throw input_error(errors::file_missing, path).
template <class... Values>
InputError input_error(std::type_identity_t<CheckedMessage<Values...>> checked,
                       Values&&... values) {
  return InputError(format_error(checked.message, fmt::make_format_args(values...)));
}

/// Inserts words between an error's text and its code.
std::string add_words(const std::string& text, std::string_view words);

}  // namespace tidewise
