#pragma once

#include <compare>
#include <cstdint>

#include "base/host_device.h"

namespace tidewise {

/// An integer with a type of its own, so that kinds of indices cannot be mixed up. `Tag` names the
/// kind.
template <class Tag, class Integer = std::int32_t>
struct Index {
  Integer value = 0;

  Index() = default;
  TIDEWISE_HOST_DEVICE constexpr explicit Index(Integer v) : value(v) {}
  constexpr auto operator<=>(const Index&) const = default;  // NOLINT(modernize-use-nullptr)
};

}  // namespace tidewise
