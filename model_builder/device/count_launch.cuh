#pragma once

#include <algorithm>
#include <cstdint>

#include "base/memory/cuda_check.h"
#include "base/memory/native_stream.h"
#include "env/environment_info.h"
#include "model_builder/device/actions.h"
#include "model_builder/direct/device.cuh"
#include "model_builder/lattice/device.cuh"

namespace tidewise {

/// Chooses the shapes of the counting kernels from actions and the device's limits, and launches
/// them for a level: lattice kernels in sequence, each with a larger histogram for the cells that
/// need it or that the previous one rejected, then the direct kernel for the remaining cells.
template <class Sink>
class DeviceCountLaunch {
 public:
  DeviceCountLaunch(const EnvironmentInfo& info, const PositionRule& rule,
                    const DeviceActions& actions, std::int32_t kinds)
      : actions_(actions),
        rule_(rule),
        cells_(info.grid.cell_count()),
        modes_(info.mode_count),
        kinds_(kinds) {
    int device = 0;
    TIDEWISE_CUDA_CHECK(cudaGetDevice(&device));
    cudaDeviceProp limits{};
    TIDEWISE_CUDA_CHECK(cudaGetDeviceProperties(&limits, device));
    multiprocessors_ = limits.multiProcessorCount;
    max_shared_ = limits.sharedMemPerBlockOptin;
    take_first<LatticeShape<2048, 45, 8, 256, 3, false>, LatticeShape<2048, 45, 4, 128, 6, false>>(
        0);
    take_first<LatticeShape<8192, 91, 2, 256, 3, true>, LatticeShape<8192, 91, 1, 256, 6, true>>(1);
    take_first<LatticeShape<32768, 181, 1, 512, 1, true>>(2);
  }

  /// The limits of each class, for DeviceCellLists.
  FrameLimits limits(std::int32_t frame_class) const { return lattice_[frame_class].limits; }

  /// Counts the cells of `lists` by the lattice, and the remaining ones directly.
  void run_lattice(const DeviceCloud& cloud, const DeviceCellLists& lists, const Sink& sink,
                   const DeviceStream& stream) const {
    for (std::int32_t c = 0; c < frame_classes; ++c) {
      if (lattice_[c].launch != nullptr) (this->*lattice_[c].launch)(cloud, lists, c, sink, stream);
    }
    run_direct(cloud, lists, lists.cell[frame_classes], lists.count + frame_classes, sink, stream);
  }

  void run_direct(const DeviceCloud& cloud, const DeviceCellLists& lists, const std::int32_t* list,
                  const std::int32_t* count, const Sink& sink, const DeviceStream& stream) const {
    const auto blocks = static_cast<unsigned>(std::min(cells_, multiprocessors_ * 8));
    const std::size_t shared = direct_shared_bytes(modes_);
    if constexpr (Sink::takes_tables) {
      tabulate_directly<<<blocks, direct_threads, shared, native(stream)>>>(
          cloud, actions_.view(), lists, list, count, sink);
    } else {
      count_directly<<<blocks, direct_threads, shared, native(stream)>>>(cloud, actions_.view(),
                                                                         lists, list, count, sink);
    }
    TIDEWISE_CUDA_CHECK(cudaGetLastError());
  }

 private:
  using Launch = void (DeviceCountLaunch::*)(const DeviceCloud&, const DeviceCellLists&,
                                             std::int32_t, const Sink&, const DeviceStream&) const;
  struct Lattice {
    FrameLimits limits;
    Launch launch = nullptr;
  };

  /// Number of outcomes of the widest window that a cell with this histogram can have, limited by
  /// shared memory.
  template <class Shape>
  std::int32_t table_size() const {
    const auto cells = [&](std::int32_t bins, std::int32_t smallest, std::int32_t largest) {
      return ((bins * rule_.bin() + positions_per_cell - 1) >> position_bits) +
             ((largest - smallest) >> fraction_bits) + 2 + rule_.cells_touched();
    };
    constexpr std::int64_t max = 4095;  // limit of floor_divide_by()
    const FrameLimits limits = Shape::limits(rule_);
    return static_cast<std::int32_t>(
        std::min(max, std::int64_t{kinds_} *
                          cells(limits.columns, actions_.least().x, actions_.greatest().x) *
                          cells(limits.rows, actions_.least().y, actions_.greatest().y)));
  }

  template <class Shape>
  std::size_t shared_bytes(const Sink& sink) const {
    return lattice_shared_bytes<Shape>(modes_) + Shape::cells * sink.shared_bytes();
  }

  template <class Shape>
  void launch(const DeviceCloud& cloud, const DeviceCellLists& lists, std::int32_t frame_class,
              const Sink& for_all, const DeviceStream& stream) const {
    Sink sink = for_all;
    sink.table_size = table_size<Shape>();
    std::int32_t blocks = (cells_ + Shape::cells - 1) / Shape::cells;
    if (Shape::loops) blocks = std::min(blocks, multiprocessors_ * Shape::blocks);
    count_on_lattice<Shape, Sink>
        <<<blocks, Shape::threads, shared_bytes<Shape>(sink), native(stream)>>>(
            cloud, actions_.view(), lists, frame_class, sink);
    TIDEWISE_CUDA_CHECK(cudaGetLastError());
  }

  template <class Shape, class... Others>
  void take_first(std::int32_t frame_class) {
    if (Shape::limits(rule_).columns == 0) return;
    Sink sink{};
    sink.table_size = table_size<Shape>();
    const std::size_t bytes = shared_bytes<Shape>(sink);
    constexpr std::size_t not_dynamic = 2048;  // static arrays of the kernel
    if (bytes + not_dynamic <= max_shared_) {
      // Sets the limit, not the amount needed here, because the attribute belongs to the kernel,
      // and another launch, for a profile with faster actions, may need more.
      TIDEWISE_CUDA_CHECK(cudaFuncSetAttribute(count_on_lattice<Shape, Sink>,
                                               cudaFuncAttributeMaxDynamicSharedMemorySize,
                                               static_cast<int>(max_shared_ - not_dynamic)));
      // The number of blocks Shape::blocks needs a large share of shared memory instead of L1
      // cache.
      TIDEWISE_CUDA_CHECK(cudaFuncSetAttribute(count_on_lattice<Shape, Sink>,
                                               cudaFuncAttributePreferredSharedMemoryCarveout,
                                               cudaSharedmemCarveoutMaxShared));
      lattice_[frame_class] = {Shape::limits(rule_), &DeviceCountLaunch::launch<Shape>};
    } else if constexpr (sizeof...(Others) > 0) {
      take_first<Others...>(frame_class);
    }
  }

  const DeviceActions& actions_;
  PositionRule rule_;
  std::int32_t cells_;
  std::int32_t modes_;
  std::int32_t kinds_;
  std::int32_t multiprocessors_ = 1;
  std::size_t max_shared_ = 0;
  Lattice lattice_[frame_classes];
};

}  // namespace tidewise
