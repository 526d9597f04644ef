#pragma once

#include <algorithm>
#include <cstdint>

#include "base/memory/cuda_check.h"
#include "base/memory/native_stream.h"
#include "env/environment_info.h"
#include "model_builder/device/actions.h"
#include "model_builder/direct/device.cuh"

namespace tidewise {

/// Chooses the shapes of the counting kernels by actions and the device's limits, and launches them
/// over a level: one lattice kernel after the other, each with a larger histogram for the cells
/// that need it or that the one before has left, and the direct kernel for what is left in the end.
template <class Sink>
class DeviceCountLaunch {
 public:
  DeviceCountLaunch(const EnvironmentInfo& info, const DeviceActions& actions, std::int32_t kinds)
      : actions_(actions), cells_(info.grid.cell_count()), modes_(info.mode_count), kinds_(kinds) {
    int device = 0;
    TIDEWISE_CUDA_CHECK(cudaGetDevice(&device));
    cudaDeviceProp limits{};
    TIDEWISE_CUDA_CHECK(cudaGetDeviceProperties(&limits, device));
    multiprocessors_ = limits.multiProcessorCount;
    most_shared_ = limits.sharedMemPerBlockOptin;
    const bool small = info.realization_weight.empty() && info.realization_count <= UINT16_MAX;
    // Few bins are hit by many lanes at once: adding ones to whole words is then faster by far.
    constexpr std::int32_t few_bins = 12;
    const bool crowded = std::min(actions.x().bins_per_cell, actions.y().bins_per_cell) < few_bins;
    if (actions.unit_shuffle()) {
      if (small && !crowded) {
        take_first<LatticeShape<Small, 4096, 72, 4, 128, 6, Lookup::shuffle, false>>(0);
      } else {
        take_first<LatticeShape<Large, 4096, 68, 4, 256, 3, Lookup::shuffle, false>,
                   LatticeShape<Large, 4096, 68, 2, 128, 6, Lookup::shuffle, false>>(0);
      }
    } else if (small) {
      if (actions.has_extras()) {
        take_class_0<Lookup::table_and_extras>();
      } else {
        take_class_0<Lookup::table>();
      }
    } else {
      take_first<LatticeShape<Large, 8192, 92, 1, 128, 6, Lookup::table_and_extras, false>>(0);
    }
    if (small) {
      if (actions.has_extras()) {
        take_classes_1_and_2<Lookup::table_and_extras>();
      } else {
        take_classes_1_and_2<Lookup::table>();
      }
    } else {
      take_first<LatticeShape<Large, 16384, 132, 1, 256, 3, Lookup::table_and_extras, true>>(1);
      take_first<LatticeShape<Large, 32768, 180, 1, 512, 1, Lookup::table_and_extras, true>>(2);
    }
    direct_ = direct_arguments(actions.displacement(), actions.least(), actions.greatest(),
                               actions.x().bins_per_cell, actions.y().bins_per_cell);
  }

  /// The limits of each class, for DeviceCellLists.
  FrameLimits limits(std::int32_t frame_class) const { return lattice_[frame_class].limits; }

  /// The cells of `lists` by the lattice, what is left directly.
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
    const std::size_t shared = direct_shared_bytes(direct_, modes_);
    if constexpr (Sink::takes_tables) {
      tabulate_directly<<<blocks, direct_threads, shared, native(stream)>>>(cloud, direct_, lists,
                                                                            list, count, sink);
    } else {
      count_directly<<<blocks, direct_threads, shared, native(stream)>>>(cloud, direct_, lists,
                                                                         list, count, sink);
    }
    TIDEWISE_CUDA_CHECK(cudaGetLastError());
  }

 private:
  using Small = std::uint16_t;
  using Large = std::uint32_t;
  using Launch = void (DeviceCountLaunch::*)(const DeviceCloud&, const DeviceCellLists&,
                                             std::int32_t, const Sink&, const DeviceStream&) const;
  struct Lattice {
    FrameLimits limits;
    Launch launch = nullptr;
  };

  // Shapes with 16-bit counts.
  template <Lookup How>
  void take_class_0() {
    take_first<LatticeShape<Small, 16384, 136, 2, 256, 3, How, false>,
               LatticeShape<Small, 16384, 136, 1, 128, 6, How, false>>(0);
  }
  template <Lookup How>
  void take_classes_1_and_2() {
    take_first<LatticeShape<Small, 32768, 184, 1, 256, 3, How, true>>(1);
    take_first<LatticeShape<Small, 65536, 264, 1, 512, 1, How, true>>(2);
  }

  /// Outcomes of the widest window that a histogram can lead to, as far as shared memory keeps
  /// them.
  template <class Shape>
  std::int32_t table_size() const {
    const auto cells = [](const DeviceLatticeAxis& axis, std::int32_t bins) {
      return (bins + axis.greatest_first_bin - axis.least_first_bin) / axis.bins_per_cell + 2;
    };
    constexpr std::int64_t most = 4095;  // what floor_divide_by() can tell apart
    return static_cast<std::int32_t>(
        std::min(most, std::int64_t{kinds_} * cells(actions_.x(), Shape::limits.columns) *
                           cells(actions_.y(), Shape::limits.rows)));
  }

  template <class Shape>
  std::size_t shared_bytes(const Sink& sink) const {
    return lattice_shared_bytes<Shape>(modes_, actions_.entries()) +
           Shape::cells * sink.shared_bytes();
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
            cloud, actions_.x(), actions_.y(), lists, frame_class, sink);
    TIDEWISE_CUDA_CHECK(cudaGetLastError());
  }

  template <class Shape, class... Others>
  void take_first(std::int32_t frame_class) {
    Sink sink{};
    sink.table_size = table_size<Shape>();
    const std::size_t bytes = shared_bytes<Shape>(sink);
    constexpr std::size_t not_dynamic = 2048;  // the kernel's own arrays
    if (bytes + not_dynamic <= most_shared_) {
      TIDEWISE_CUDA_CHECK(cudaFuncSetAttribute(count_on_lattice<Shape, Sink>,
                                               cudaFuncAttributeMaxDynamicSharedMemorySize,
                                               static_cast<int>(bytes)));
      lattice_[frame_class] = {Shape::limits, &DeviceCountLaunch::launch<Shape>};
    } else if constexpr (sizeof...(Others) > 0) {
      take_first<Others...>(frame_class);
    }
  }

  const DeviceActions& actions_;
  std::int32_t cells_;
  std::int32_t modes_;
  std::int32_t kinds_;
  std::int32_t multiprocessors_ = 1;
  std::size_t most_shared_ = 0;
  Lattice lattice_[frame_classes];
  DirectArguments direct_;
};

}  // namespace tidewise
