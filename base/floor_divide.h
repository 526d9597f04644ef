#pragma once

#include <cstdint>

#include "base/host_device.h"

namespace tidewise {

/// ⌊n / d⌋ by one multiplication, for |n| and d under 4096; `inverse` is float32(1/d). Exact: a
/// quotient (n + ½) / d is at least 1/(2d) away from every whole number, and the float32 error is
/// smaller.
TIDEWISE_HOST_DEVICE inline std::int32_t floor_divide_by(std::int32_t n, float inverse) {
#if defined(__CUDA_ARCH__)
  return __float2int_rd((static_cast<float>(n) + 0.5F) * inverse);
#else
  const float quotient = (static_cast<float>(n) + 0.5F) * inverse;
  const auto whole = static_cast<std::int32_t>(quotient);
  return static_cast<float>(whole) > quotient ? whole - 1 : whole;
#endif
}

}  // namespace tidewise
