#include "mdp/numpy/sparse_matrix.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <string>
#include <utility>

#include "base/error.h"
#include "mdp/numpy/array.h"
#include "mdp/numpy/zip_archive.h"
#include "mdp/text/file_text.h"

namespace tidewise::mdp {
namespace {

constexpr std::int64_t most_columns = std::numeric_limits<std::int32_t>::max() - 1;

class SparseMatrixReader {
 public:
  explicit SparseMatrixReader(const ByteSource& source) : archive_(source) {}

  SparseMatrix read() {
    if (!archive_.has("format.npy")) {
      refuse(
          "is no sparse matrix of scipy's: it has no member 'format.npy'; write it by "
          "scipy.sparse.save_npz()");
    }
    const std::string format = array("format").text();
    const auto shape = array("shape").integers();
    if (shape.size() != 2 || shape[0] < 0 || shape[1] < 0 || shape[1] > most_columns) {
      refuse("its shape is not that of a matrix with rows and columns");
    }
    matrix_.row_count = shape[0];
    matrix_.column_count = shape[1];
    matrix_.value = array("data").numbers();
    if (format == "csr") {
      read_rows();
    } else if (format == "csc") {
      read_columns();
    } else if (format == "coo") {
      read_coordinates();
    } else {
      refuse(fmt::format("is in the format {}; save it as csr, csc or coo: P.tocsr()",
                         in_quotes(format)));
    }
    return std::move(matrix_);
  }

 private:
  [[noreturn]] void refuse(const std::string& why) const {
    throw InputError(fmt::format("{}: {}", archive_.name(), why));
  }

  NumpyArray array(const std::string& name) const {
    const std::string member = name + ".npy";
    return {archive_.read(member), fmt::format("{}: member '{}'", archive_.name(), member)};
  }

  /// Whole numbers from 0 to below `end`, one an entry.
  std::vector<std::int64_t> places(const std::string& name, std::int64_t end) const {
    auto numbers = array(name).integers();
    if (numbers.size() != matrix_.value.size()) {
      refuse(fmt::format("has {} numbers in {}.npy, and {} in data.npy", numbers.size(), name,
                         matrix_.value.size()));
    }
    for (const std::int64_t number : numbers) {
      if (number >= 0 && number < end) continue;
      refuse(fmt::format("has {} in {}.npy, where numbers go from 0 to {}", number, name, end - 1));
    }
    return numbers;
  }

  /// Starts of `count` rows or columns.
  std::vector<std::int64_t> starts(std::int64_t count) const {
    auto begin = array("indptr").integers();
    const auto entries = static_cast<std::int64_t>(matrix_.value.size());
    const bool fits = begin.size() == static_cast<std::uint64_t>(count) + 1 && begin.front() == 0 &&
                      begin.back() == entries && std::is_sorted(begin.begin(), begin.end());
    if (!fits) {
      refuse(fmt::format("its indptr does not lead through {} of its {} to {} entries", count,
                         "rows or columns", entries));
    }
    return begin;
  }

  void read_rows() {
    matrix_.begin = starts(matrix_.row_count);
    const auto columns = places("indices", matrix_.column_count);
    matrix_.column.assign(columns.begin(), columns.end());
  }

  void read_columns() {
    const auto begin = starts(matrix_.column_count);
    const auto rows = places("indices", matrix_.row_count);
    std::vector<std::int32_t> columns(rows.size());
    for (std::size_t c = 0; c + 1 < begin.size(); ++c) {
      std::fill(columns.begin() + begin[c], columns.begin() + begin[c + 1],
                static_cast<std::int32_t>(c));
    }
    put_by_rows(rows, columns);
  }

  void read_coordinates() {
    const auto rows = places("row", matrix_.row_count);
    const auto columns = places("col", matrix_.column_count);
    put_by_rows(rows, {columns.begin(), columns.end()});
  }

  /// Entries of a row stay in the order in which they came.
  void put_by_rows(const std::vector<std::int64_t>& rows,
                   const std::vector<std::int32_t>& columns) {
    const std::uint64_t held = rows.size() + 1;
    // Coordinates claim rows without naming them.
    constexpr std::uint64_t most_rows_an_entry = 1000;
    if (static_cast<std::uint64_t>(matrix_.row_count) / most_rows_an_entry > held) {
      refuse(fmt::format("claims {} rows, and has {} entries; save it as csr", matrix_.row_count,
                         rows.size()));
    }
    matrix_.begin.assign(static_cast<std::size_t>(matrix_.row_count) + 1, 0);
    for (const std::int64_t row : rows) ++matrix_.begin[static_cast<std::size_t>(row) + 1];
    std::partial_sum(matrix_.begin.begin(), matrix_.begin.end(), matrix_.begin.begin());
    std::vector<std::int64_t> next(matrix_.begin.begin(), matrix_.begin.end() - 1);
    matrix_.column.resize(rows.size());
    std::vector<double> values(rows.size());
    for (std::size_t n = 0; n < rows.size(); ++n) {
      const auto to = static_cast<std::size_t>(next[static_cast<std::size_t>(rows[n])]++);
      matrix_.column[to] = columns[n];
      values[to] = matrix_.value[n];
    }
    matrix_.value = std::move(values);
  }

  ZipArchive archive_;
  SparseMatrix matrix_;
};

}  // namespace

SparseMatrix read_sparse_matrix(const ByteSource& source) {
  return SparseMatrixReader(source).read();
}

}  // namespace tidewise::mdp
