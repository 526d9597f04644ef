#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "base/host_device.h"
#include "base/memory/array.h"
#include "env/environment_info.h"

namespace tidewise {

/// A read-only view of the fields of one time level; trivially copyable. Velocities are in m s-1
/// or 1. If there are several profiles, the view shows one velocity, initially that of the first.
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
  View<const std::uint8_t> dry;     ///< (y, x), 1 = the velocity is missing and reads 0

  /// This level with the velocity of profile `number`, 0 … EnvironmentInfo::velocities − 1.
  /// Requires that this view shows the first profile.
  TIDEWISE_HOST_DEVICE LevelView profile(std::int32_t number) const {
    LevelView selected = *this;
    for (View<const float>* field :
         {&selected.u_mean, &selected.v_mean, &selected.u_mode, &selected.v_mode}) {
      field->data += static_cast<std::size_t>(number) * field->size;
    }
    selected.dry.data += static_cast<std::size_t>(number) * dry.size;
    return selected;
  }
};

/// A read-only view of `fields`, which are LevelFieldViews or LevelFields.
template <class Fields>
LevelView view_level(const EnvironmentInfo& info, const Fields& fields) {
  const auto cells = static_cast<std::size_t>(info.grid.cell_count());
  const std::size_t modes = cells * static_cast<std::size_t>(info.mode_count);
  const auto first_profile = [](View<const float> field, std::size_t size) {
    return View<const float>(field.data, size);
  };
  const View<const std::uint8_t> masked = fields.masked;
  const View<const std::uint8_t> dry = fields.dry;
  return {info.grid,
          info.mode_count,
          info.realization_count,
          first_profile(fields.u_mean, cells),
          first_profile(fields.v_mean, cells),
          first_profile(fields.u_mode, modes),
          first_profile(fields.v_mode, modes),
          fields.coefficient,
          fields.scalar,
          {masked.data, cells},
          {dry.data, cells}};
}

/// Writable views of a level's fields, for reading and validating them; trivially copyable. The
/// velocities, `dry` and `own_masks` of several profiles lie one after the other. JoinProfiles
/// merges `own_masks` into `masked`.
struct LevelFieldViews {
  View<float> u_mean, v_mean;
  View<float> u_mode, v_mode;
  View<float> coefficient;
  View<float> scalar;
  View<std::uint8_t> masked;
  View<std::uint8_t> dry;
  View<std::uint8_t> own_masks;  ///< (profile, y, x), empty with one profile
  /// (profile, y, x), 1 = a mode of SharedModes is missing in the cell; empty if levels have their
  /// own modes.
  View<const std::uint8_t> modes_missing = {};

  /// The part that belongs to profile `number` of `velocities`. Coefficients and scalar belong to
  /// the first profile.
  LevelFieldViews profile(std::int32_t number, std::int32_t velocities) const {
    if (velocities == 1) return *this;
    const auto n = static_cast<std::size_t>(number);
    const auto part_of = [&](auto field) {
      const std::size_t size = field.size / static_cast<std::size_t>(velocities);
      return field.part(n * size, size);
    };
    return {part_of(u_mean),
            part_of(v_mean),
            part_of(u_mode),
            part_of(v_mode),
            number == 0 ? coefficient : View<float>(),
            number == 0 ? scalar : View<float>(),
            part_of(own_masks),
            part_of(dry),
            {},
            part_of(modes_missing)};
  }

  LevelView view(const EnvironmentInfo& info) const { return view_level(info, *this); }
};

/// True if all levels share one copy of the modes. If several profiles are read and masks move, a
/// closed dive takes the modes of another profile at some levels only, so each level has its own.
inline bool shares_modes(const EnvironmentInfo& info) {
  return info.has_fixed_modes && !(info.velocities > 1 && info.obstacles == Obstacles::moving);
}

/// Modes that are the same at all levels.
template <MemorySpace Space = MemorySpace::host>
struct SharedModes {
  Array<float, Space> u, v;            ///< (profile, mode, y, x)
  Array<std::uint8_t, Space> missing;  ///< (profile, y, x), 1 = a mode is missing, all modes read 0

  SharedModes() = default;
  /// Allocates uninitialised modes.
  explicit SharedModes(const EnvironmentInfo& info)
      : u(plane_count(info) * static_cast<std::size_t>(info.mode_count)),
        v(u.size()),
        missing(plane_count(info)) {}

  /// Makes a level's view show these modes.
  void show_in(LevelView& level) const {
    level.u_mode.data = u.data();
    level.v_mode.data = v.data();
  }
  /// Memory that the shared modes take [B]; 0 if levels have their own modes.
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
  Array<float, Space> u_mode, v_mode;  ///< empty if there are shared_modes
  Array<float, Space> coefficient;
  Array<float, Space> scalar;
  Array<std::uint8_t, Space> masked;
  Array<std::uint8_t, Space> dry;
  Array<std::uint8_t, Space> own_masks;
  std::shared_ptr<const SharedModes<Space>> shared_modes;  ///< null if the level has its own

  LevelFields() = default;
  /// Allocates fields of the right sizes. Only `dry` is set to 0, and only on the host.
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

  /// The level's modes, shared or its own: (profile, mode, y, x).
  View<const float> u_modes() const {
    return shared_modes ? shared_modes->u.view() : u_mode.view();
  }
  View<const float> v_modes() const {
    return shared_modes ? shared_modes->v.view() : v_mode.view();
  }

  /// Writable views of the fields.
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
