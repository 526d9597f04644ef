#pragma once

#include <cstddef>
#include <memory>

#include "base/memory/stream.h"
#include "solver/explicit/rule.h"

namespace tidewise {

/// Whether this build holds cuSPARSE (sparse_product_cuda.cu, or sparse_product_absent.cpp).
bool has_sparse_product();

/// One level of a mission as a sparse matrix in device memory (sparse_row.h), multiplied by
/// cuSPARSE: compressed rows, int32 columns, float32 values.
class SparseProduct {
 public:
  virtual ~SparseProduct() = default;

  /// Makes P and the immediate rewards of a level; waits for the device.
  /// rule.outcome.value_next is left aside. Errors: RunError for 2^31 entries and more.
  virtual void build(const ExplicitRule& rule, const PackedView& level,
                     const DeviceStream& stream) = 0;
  /// expected = P · value_next, (row). value_next: (y, x), in device memory.
  virtual void multiply(View<const float> value_next, View<float> expected,
                        const DeviceStream& stream) = 0;
  /// What is to be added to the product, (row).
  virtual View<const float> immediate() const = 0;
  /// All that a product and the choice after it read of the matrix [B].
  virtual std::size_t bytes() const = 0;
};

/// Errors: RunError in a build without cuSPARSE.
std::unique_ptr<SparseProduct> make_sparse_product();

}  // namespace tidewise
