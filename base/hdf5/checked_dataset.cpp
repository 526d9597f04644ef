#include "base/hdf5/checked_dataset.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/error.h"
#include "base/error_codes.h"

namespace tidewise {
namespace {

/// Indices of element `at` of an array, as h5py and xarray write them: "(7, 3, 4)".
std::string index_text(const Extents& shape, std::uint64_t at) {
  Extents index(shape.size());
  for (std::size_t axis = shape.size(); axis-- > 0;) {
    index[axis] = at % shape[axis];
    at /= shape[axis];
  }
  return fmt::format("({})", fmt::join(index, ", "));
}

}  // namespace

std::uint64_t CheckedFile::length_of(const std::string& name, std::uint64_t min,
                                     std::uint64_t max) const {
  const Extents shape = file_.shape(name);
  if (shape.size() == 1 && shape[0] >= min && shape[0] <= max) return shape[0];
  refuse(error_text(errors::vector_length_outside, name, fmt::join(shape, ", "), min, max));
}

void CheckedFile::require(const DatasetRule& rule) const {
  const Extents shape = file_.shape(rule.name);
  if (shape != rule.shape) {
    refuse(error_text(errors::variable_shape_differs, rule.name, fmt::join(shape, ", "),
                      fmt::join(rule.shape, ", "), rule.dimensions));
  }
  const bool floating = file_.is_floating(rule.name);
  if (floating != (rule.kind == NumberKind::floating)) {
    refuse(error_text(errors::variable_kind_differs, rule.name,
                      floating ? "holds floating point numbers and needs whole numbers"
                               : "holds no floating point numbers, which it needs"));
  }
  const bool is_empty = std::find(shape.begin(), shape.end(), 0U) != shape.end();
  if (floating || is_empty) return;
  std::int64_t first = 0;  // fails for text, which is not a number
  file_.read(rule.name, Extents(shape.size(), 0), Extents(shape.size(), 1), &first);
}

void CheckedFile::refuse(const std::string& what) const {
  throw InputError(fmt::format("{}: {}", file_.path().string(), add_words(what, "; " + remedy_)));
}

void CheckedFile::refuse_value(const DatasetRule& rule, std::uint64_t at, double value) const {
  refuse(error_text(errors::variable_value_outside, rule.name, value, index_text(rule.shape, at),
                    rule.dimensions, rule.min, rule.max,
                    rule.gaps == Gaps::allowed ? ", or NaN" : ""));
}

}  // namespace tidewise
