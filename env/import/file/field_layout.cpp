#include "env/import/file/field_layout.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/error.h"
#include "env/error/codes.h"
#include "env/import/file/coordinate_role.h"
#include "env/import/file/member_labels.h"
#include "env/import/file/wide_coordinates.h"
#include "env/units/text.h"

namespace tidewise::ingest {
namespace {

/// One-dimensional variables along `dimension`, its namesake first.
std::vector<std::string> coordinates_along(const NetcdfFile& file, const std::string& dimension) {
  std::vector<std::string> found;
  for (const auto& variable : file.variables()) {
    const auto own = file.dimensions(variable);
    if (own.size() == 1 && own[0].name == dimension) found.push_back(variable);
  }
  std::stable_partition(found.begin(), found.end(),
                        [&](const std::string& name) { return name == dimension; });
  return found;
}

class HorizontalFinder {
 public:
  HorizontalFinder(const NetcdfFile& file, const SourceNames& names, FieldLayout& layout)
      : file_(file), names_(names), layout_(layout), own_(file.dimensions(layout.variable)) {}

  void settle() {
    prefer_places(Role::longitude);
    prefer_places(Role::latitude);
    settle_kind();
    if (layout_.kind == GridKind::longitude_latitude) refuse_numbers();
    if (layout_.kind == GridKind::projected) return;
    for (const Role role : {Role::longitude, Role::latitude}) {
      if (place(role)) refuse_west_and_south(file_, place(role)->coordinate, role);
    }
  }

 private:
  void settle_kind() {
    if (is_plain(Role::longitude) && is_plain(Role::latitude)) return;
    refuse_unstructured();
    const Pair pair{find_wide_coordinate(file_, layout_.variable, Role::longitude, names_.longitude,
                                         rows_and_columns()),
                    find_wide_coordinate(file_, layout_.variable, Role::latitude, names_.latitude,
                                         rows_and_columns())};
    if (may_be_plain(Role::longitude, pair.longitude) &&
        may_be_plain(Role::latitude, pair.latitude)) {
      return;
    }
    if (!pair.longitude.empty() && !pair.latitude.empty()) {
      settle_curvilinear(pair);
    } else if (!settle_projected()) {
      refuse(pair);
    }
  }

  struct Pair {
    std::string longitude, latitude;
  };

  const std::string& given(Role role) const {
    return role == Role::longitude ? names_.longitude : names_.latitude;
  }
  const std::optional<RolePlace>& place(Role role) const { return layout_.place(role); }

  /// True if a role's one-dimensional coordinate is declared to be a longitude or latitude.
  bool is_plain(Role role) const {
    if (!place(role) || place(role)->coordinate.empty()) return false;
    const std::string& coordinate = place(role)->coordinate;
    const std::string name = lower_case(file_.text(coordinate, "standard_name"));
    // The user's choice decides for coordinates without metadata, but metres never become degrees.
    if (is_index(name) || name.starts_with("grid_") || name.starts_with("projection_"))
      return false;
    if (is_given(role) && has_degrees(file_, coordinate)) return true;
    if (name == (role == Role::longitude ? "longitude" : "latitude")) return true;
    return role_by(Evidence::units, file_, coordinate) == role;
  }

  /// True if it may be one. If there is also a two-dimensional coordinate, numbers without units
  /// only count columns, and degrees may be those of a rotated pole.
  bool may_be_plain(Role role, const std::string& wide) const {
    if (is_plain(role)) return true;
    if (!place(role) || place(role)->coordinate.empty() || !wide.empty()) return false;
    return is_position(file_, place(role)->coordinate, role);
  }

  bool is_given(Role role) const {
    return !given(role).empty() && place(role) &&
           (given(role) == place(role)->coordinate || given(role) == place(role)->dimension);
  }

  /// Prefers variables declared as longitude or latitude to an axis that is not. Several of them
  /// must agree, unless the user chose one.
  void prefer_places(Role role) {
    auto& slot = layout_.places[static_cast<std::size_t>(role)];
    if (!slot || slot->coordinate.empty() || is_given(role)) return;
    std::vector<std::string> places;
    for (const auto& candidate : coordinates_along(file_, slot->dimension)) {
      if (is_position(file_, candidate, role)) places.push_back(candidate);
    }
    if (places.empty()) return;
    if (std::find(places.begin(), places.end(), slot->coordinate) == places.end()) {
      slot->coordinate = places.front();
    }
    const auto own = file_.read_all(slot->coordinate);
    for (const auto& other : places) require_agreement(role, own, other);
  }

