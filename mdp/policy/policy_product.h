#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "base/memory/stream.h"
#include "base/memory/view.h"
#include "mdp/process/view.h"

namespace tidewise::mdp {

/// Whether this build holds cuSPARSE (policy_product_cuda.cu, or policy_product_nocuda.cpp).
bool has_policy_product();
/// Errors: InputError where it does not.
void require_policy_product();

/// The indices of P_π; automatic takes the narrow ones where every policy's entries go in.
enum class ProjectionWidth { automatic, wide };

/// A policy's transitions as a sparse matrix of their own in device memory (policy_projection.h),
/// multiplied by cuSPARSE. For float and double.
template <class Real>
class PolicyProduct {
 public:
  /// `process`: of device memory, which stays as long as this does.
  /// Errors: as require_policy_product().
  PolicyProduct(const ProcessView<Real>& process, const DeviceStream& stream,
                ProjectionWidth width = ProjectionWidth::automatic);
  PolicyProduct(const PolicyProduct&) = delete;
  PolicyProduct& operator=(const PolicyProduct&) = delete;
  ~PolicyProduct();

  /// Takes P_π and r_π out of the process. `action`: (state), −1 in terminal states; `value`:
  /// (state), read in terminal states alone; both in device memory.
  void project(View<const std::int32_t> action, View<const Real> value);
  /// next = r_π + γ P_π value, (state), on the stream. Requires project(), and that the two do not
  /// overlap.
  void sweep(View<const Real> value, View<Real> next);
  /// Of P_π.
  std::int64_t entry_count() const;

  class Implementation;

 private:
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace tidewise::mdp
