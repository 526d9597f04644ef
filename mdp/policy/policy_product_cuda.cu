#include <thrust/execution_policy.h>
#include <thrust/functional.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/scan.h>
#include <thrust/transform_reduce.h>

#include <limits>
#include <type_traits>
#include <utility>

#include "base/error.h"
#include "base/kernel/for_each.cuh"
#include "base/memory/array.h"
#include "base/memory/cuda_check.h"
#include "base/memory/cusparse_matrix.cuh"
#include "base/memory/device_transfer.h"
#include "base/memory/native_stream.h"
#include "mdp/policy/evaluation_look.cuh"
#include "mdp/policy/policy_product.h"
#include "mdp/policy/policy_projection.h"

namespace tidewise::mdp {
namespace {

struct Handle {
  cusparseHandle_t it = nullptr;

  Handle() { check_cusparse(cusparseCreate(&it), "cusparseCreate"); }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  ~Handle() { (void)cusparseDestroy(it); }
};

/// Implementation for one width of indices.
template <class Real, class Index>
class ProductOf final : public PolicyProduct<Real> {
 public:
  /// `capacity`: largest number of entries of a policy.
  ProductOf(const ProcessView<Real>& process, const DeviceStream& stream, std::int64_t capacity)
      : process_(process),
        stream_(stream),
        states_(static_cast<std::size_t>(process.state_count)),
        begin_(states_ + 1),
        column_(static_cast<std::size_t>(capacity)),
        probability_(static_cast<std::size_t>(capacity)),
        reward_(states_) {
    check_cusparse(cusparseSetStream(handle_.it, native(stream_)), "cusparseSetStream");
  }

  void project(View<const std::int32_t> action, View<const Real> value) override {
    descriptions_.clear();
    for_each_on_device(states_, CountPolicyRow<Real, Index>{process_, action, begin_.view()},
                       stream_);
    TIDEWISE_CUDA_CHECK(
        cudaMemsetAsync(begin_.data() + states_, 0, sizeof(Index), native(stream_)));
    thrust::exclusive_scan(thrust::cuda::par.on(native(stream_)), begin_.data(),
                           begin_.data() + states_ + 1, begin_.data());
    for_each_on_device(
        states_,
        CopyPolicyRow<Real, Index>{process_, action, value, std::as_const(begin_).view(),
                                   column_.view(), probability_.view(), reward_.view()},
        stream_);
    entries_ = static_cast<std::int64_t>(fetch(begin_.data() + states_, stream_));
  }

  void sweep(View<const Real> value, View<Real> next, const EvaluationLook& look) override {
    // cuSPARSE does not accept a matrix without entries (all states are terminal).
    if (entries_ == 0) {
      TIDEWISE_CUDA_CHECK(cudaMemsetAsync(next.data, 0, states_ * sizeof(Real), native(stream_)));
    } else {
      describe(value, next);
      check_cusparse(cusparseSpMV(handle_.it, CUSPARSE_OPERATION_NON_TRANSPOSE, &process_.discount,
                                  descriptions_.matrix, descriptions_.value, &none,
                                  descriptions_.product, number, algorithm, buffer_.data()),
                     "cusparseSpMV");
    }
    sweep_on_device(states_, AddPolicyReward<Real>{std::as_const(reward_).view(), value, next},
                    look, stream_);
  }

  std::int64_t entry_count() const override { return entries_; }

 private:
  static constexpr Real none = 0;
  static constexpr cudaDataType number = std::is_same_v<Real, float> ? CUDA_R_32F : CUDA_R_64F;
  static constexpr cusparseIndexType_t index =
      std::is_same_v<Index, std::int32_t> ? CUSPARSE_INDEX_32I : CUSPARSE_INDEX_64I;
  static constexpr cusparseSpMVAlg_t algorithm =
      CUSPARSE_SPMV_CSR_ALG2;  // gives the same bits each time

  /// Describes the matrix once per policy, and the vectors for each product.
  void describe(View<const Real> value, View<Real> next) {
    if (descriptions_.matrix != nullptr) {
      check_cusparse(cusparseDnVecSetValues(descriptions_.value, const_cast<Real*>(value.data)),
                     "cusparseDnVecSetValues");
      check_cusparse(cusparseDnVecSetValues(descriptions_.product, next.data),
                     "cusparseDnVecSetValues");
      return;
    }
    const auto states = static_cast<std::int64_t>(states_);
    check_cusparse(cusparseCreateCsr(&descriptions_.matrix, states, states, entries_, begin_.data(),
                                     column_.data(), probability_.data(), index, index,
                                     CUSPARSE_INDEX_BASE_ZERO, number),
                   "cusparseCreateCsr");
    check_cusparse(
        cusparseCreateDnVec(&descriptions_.value, states, const_cast<Real*>(value.data), number),
        "cusparseCreateDnVec");
    check_cusparse(cusparseCreateDnVec(&descriptions_.product, states, next.data, number),
                   "cusparseCreateDnVec");
    std::size_t bytes = 0;
    check_cusparse(
        cusparseSpMV_bufferSize(handle_.it, CUSPARSE_OPERATION_NON_TRANSPOSE, &process_.discount,
                                descriptions_.matrix, descriptions_.value, &none,
                                descriptions_.product, number, algorithm, &bytes),
        "cusparseSpMV_bufferSize");
    fit(buffer_, bytes);
  }

  ProcessView<Real> process_;  // in device memory
  const DeviceStream& stream_;
  std::size_t states_;
  std::int64_t entries_ = 0;
  DeviceArray<Index> begin_;           // (state + 1)
  DeviceArray<Index> column_;          // (entry)
  DeviceArray<Real> probability_;      // (entry)
  DeviceArray<Real> reward_;           // r_π, (state)
  DeviceArray<unsigned char> buffer_;  // work memory of cuSPARSE
  Handle handle_;
  ProductDescriptions descriptions_;
};

template <class Real>
std::int64_t max_entries(const ProcessView<Real>& process, const DeviceStream& stream) {
  const thrust::counting_iterator<std::size_t> first(0);
  return thrust::transform_reduce(thrust::cuda::par.on(native(stream)), first,
                                  first + static_cast<std::int64_t>(process.state_count),
                                  LongestRow<Real>{process}, std::int64_t{0},
                                  thrust::plus<std::int64_t>());
}

}  // namespace

bool has_policy_product() { return true; }
void require_policy_product() {}

template <class Real>
std::unique_ptr<PolicyProduct<Real>> make_policy_product(const ProcessView<Real>& process,
                                                         const DeviceStream& stream,
                                                         ProjectionWidth width) {
  const std::int64_t capacity = max_entries(process, stream);
  if (width == ProjectionWidth::automatic && capacity <= std::numeric_limits<std::int32_t>::max()) {
    return std::make_unique<ProductOf<Real, std::int32_t>>(process, stream, capacity);
  }
  return std::make_unique<ProductOf<Real, std::int64_t>>(process, stream, capacity);
}

template std::unique_ptr<PolicyProduct<float>> make_policy_product(const ProcessView<float>&,
                                                                   const DeviceStream&,
                                                                   ProjectionWidth);
template std::unique_ptr<PolicyProduct<double>> make_policy_product(const ProcessView<double>&,
                                                                    const DeviceStream&,
                                                                    ProjectionWidth);

}  // namespace tidewise::mdp
