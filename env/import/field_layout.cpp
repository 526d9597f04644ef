#include "env/import/field_layout.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "base/error.h"
#include "env/import/coordinate_role.h"
#include "env/import/text.h"

namespace tidewise {
namespace {

constexpr std::array<const char*, role_count> role_words{"longitude", "latitude", "time", "depth",
                                                         "ensemble member"};
constexpr std::array<const char*, role_count> role_options{"--lon", "--lat", "--time", "--level",
                                                           "--member"};

class LayoutFinder {
 public:
  LayoutFinder(const NetcdfFile& file, const std::string& variable, const SourceNames& names)
      : file_(file), told_{names.longitude, names.latitude, names.time, names.depth, names.member} {
    layout_.variable = variable;
    layout_.places.resize(role_count);
  }

  FieldLayout find() {
    const auto dimensions = file_.dimensions(layout_.variable);
    layout_.rank = dimensions.size();
    std::vector<NetcdfDimension> without_role;
    for (std::size_t position = 0; position < dimensions.size(); ++position) {
      const auto& dimension = dimensions[position];
      const auto candidates = coordinates_of(dimension);
      const auto role = role_of(dimension, candidates);
      if (role) {
        place(*role, position, dimension, coordinate_for(*role, dimension, candidates));
      } else if (dimension.size > 1) {
        without_role.push_back(dimension);
      }
    }
    require_told(dimensions);
    for (const Role role : {Role::longitude, Role::latitude, Role::time}) require(role);
    if (!without_role.empty()) {
      file_.refuse(layout_.variable,
                   fmt::format("has a dimension {} of size {} that is none of longitude, latitude, "
                               "time, depth and member; name its role with --level or --member, or "
                               "take one slice of it first",
                               without_role[0].name, without_role[0].size));
    }
    return layout_;
  }

 private:
  /// One-dimensional variables along `dimension`, its namesake first.
  std::vector<std::string> coordinates_of(const NetcdfDimension& dimension) const {
    std::vector<std::string> found;
    for (const auto& variable : file_.variables()) {
      const auto own = file_.dimensions(variable);
      if (own.size() == 1 && own[0].name == dimension.name) found.push_back(variable);
    }
    std::stable_partition(found.begin(), found.end(),
                          [&](const std::string& name) { return name == dimension.name; });
    return found;
  }

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
      file_.refuse(
          layout_.variable,
          fmt::format("has two dimensions that look like {} ({} and {}); say which with {}",
                      role_words[static_cast<std::size_t>(role)], slot->dimension, dimension.name,
                      role_options[static_cast<std::size_t>(role)]));
    }
    slot = RolePlace{position, dimension.size, dimension.name, coordinate};
  }

  void require_told(const std::vector<NetcdfDimension>& dimensions) const {
    std::vector<std::string> own;
    own.reserve(dimensions.size());
    for (const auto& dimension : dimensions) own.push_back(dimension.name);
    for (std::size_t role = 0; role < role_count; ++role) {
      if (told_[role].empty() || layout_.places[role]) continue;
      file_.refuse(layout_.variable,
                   fmt::format("has no dimension for {} {}; choose one of {}", role_options[role],
                               told_[role], fmt::join(own, ", ")));
    }
  }

  void require(Role role) const {
    const auto& slot = layout_.place(role);
    const char* word = role_words[static_cast<std::size_t>(role)];
    const char* option = role_options[static_cast<std::size_t>(role)];
    if (role != Role::time) refuse_other_grids(role);
    if (!slot) {
      file_.refuse(
          layout_.variable,
          fmt::format("has no {} dimension that can be told; name it with {}", word, option));
    }
    if (slot->coordinate.empty()) {
      file_.refuse(layout_.variable,
                   fmt::format("its dimension {} has no coordinate variable, so its "
                               "{} is unknown; add one, or name it with {}",
                               slot->dimension, word, option));
    }
  }

  /// Curvilinear and projected grids get a line of their own: they are common and need other tools.
  void refuse_other_grids(Role role) const {
    const auto& slot = layout_.place(role);
    const std::string units =
        slot && !slot->coordinate.empty() ? file_.text(slot->coordinate, "units") : "";
    // An axis without units beside a longitude of two dimensions only counts columns.
    if (units.empty()) refuse_curvilinear(role);
    const std::string lower = lower_case(units);
    if (units.empty() || lower.starts_with("deg") || lower.starts_with("°")) return;
    file_.refuse(slot->coordinate,
                 fmt::format("has the units \"{}\" where degrees are needed; only grids along "
                             "longitude and latitude are read, so regrid the file first, e.g. with "
                             "cdo remapbil",
                             units));
  }

  void refuse_curvilinear(Role role) const {
    for (const auto& variable : file_.variables()) {
      if (file_.dimensions(variable).size() != 2) continue;
      if (role_by(Evidence::standard_name, file_, variable) == role ||
          role_by(Evidence::units, file_, variable) == role || role_by_name(variable) == role) {
        file_.refuse(variable,
                     fmt::format("{} has two dimensions (a curvilinear grid), and only "
                                 "grids along longitude and latitude are read; regrid the "
                                 "file first, e.g. with cdo remapbil",
                                 role_words[static_cast<std::size_t>(role)]));
      }
    }
  }

  const NetcdfFile& file_;
  std::array<std::string, role_count> told_;
  FieldLayout layout_;
};

}  // namespace

FieldLayout find_layout(const NetcdfFile& file, const std::string& variable,
                        const SourceNames& names) {
  return LayoutFinder(file, variable, names).find();
}

}  // namespace tidewise
