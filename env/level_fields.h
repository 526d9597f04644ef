#pragma once

#include <cstddef>
#include <cstdint>

#include "base/host_device.h"
#include "base/memory/array.h"
#include "env/environment_info.h"

namespace tidewise {

/// A look at the fields of one time level; trivially copyable. Units: velocity m s-1 or 1. Of
/// several profiles it sees the velocity of one, at first the first.
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
  View<const std::uint8_t> dry;     ///< (y, x), 1 = there is no velocity here; it reads 0

  /// The same level at the velocity of another profile, 0 … EnvironmentInfo::velocities − 1.
  /// Requires that this one sees the first.
  TIDEWISE_HOST_DEVICE LevelView profile(std::int32_t number) const {
    LevelView own = *this;
    for (View<const float>* field : {&own.u_mean, &own.v_mean, &own.u_mode, &own.v_mode}) {
      field->data += static_cast<std::size_t>(number) * field->size;
    }
    own.dry.data += static_cast<std::size_t>(number) * dry.size;
    return own;
  }
};

/// A look at `fields`, LevelFieldViews or LevelFields.
template <class Fields>
LevelView view_level(const EnvironmentInfo& info, const Fields& fields) {
  const auto cells = static_cast<std::size_t>(info.grid.cell_count());
  const std::size_t modes = cells * static_cast<std::size_t>(info.mode_count);
  const auto of_first = [](View<const float> field, std::size_t size) {
    return View<const float>(field.data, size);
  };
  const View<const std::uint8_t> masked = fields.masked;
  const View<const std::uint8_t> dry = fields.dry;
  return {info.grid,
          info.mode_count,
          info.realization_count,
          of_first(fields.u_mean, cells),
          of_first(fields.v_mean, cells),
          of_first(fields.u_mode, modes),
          of_first(fields.v_mode, modes),
          fields.coefficient,
          fields.scalar,
          {masked.data, cells},
          {dry.data, cells}};
}

/// The same fields, to be filled and judged; trivially copyable. Of several profiles the
/// velocities and `dry` of each lie one after the other, and so do the masks that JoinProfiles
/// makes one of.
struct LevelFieldViews {
  View<float> u_mean, v_mean;
  View<float> u_mode, v_mode;
  View<float> coefficient;
  View<float> scalar;
  View<std::uint8_t> masked;
  View<std::uint8_t> dry;
  View<std::uint8_t> own_masks;  ///< (profile, y, x), of several alone

  /// What profile `number` of `velocities` has of its own; coefficients and scalar come with the
  /// first.
  LevelFieldViews profile(std::int32_t number, std::int32_t velocities) const {
    if (velocities == 1) return *this;
    const auto n = static_cast<std::size_t>(number);
    const auto own = [&](auto field) {
      const std::size_t size = field.size / static_cast<std::size_t>(velocities);
      return field.part(n * size, size);
    };
    return {own(u_mean),
            own(v_mean),
            own(u_mode),
            own(v_mode),
            number == 0 ? coefficient : View<float>(),
            number == 0 ? scalar : View<float>(),
            own(own_masks),
            own(dry),
            {}};
  }

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
  Array<std::uint8_t, Space> own_masks;

  LevelFields() = default;
  /// Uninitialised fields of the right sizes.
  explicit LevelFields(const EnvironmentInfo& info)
      : u_mean(cells(info) * velocities(info)),
        v_mean(cells(info) * velocities(info)),
        u_mode(cells(info) * velocities(info) * modes(info)),
        v_mode(cells(info) * velocities(info) * modes(info)),
        coefficient(modes(info) * static_cast<std::size_t>(info.realization_count)),
        scalar(info.has_scalar ? cells(info) : 0),
        masked(cells(info)),
        dry(cells(info) * velocities(info)),
        own_masks(info.velocities > 1 ? dry.size() : 0) {}

  LevelView view(const EnvironmentInfo& info) const { return view_level(info, *this); }

  LevelFieldViews views() {
    return {u_mean, v_mean, u_mode, v_mode, coefficient, scalar, masked, dry, own_masks};
  }

 private:
  static std::size_t cells(const EnvironmentInfo& info) {
    return static_cast<std::size_t>(info.grid.cell_count());
  }
  static std::size_t modes(const EnvironmentInfo& info) {
    return static_cast<std::size_t>(info.mode_count);
  }
  static std::size_t velocities(const EnvironmentInfo& info) {
    return static_cast<std::size_t>(info.velocities);
  }
};

}  // namespace tidewise
