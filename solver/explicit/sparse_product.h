#pragma once

#include <cstddef>
#include <memory>

#include "base/memory/stream.h"
#include "solver/explicit/rule.h"

namespace tidewise {

/// True if this build has cuSPARSE (sparse_product_cuda.cu, otherwise sparse_product_absent.cpp).
bool has_sparse_product();

/// A matrix of compressed rows in device memory, which it borrows.
struct CsrMatrix {
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::int32_t entries = 0;
  const std::int32_t* row_start = nullptr;  ///< (row + 1)
  const std::int32_t* column = nullptr;     ///< (entry)
  const float* probability = nullptr;       ///< (entry)
};

/// One level of a mission as a sparse matrix in device memory (sparse_row.h), multiplied by
/// cuSPARSE: compressed rows, int32 columns, float32 values.
class SparseProduct {
 public:
  virtual ~SparseProduct() = default;

  /// Builds P and the immediate rewards of a level; waits for the device. Errors: RunError for 2^31
  /// entries or more.
  virtual void build(const ExplicitRule& rule, const PackedView& level,
                     const DeviceStream& stream) = 0;
  /// Uses `matrix` as P instead of the matrix of build(). `matrix` must outlive the products.
  virtual void take(const CsrMatrix& matrix) = 0;
  /// Computes expected = P · value_next + kept · expected, (row). value_next: (y, x), in device
  /// memory.
  virtual void multiply(View<const float> value_next, View<float> expected,
                        const DeviceStream& stream, float kept = 0) = 0;
  /// Immediate rewards of build(), to be added to the product, (row).
  virtual View<const float> immediate() const = 0;
  /// Size of the data of build() that a product and the choice after it read [B].
  virtual std::size_t bytes() const = 0;
};

/// Returns an empty product. Errors: RunError in a build without cuSPARSE.
std::unique_ptr<SparseProduct> make_sparse_product();

}  // namespace tidewise
