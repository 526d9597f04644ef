#include "base/error.h"
#include "mdp/policy/policy_product.h"

namespace tidewise::mdp {
namespace {

[[noreturn]] void refuse() {
  throw InputError(
      "the evaluator cusparse was asked for, but this build does not hold cuSPARSE; take "
      "--evaluator cuda or serial");
}

}  // namespace

template <class Real>
class PolicyProduct<Real>::Implementation {};

bool has_policy_product() { return false; }
void require_policy_product() { refuse(); }

template <class Real>
PolicyProduct<Real>::PolicyProduct(const ProcessView<Real>& /*process*/,
                                   const DeviceStream& /*stream*/, ProjectionWidth /*width*/) {
  refuse();
}
template <class Real>
PolicyProduct<Real>::~PolicyProduct() = default;
template <class Real>
void PolicyProduct<Real>::project(View<const std::int32_t> /*action*/, View<const Real> /*value*/) {
  refuse();
}
template <class Real>
void PolicyProduct<Real>::sweep(View<const Real> /*value*/, View<Real> /*next*/) {
  refuse();
}
template <class Real>
std::int64_t PolicyProduct<Real>::entry_count() const {
  refuse();
}

template class PolicyProduct<float>;
template class PolicyProduct<double>;

}  // namespace tidewise::mdp
