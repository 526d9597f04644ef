// Tests of --backend, --devices and --device-memory, with and without a GPU.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "base/hdf5/file.h"
#include "base/memory/device_report.h"
#include "solver/explicit/sparse_product.h"
#include "solver/subdomains/nccl_halo_group.h"
#include "support/device.h"
#include "support/error_code.h"
#include "support/hidden_gpus.h"
#include "support/program_fixture.h"

namespace tidewise {
namespace {

using nlohmann::json;
using testing::HasSubstr;

constexpr const char* backend_mission = R"([environment]
file = "gyre.h5"
[vehicle]
speeds = [0.8, 1.6]
headings = 12
energy = { c_f = 1.0, c_t = 0.05 }
[mission]
objective = "net_energy"
start = [15.5, 6.5]
target = [15.5, 24.5]
target_radius = 1.5
departure = 2
)";

class BackendChoiceTest : public test::SmallGyreFixture {
 protected:
  BackendChoiceTest() {
    std::ofstream(folder_ / "m.toml") << backend_mission;
    make_gyre("gyre.h5");
  }

  test::ProgramResult plan(const std::string& out, const std::vector<std::string>& options) const {
    std::vector<std::string> words{"plan", "m.toml", "-q", "--out", out};
    words.insert(words.end(), options.begin(), options.end());
    return test::run_tidewise(words, folder_.path());
  }

  void expect_refusal(std::vector<std::string> words, const std::string& line) const {
    words.insert(words.begin(), {"plan", "m.toml", "-q", "--out", "refused"});
    EXPECT_THAT(refused(words), test::has_code_of(line));
  }

  /// Expects two runs to be equal to the last bit.
  void expect_same(const std::string& run, const std::string& other) const {
    const auto file = [&](const std::string& folder, const char* name) {
      return Hdf5File::open(folder_ / folder / name);
    };
    EXPECT_EQ(file(run, "policy.h5").read_all<std::int16_t>("action"),
              file(other, "policy.h5").read_all<std::int16_t>("action"));
    EXPECT_EQ(file(run, "policy.h5").read_all<float>("value"),
              file(other, "policy.h5").read_all<float>("value"));
    expect_same_flights(run, other);
  }

  void expect_same_flights(const std::string& run, const std::string& other) const {
    for (const char* part : {"value_at_start", "expected", "rollout"}) {
      EXPECT_EQ(summary(run)[part], summary(other)[part]) << part;
    }
    const Hdf5File flights = Hdf5File::open(folder_ / run / "trajectories.nc");
    const Hdf5File other_flights = Hdf5File::open(folder_ / other / "trajectories.nc");
    for (const char* name : {"x", "y", "heading", "energy", "harvested", "outcome"}) {
      // Compared as bits, since NaN is not equal to itself.
      const auto bits = [&](const Hdf5File& file) {
        const auto values = file.read_all<double>(name);
        return std::string(reinterpret_cast<const char*>(values.data()),
                           values.size() * sizeof(double));
      };
      EXPECT_EQ(bits(flights) == bits(other_flights), true) << name;
    }
  }
};

TEST_F(BackendChoiceTest, RefusesCudaWhereNoGpuCanBeUsed) {
  const test::HiddenGpus hidden;
  const char* reason = "the NVIDIA driver finds no GPU";
  switch (report_devices().standing) {
    case DeviceStanding::not_compiled:
      reason = "this build has no CUDA backend";
      break;
    case DeviceStanding::no_driver:
      reason = "no NVIDIA driver is installed";
      break;
    case DeviceStanding::driver_too_old:
      reason = "the NVIDIA driver supports CUDA";
      break;
    default:
      break;
  }
  expect_refusal({"--backend", "cuda"}, reason + std::string(" [cuda_unusable]"));
  expect_refusal({"--backend", "cuda", "--devices", "3"}, reason + std::string(" [cuda_unusable]"));
}

TEST_F(BackendChoiceTest, FallsBackToCpuWithReason) {
  const test::HiddenGpus hidden;
  const auto result = plan("a", {"--devices", "3", "--device-memory", "1GB", "--details"});
  EXPECT_EQ(result.status, 0) << result.errors;
  EXPECT_THAT(result.output, HasSubstr("cpu: "));
  EXPECT_THAT(result.output, testing::ContainsRegex("\\(.*(no CUDA|driver).*\\)"));
  EXPECT_EQ(summary("a")["backend"], "cpu");
  EXPECT_FALSE(summary("a").contains("peak_device_memory_bytes"));
}

TEST_F(BackendChoiceTest, IgnoresGpuKeysOnTheCpu) {
  const auto result = plan("a", {"--backend", "cpu", "--devices", "7", "--device-memory", "1kB",
                                 "--set", "planner.block_size=32"});
  EXPECT_EQ(result.status, 0) << result.errors;
  EXPECT_EQ(summary("a")["backend"], "cpu");
  EXPECT_EQ(summary("a")["mission"]["planner"]["devices"], json({7}));
  EXPECT_EQ(summary("a")["mission"]["planner"]["device_memory"], 1000);
}

TEST_F(BackendChoiceTest, ReportsSecondsOfAllParts) {
  ASSERT_EQ(plan("a", {}).status, 0);
  const json seconds = summary("a")["seconds"];
  const double parts = seconds["prepare"].get<double>() + seconds["read"].get<double>() +
                       seconds["solve"].get<double>() + seconds["evaluate"].get<double>() +
                       seconds["rollout"].get<double>() + seconds["write"].get<double>();
  const double total = seconds["total"];
  EXPECT_LE(parts, total + 1e-6);
  EXPECT_GT(parts, 0.8 * total - 0.01);
}

class OnGpu : public BackendChoiceTest {
 protected:
  void SetUp() override { TIDEWISE_REQUIRE_DEVICE(); }

