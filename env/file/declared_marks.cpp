#include "env/file/declared_marks.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

#include "base/error.h"
#include "env/error/codes.h"

namespace tidewise {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

// NC_FILL_FLOAT and NC_FILL_DOUBLE of netcdf.h: the value of numbers that were never written.
constexpr double netcdf_fill = 9.9692099683868690e+36;

double read_mark(const Hdf5File& file, const std::string& variable, const std::string& attribute,
                 double fallback) {
  const auto numbers = file.number_attributes(variable, attribute);
  if (numbers.empty()) {
    const auto text = file.text_attribute(variable, attribute);
    if (!text) return fallback;
    throw input_error(errors::missing_mark_is_text, file.path().string(), variable, attribute,
                      *text);
  }
  const bool same = std::all_of(numbers.begin(), numbers.end(),
                                [&](double number) { return number == numbers.front(); });
  if (numbers.size() == 1 || same) return numbers.front();
  throw input_error(errors::missing_marks_several, file.path().string(), variable, attribute,
                    numbers.size());
}

}  // namespace

DeclaredMarks read_declared_marks(const Hdf5File& file, const std::string& variable) {
  return {read_mark(file, variable, "_FillValue", file.is_floating(variable) ? netcdf_fill : nan),
          read_mark(file, variable, "missing_value", nan)};
}

MissingMarks in_single_precision(const DeclaredMarks& marks) {
  const auto single = [](double mark) {
    const bool fits = std::abs(mark) <= std::numeric_limits<float>::max();
    return fits ? static_cast<float>(mark) : std::numeric_limits<float>::quiet_NaN();
  };
  return {single(marks.fill_value), single(marks.missing_value)};
}

std::vector<double> read_numbers(const Hdf5File& file, const std::string& variable,
                                 const Extents& start, const Extents& count) {
  const auto size =
      std::accumulate(count.begin(), count.end(), std::uint64_t{1}, std::multiplies<>());
  std::vector<double> values(size);
  file.read(variable, start, count, values.data());
  const DeclaredMarks marks = read_declared_marks(file, variable);
  for (double& value : values) {
    if (marks(value)) value = nan;
  }
  return values;
}

std::vector<double> read_numbers(const Hdf5File& file, const std::string& variable) {
  const Extents whole = file.shape(variable);
  return read_numbers(file, variable, Extents(whole.size(), 0), whole);
}

}  // namespace tidewise
