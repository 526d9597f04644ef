#include "base/error.h"
#include "solver/explicit/sparse_product.h"

namespace tidewise {

bool has_sparse_product() { return false; }
std::unique_ptr<SparseProduct> make_sparse_product() {
  throw RunError("cuSPARSE was asked for, but this build does not hold it; use another method");
}

}  // namespace tidewise
