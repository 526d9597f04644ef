#include "base/error.h"
#include "mdp/policy/policy_product.h"

namespace tidewise::mdp {
namespace {

[[noreturn]] void refuse_cusparse() {
  throw InputError(
      "the evaluator cusparse was asked for, but this build does not hold cuSPARSE; take "
      "--evaluator cuda or serial");
}

}  // namespace

template <class Real>
class PolicyProduct<Real>::Implementation {};

bool has_policy_product() { return false; }
void require_policy_product() { refuse_cusparse(); }

template <class Real>
PolicyProduct<Real>::PolicyProduct(const ProcessView<Real>& /*process*/,
                                   const DeviceStream& /*stream*/, ProjectionWidth /*width*/) {
  refuse_cusparse();
}
template <class Real>
PolicyProduct<Real>::~PolicyProduct() = default;
template <class Real>
void PolicyProduct<Real>::project(View<const std::int32_t> /*action*/, View<const Real> /*value*/) {
  refuse_cusparse();
}
template <class Real>
void PolicyProduct<Real>::sweep(View<const Real> /*value*/, View<Real> /*next*/) {
  refuse_cusparse();
}
template <class Real>
std::int64_t PolicyProduct<Real>::entry_count() const {
  refuse_cusparse();
}

template class PolicyProduct<float>;
template class PolicyProduct<double>;

}  // namespace tidewise::mdp
