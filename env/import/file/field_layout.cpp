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
  std::vector<std::string> coordinates;
  for (const auto& variable : file.variables()) {
    const auto dimensions = file.dimensions(variable);
    if (dimensions.size() == 1 && dimensions[0].name == dimension) coordinates.push_back(variable);
  }
  std::stable_partition(coordinates.begin(), coordinates.end(),
                        [&](const std::string& name) { return name == dimension; });
  return coordinates;
}

class HorizontalFinder {
 public:
  HorizontalFinder(const NetcdfFile& file, const SourceNames& names, FieldLayout& layout)
      : file_(file),
        names_(names),
        layout_(layout),
        dimensions_(file.dimensions(layout.variable)) {}

  void decide() {
    prefer_positions(Role::longitude);
    prefer_positions(Role::latitude);
    decide_kind();
    if (layout_.kind == GridKind::longitude_latitude) refuse_numbers();
    if (layout_.kind == GridKind::projected) return;
    for (const Role role : {Role::longitude, Role::latitude}) {
      if (place(role)) refuse_west_and_south(file_, place(role)->coordinate, role);
    }
  }

 private:
  void decide_kind() {
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
      set_curvilinear(pair);
    } else if (!try_projected()) {
      refuse(pair);
    }
  }

  struct Pair {
    std::string longitude, latitude;
  };

  const std::string& requested_name(Role role) const {
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
    if (is_requested(role) && has_degrees(file_, coordinate)) return true;
    if (name == (role == Role::longitude ? "longitude" : "latitude")) return true;
    return role_by(Evidence::units, file_, coordinate) == role;
  }

  /// True if the coordinate may be a longitude or latitude. If there is also a two-dimensional one,
  /// numbers without units only count columns, and degrees may be those of a rotated pole.
  bool may_be_plain(Role role, const std::string& wide) const {
    if (is_plain(role)) return true;
    if (!place(role) || place(role)->coordinate.empty() || !wide.empty()) return false;
    return is_position(file_, place(role)->coordinate, role);
  }

  bool is_requested(Role role) const {
    return !requested_name(role).empty() && place(role) &&
           (requested_name(role) == place(role)->coordinate ||
            requested_name(role) == place(role)->dimension);
  }

  /// Prefers variables that are declared as longitude or latitude to other axes. If there are
  /// several, they must agree, unless the user chose one.
  void prefer_positions(Role role) {
    auto& slot = layout_.places[static_cast<std::size_t>(role)];
    if (!slot || slot->coordinate.empty() || is_requested(role)) return;
    std::vector<std::string> positions;
    for (const auto& candidate : coordinates_along(file_, slot->dimension)) {
      if (is_position(file_, candidate, role)) positions.push_back(candidate);
    }
    if (positions.empty()) return;
    if (std::find(positions.begin(), positions.end(), slot->coordinate) == positions.end()) {
      slot->coordinate = positions.front();
    }
    const auto chosen = file_.read_all(slot->coordinate);
    for (const auto& other : positions) require_agreement(role, chosen, other);
  }

  void require_agreement(Role role, const std::vector<double>& chosen,
                         const std::string& other) const {
    constexpr double tolerance = 0.1;  // share of a step
    const auto values = file_.read_all(other);
    double step = 0;
    double max_difference = 0;
    for (std::size_t n = 0; n < chosen.size(); ++n) {
      if (n > 0) step = std::max(step, std::abs(std::remainder(chosen[n] - chosen[n - 1], 360.0)));
      max_difference =
          std::max(max_difference, std::abs(std::remainder(values[n] - chosen[n], 360.0)));
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
      if (is_requested(role) || !file_.units(coordinate).empty()) return;
      if (!are_index_numbers(file_.read_all(coordinate))) return;
    }
    const std::string& coordinate = place(Role::longitude)->coordinate;
    file_.refuse(coordinate,
                 error_text(errors::coordinates_may_be_indices, place(Role::latitude)->coordinate,
                            coordinate, place(Role::latitude)->coordinate));
  }

  /// The variable's dimensions except time, depth and member.
  std::vector<NetcdfDimension> rows_and_columns() const {
    std::vector<NetcdfDimension> horizontal;
    for (const auto& dimension : dimensions_) {
      const auto is_other = [&](Role role) {
        return place(role) && place(role)->dimension == dimension.name;
      };
      if (dimension.size > 1 && !is_other(Role::time) && !is_other(Role::depth) &&
          !is_other(Role::member)) {
        horizontal.push_back(dimension);
      }
    }
    return horizontal;
  }

  void assign(Role role, const std::string& dimension, const std::string& coordinate) {
    const auto found =
        std::find_if(dimensions_.begin(), dimensions_.end(),
                     [&](const NetcdfDimension& candidate) { return candidate.name == dimension; });
    // Another role that was found by this dimension's name is removed.
    for (auto& slot : layout_.places) {
      if (slot && slot->dimension == dimension) slot.reset();
    }
    layout_.places[static_cast<std::size_t>(role)] = RolePlace{
        static_cast<std::size_t>(found - dimensions_.begin()), found->size, dimension, coordinate};
  }

  /// The role of a horizontal dimension, by its coordinates or its name: Role::longitude for
  /// columns, Role::latitude for rows; nullopt if it is unknown.
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

  void set_curvilinear(const Pair& pair) {
    auto dimensions = wide_dimensions(file_, pair.longitude);
    const auto other = wide_dimensions(file_, pair.latitude);
    const auto is_shared = [&](const NetcdfDimension& dimension) {
      return dimension.name == other[0].name || dimension.name == other[1].name;
    };
    if (!std::all_of(dimensions.begin(), dimensions.end(), is_shared)) refuse(pair);
    if (half_step(rows_and_columns(), dimensions)) dimensions = rows_and_columns();
    // Rows are the first dimension, unless names show the opposite.
    if (axis_of(dimensions[0].name) == Role::longitude &&
        axis_of(dimensions[1].name) != Role::longitude) {
      std::swap(dimensions[0], dimensions[1]);
    }
    layout_.kind = GridKind::curvilinear;
    assign(Role::latitude, dimensions[0].name, pair.latitude);
    assign(Role::longitude, dimensions[1].name, pair.longitude);
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
      // With positions for all points an unsupported projection is not needed.
      layout_.mapping = {};
    }
  }

  /// The coordinate along a dimension that measures a map; empty if there is none.
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

  bool try_projected() {
    std::string columns;
    std::string rows;
    for (const auto& dimension : dimensions_) {
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
    assign(Role::latitude, rows, layout_.along_rows);
    assign(Role::longitude, columns, layout_.along_columns);
    return true;
  }

  void refuse_unstructured() const {
    const std::string mesh = file_.text(layout_.variable, "mesh");
    for (const auto& dimension : dimensions_) {
      if (dimension.size == 1) continue;
      const auto along = coordinates_along(file_, dimension.name);
      const auto has = [&](Role role) {
        return std::any_of(along.begin(), along.end(), [&](const std::string& coordinate) {
          return role_by(Evidence::standard_name, file_, coordinate) == role ||
                 role_by(Evidence::units, file_, coordinate) == role ||
                 (coordinate != dimension.name && is_named(file_, coordinate, role));
        });
      };
      const bool both = has(Role::longitude) && has(Role::latitude);
      if (!both && mesh.empty()) continue;
      if (!both && &dimension != &dimensions_.back()) continue;
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
      const bool is_map = name.starts_with("grid_") || name.starts_with("projection_");
      if (units.empty() && !is_map) refuse_undeclared(role, is_index(name) ? name : "");
      file_.refuse(coordinate, error_text(errors::projection_unknown, units,
                                          name.empty() ? "" : " and the standard_name " + name,
                                          layout_.variable));
    }
  }

  /// Refuses an axis without units of degrees or length, or one that is declared as an index.
  [[noreturn]] void refuse_undeclared(Role role, const std::string& index) const {
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
  std::vector<NetcdfDimension> dimensions_;
};

/// Decides the kind of grid of `layout`, and the places of columns and rows. Places that were found
/// dimension by dimension stay if their coordinates are longitude and latitude. `names` take
/// precedence. Errors: InputError for unstructured grids, and for coordinates that are neither
/// degrees nor on a known projection.
void decide_horizontal(const NetcdfFile& file, const SourceNames& names, FieldLayout& layout) {
  HorizontalFinder(file, names, layout).decide();
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
        requested_{names.longitude, names.latitude, names.time, names.depth, names.member} {
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
      if (role) set_place(*role, position, dimension, coordinate_for(*role, dimension, candidates));
    }
    decide_horizontal(file_, names_, layout_);
    require_requested(dimensions);
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
      const bool is_requested =
          requested_[role] == dimension.name ||
          std::find(candidates.begin(), candidates.end(), requested_[role]) != candidates.end();
      if (!requested_[role].empty() && is_requested) return static_cast<Role>(role);
    }
    for (const Evidence evidence :
         {Evidence::standard_name, Evidence::axis, Evidence::units, Evidence::name}) {
      for (const auto& candidate : candidates) {
        const auto role = role_by(evidence, file_, candidate);
        // A role that the user gave to another dimension is taken.
        if (role && requested_[static_cast<std::size_t>(*role)].empty()) return role;
      }
    }
    const auto role = role_by_name(dimension.name);
    if (role && requested_[static_cast<std::size_t>(*role)].empty()) return role;
    return std::nullopt;
  }

  /// Chooses among several variables along a dimension: the one that the user named, then one with
  /// evidence of the role, then the one with the dimension's name.
  std::string coordinate_for(Role role, const NetcdfDimension& dimension,
                             const std::vector<std::string>& candidates) const {
    const auto& requested = requested_[static_cast<std::size_t>(role)];
    if (std::find(candidates.begin(), candidates.end(), requested) != candidates.end())
      return requested;
    for (const Evidence evidence :
         {Evidence::standard_name, Evidence::axis, Evidence::units, Evidence::name}) {
      for (const auto& candidate : candidates) {
        if (role_by(evidence, file_, candidate) == role) return candidate;
      }
    }
    const bool has_namesake = !candidates.empty() && candidates[0] == dimension.name;
    return has_namesake ? candidates[0] : std::string();
  }

  void set_place(Role role, std::size_t position, const NetcdfDimension& dimension,
                 const std::string& coordinate) {
    auto& slot = layout_.places[static_cast<std::size_t>(role)];
    if (slot && dimension.size == 1) return;  // a dimension of size 1 replaces no other
    if (slot && slot->size > 1) {
      file_.refuse(layout_.variable,
                   error_text(errors::dimension_role_ambiguous,
                              role_words[static_cast<std::size_t>(role)], slot->dimension,
                              dimension.name, role_options[static_cast<std::size_t>(role)]));
    }
    slot = RolePlace{position, dimension.size, dimension.name, coordinate};
  }

  void require_requested(const std::vector<NetcdfDimension>& dimensions) const {
    std::vector<std::string> dimension_names;
    dimension_names.reserve(dimensions.size());
    for (const auto& dimension : dimensions) dimension_names.push_back(dimension.name);
    for (std::size_t role = 0; role < role_count; ++role) {
      if (requested_[role].empty() || layout_.places[role]) continue;
      if (is_single_value(static_cast<Role>(role))) continue;
      file_.refuse(layout_.variable,
                   error_text(errors::role_dimension_missing, role_options[role], requested_[role],
                              fmt::join(dimension_names, ", ")));
    }
  }

  /// True if the user named the label of the file's only member, or its only depth.
  bool is_single_value(Role role) const {
    const std::string& requested = requested_[static_cast<std::size_t>(role)];
    if (role == Role::member) return is_single_label(file_, layout_.variable, requested);
    return role == Role::depth && file_.has(requested) && wide_dimensions(file_, requested).empty();
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

  /// Refuses a dimension of a size above 1 without a role.
  void require_role(const NetcdfDimension& dimension) const {
    const auto has_dimension = [&](const std::optional<RolePlace>& slot) {
      return slot && slot->dimension == dimension.name;
    };
    if (dimension.size <= 1 ||
        std::any_of(layout_.places.begin(), layout_.places.end(), has_dimension)) {
      return;
    }
    file_.refuse(layout_.variable,
                 error_text(errors::dimension_role_unknown, dimension.name, dimension.size));
  }

  const NetcdfFile& file_;
  const SourceNames& names_;
  std::array<std::string, role_count> requested_;
  FieldLayout layout_;
};

}  // namespace

FieldLayout find_layout(const NetcdfFile& file, const std::string& variable,
                        const SourceNames& names, TimeAxisIs time) {
  return LayoutFinder(file, variable, names).find(time);
}

}  // namespace tidewise::ingest
