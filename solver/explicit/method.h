#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "base/words.h"

namespace tidewise {

/// Methods that solve an explicit model. The first three read a stored model in device memory; all
/// except `sparse` give the same bits as the CPU. The others build P and R by the published method
/// (solver/published).
enum class ExplicitMethod : std::uint8_t {
  padded,         ///< one warp per cell, W in shared memory
  look_up,        ///< one thread per row, each W computed from the rule; then the best action
  sparse,         ///< cuSPARSE: P·v(k+1) plus immediate rewards; equal to rounding, not in bits
  published,      ///< P and R in the memory of the processor that computes them
  published_host  ///< P and R moved to the host, as published
};

/// Words of ExplicitMethod, in its order.
template <>
inline constexpr std::array<std::string_view, 5> words_of<ExplicitMethod>{
    "padded", "look-up", "cuSPARSE", "published", "published-host"};

/// True for methods that build P and R by the published method.
constexpr bool is_published(ExplicitMethod method) {
  return method == ExplicitMethod::published || method == ExplicitMethod::published_host;
}

}  // namespace tidewise
