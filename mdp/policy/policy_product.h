#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "base/memory/stream.h"
#include "base/memory/view.h"
#include "mdp/policy/evaluation_look.h"
#include "mdp/process/view.h"

namespace tidewise::mdp {

/// True if this build contains cuSPARSE (policy_product_cuda.cu, not policy_product_absent.cpp).
bool has_policy_product();
/// Requires cuSPARSE. Errors: InputError if this build has none.
void require_policy_product();

/// Width of the indices of P_π; automatic takes narrow ones if they suffice for every policy.
enum class ProjectionWidth { automatic, wide };

/// A policy's transitions as a sparse matrix in device memory (policy_projection.h), multiplied by
/// cuSPARSE. For float and double.
template <class Real>
class PolicyProduct {
 public:
  virtual ~PolicyProduct() = default;

  /// Extracts P_π and r_π from the process. `action`: (state), −1 in terminal states; `value`:
  /// (state), only read in terminal states; both in device memory.
  virtual void project(View<const std::int32_t> action, View<const Real> value) = 0;
  /// next = r_π + γ P_π value, (state), on the stream. Requires project(), and that the two do not
  /// overlap.
  virtual void sweep(View<const Real> value, View<Real> next, const EvaluationLook& look) = 0;
  /// Number of entries of P_π.
  virtual std::int64_t entry_count() const = 0;
};

/// Makes the product of a process in device memory. The process and the stream must outlive it.
/// Errors: those of require_policy_product().
template <class Real>
std::unique_ptr<PolicyProduct<Real>> make_policy_product(
    const ProcessView<Real>& process, const DeviceStream& stream,
    ProjectionWidth width = ProjectionWidth::automatic);

}  // namespace tidewise::mdp
