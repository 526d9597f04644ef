#include "env/import/depth/s_coordinate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <sstream>

#include "base/error.h"
#include "env/error/codes.h"
#include "env/units/text.h"

namespace tidewise::ingest {
namespace {

/// Parses formula_terms, such as "s: s_rho C: Cs_r eta: zeta depth: h depth_c: hc".
std::map<std::string, std::string> formula_terms(const NetcdfFile& file,
                                                 const std::string& coordinate) {
  std::map<std::string, std::string> terms;
  std::istringstream words(file.text(coordinate, "formula_terms"));
  std::string term;
  std::string variable;
  while (words >> term >> variable) {
    if (term.ends_with(':')) terms[term.substr(0, term.size() - 1)] = variable;
  }
  return terms;
}

/// A number stored as a variable or as an attribute of the file.
std::optional<double> number_of(const NetcdfFile& file, const std::string& name) {
  if (file.has(name)) {
    const auto values = file.read_all(name);
    if (!values.empty() && std::isfinite(values.front())) return values.front();
  }
  const auto numbers = file.numbers("", name);
  if (numbers.empty()) return {};
  return numbers.front();
}

/// ROMS' stretching functions: Song & Haidvogel (1994), and the later ones of its manual. nullopt
/// for an unknown function.
std::optional<double> stretched(int form, double s, double theta_s, double theta_b) {
  if (theta_s == 0 && form != 4) return s;
  if (form == 1) {
    return (1 - theta_b) * std::sinh(theta_s * s) / std::sinh(theta_s) +
           theta_b * (std::tanh(theta_s * (s + 0.5)) / (2 * std::tanh(theta_s / 2)) - 0.5);
  }
  const double surface =
      theta_s > 0 ? (1 - std::cosh(theta_s * s)) / (std::cosh(theta_s) - 1) : -s * s;
  if (form == 2) {
    if (theta_b == 0) return surface;
    const double bottom = std::sinh(theta_b * (s + 1)) / std::sinh(theta_b) - 1;
    const double weight = (s + 1) * (1 + (1 - (s + 1)));  // alpha = beta = 1, as ROMS sets them
    return weight * surface + (1 - weight) * bottom;
  }
  if (form == 4) {
    return theta_b > 0 ? (std::exp(theta_b * surface) - 1) / (1 - std::exp(-theta_b)) : surface;
  }
  return {};
}

class SCoordinateReader {
 public:
  SCoordinateReader(const NetcdfFile& file, const std::string& coordinate)
      : file_(file), coordinate_(coordinate), terms_(formula_terms(file, coordinate)) {}

  SCoordinate read() {
    read_form();
    result_.s = file_.read_all(coordinate_);
    validate_levels();
    result_.critical_depth = critical_depth();
    result_.bottom = name_of("depth", "h");
    if (!file_.has(result_.bottom)) {
      refuse(error_text(errors::s_coordinate_without_depth));
    }
    result_.surface = name_of("eta", "zeta");
    if (!file_.has(result_.surface)) {
      result_.notes.push_back(fmt::format(
          "depth: the surface's height ({}) is not in the file; its levels are those at rest",
          result_.surface));
      result_.surface.clear();
    }
    read_stretching();
    sort_levels();
    return std::move(result_);
  }

 private:
  [[noreturn]] void refuse(const std::string& why) const { file_.refuse(coordinate_, why); }

  std::string name_of(const std::string& term, const std::string& default_name) const {
    const auto found = terms_.find(term);
    return found != terms_.end() ? found->second : default_name;
  }

  void read_form() {
    const std::string name = lower_case(file_.text(coordinate_, "standard_name"));
    const double transform = number_of(file_, "Vtransform").value_or(0);
    const bool g1 =
        name == "ocean_s_coordinate_g1" || (name != "ocean_s_coordinate_g2" && transform == 1);
    const bool g2 = name == "ocean_s_coordinate_g2" || (!g1 && transform == 2);
    if (!g1 && !g2) {
      refuse(error_text(errors::s_coordinate_formula_unknown));
    }
    result_.form = g1 ? SCoordinate::Form::g1 : SCoordinate::Form::g2;
  }

  void validate_levels() const {
    for (const double s : result_.s) {
      if (s >= -1 && s <= 0) continue;
      refuse(error_text(errors::s_coordinate_outside_range, s));
    }
  }

  double critical_depth() const {
    const std::string name = name_of("depth_c", "hc");
    if (const auto number = number_of(file_, name)) return *number;
    refuse(error_text(errors::critical_depth_missing, name));
  }

  void read_stretching() {
    const std::string name = name_of("C", "Cs_r");
    if (file_.has(name)) {
      result_.c = file_.read_all(name);
      const bool is_valid =
          result_.c.size() == result_.s.size() &&
          std::all_of(result_.c.begin(), result_.c.end(), [](double c) {
            return c >= -1.001 && c <= 0.001;  // a packed value may be off by one step
          });
      if (!is_valid) file_.refuse(name, error_text(errors::stretching_invalid));
      return;
    }
    const auto theta_s = number_of(file_, "theta_s");
    const auto theta_b = number_of(file_, "theta_b");
    const auto form = number_of(file_, "Vstretching");
    if (!theta_s || !theta_b) {
      refuse(error_text(errors::stretching_parameters_missing, name));
    }
    for (const double s : result_.s) {
      const auto c = stretched(static_cast<int>(form.value_or(1)), s, *theta_s, *theta_b);
      if (!c) {
        refuse(error_text(errors::stretching_unknown, name, form.value_or(1), name));
      }
      result_.c.push_back(*c);
    }
    result_.notes.push_back(fmt::format(
        "depth: the stretching {} is missing; computed from theta_s {:.6g}, theta_b {:.6g} by "
        "Vstretching {:.6g}",
        name, *theta_s, *theta_b, form.value_or(1)));
  }

  void sort_levels() {
    auto& index = result_.index;
    index.resize(result_.s.size());
    std::iota(index.begin(), index.end(), std::size_t{0});
    std::sort(index.begin(), index.end(),
              [&](std::size_t a, std::size_t b) { return result_.s[a] > result_.s[b]; });
    const auto ordered = [&](const std::vector<double>& values) {
      std::vector<double> sorted;
      sorted.reserve(index.size());
      for (const std::size_t n : index) sorted.push_back(values[n]);
      return sorted;
    };
    result_.s = ordered(result_.s);
    result_.c = ordered(result_.c);
  }

  const NetcdfFile& file_;
  const std::string& coordinate_;
  std::map<std::string, std::string> terms_;
  SCoordinate result_;
};

}  // namespace

bool follows_bottom(const NetcdfFile& file, const std::string& coordinate) {
  const std::string name = lower_case(file.text(coordinate, "standard_name"));
  return name.starts_with("ocean_s") || lower_case(coordinate).starts_with("s_rho");
}

SCoordinate read_s_coordinate(const NetcdfFile& file, const std::string& coordinate) {
  return SCoordinateReader(file, coordinate).read();
}

}  // namespace tidewise::ingest
