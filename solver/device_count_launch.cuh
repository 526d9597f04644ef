#pragma once

#include <array>
#include <cstdint>
#include <cstdlib>

#include "base/cuda_check.h"
#include "base/native_stream.h"
#include "env/environment_info.h"
#include "model_builder/counting_engine.h"
#include "model_builder/device_actions.h"
#include "model_builder/device_direct.cuh"
#include "model_builder/device_level_facts.h"
#include "solver/device_backup.cuh"

namespace tidewise {

inline int experiment = std::getenv("EXPERIMENT") ? std::atoi(std::getenv("EXPERIMENT")) : 0;

/// Chooses the shapes of the counting kernels by actions, realizations and the device's limits, and
/// launches them over a level: one lattice kernel after the other, each with a larger frame for the
/// cells that the one before has left, and the direct kernel for what is left in the end.
class DeviceCountLaunch {
 public:
  DeviceCountLaunch(const EnvironmentInfo& info, const DeviceActions& actions, std::int32_t kinds)
      : actions_(actions),
        cells_(info.grid.cell_count()),
        modes_(info.mode_count),
        kinds_(kinds),
        small_counters_(info.realization_weight.empty() && info.realization_count <= UINT16_MAX) {
    int device = 0;
    TIDEWISE_CUDA_CHECK(cudaGetDevice(&device));
    cudaDeviceProp limits{};
    TIDEWISE_CUDA_CHECK(cudaGetDeviceProperties(&limits, device));
    multiprocessors_ = limits.multiProcessorCount;
    most_shared_ = limits.sharedMemPerBlockOptin;
  }

  void run(Engine engine, const DeviceCloud& cloud, const std::int32_t* cells,
           DeviceLevelFacts* facts, std::array<std::int32_t*, 2> left, const DeviceBackup& backup,
           const DeviceStream& stream) const {
    if (engine == Engine::direct) {
      launch_direct(cloud, cells, &facts->undecided, backup, stream);
      return;
    }
    const DeviceCellList list{cells, &facts->undecided, &facts->fits, left[0], &facts->left};
    if (experiment == 1 && actions_.unit_shuffle()) {
      launch<LatticeShape<std::uint32_t, 6, 6, 4, 256, true>>(cloud, list, backup, stream);
    } else if (experiment == 2) {
      launch<LatticeShape<std::uint32_t, 6, 6, 4, 128, true>>(cloud, list, backup, stream);
    } else if (experiment == 3) {
      launch<LatticeShape<std::uint32_t, 6, 6, 2, 128, false>>(cloud, list, backup, stream);
    } else if (experiment == 4) {
      launch<LatticeShape<std::uint32_t, 7, 7, 1, 256, false>>(cloud, list, backup, stream);
    } else if (experiment == 5) {
      launch<LatticeShape<std::uint16_t, 8, 8, 1, 512, false>>(cloud, list, backup, stream);
    } else if (actions_.unit_shuffle()) {
      launch<LatticeShape<std::uint32_t, 6, 6, 2, 128, true>>(cloud, list, backup, stream);
    } else {
      launch<LatticeShape<std::uint32_t, 6, 6, 2, 128, false>>(cloud, list, backup, stream);
    }
    launch_direct(cloud, left[0], &facts->left, backup, stream);
  }

 private:
  /// Outcomes of the widest window that a frame of so many bins can lead to.
  template <class Shape>
  std::int32_t table_size() const {
    const auto cells = [](const DeviceLatticeAxis& axis, std::int32_t bins) {
      return (bins + axis.greatest_first_bin - axis.least_first_bin) / axis.bins_per_cell + 2;
    };
    constexpr std::int32_t most = 4096;  // what floor_divide_by() can tell apart
    const std::int64_t size = std::int64_t{kinds_} * cells(actions_.x(), Shape::most_columns) *
                              cells(actions_.y(), Shape::most_rows);
    return static_cast<std::int32_t>(size < most ? size : most);
  }

  template <class Shape>
  void launch(const DeviceCloud& cloud, const DeviceCellList& list, DeviceBackup backup,
              const DeviceStream& stream) const {
    backup.table_size = table_size<Shape>();
    const std::size_t shared = lattice_shared_bytes<Shape>(modes_, actions_.entries()) +
                               Shape::cells * backup.shared_bytes();
    const auto kernel = count_on_lattice<Shape, DeviceBackup>;
    TIDEWISE_CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                             static_cast<int>(shared)));
    const auto blocks = static_cast<unsigned>((cells_ + Shape::cells - 1) / Shape::cells);
    kernel<<<blocks, Shape::threads, shared, native(stream)>>>(cloud, actions_.x(), actions_.y(),
                                                               list, backup);
    TIDEWISE_CUDA_CHECK(cudaGetLastError());
  }

  void launch_direct(const DeviceCloud& cloud, const std::int32_t* cells, const std::int32_t* count,
                     const DeviceBackup& backup, const DeviceStream& stream) const {
    constexpr std::int32_t words = 6144;  // 24 KiB: a few blocks to a multiprocessor everywhere
    static_assert(words >= least_direct_words);
    const DirectArguments arguments{actions_.displacement(), words};
    const auto blocks = static_cast<unsigned>(std::min(cells_, multiprocessors_ * 8));
    count_directly<<<blocks, direct_threads, words * sizeof(std::uint32_t), native(stream)>>>(
        cloud, arguments, cells, count, backup);
    TIDEWISE_CUDA_CHECK(cudaGetLastError());
  }

  const DeviceActions& actions_;
  std::int32_t cells_;
  std::int32_t modes_;
  std::int32_t kinds_;
  bool small_counters_;  // no sum of counts exceeds 16 bits
  std::int32_t multiprocessors_ = 1;
  std::size_t most_shared_ = 0;
};

}  // namespace tidewise