  void require_agreement(Role role, const std::vector<double>& own,
                         const std::string& other) const {
    constexpr double tolerance = 0.1;  // share of a step
    const auto values = file_.read_all(other);
    double step = 0;
    double max_difference = 0;
    for (std::size_t n = 0; n < own.size(); ++n) {
      if (n > 0) step = std::max(step, std::abs(std::remainder(own[n] - own[n - 1], 360.0)));
      max_difference =
          std::max(max_difference, std::abs(std::remainder(values[n] - own[n], 360.0)));
    }
    if (!(max_difference > tolerance * step)) return;
    const auto& slot = *place(role);
    file_.refuse(other, error_text(errors::coordinates_disagree, max_difference, slot.coordinate,
                                   role == Role::longitude ? "longitude" : "latitude",
                                   slot.dimension, role == Role::longitude ? "--lon" : "--lat"));
  }

  /// Refuses coordinates that only their names make positions, if they may count columns and rows.
  void refuse_numbers() const {
    for (const Role role : {Role::longitude, Role::latitude}) {
      if (!place(role) || place(role)->coordinate.empty()) return;
      const std::string& coordinate = place(role)->coordinate;
      if (is_given(role) || !file_.units(coordinate).empty()) return;
      if (!counts_only(file_.read_all(coordinate))) return;
    }
    const std::string& coordinate = place(Role::longitude)->coordinate;
    file_.refuse(coordinate,
                 error_text(errors::coordinates_may_be_indices, place(Role::latitude)->coordinate,
                            coordinate, place(Role::latitude)->coordinate));
  }

  /// The variable's dimensions except time, depth and member.
  std::vector<NetcdfDimension> rows_and_columns() const {
    std::vector<NetcdfDimension> found;
    for (const auto& one : own_) {
      const auto is_other = [&](Role role) {
        return place(role) && place(role)->dimension == one.name;
      };
      if (one.size > 1 && !is_other(Role::time) && !is_other(Role::depth) &&
          !is_other(Role::member)) {
        found.push_back(one);
      }
    }
    return found;
  }

  void put(Role role, const std::string& dimension, const std::string& coordinate) {
    const auto found = std::find_if(own_.begin(), own_.end(), [&](const NetcdfDimension& one) {
      return one.name == dimension;
    });
    // Another role that was found by this dimension's name is removed.
    for (auto& slot : layout_.places) {
      if (slot && slot->dimension == dimension) slot.reset();
    }
    layout_.places[static_cast<std::size_t>(role)] = RolePlace{
        static_cast<std::size_t>(found - own_.begin()), found->size, dimension, coordinate};
  }

  /// True if the name of a horizontal dimension is one for columns, or for rows.
  std::optional<Role> axis_of(const std::string& dimension) const {
    for (const auto& coordinate : coordinates_along(file_, dimension)) {
      const std::string axis = lower_case(file_.text(coordinate, "axis"));
      const std::string name = lower_case(file_.text(coordinate, "standard_name"));
      if (axis == "x" || name == "projection_x_coordinate" || name == "grid_longitude") {
        return Role::longitude;
      }
      if (axis == "y" || name == "projection_y_coordinate" || name == "grid_latitude") {
        return Role::latitude;
      }
    }
    const std::string name = lower_case(dimension);
    for (const char* start : {"x", "i", "lon", "nlon", "ni", "nx", "west_east", "rlon"}) {
      if (name == start || (std::string(start) != "i" && name.starts_with(start))) {
        return Role::longitude;
      }
    }
    for (const char* start : {"y", "j", "lat", "nlat", "nj", "ny", "south_north", "rlat", "eta"}) {
      if (name == start || (std::string(start) != "j" && name.starts_with(start))) {
        return Role::latitude;
      }
    }
    return std::nullopt;
  }

  void settle_curvilinear(const Pair& pair) {
    auto dimensions = wide_dimensions(file_, pair.longitude);
    const auto other = wide_dimensions(file_, pair.latitude);
    const auto is_one_of_other = [&](const NetcdfDimension& one) {
      return one.name == other[0].name || one.name == other[1].name;
    };
    if (!std::all_of(dimensions.begin(), dimensions.end(), is_one_of_other)) refuse(pair);
    if (half_step(rows_and_columns(), dimensions)) dimensions = rows_and_columns();
    // Rows are the first dimension, unless names show the opposite.
    if (axis_of(dimensions[0].name) == Role::longitude &&
        axis_of(dimensions[1].name) != Role::longitude) {
      std::swap(dimensions[0], dimensions[1]);
    }
    layout_.kind = GridKind::curvilinear;
    put(Role::latitude, dimensions[0].name, pair.latitude);
    put(Role::longitude, dimensions[1].name, pair.longitude);
    layout_.along_rows = map_axis(dimensions[0].name);
    layout_.along_columns = map_axis(dimensions[1].name);
    if (!names_.longitude.empty() || !names_.latitude.empty() || layout_.along_rows.empty() ||
        layout_.along_columns.empty()) {
      return;
    }
    try {
      layout_.mapping = read_grid_mapping(file_, layout_.variable);
      layout_.mapping.note.clear();
    } catch (const InputError&) {
      layout_
          .mapping = {};  // with positions for all points an unsupported projection is not needed
    }
  }

