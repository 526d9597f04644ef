// Compares counts, values and policies of small problems with stored checksums, for every engine
// and backend. Every machine, with or without a GPU, must compute the same bits.
//
//   golden_test                                 compares
//   golden_test --write [SOLVER [COUNTER]]      writes the files, by backends that tests/support
//                                               lists (default: cpu_reference, cpu_paper);
//                                               decision processes are solved on the CPU
//   TIDEWISE_GOLDEN=DIR golden_test …           with files in DIR

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <optional>

#include "base/error.h"
#include "golden/checksums.h"
#include "golden/golden_processes.h"
#include "support/campaign.h"
#include "support/device.h"
#include "support/temporary_folder.h"

namespace tidewise::test {
namespace {

std::filesystem::path golden_folder() {
  const char* named = std::getenv("TIDEWISE_GOLDEN");
  return named != nullptr ? named : TIDEWISE_GOLDEN_FOLDER;
}

/// A problem's environment, written and opened.
class WrittenProblem {
 public:
  explicit WrittenProblem(const GoldenProblem& problem) {
    problem.write(folder_ / "env.h5");
    reader_.emplace(folder_ / "env.h5");
  }
  const EnvironmentReader& environment() const { return *reader_; }

 private:
  TemporaryFolder folder_;
  std::optional<EnvironmentReader> reader_;
};

/// Compares checksums with those of the file of this name.
void expect_stored(const std::string& file, const Checksums& computed) {
  const auto path = golden_folder() / (file + ".txt");
  const Checksums stored = read_checksums(path);
  ASSERT_FALSE(stored.empty()) << path << " holds no checksums; golden_test --write makes it";
  for (const auto& [name, checksum] : computed) {
    ASSERT_TRUE(stored.contains(name)) << name << " is not in " << path;
    EXPECT_EQ(checksum, stored.at(name)) << name << " of " << path;
  }
}

void expect_stored(const GoldenProblem& problem, const Checksums& computed) {
  expect_stored(problem.name, computed);
}

class GoldenEnvironment : public testing::TestWithParam<GoldenProblem> {};

TEST_P(GoldenEnvironment, EqualsStoredChecksum) {
  const WrittenProblem written(GetParam());
  expect_stored(GetParam(), sum_environment(written.environment()));
}

INSTANTIATE_TEST_SUITE_P(Problems, GoldenEnvironment, testing::ValuesIn(golden_problems()),
                         [](const auto& test) { return test.param.name; });

/// A test of a problem on a backend; those of CUDA need a device.
template <class Entry>
class OnBackend : public testing::TestWithParam<std::tuple<GoldenProblem, Entry>> {
 protected:
  void SetUp() override { TIDEWISE_REQUIRE_BACKEND(backend().kind); }
  const GoldenProblem& problem() const { return std::get<0>(this->GetParam()); }
  const Entry& backend() const { return std::get<1>(this->GetParam()); }
};

const auto problem_and_backend = [](const auto& test) {
  return std::get<0>(test.param).name + "_on_" + std::get<1>(test.param).name;
};

/// Returns all backends at night. By day it returns those of GPUs and cpu_lattice, with which
/// counting_test and differential_test compare the others.
template <class Entry>
std::vector<Entry> sample_backends(std::vector<Entry> backends) {
  std::erase_if(backends, [](const Entry& entry) {
    return !is_night() && entry.kind == Backend::cpu && entry.name != "cpu_lattice";
  });
  return backends;
}

class GoldenCounts : public OnBackend<CountingBackend> {};

TEST_P(GoldenCounts, EqualStoredChecksums) {
  const WrittenProblem written(problem());
  for (const LandingBy landing : landings) {
    expect_stored(problem(), sum_counts(problem(), landing, written.environment(), backend()));
  }
}

INSTANTIATE_TEST_SUITE_P(Backends, GoldenCounts,
                         testing::Combine(testing::ValuesIn(golden_problems()),
                                          testing::ValuesIn(sample_backends(counting_backends()))),
                         problem_and_backend);

class GoldenPolicies : public OnBackend<SolvingBackend> {};

TEST_P(GoldenPolicies, EqualStoredChecksums) {
  const WrittenProblem written(problem());
  for (const LandingBy landing : landings) {
    expect_stored(problem(), sum_policies(problem(), landing, written.environment(), backend()));
  }
}

INSTANTIATE_TEST_SUITE_P(Backends, GoldenPolicies,
                         testing::Combine(testing::ValuesIn(golden_problems()),
                                          testing::ValuesIn(sample_backends(solving_backends()))),
                         problem_and_backend);

constexpr const char* processes_file = "processes";

class GoldenProcesses : public testing::TestWithParam<GoldenProcess> {};

TEST_P(GoldenProcesses, EqualStoredChecksums) {
  expect_stored(processes_file, sum_process(GetParam()));
}

INSTANTIATE_TEST_SUITE_P(Worlds, GoldenProcesses, testing::ValuesIn(golden_processes()),
                         [](const auto& test) { return test.param.name; });

class GoldenSolutions
    : public testing::TestWithParam<std::tuple<GoldenProcess, GoldenMethod, BackendChoice>> {};

TEST_P(GoldenSolutions, EqualStoredChecksums) {
  const auto& [process, method, backend] = GetParam();
  if (backend == BackendChoice::cuda) {
    TIDEWISE_REQUIRE_DEVICE();
  }
  expect_stored(processes_file, sum_solutions(process, method, backend));
}

const auto process_method_and_backend = [](const auto& test) {
  const auto& [process, method, backend] = test.param;
  const bool on_device = backend == BackendChoice::cuda;
  return process.name + "_" + method.name + (on_device ? "_on_cuda" : "_on_cpu");
};

INSTANTIATE_TEST_SUITE_P(Backends, GoldenSolutions,
                         testing::Combine(testing::ValuesIn(golden_processes()),
                                          testing::ValuesIn(golden_methods()),
                                          testing::Values(BackendChoice::cpu, BackendChoice::cuda)),
                         process_method_and_backend);

template <class Backend>
Backend find_backend(const std::vector<Backend>& backends, const std::string& name) {
  for (const Backend& backend : backends) {
    if (backend.name == name) return backend;
  }
  std::string names;
  for (const Backend& backend : backends) names += " " + backend.name;
  throw InputError(fmt::format("there is no backend {}; choose one of{}", name, names));
}

void write_processes() {
  Checksums checksums;
  for (const GoldenProcess& process : golden_processes()) {
    checksums.merge(sum_process(process));
    for (const GoldenMethod& method : golden_methods()) {
      checksums.merge(sum_solutions(process, method, BackendChoice::cpu));
    }
  }
  write_checksums(golden_folder() / (std::string(processes_file) + ".txt"), checksums);
}

void write_all(const std::string& solver_name, const std::string& counter_name) {
  const auto solver = find_backend(solving_backends(), solver_name);
  const auto counter = find_backend(counting_backends(), counter_name);
  for (const GoldenProblem& problem : golden_problems()) {
    const WrittenProblem written(problem);
    Checksums checksums = sum_environment(written.environment());
    for (const LandingBy landing : landings) {
      checksums.merge(sum_counts(problem, landing, written.environment(), counter));
      checksums.merge(sum_policies(problem, landing, written.environment(), solver));
    }
    write_checksums(golden_folder() / (problem.name + ".txt"), checksums);
  }
  write_processes();
}

}  // namespace
}  // namespace tidewise::test

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  if (argc < 2) return RUN_ALL_TESTS();
  try {
    if (std::string(argv[1]) != "--write" || argc > 4) {
      throw tidewise::InputError("usage: golden_test [--write [SOLVER [COUNTER]]]");
    }
    tidewise::test::write_all(argc > 2 ? argv[2] : "cpu_reference",
                              argc > 3 ? argv[3] : "cpu_paper");
    return 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "golden_test: {}\n", error.what());
    return 1;
  }
}
