#pragma once

#include <cmath>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "base/hdf5/file.h"

namespace tidewise {

/// Storage of a dataset's numbers.
enum class NumberKind { whole, floating };

/// NaN as a missing value in a dataset: an error or accepted.
enum class Gaps { refused, allowed };

/// Requirements on a dataset.
struct DatasetRule {
  std::string name;
  NumberKind kind = NumberKind::floating;
  Extents shape;
  std::string dimensions;  ///< for messages: "(time, y, x)"
  double min = 0;          ///< smallest allowed value; all must be finite
  double max = 0;
  Gaps gaps = Gaps::refused;
};

/// A file of a run. Reads datasets only after checking them against their rules. Errors: InputError
/// in one line with the file, the dataset, the value found and the values allowed.
class CheckedFile {
 public:
  /// `remedy`: the end of messages: "make the policy again with 'tidewise plan'".
  CheckedFile(Hdf5File file, std::string remedy)
      : file_(std::move(file)), remedy_(std::move(remedy)) {}

  /// The file, for attributes and for data that are not read.
  const Hdf5File& file() const { return file_; }

  /// The length of a one-dimensional dataset, which must be in [`min`, `max`].
  std::uint64_t length_of(const std::string& name, std::uint64_t min, std::uint64_t max) const;
  /// Refuses a dataset with another kind of number or another shape, before its values are read.
  void require(const DatasetRule& rule) const;

  /// The whole dataset, converted to T.
  template <class T>
  std::vector<T> read(const DatasetRule& rule) const {
    require(rule);
    std::vector<T> values = file_.read_all<T>(rule.name);
    validate(rule, 0, values.data(), values.size());
    return values;
  }
  /// Reads index `n` of the first dimension of a dataset. The caller must have called require()
  /// before.
  template <class T>
  void read_slice(const DatasetRule& rule, std::uint64_t n, View<T> values) const {
    Extents start(rule.shape.size(), 0);
    Extents count = rule.shape;
    start[0] = n;
    count[0] = 1;
    file_.read(rule.name, start, count, values.data);
    validate<T>(rule, n * values.size, values.data, values.size);
  }

  /// Throws "FILE: `what`; remedy".
  [[noreturn]] void refuse(const std::string& what) const;

 private:
  /// Refuses values outside of the allowed range. `first`: index of values[0] in the dataset.
  template <class T>
  void validate(const DatasetRule& rule, std::uint64_t first, const T* values,
                std::size_t count) const {
    for (std::size_t n = 0; n < count; ++n) {
      const auto value = static_cast<double>(values[n]);
      if (value >= rule.min && value <= rule.max) continue;
      if (rule.gaps == Gaps::allowed && std::isnan(value)) continue;
      refuse_value(rule, first + n, value);
    }
  }
  [[noreturn]] void refuse_value(const DatasetRule& rule, std::uint64_t at, double value) const;

  Hdf5File file_;
  std::string remedy_;
};

}  // namespace tidewise
