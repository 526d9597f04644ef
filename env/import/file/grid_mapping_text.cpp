#include "env/import/file/grid_mapping_text.h"

#include <fmt/format.h>
#include <proj.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <sstream>

#include "base/error.h"
#include "env/error/codes.h"
#include "env/units/text.h"

namespace tidewise::ingest {
namespace {

/// The variable that `grid_mapping` names ("crs", or "crs: x y"), else the file's only grid
/// mapping.
std::string mapping_variable(const NetcdfFile& file, const std::string& variable,
                             std::string& note) {
  std::string name = file.text(variable, "grid_mapping");
  name = name.substr(0, name.find_first_of(": "));
  const auto& all = file.all_variables();
  if (!name.empty()) {
    if (std::find(all.begin(), all.end(), name) != all.end()) return name;
    file.refuse(variable, error_text(errors::grid_mapping_missing, name));
  }
  std::vector<std::string> mappings;
  for (const auto& candidate : all) {
    if (!file.text(candidate, "grid_mapping_name").empty()) mappings.push_back(candidate);
  }
  if (mappings.size() != 1) return {};
  note = fmt::format("projection: {} names no grid_mapping; the only one in the file is taken, {}",
                     variable, mappings[0]);
  return mappings[0];
}

/// Converts a CF grid mapping to PROJ's syntax. Source: CF conventions 1.9, appendix F, and PROJ's
/// documentation of each projection.
class CfMapping {
 public:
  CfMapping(const NetcdfFile& file, std::string variable)
      : file_(file), variable_(std::move(variable)) {}

  std::string proj() const {
    const std::string name = lower_case(file_.text(variable_, "grid_mapping_name"));
    if (name == "rotated_latitude_longitude") return rotated_pole();
    const auto known = projections().find(name);
    if (known == projections().end()) {
      file_.refuse(variable_, error_text(errors::grid_mapping_unknown, name));
    }
    std::string text = "+proj=" + known->second;
    add_origin(text, name);
    add(text, "+x_0", first_of({"false_easting"}));
    add(text, "+y_0", first_of({"false_northing"}));
    return text + " " + earth_figure();
  }

  bool has_earth_figure() const {
    return !first_of({"earth_radius", "semi_major_axis"}).empty() || names_earth_figure();
  }

 private:
  static const std::map<std::string, std::string>& projections() {
    static const std::map<std::string, std::string> known{{"polar_stereographic", "stere"},
                                                          {"stereographic", "stere"},
                                                          {"lambert_conformal_conic", "lcc"},
                                                          {"lambert_azimuthal_equal_area", "laea"},
                                                          {"azimuthal_equidistant", "aeqd"},
                                                          {"albers_conical_equal_area", "aea"},
                                                          {"lambert_cylindrical_equal_area", "cea"},
                                                          {"mercator", "merc"},
                                                          {"transverse_mercator", "tmerc"},
                                                          {"orthographic", "ortho"},
                                                          {"sinusoidal", "sinu"}};
    return known;
  }

  std::vector<double> first_of(std::initializer_list<const char*> names) const {
    for (const char* name : names) {
      auto values = file_.numbers(variable_, name);
      if (!values.empty()) return values;
    }
    return {};
  }

  static void add(std::string& text, const char* key, const std::vector<double>& values) {
    if (!values.empty()) text += fmt::format(" {}={}", key, values[0]);
  }

  double required(std::initializer_list<const char*> names) const {
    const auto values = first_of(names);
    if (!values.empty() && std::isfinite(values[0])) return values[0];
    file_.refuse(variable_, error_text(errors::grid_mapping_attribute_missing, *names.begin()));
  }

  void add_origin(std::string& text, const std::string& name) const {
    const auto parallels = first_of({"standard_parallel"});
    const auto scale =
        first_of({"scale_factor_at_projection_origin", "scale_factor_at_central_meridian"});
    if (name == "polar_stereographic") {
      double pole = parallels.empty() ? 90 : std::copysign(90, parallels[0]);
      const auto origin = first_of({"latitude_of_projection_origin"});
      if (!origin.empty()) pole = origin[0];
      text += fmt::format(
          " +lat_0={} +lon_0={}", pole,
          required({"straight_vertical_longitude_from_pole", "longitude_of_projection_origin"}));
      add(text, "+lat_ts", parallels);
    } else {
      text += fmt::format(" +lon_0={}", required({"longitude_of_projection_origin",
                                                  "longitude_of_central_meridian"}));
      if (name == "mercator" || name == "lambert_cylindrical_equal_area") {
        add(text, "+lat_ts", parallels);
      } else if (name != "sinusoidal") {
        text += fmt::format(" +lat_0={}", required({"latitude_of_projection_origin"}));
      }
      if (name == "lambert_conformal_conic" || name == "albers_conical_equal_area") {
        text += fmt::format(" +lat_1={}", required({"standard_parallel"}));
        text += fmt::format(" +lat_2={}", parallels.back());
      }
    }
    if (parallels.empty()) add(text, "+k_0", scale);
  }

