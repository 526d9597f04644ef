#include "base/error.h"
#include "mdp/error/codes.h"
#include "mdp/policy/policy_product.h"

namespace tidewise::mdp {

bool has_policy_product() { return false; }
void require_policy_product() { throw input_error(errors::evaluator_cusparse_not_built); }

template <class Real>
std::unique_ptr<PolicyProduct<Real>> make_policy_product(const ProcessView<Real>&,
                                                         const DeviceStream&, ProjectionWidth) {
  require_policy_product();
  return nullptr;
}

template std::unique_ptr<PolicyProduct<float>> make_policy_product(const ProcessView<float>&,
                                                                   const DeviceStream&,
                                                                   ProjectionWidth);
template std::unique_ptr<PolicyProduct<double>> make_policy_product(const ProcessView<double>&,
                                                                    const DeviceStream&,
                                                                    ProjectionWidth);

}  // namespace tidewise::mdp
