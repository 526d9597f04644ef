#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "base/memory/device.h"
#include "model_builder/device/counting_engine.h"
#include "model_builder/engines.h"
#include "model_builder/paper/device_engine.h"
#include "support/device.h"

namespace tidewise::test {

/// A counting engine on a backend, with its options.
struct CountingBackend {
  std::string name;  ///< letters, digits and underscores, for GoogleTest
  Backend kind = Backend::cpu;
  int threads = 1;  ///< number of threads from which the engine calls back
  std::function<std::unique_ptr<CountingEngine>(const PositionRule&, const Grid&, const TimeAxis&,
                                                std::vector<Action>)>
      make;
};

inline std::ostream& operator<<(std::ostream& stream, const CountingBackend& backend) {
  return stream << backend.name;
}

inline CountingBackend cpu_backend(const std::string& name, Engine engine, int threads,
                                   std::int32_t subgrid_radius = 0) {
  return {name, Backend::cpu, threads,
          [=](const PositionRule& rule, const Grid& grid, const TimeAxis& time,
              std::vector<Action> actions) {
            return make_cpu_engine(engine, rule, grid, time, std::move(actions), threads,
                                   subgrid_radius);
          }};
}

inline CountingBackend cuda_paper_backend(const std::string& name, std::int32_t subgrid_radius,
                                          std::int32_t block_size, std::int32_t batch) {
  return {name, Backend::cuda, 1,
          [=](const PositionRule& rule, const Grid& grid, const TimeAxis& time,
              std::vector<Action> actions) {
            return make_device_paper_engine(rule, grid, time, std::move(actions), subgrid_radius,
                                            block_size, batch);
          }};
}

/// All counting engines of this build. Tests are parameterised over this list, so that a line here
/// adds an engine to all of them.
inline std::vector<CountingBackend> counting_backends() {
  std::vector<CountingBackend> backends{cpu_backend("cpu_paper", Engine::paper, 2),
                                        cpu_backend("cpu_paper_radius_6", Engine::paper, 1, 6),
                                        cpu_backend("cpu_direct", Engine::direct, 2),
                                        cpu_backend("cpu_lattice", Engine::lattice, 2)};
  for (const int threads : {1, 3}) {
    backends.push_back(
        cpu_backend("cpu_lattice_threads_" + std::to_string(threads), Engine::lattice, threads));
  }
  if (cuda_support() == CudaSupport::compiled) {
    for (const Engine engine : {Engine::direct, Engine::lattice}) {
      backends.push_back({"cuda_" + std::string(to_string(engine)), Backend::cuda, 1,
                          [engine](const PositionRule& rule, const Grid& grid, const TimeAxis& time,
                                   std::vector<Action> actions) {
                            return make_device_counting_engine(engine, rule, grid, time,
                                                               std::move(actions));
                          }});
    }
    backends.push_back(cuda_paper_backend("cuda_paper", 0, 64, INT32_MAX));
    backends.push_back(cuda_paper_backend("cuda_paper_radius_6_block_96_batch_97", 6, 96, 97));
  }
  return backends;
}

/// A test that runs for every entry of counting_backends(); those for CUDA need a device.
class OnEveryCountingBackend : public testing::TestWithParam<CountingBackend> {
 protected:
  void SetUp() override { TIDEWISE_REQUIRE_BACKEND(GetParam().kind); }
};

/// Names a test by its backend, for INSTANTIATE_TEST_SUITE_P.
inline std::string backend_name(const testing::TestParamInfo<CountingBackend>& info) {
  return info.param.name;
}

}  // namespace tidewise::test