  std::string rotated_pole() const {
    const auto turn = first_of({"north_pole_grid_longitude"});
    return fmt::format("+proj=ob_tran +o_proj=longlat +o_lon_p={} +o_lat_p={} +lon_0={} {}",
                       turn.empty() ? 0 : turn[0], required({"grid_north_pole_latitude"}),
                       180 + required({"grid_north_pole_longitude"}), earth_figure());
  }

  bool names_earth_figure() const {
    return !file_.text(variable_, "reference_ellipsoid_name").empty() ||
           !file_.text(variable_, "horizontal_datum_name").empty();
  }

  std::string earth_figure() const {
    const auto radius = first_of({"earth_radius"});
    if (!radius.empty()) return fmt::format("+R={}", radius[0]);
    const auto major = first_of({"semi_major_axis"});
    if (major.empty()) return "+ellps=WGS84";
    const auto minor = first_of({"semi_minor_axis"});
    const auto inverse = first_of({"inverse_flattening"});
    if (!minor.empty()) return fmt::format("+a={} +b={}", major[0], minor[0]);
    if (!inverse.empty() && inverse[0] > 0)
      return fmt::format("+a={} +rf={}", major[0], inverse[0]);
    return fmt::format("+R={}", major[0]);
  }

  const NetcdfFile& file_;
  std::string variable_;
};

/// The projection of a coordinate reference system, from longitude and latitude to metres; empty if
/// it has none.
std::string projection_of(const std::string& definition) {
  if (definition.empty()) return {};
  const std::unique_ptr<PJ_CONTEXT, decltype(&proj_context_destroy)> context(proj_context_create(),
                                                                             proj_context_destroy);
  proj_log_level(context.get(), PJ_LOG_NONE);
  const std::unique_ptr<PJ, decltype(&proj_destroy)> system(
      proj_create(context.get(), definition.c_str()), proj_destroy);
  if (!system) return {};
  const char* text = proj_as_proj_string(context.get(), system.get(), PJ_PROJ_4, nullptr);
  if (text == nullptr) return {};
  // Units of the system may be feet. Without +units PROJ uses metres, to which x and y are
  // converted.
  std::istringstream words(text);
  std::string parameters;
  for (std::string word; words >> word;) {
    if (word == "+type=crs" || word.starts_with("+units=") || word.starts_with("+to_meter=")) {
      continue;
    }
    parameters += (parameters.empty() ? "" : " ") + word;
  }
  return parameters.starts_with("+proj=longlat") ? std::string() : parameters;
}

}  // namespace

GridMappingText read_grid_mapping(const NetcdfFile& file, const std::string& variable) {
  GridMappingText mapping;
  mapping.variable = mapping_variable(file, variable, mapping.note);
  if (mapping.variable.empty()) return mapping;
  for (const char* name : {"crs_wkt", "spatial_ref"}) {
    const std::string text = file.text(mapping.variable, name);
    mapping.proj = projection_of(text);
    if (!mapping.proj.empty()) return mapping;
  }
  mapping.proj.clear();
  if (!file.text(mapping.variable, "grid_mapping_name").empty()) {
    const CfMapping cf(file, mapping.variable);
    mapping.proj = cf.proj();
    if (!cf.has_earth_figure()) {
      mapping.note += fmt::format("{}projection: {} gives no figure of the Earth; WGS84 is used",
                                  mapping.note.empty() ? "" : "; ", mapping.variable);
    }
    return mapping;
  }
  for (const char* name : {"proj4", "proj4_params", "proj4text", "proj4string", "proj4_string"}) {
    const std::string text = file.text(mapping.variable, name);
    mapping.proj = text.empty() ? "" : projection_of(text + " +type=crs");
    if (!mapping.proj.empty()) return mapping;
  }
  file.refuse(mapping.variable, error_text(errors::grid_mapping_undefined));
}

}  // namespace tidewise::ingest
