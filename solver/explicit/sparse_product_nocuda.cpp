#include "base/error.h"
#include "solver/explicit/sparse_product.h"

namespace tidewise {
namespace {
[[noreturn]] void refuse() {
  throw RunError("cuSPARSE was asked for, but this build does not hold it; use another method");
}
}  // namespace

class SparseProduct::Implementation {};

bool has_sparse_product() { return false; }
SparseProduct::SparseProduct() { refuse(); }
SparseProduct::~SparseProduct() = default;
void SparseProduct::build(const ExplicitRule& /*rule*/, const PackedView& /*level*/,
                          const DeviceStream& /*stream*/) {
  refuse();
}
void SparseProduct::multiply(View<const float> /*value_next*/, View<float> /*expected*/,
                             const DeviceStream& /*stream*/) {
  refuse();
}
View<const float> SparseProduct::immediate() const { refuse(); }
std::size_t SparseProduct::bytes() const { refuse(); }

}  // namespace tidewise
