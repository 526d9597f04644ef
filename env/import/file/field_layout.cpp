#include "env/import/file/field_layout.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "base/error.h"
#include "env/error/codes.h"
#include "env/import/file/coordinate_role.h"
#include "env/import/file/horizontal_layout.h"
#include "env/import/file/member_labels.h"
#include "env/import/file/wide_coordinates.h"

namespace tidewise::ingest {
namespace {

constexpr std::array<const char*, role_count> role_words{"longitude", "latitude", "time", "depth",
                                                         "ensemble member"};
constexpr std::array<const char*, role_count> role_options{"--lon", "--lat", "--time", "--level",
                                                           "--member"};

class LayoutFinder {
 public:
  LayoutFinder(const NetcdfFile& file, const std::string& variable, const SourceNames& names)
      : file_(file),
        names_(names),
        told_{names.longitude, names.latitude, names.time, names.depth, names.member} {
    layout_.variable = variable;
    layout_.places.resize(role_count);
  }

  FieldLayout find(TimeAxisIs time) {
    const auto dimensions = file_.dimensions(layout_.variable);
    layout_.rank = dimensions.size();
    for (std::size_t position = 0; position < dimensions.size(); ++position) {
      const auto& dimension = dimensions[position];
      const auto candidates = coordinates_along(file_, dimension.name);
      const auto role = role_of(dimension, candidates);
      if (role) place(*role, position, dimension, coordinate_for(*role, dimension, candidates));
    }
    settle_horizontal(file_, names_, layout_);
    require_told(dimensions);
    require(Role::longitude);
    require(Role::latitude);
    if (time == TimeAxisIs::required || layout_.place(Role::time)) require(Role::time);
    for (const auto& dimension : dimensions) require_role(dimension);
    return layout_;
  }

 private:
  std::optional<Role> role_of(const NetcdfDimension& dimension,
                              const std::vector<std::string>& candidates) const {
    for (std::size_t role = 0; role < role_count; ++role) {
      const bool named =
          told_[role] == dimension.name ||
          std::find(candidates.begin(), candidates.end(), told_[role]) != candidates.end();
      if (!told_[role].empty() && named) return static_cast<Role>(role);
    }
    for (const Evidence evidence :
         {Evidence::standard_name, Evidence::axis, Evidence::units, Evidence::name}) {
      for (const auto& candidate : candidates) {
        const auto role = role_by(evidence, file_, candidate);
        // A role that the user gave to another dimension is taken.
        if (role && told_[static_cast<std::size_t>(*role)].empty()) return role;
      }
    }
    const auto role = role_by_name(dimension.name);
    if (role && told_[static_cast<std::size_t>(*role)].empty()) return role;
    return std::nullopt;
  }

  /// Of several variables along a dimension, the one that the user named, then the one that carries
  /// the role itself, then the namesake.
  std::string coordinate_for(Role role, const NetcdfDimension& dimension,
                             const std::vector<std::string>& candidates) const {
    const auto& told = told_[static_cast<std::size_t>(role)];
    if (std::find(candidates.begin(), candidates.end(), told) != candidates.end()) return told;
    for (const Evidence evidence :
         {Evidence::standard_name, Evidence::axis, Evidence::units, Evidence::name}) {
      for (const auto& candidate : candidates) {
        if (role_by(evidence, file_, candidate) == role) return candidate;
      }
    }
    const bool has_namesake = !candidates.empty() && candidates[0] == dimension.name;
    return has_namesake ? candidates[0] : std::string();
  }

  void place(Role role, std::size_t position, const NetcdfDimension& dimension,
             const std::string& coordinate) {
    auto& slot = layout_.places[static_cast<std::size_t>(role)];
    if (slot && dimension.size == 1) return;  // a leftover; the one with an extent counts
    if (slot && slot->size > 1) {
      file_.refuse(layout_.variable,
                   error_text(errors::dimension_role_ambiguous,
                              role_words[static_cast<std::size_t>(role)], slot->dimension,
                              dimension.name, role_options[static_cast<std::size_t>(role)]));
    }
    slot = RolePlace{position, dimension.size, dimension.name, coordinate};
  }

  void require_told(const std::vector<NetcdfDimension>& dimensions) const {
    std::vector<std::string> own;
    own.reserve(dimensions.size());
    for (const auto& dimension : dimensions) own.push_back(dimension.name);
    for (std::size_t role = 0; role < role_count; ++role) {
      if (told_[role].empty() || layout_.places[role]) continue;
      if (is_of_whole_file(static_cast<Role>(role))) continue;
      file_.refuse(layout_.variable, error_text(errors::role_dimension_missing, role_options[role],
                                                told_[role], fmt::join(own, ", ")));
    }
  }

  /// Whether the user named what numbers the file's one member, or states its one depth.
  bool is_of_whole_file(Role role) const {
    const std::string& told = told_[static_cast<std::size_t>(role)];
    if (role == Role::member) return is_single_label(file_, layout_.variable, told);
    return role == Role::depth && file_.has(told) && wide_dimensions(file_, told).empty();
  }

  void require(Role role) const {
    const auto& slot = layout_.place(role);
    const char* word = role_words[static_cast<std::size_t>(role)];
    const char* option = role_options[static_cast<std::size_t>(role)];
    if (!slot) {
      file_.refuse(layout_.variable,
                   error_text(errors::role_dimension_unknown, word, option,
                              role == Role::time
                                  ? ", or say with --steady how long a field of one time holds"
                                  : ""));
    }
    if (slot->coordinate.empty()) {
      file_.refuse(layout_.variable,
                   error_text(errors::dimension_without_coordinate, slot->dimension, word, option));
    }
  }

  /// Every dimension with an extent needs one.
  void require_role(const NetcdfDimension& dimension) const {
    const auto holds = [&](const std::optional<RolePlace>& slot) {
      return slot && slot->dimension == dimension.name;
    };
    if (dimension.size <= 1 || std::any_of(layout_.places.begin(), layout_.places.end(), holds)) {
      return;
    }
    file_.refuse(layout_.variable,
                 error_text(errors::dimension_role_unknown, dimension.name, dimension.size));
  }

  const NetcdfFile& file_;
  const SourceNames& names_;
  std::array<std::string, role_count> told_;
  FieldLayout layout_;
};

}  // namespace

FieldLayout find_layout(const NetcdfFile& file, const std::string& variable,
                        const SourceNames& names, TimeAxisIs time) {
  return LayoutFinder(file, variable, names).find(time);
}

}  // namespace tidewise::ingest
