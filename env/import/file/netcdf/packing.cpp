#include "env/import/file/netcdf/packing.h"

#include <cmath>

namespace tidewise::ingest {
namespace {

// Attributes often have fewer digits than the stored fill values: 1.26765e+30 for 2^100.
constexpr double fill_tolerance = 1e-6;

}  // namespace

double Packing::unpack(double stored) const {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  if (std::isnan(stored)) return nan;
  if (unsigned_span > 0 && stored < 0) stored += unsigned_span;
  const double tolerance = stored_as == StoredAs::floating_point ? fill_tolerance : 0;
  for (const double mark : missing) {
    if (stored == mark) return nan;
    if (std::isfinite(mark) && std::abs(stored - mark) <= tolerance * std::abs(mark)) {
      return nan;
    }
  }
  if (stored < stored_min || stored > stored_max) return nan;
  const double value = stored * scale + offset;
  return value < value_min || value > value_max ? nan : value;
}

double Packing::zero_tolerance() const {
  constexpr double round_off = 1e-6;  // relative to the offset, which cancels
  return stored_as == StoredAs::integers ? (0.5 + round_off) * std::abs(scale) : 0;
}

}  // namespace tidewise::ingest
