#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>

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
  /// (profile, y, x), 1 = a mode of SharedModes is missing here; empty where levels have their own.
  View<const std::uint8_t> modes_missing = {};

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
            {},
            own(modes_missing)};
  }

  LevelView view(const EnvironmentInfo& info) const { return view_level(info, *this); }
};

/// Whether all levels share one copy of the modes. Where several profiles are read and masks move,
/// a closed dive takes the modes of another at some levels only, so each level has its own.
inline bool shares_modes(const EnvironmentInfo& info) {
  return info.has_fixed_modes && !(info.velocities > 1 && info.obstacles == Obstacles::moving);
}

/// Modes that are the same at all levels.
template <MemorySpace Space = MemorySpace::host>
struct SharedModes {
  Array<float, Space> u, v;            ///< (profile, mode, y, x)
  Array<std::uint8_t, Space> missing;  ///< (profile, y, x), 1 = a mode is missing; all read 0 here

  SharedModes() = default;
  /// Uninitialised.
  explicit SharedModes(const EnvironmentInfo& info)
      : u(plane_count(info) * static_cast<std::size_t>(info.mode_count)),
        v(u.size()),
        missing(plane_count(info)) {}

  /// Lets a level see these modes.
  void show_in(LevelView& level) const {
    level.u_mode.data = u.data();
    level.v_mode.data = v.data();
  }
  /// Memory that they take [B]; 0 where levels have their own.
  static std::size_t size(const EnvironmentInfo& info) {
    if (!shares_modes(info)) return 0;
    return plane_count(info) *
           (2 * sizeof(float) * static_cast<std::size_t>(info.mode_count) + sizeof(std::uint8_t));
  }

 private:
  static std::size_t plane_count(const EnvironmentInfo& info) {
    return static_cast<std::size_t>(info.grid.cell_count()) *
           static_cast<std::size_t>(info.velocities);
  }
};

/// The fields of one time level, owned. Shapes as in LevelView.
template <MemorySpace Space = MemorySpace::host>
struct LevelFields {
  Array<float, Space> u_mean, v_mean;
  Array<float, Space> u_mode, v_mode;  ///< empty where there are shared_modes
  Array<float, Space> coefficient;
  Array<float, Space> scalar;
  Array<std::uint8_t, Space> masked;
  Array<std::uint8_t, Space> dry;
  Array<std::uint8_t, Space> own_masks;
  std::shared_ptr<const SharedModes<Space>> shared_modes;  ///< null where the level has its own

  LevelFields() = default;
  /// Uninitialised fields of the right sizes, but for `dry`: on the host no cell is dry.
  explicit LevelFields(const EnvironmentInfo& info)
      : u_mean(cells(info) * velocities(info)),
        v_mean(cells(info) * velocities(info)),
        u_mode(cells(info) * velocities(info) * modes(info)),
        v_mode(cells(info) * velocities(info) * modes(info)),
        coefficient(modes(info) * static_cast<std::size_t>(info.realization_count)),
        scalar(info.has_scalar ? cells(info) : 0),
        masked(cells(info)),
        dry(cells(info) * velocities(info)),
        own_masks(info.velocities > 1 ? dry.size() : 0) {
    if constexpr (Space == MemorySpace::host) {
      std::fill(dry.data(), dry.data() + dry.size(), std::uint8_t{0});
    }
  }

  LevelView view(const EnvironmentInfo& info) const {
    LevelView level = view_level(info, *this);
    if (shared_modes) shared_modes->show_in(level);
    return level;
  }

  /// The modes, shared or its own: (profile, mode, y, x).
  View<const float> u_modes() const {
    return shared_modes ? shared_modes->u.view() : u_mode.view();
  }
  View<const float> v_modes() const {
    return shared_modes ? shared_modes->v.view() : v_mode.view();
  }

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
