#pragma once

#include <cstddef>
#include <memory>

#include "base/memory/stream.h"
#include "solver/explicit/rule.h"

namespace tidewise {

/// Whether this build holds cuSPARSE (sparse_product_cuda.cu, or sparse_product_nocuda.cpp where
/// every call throws RunError).
bool has_sparse_product();

/// One level of a mission as a sparse matrix in device memory (sparse_row.h), multiplied by
/// cuSPARSE: compressed rows, int32 columns, float32 values.
class SparseProduct {
 public:
  SparseProduct();
  SparseProduct(const SparseProduct&) = delete;
  SparseProduct& operator=(const SparseProduct&) = delete;
  ~SparseProduct();

  /// Makes P and the immediate rewards of a level; waits for the device.
  /// rule.outcome.value_next is left aside. Errors: RunError for 2^31 entries and more.
  void build(const ExplicitRule& rule, const PackedView& level, const DeviceStream& stream);
  /// expected = P · value_next, (row). value_next: (y, x), in device memory.
  void multiply(View<const float> value_next, View<float> expected, const DeviceStream& stream);
  /// What is to be added to the product, (row).
  View<const float> immediate() const;
  /// All that a product and the choice after it read of the matrix [B].
  std::size_t bytes() const;

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace tidewise
