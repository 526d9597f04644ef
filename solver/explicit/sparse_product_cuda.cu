#include <thrust/execution_policy.h>
#include <thrust/scan.h>

#include <limits>

#include "base/error.h"
#include "base/kernel/for_each.cuh"
#include "base/memory/array.h"
#include "base/memory/cuda_check.h"
#include "base/memory/cusparse_matrix.cuh"
#include "base/memory/native_stream.h"
#include "solver/explicit/sparse_product.h"
#include "solver/explicit/sparse_row.h"

namespace tidewise {
namespace {

class CusparseProduct final : public SparseProduct {
 public:
  CusparseProduct() { check_cusparse(cusparseCreate(&handle_), "cusparseCreate"); }
  CusparseProduct(const CusparseProduct&) = delete;
  CusparseProduct& operator=(const CusparseProduct&) = delete;
  ~CusparseProduct() override {
    descriptions_.clear();
    (void)cusparseDestroy(handle_);
  }

  void build(const ExplicitRule& rule, const PackedView& level,
             const DeviceStream& stream) override {
    const std::size_t cells = level.window.size;
    const std::size_t rows = cells * static_cast<std::size_t>(level.action_count);
    fit(row_start_, rows + 1);
    fit(immediate_, rows);
    refuse_too_many(level);
    // Sizes are written one element later, so that their inclusive sums are the starts.
    set_to_zero(row_start_.data(), 1, stream);
    for_each_on_device(rows, CountSparseRow{rule, level, row_start_.view().part(1, rows)}, stream);
    thrust::inclusive_scan(thrust::cuda::par.on(native(stream)), row_start_.data() + 1,
                           row_start_.data() + 1 + rows, row_start_.data() + 1);
    std::int32_t entries = 0;
    TIDEWISE_CUDA_CHECK(cudaMemcpyAsync(&entries, row_start_.data() + rows, sizeof entries,
                                        cudaMemcpyDeviceToHost, native(stream)));
    stream.synchronize();
    fit(column_, static_cast<std::size_t>(entries));
    fit(probability_, static_cast<std::size_t>(entries));
    for_each_on_device(rows,
                       FillSparseRow{rule, level, row_start_.view(), column_.view(),
                                     probability_.view(), immediate_.view()},
                       stream);
    stream.synchronize();
    take({rows, cells, entries, row_start_.data(), column_.data(), probability_.data()});
  }

  void take(const CsrMatrix& matrix) override {
    descriptions_.clear();
    matrix_ = matrix;
  }

  void multiply(View<const float> value_next, View<float> expected, const DeviceStream& stream,
                float kept) override {
    // cuSPARSE refuses a matrix without entries (all landings end the mission).
    if (matrix_.entries == 0) {
      if (kept == 0) set_to_zero(expected.data, matrix_.rows, stream);
      return;
    }
    check_cusparse(cusparseSetStream(handle_, native(stream)), "cusparseSetStream");
    describe(value_next, expected);
    const float one = 1;
    check_cusparse(cusparseSpMV(handle_, CUSPARSE_OPERATION_NON_TRANSPOSE, &one,
                                descriptions_.matrix, descriptions_.value, &kept,
                                descriptions_.product, CUDA_R_32F, algorithm, buffer_.data()),
                   "cusparseSpMV");
  }

  View<const float> immediate() const override { return immediate_.view().part(0, matrix_.rows); }
  std::size_t bytes() const override {
    return (matrix_.rows + 1) * sizeof(std::int32_t) + matrix_.rows * sizeof(float) +
           static_cast<std::size_t>(matrix_.entries) * (sizeof(std::int32_t) + sizeof(float));
  }

 private:
  static constexpr cusparseSpMVAlg_t algorithm = CUSPARSE_SPMV_CSR_ALG2;  // deterministic

  // Columns and starts are int32. The whole level is checked, because a sum that has wrapped around
  // is undetectable.
  static void refuse_too_many(const PackedView& level) {
    const std::size_t entry =
        level.width == EntryWidth::narrow ? sizeof(NarrowEntry) : sizeof(WideEntry);
    if (level.entries.size / entry >
        static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max())) {
      throw RunError(
          "a level of the model has more entries than cuSPARSE's 32-bit rows hold; use "
          "another method");
    }
  }

  // Describes the matrix once for each level; the vectors may change with each call.
  void describe(View<const float> value_next, View<float> expected) {
    if (descriptions_.matrix == nullptr) {
      check_cusparse(
          cusparseCreateCsr(&descriptions_.matrix, static_cast<std::int64_t>(matrix_.rows),
                            static_cast<std::int64_t>(matrix_.columns), matrix_.entries,
                            const_cast<std::int32_t*>(matrix_.row_start),
                            const_cast<std::int32_t*>(matrix_.column),
                            const_cast<float*>(matrix_.probability), CUSPARSE_INDEX_32I,
                            CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F),
          "cusparseCreateCsr");
      check_cusparse(
          cusparseCreateDnVec(&descriptions_.value, static_cast<std::int64_t>(matrix_.columns),
                              const_cast<float*>(value_next.data), CUDA_R_32F),
          "cusparseCreateDnVec");
      check_cusparse(
          cusparseCreateDnVec(&descriptions_.product, static_cast<std::int64_t>(matrix_.rows),
                              expected.data, CUDA_R_32F),
          "cusparseCreateDnVec");
      const float one = 1;
      const float none = 0;
      std::size_t bytes = 0;
      check_cusparse(cusparseSpMV_bufferSize(handle_, CUSPARSE_OPERATION_NON_TRANSPOSE, &one,
                                             descriptions_.matrix, descriptions_.value, &none,
                                             descriptions_.product, CUDA_R_32F, algorithm, &bytes),
                     "cusparseSpMV_bufferSize");
      fit(buffer_, bytes);
      return;
    }
    check_cusparse(cusparseDnVecSetValues(descriptions_.value, const_cast<float*>(value_next.data)),
                   "cusparseDnVecSetValues");
    check_cusparse(cusparseDnVecSetValues(descriptions_.product, expected.data),
                   "cusparseDnVecSetValues");
  }

  cusparseHandle_t handle_ = nullptr;
  ProductDescriptions descriptions_;
  CsrMatrix matrix_;
  DeviceArray<std::int32_t> row_start_;  // (row + 1)
  DeviceArray<std::int32_t> column_;     // (entry)
  DeviceArray<float> probability_;       // (entry)
  DeviceArray<float> immediate_;         // (row)
  DeviceArray<unsigned char> buffer_;    // work memory of cuSPARSE
};

}  // namespace

bool has_sparse_product() { return true; }
std::unique_ptr<SparseProduct> make_sparse_product() { return std::make_unique<CusparseProduct>(); }

}  // namespace tidewise