  void expect_plan(const std::string& out, const std::vector<std::string>& options) const {
    const auto result = plan(out, options);
    EXPECT_EQ(result.status, 0) << result.errors;
  }
};

TEST_F(OnGpu, IsUsedByDefault) {
  const auto result = plan("a", {"--details"});
  EXPECT_EQ(result.status, 0) << result.errors;
  EXPECT_EQ(summary("a")["backend"], "cuda");
  EXPECT_EQ(summary("a")["device"], device_name(0));
  EXPECT_GT(summary("a")["peak_device_memory_bytes"].get<std::int64_t>(), 0);
  EXPECT_THAT(result.output, HasSubstr("cuda: " + device_name(0)));
}

TEST_F(OnGpu, MatchesTheCpu) {
  expect_plan("cpu", {"--backend", "cpu"});
  for (const std::string engine : {"lattice", "direct", "paper"}) {
    expect_plan(engine, {"--backend", "cuda", "--set", "planner.engine=" + engine});
    expect_same(engine, "cpu");
    EXPECT_EQ(summary(engine)["problem"], summary("cpu")["problem"]);
  }
}

TEST_F(OnGpu, GivesTheSamePlanWithLittleMemory) {
  expect_plan("cpu", {"--backend", "cpu"});
  expect_plan("cuda", {"--backend", "cuda", "--device-memory", "64MiB"});
  expect_same("cuda", "cpu");
  EXPECT_LE(summary("cuda")["peak_device_memory_bytes"].get<std::int64_t>(), 64 << 20);
}

TEST_F(OnGpu, SeveralGpusMatchTheCpu) {
  if (device_count() < 2) GTEST_SKIP() << "one GPU alone";
  if (nccl_support() == NcclSupport::absent) {
    expect_refusal({"--devices", "all"}, "[nccl_not_built]");
    return;
  }
  expect_plan("cpu", {"--backend", "cpu"});
  for (const std::string devices : {"all", "1,0"}) {
    expect_plan(devices, {"--devices", devices});
    expect_same(devices, "cpu");
    EXPECT_EQ(summary(devices)["problem"], summary("cpu")["problem"]);
  }
  expect_refusal({"--devices", "0,1", "--set", "planner.engine=paper"},
                 "[paper_engine_on_several_gpus]");
}

TEST_F(OnGpu, SimulatesARunOfTheCpu) {
  expect_plan("cpu", {"--backend", "cpu"});
  const auto fly = [&](const std::string& backend, const std::string& mode) {
    std::string out = backend + "_" + mode;
    const auto result = test::run_tidewise({"rollout", "cpu", "--backend", backend, "--mode", mode,
                                            "--at-xy", "20.5,8.5", "--out", out, "-q"},
                                           folder_.path());
    EXPECT_EQ(result.status, 0) << result.errors;
    return out;
  };
  expect_same_flights(fly("cuda", "continuous"), fly("cpu", "continuous"));
  expect_same_flights(fly("cuda", "chain"), fly("cpu", "chain"));
}

TEST_F(OnGpu, AdaptiveFlightsEqualCpu) {
  expect_plan("cpu", {"--backend", "cpu"});
  const auto fly_adaptive = [&](const std::string& backend) {
    std::string out = backend + "_adaptive";
    const auto result =
        test::run_tidewise({"rollout", "cpu", "--backend", backend, "--mode", "adaptive", "--every",
                            "3", "--error", "0.1", "--out", out, "-q"},
                           folder_.path());
    EXPECT_EQ(result.status, 0) << result.errors;
    return out;
  };
  const std::string on_gpu = fly_adaptive("cuda");
  const std::string on_cpu = fly_adaptive("cpu");
  expect_same_flights(on_gpu, on_cpu);
  EXPECT_EQ(summary(on_gpu)["knowledge"], summary(on_cpu)["knowledge"]);
}

TEST_F(OnGpu, SolvesFromAnExplicitModel) {
  expect_plan("cpu", {"--backend", "cpu"});
  const auto built = test::run_tidewise({"research", "build", "m.toml", "--out", "model.h5", "-q"},
                                        folder_.path());
  ASSERT_EQ(built.status, 0) << built.errors;
  expect_plan("cuda", {"--backend", "cuda", "--model", "model.h5"});
  expect_same("cuda", "cpu");
  if (!has_sparse_product()) return;
  expect_plan("sparse", {"--backend", "cuda", "--model", "model.h5", "--method", "cusparse"});
}

TEST_F(OnGpu, PublishedMethodMatchesTheCpu) {
  const auto plan_published = [&](const std::string& out, const std::string& backend,
                                  const std::string& method) {
    expect_plan(out, {"--backend", backend, "--method", method, "--set", "planner.landing=cell"});
  };
  plan_published("cpu", "cpu", "published");
  plan_published("there", "cuda", "published");
  plan_published("here", "cuda", "published-host");
  for (const std::string out : {"there", "here"}) {
    expect_same(out, "cpu");
    EXPECT_EQ(summary(out)["problem"], summary("cpu")["problem"]);
  }
}

TEST_F(OnGpu, RejectsMissingDevice) {
  expect_refusal({"--backend", "cuda", "--devices", "99"}, "--devices 99 [device_unusable]");
  expect_refusal({"--devices", "99"}, "--devices 99 [device_unusable]");
  expect_refusal({"--devices", "0,99"}, "--devices 0,99 [device_unusable]");
}

TEST_F(OnGpu, RefusesInsufficientOrAbsentMemory) {
  expect_refusal({"--device-memory", "1MB"}, "[device_memory_too_small]");
  expect_refusal({"--device-memory", "100TiB"}, "[device_memory_unavailable]");
}

TEST_F(OnGpu, LeavesNothingWhenInterrupted) {
  const std::string before = test::listing(folder_.path());
  const auto result = test::interrupt_tidewise(
      {"plan", "m.toml", "--backend", "cuda", "--out", "a", "-q", "--set", "planner.engine=paper",
       "--set", "vehicle.headings=400"},
      folder_.path(), [this] { return std::filesystem::exists(folder_ / "a"); });
  EXPECT_EQ(result.status, 1);
  EXPECT_EQ(result.errors, "tidewise: error: interrupted; nothing was written\n");
  EXPECT_EQ(test::listing(folder_.path()), before);
}

}  // namespace
}  // namespace tidewise
