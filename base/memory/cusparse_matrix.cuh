#pragma once

// For .cu files that multiply by cuSPARSE.

#include <cusparse.h>

#include <string>

#include "base/error.h"

namespace tidewise {

/// Throws RunError with cuSPARSE's message on failure.
inline void check_cusparse(cusparseStatus_t status, const char* call) {
  if (status == CUSPARSE_STATUS_SUCCESS) return;
  throw RunError("cuSPARSE call " + std::string(call) + " failed: " + cusparseGetErrorName(status) +
                 " (" + cusparseGetErrorString(status) + ")");
}

/// cuSPARSE descriptors of a matrix and two vectors.
struct ProductDescriptions {
  cusparseSpMatDescr_t matrix = nullptr;
  cusparseDnVecDescr_t value = nullptr;
  cusparseDnVecDescr_t product = nullptr;

  ProductDescriptions() = default;
  ProductDescriptions(const ProductDescriptions&) = delete;
  ProductDescriptions& operator=(const ProductDescriptions&) = delete;
  ~ProductDescriptions() { clear(); }
  void clear() {
    if (matrix != nullptr) (void)cusparseDestroySpMat(matrix);
    if (value != nullptr) (void)cusparseDestroyDnVec(value);
    if (product != nullptr) (void)cusparseDestroyDnVec(product);
    matrix = nullptr;
    value = nullptr;
    product = nullptr;
  }
};

}  // namespace tidewise
