#pragma once

#include <cmath>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "base/hdf5/file.h"

namespace tidewise {

/// How the numbers of a dataset are stored.
enum class NumberKind { whole, floating };

/// Whether NaN, which says that there is no value, is accepted in a dataset.
enum class Gaps { refused, allowed };

/// What a dataset must be, so that it can be used.
struct DatasetRule {
  std::string name;
  NumberKind kind = NumberKind::floating;
  Extents shape;
  std::string dimensions;  ///< for messages: "(time, y, x)"
  double least = 0;        ///< of its values, which are finite too
  double greatest = 0;
  Gaps gaps = Gaps::refused;
};

/// The files of a run, whose datasets are read by this class only: each is held to its rule before
/// anything is computed from it. Errors: InputError in one line that names the file, the dataset,
/// what was found and what is needed.
class CheckedFile {
 public:
  /// `remedy`: what messages end with: "make the policy again with 'tidewise plan'".
  CheckedFile(Hdf5File file, std::string remedy)
      : file_(std::move(file)), remedy_(std::move(remedy)) {}

  /// For attributes, and for what is not read.
  const Hdf5File& file() const { return file_; }

  /// The length of a dataset of one dimension, which is `least` to `most`.
  std::uint64_t length_of(const std::string& name, std::uint64_t least, std::uint64_t most) const;
  /// Refuses a dataset of another kind of number or another shape, before its values are read.
  void require(const DatasetRule& rule) const;

  /// The whole dataset, converted to T.
  template <class T>
  std::vector<T> read(const DatasetRule& rule) const {
    require(rule);
    std::vector<T> values = file_.read_all<T>(rule.name);
    validate(rule, 0, values.data(), values.size());
    return values;
  }
  /// What a dataset holds at index `n` of its first dimension. The caller has called require().
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
  /// `first`: where in the dataset `values` begin.
  template <class T>
  void validate(const DatasetRule& rule, std::uint64_t first, const T* values,
                std::size_t count) const {
    for (std::size_t n = 0; n < count; ++n) {
      const auto value = static_cast<double>(values[n]);
      if (value >= rule.least && value <= rule.greatest) continue;
      if (rule.gaps == Gaps::allowed && std::isnan(value)) continue;
      refuse_value(rule, first + n, value);
    }
  }
  [[noreturn]] void refuse_value(const DatasetRule& rule, std::uint64_t at, double value) const;

  Hdf5File file_;
  std::string remedy_;
};

}  // namespace tidewise
