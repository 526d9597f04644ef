#pragma once

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "base/error.h"
#include "mdp/process/decision_process.h"

namespace tidewise::fuzz {

inline std::string_view as_text(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

/// A reader must return a valid process or throw an InputError of one line. Anything else,
/// including other exceptions, is a fault that stops the fuzzer.
template <class Read>
int require_process_or_refusal(const Read& read) {
  try {
    mdp::require_sound(read(), "what was read");
  } catch (const InputError& error) {
    const std::string_view words = error.what();
    const bool is_ours = words.starts_with("what was read");
    if (is_ours || words.find('\n') != std::string_view::npos || words.size() > 2000) std::abort();
  }
  return 0;
}

}  // namespace tidewise::fuzz
