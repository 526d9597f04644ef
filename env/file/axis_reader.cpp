#include "env/file/axis_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/error.h"
#include "env/error/codes.h"
#include "env/file/declared_marks.h"

namespace tidewise {
namespace {

constexpr std::uint64_t longest_axis = 1 << 24;

class AxisReader {
 public:
  AxisReader(const Hdf5File& file, const std::string& variable, const char* order)
      : file_(file), variable_(variable), order_(order) {}

  Axis read() const {
    validate_shape();
    const auto values = read_numbers(file_, variable_);
    validate_values(values);
    const auto count = static_cast<std::int32_t>(values.size());
    const double step = (values.back() - values.front()) / (count - 1);
    validate_spacing(values, step);
    return {count, values.front(), step};
  }

 private:
  [[noreturn]] void refuse(const std::string& why) const {
    throw InputError(fmt::format("{}: variable {}: {}", file_.path().string(), variable_, why));
  }

  void validate_shape() const {
    const auto shape = file_.shape(variable_);
    if (shape.size() != 1) {
      refuse(error_text(errors::axis_not_vector, shape.size()));
    }
    if (shape[0] < 2) {
      refuse(error_text(errors::axis_too_short, shape[0]));
    }
    if (shape[0] > longest_axis) {
      refuse(error_text(errors::axis_too_long, shape[0], longest_axis));
    }
  }

  void validate_values(const std::vector<double>& values) const {
    const auto wrong =
        std::find_if(values.begin(), values.end(), [](double v) { return !std::isfinite(v); });
    if (wrong == values.end()) return;
    refuse(error_text(errors::axis_not_finite, wrong - values.begin()));
  }

  void validate_spacing(const std::vector<double>& values, double step) const {
    if (!(step > 0)) {
      refuse(error_text(errors::axis_not_growing, values.front(), values.back(), order_));
    }
    const double rounding = file_.is_single_precision(variable_) ? 1.2e-7 : 1e-12;
    const double farthest = std::max(std::abs(values.front()), std::abs(values.back()));
    if (rounding * farthest > 0.1 * step) {
      refuse(error_text(errors::axis_imprecise, farthest, step));
    }
    for (std::size_t i = 0; i < values.size(); ++i) {
      const double expected = values.front() + static_cast<double>(i) * step;
      // Allow a thousandth of a step and what the stored type rounds away.
      const double tolerance = 1e-3 * step + rounding * std::abs(expected);
      if (std::abs(values[i] - expected) <= tolerance) continue;
      refuse(error_text(errors::axis_not_uniform, i, values[i], step, expected));
    }
  }

  const Hdf5File& file_;
  const std::string& variable_;
  const char* order_;
};

}  // namespace

Axis read_axis(const Hdf5File& file, const std::string& variable, const char* order) {
  return AxisReader(file, variable, order).read();
}

}  // namespace tidewise