  /// The coordinate along a dimension that measures a map, if there is one.
  std::string map_axis(const std::string& dimension) const {
    for (const auto& coordinate : coordinates_along(file_, dimension)) {
      const std::string name = lower_case(file_.text(coordinate, "standard_name"));
      if (name.starts_with("projection_") || name.starts_with("grid_") ||
          !file_.text(coordinate, "axis").empty() || coordinate == dimension) {
        return coordinate;
      }
    }
    return {};
  }

  bool settle_projected() {
    std::string columns;
    std::string rows;
    for (const auto& dimension : own_) {
      const auto role = axis_of(dimension.name);
      const std::string coordinate = map_axis(dimension.name);
      if (!role || coordinate.empty() || dimension.size == 1) continue;
      (role == Role::longitude ? columns : rows) = dimension.name;
    }
    if (columns.empty() || rows.empty()) return false;
    layout_.mapping = read_grid_mapping(file_, layout_.variable);
    if (layout_.mapping.proj.empty()) return false;
    layout_.kind = GridKind::projected;
    layout_.along_rows = map_axis(rows);
    layout_.along_columns = map_axis(columns);
    put(Role::latitude, rows, layout_.along_rows);
    put(Role::longitude, columns, layout_.along_columns);
    return true;
  }

  void refuse_unstructured() const {
    const std::string mesh = file_.text(layout_.variable, "mesh");
    for (const auto& dimension : own_) {
      if (dimension.size == 1) continue;
      const auto along = coordinates_along(file_, dimension.name);
      const auto has = [&](Role role) {
        return std::any_of(along.begin(), along.end(), [&](const std::string& one) {
          return role_by(Evidence::standard_name, file_, one) == role ||
                 role_by(Evidence::units, file_, one) == role ||
                 (one != dimension.name && is_named(file_, one, role));
        });
      };
      const bool both = has(Role::longitude) && has(Role::latitude);
      if (!both && mesh.empty()) continue;
      if (!both && &dimension != &own_.back()) continue;
      file_.refuse(layout_.variable, error_text(errors::unstructured_grid, dimension.name,
                                                mesh.empty() ? "" : ", mesh " + mesh));
    }
  }

  /// Refuses coordinates that are neither degrees, nor a two-dimensional pair, nor projected.
  void refuse(const Pair& pair) const {
    if (pair.longitude.empty() != pair.latitude.empty()) {
      const bool lon = !pair.longitude.empty();
      file_.refuse(lon ? pair.longitude : pair.latitude,
                   error_text(errors::curvilinear_pair_missing, lon ? "latitude" : "longitude",
                              lon ? "--lat" : "--lon"));
    }
    if (!pair.longitude.empty()) {
      file_.refuse(pair.longitude, error_text(errors::curvilinear_pair_differs, pair.latitude));
    }
    for (const Role role : {Role::longitude, Role::latitude}) {
      if (!place(role) || place(role)->coordinate.empty()) continue;
      const std::string& coordinate = place(role)->coordinate;
      const std::string name = lower_case(file_.text(coordinate, "standard_name"));
      const std::string units = file_.units(coordinate);
      if (may_be_plain(role, "")) continue;
      const bool maps = name.starts_with("grid_") || name.starts_with("projection_");
      if (units.empty() && !maps) refuse_bare(role, is_index(name) ? name : "");
      file_.refuse(coordinate, error_text(errors::projection_unknown, units,
                                          name.empty() ? "" : " and the standard_name " + name,
                                          layout_.variable));
    }
  }

  /// Refuses an axis without units of degrees or length, or one that is declared as an index.
  [[noreturn]] void refuse_bare(Role role, const std::string& index) const {
    const bool lon = role == Role::longitude;
    const std::string& coordinate = place(role)->coordinate;
    if (!index.empty()) {
      file_.refuse(coordinate,
                   error_text(errors::coordinate_is_index, lon ? "columns" : "rows", index));
    }
    file_.refuse(coordinate,
                 error_text(errors::coordinate_without_units, lon ? "longitude" : "latitude",
                            lon ? "columns" : "rows", lon ? "--lon" : "--lat", coordinate));
  }

