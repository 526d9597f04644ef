#pragma once

#include <cstdint>

#include "base/memory/array.h"
#include "env/environment_info.h"

namespace tidewise {

/// A look at the fields of one time level; trivially copyable. Units: velocity m s-1 or 1.
struct LevelView {
  Grid grid;
  std::int32_t mode_count = 0;
  std::int32_t realization_count = 0;
  View<const float> u_mean;         ///< (y, x)
  View<const float> v_mean;         ///< (y, x)
  View<const float> u_mode;         ///< (mode, y, x)
  View<const float> v_mode;         ///< (mode, y, x)
  View<const float> coefficient;    ///< (mode, realization)
  View<const float> scalar;         ///< (y, x), empty without a scalar field
  View<const std::uint8_t> masked;  ///< (y, x), env/mask.h
  View<const std::uint8_t> dry;     ///< (y, x), 1 = the file holds no velocity here; it reads 0
};

/// A look at `fields`, LevelFieldViews or LevelFields.
template <class Fields>
LevelView view_level(const EnvironmentInfo& info, const Fields& fields) {
  return {info.grid,     info.mode_count, info.realization_count, fields.u_mean, fields.v_mean,
          fields.u_mode, fields.v_mode,   fields.coefficient,     fields.scalar, fields.masked,
          fields.dry};
}

/// The same fields, to be filled and judged; trivially copyable.
struct LevelFieldViews {
  View<float> u_mean, v_mean;
  View<float> u_mode, v_mode;
  View<float> coefficient;
  View<float> scalar;
  View<std::uint8_t> masked;
  View<std::uint8_t> dry;

  LevelView view(const EnvironmentInfo& info) const { return view_level(info, *this); }
};

/// The fields of one time level, owned. Shapes as in LevelView.
template <MemorySpace Space = MemorySpace::host>
struct LevelFields {
  Array<float, Space> u_mean, v_mean;
  Array<float, Space> u_mode, v_mode;
  Array<float, Space> coefficient;
  Array<float, Space> scalar;
  Array<std::uint8_t, Space> masked;
  Array<std::uint8_t, Space> dry;

  LevelFields() = default;
  /// Uninitialised fields of the right sizes.
  explicit LevelFields(const EnvironmentInfo& info)
      : u_mean(cells(info)),
        v_mean(cells(info)),
        u_mode(cells(info) * modes(info)),
        v_mode(cells(info) * modes(info)),
        coefficient(modes(info) * static_cast<std::size_t>(info.realization_count)),
        scalar(info.has_scalar ? cells(info) : 0),
        masked(cells(info)),
        dry(cells(info)) {}

  LevelView view(const EnvironmentInfo& info) const { return view_level(info, *this); }

  LevelFieldViews views() {
    return {u_mean, v_mean, u_mode, v_mode, coefficient, scalar, masked, dry};
  }

 private:
  static std::size_t cells(const EnvironmentInfo& info) {
    return static_cast<std::size_t>(info.grid.cell_count());
  }
  static std::size_t modes(const EnvironmentInfo& info) {
    return static_cast<std::size_t>(info.mode_count);
  }
};

}  // namespace tidewise
