#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "base/memory/stream.h"
#include "base/memory/view.h"
#include "mdp/policy/evaluation_look.h"
#include "mdp/process/view.h"

namespace tidewise::mdp {

/// Whether this build holds cuSPARSE (policy_product_cuda.cu, or policy_product_absent.cpp).
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
  virtual ~PolicyProduct() = default;

  /// Takes P_π and r_π out of the process. `action`: (state), −1 in terminal states; `value`:
  /// (state), read in terminal states alone; both in device memory.
  virtual void project(View<const std::int32_t> action, View<const Real> value) = 0;
  /// next = r_π + γ P_π value, (state), on the stream. Requires project(), and that the two do not
  /// overlap.
  virtual void sweep(View<const Real> value, View<Real> next, const EvaluationLook& look) = 0;
  /// Of P_π.
  virtual std::int64_t entry_count() const = 0;
};

/// `process`: of device memory, which stays as long as the product does, as the stream.
/// Errors: as require_policy_product().
template <class Real>
std::unique_ptr<PolicyProduct<Real>> make_policy_product(
    const ProcessView<Real>& process, const DeviceStream& stream,
    ProjectionWidth width = ProjectionWidth::automatic);

}  // namespace tidewise::mdp