  const NetcdfFile& file_;
  const SourceNames& names_;
  FieldLayout& layout_;
  std::vector<NetcdfDimension> own_;
};

/// Decides the kind of grid of `layout`, and the places of columns and rows. The places found
/// dimension by dimension stay if their coordinates are longitude and latitude. `names` take
/// precedence. Errors: InputError for unstructured grids, and for coordinates that are neither
/// degrees nor on a known projection.
void settle_horizontal(const NetcdfFile& file, const SourceNames& names, FieldLayout& layout) {
  HorizontalFinder(file, names, layout).settle();
}

constexpr std::array<const char*, role_count> role_words{"longitude", "latitude", "time", "depth",
                                                         "ensemble member"};
constexpr std::array<const char*, role_count> role_options{"--lon", "--lat", "--time", "--level",
                                                           "--member"};

class LayoutFinder {
 public:
  LayoutFinder(const NetcdfFile& file, const std::string& variable, const SourceNames& names)
      : file_(file),
        names_(names),
        given_{names.longitude, names.latitude, names.time, names.depth, names.member} {
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
    require_given(dimensions);
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
          given_[role] == dimension.name ||
          std::find(candidates.begin(), candidates.end(), given_[role]) != candidates.end();
      if (!given_[role].empty() && named) return static_cast<Role>(role);
    }
    for (const Evidence evidence :
         {Evidence::standard_name, Evidence::axis, Evidence::units, Evidence::name}) {
      for (const auto& candidate : candidates) {
        const auto role = role_by(evidence, file_, candidate);
        // A role that the user gave to another dimension is taken.
        if (role && given_[static_cast<std::size_t>(*role)].empty()) return role;
      }
    }
    const auto role = role_by_name(dimension.name);
    if (role && given_[static_cast<std::size_t>(*role)].empty()) return role;
    return std::nullopt;
  }

  /// Chooses among several variables along a dimension: the one that the user named, then one with
  /// evidence of the role, then the one with the dimension's name.
  std::string coordinate_for(Role role, const NetcdfDimension& dimension,
                             const std::vector<std::string>& candidates) const {
    const auto& given = given_[static_cast<std::size_t>(role)];
    if (std::find(candidates.begin(), candidates.end(), given) != candidates.end()) return given;
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
    if (slot && dimension.size == 1) return;  // the dimension of a size above 1 counts
    if (slot && slot->size > 1) {
      file_.refuse(layout_.variable,
                   error_text(errors::dimension_role_ambiguous,
                              role_words[static_cast<std::size_t>(role)], slot->dimension,
                              dimension.name, role_options[static_cast<std::size_t>(role)]));
    }
    slot = RolePlace{position, dimension.size, dimension.name, coordinate};
  }

  void require_given(const std::vector<NetcdfDimension>& dimensions) const {
    std::vector<std::string> own;
    own.reserve(dimensions.size());
    for (const auto& dimension : dimensions) own.push_back(dimension.name);
    for (std::size_t role = 0; role < role_count; ++role) {
      if (given_[role].empty() || layout_.places[role]) continue;
      if (is_of_whole_file(static_cast<Role>(role))) continue;
      file_.refuse(layout_.variable, error_text(errors::role_dimension_missing, role_options[role],
                                                given_[role], fmt::join(own, ", ")));
    }
  }

  /// True if the user named the label of the file's only member, or its only depth.
  bool is_of_whole_file(Role role) const {
    const std::string& given = given_[static_cast<std::size_t>(role)];
    if (role == Role::member) return is_single_label(file_, layout_.variable, given);
    return role == Role::depth && file_.has(given) && wide_dimensions(file_, given).empty();
  }

  void require(Role role) const {
    const auto& slot = layout_.place(role);
    const char* word = role_words[static_cast<std::size_t>(role)];
    const char* option = role_options[static_cast<std::size_t>(role)];
    if (!slot) {
      file_.refuse(
          layout_.variable,
          error_text(errors::role_dimension_unknown, word, option,
                     role == Role::time ? ", or give --steady for a field of one time" : ""));
    }
    if (slot->coordinate.empty()) {
      file_.refuse(layout_.variable,
                   error_text(errors::dimension_without_coordinate, slot->dimension, word, option));
    }
  }

  /// Every dimension of a size above 1 needs a role.
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
  std::array<std::string, role_count> given_;
  FieldLayout layout_;
};

}  // namespace

FieldLayout find_layout(const NetcdfFile& file, const std::string& variable,
                        const SourceNames& names, TimeAxisIs time) {
  return LayoutFinder(file, variable, names).find(time);
}

}  // namespace tidewise::ingest
