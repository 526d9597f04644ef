#include "base/error.h"
#include "solver/explicit/sparse_product.h"

namespace tidewise {

bool has_sparse_product() { return false; }
std::unique_ptr<SparseProduct> make_sparse_product() {
  throw RunError("this build does not contain cuSPARSE; use another method");
}

}  // namespace tidewise
