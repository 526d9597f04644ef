#pragma once

#include <thrust/iterator/counting_iterator.h>

#include <cstdint>
#include <cub/device/device_select.cuh>

#include "base/memory/array.h"
#include "base/memory/cuda_check.h"
#include "base/memory/native_stream.h"
#include "solver/evaluate/probability.h"

namespace tidewise {

struct HoldsProbability {
  const Probability* probability;
  __device__ bool operator()(std::int32_t cell) const { return probability[cell].probability > 0; }
};

/// Lists cells that hold mass, ascending.
class ActiveCells {
 public:
  explicit ActiveCells(std::size_t cells) : list_(cells), count_(1) {
    std::size_t bytes = 0;
    select(nullptr, bytes, nullptr, 0, static_cast<std::int32_t>(cells), nullptr);
    scratch_ = DeviceArray<std::uint8_t>(bytes);
  }

  /// Those of [first, end).
  void find(const DeviceArray<Probability>& probability, std::int32_t first, std::int32_t end,
            const DeviceStream& stream) {
    std::size_t bytes = scratch_.size();
    select(scratch_.data(), bytes, probability.data(), first, end, native(stream));
  }
  const std::int32_t* list() const { return list_.data(); }
  const std::int32_t* count() const { return count_.data(); }

 private:
  void select(void* scratch, std::size_t& bytes, const Probability* probability, std::int32_t first,
              std::int32_t end, cudaStream_t stream) {
    TIDEWISE_CUDA_CHECK(cub::DeviceSelect::If(
        scratch, bytes, thrust::counting_iterator<std::int32_t>(first), list_.data(), count_.data(),
        end - first, HoldsProbability{probability}, stream));
  }

  DeviceArray<std::int32_t> list_;
  DeviceArray<std::int32_t> count_;
  DeviceArray<std::uint8_t> scratch_;
};

}  // namespace tidewise
