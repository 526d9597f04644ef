#pragma once

#include <array>
#include <cstddef>
#include <string_view>
#include <type_traits>

namespace tidewise {

/// The words for an enum's values, in the order of the values. Specialised in the lowest layer that
/// uses the enum; to_string() and the keys of missions use them.
template <class Enum>
inline constexpr std::array<std::string_view, 0> words_of{};

/// The word of an enum's value.
template <class Enum>
requires std::is_enum_v<Enum> &&(words_of<Enum>.size() > 0) constexpr std::string_view
    to_string(Enum value) {
  return words_of<Enum>[static_cast<std::size_t>(value)];
}

}  // namespace tidewise
