// Rows whose memory another layout takes over during sweeps.

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "base/progress.h"
#include "mdp/fused/sweeps.h"
#include "mdp/process/first_values.h"
#include "mdp/process/lend.h"
#include "mdp/solve/solve_process.h"
#include "unit/mdp/fused_cases.h"

namespace tidewise::mdp {
namespace {

template <class T>
bool have_equal_bits(const BorrowableArray<T>& a, const BorrowableArray<T>& b) {
  return a.size() == b.size() &&
         (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}

template <class Real>
void expect_rows_restored(const DecisionProcess<Real>& a, const DecisionProcess<Real>& b) {
  EXPECT_TRUE(have_equal_bits(a.row_begin, b.row_begin));
  EXPECT_TRUE(have_equal_bits(a.successor, b.successor));
  EXPECT_TRUE(have_equal_bits(a.probability, b.probability));
  EXPECT_TRUE(have_equal_bits(a.reward, b.reward));
}

/// Returns the size of the resident part of an array [B].
template <class T>
std::int64_t resident_bytes(const BorrowableArray<T>& values) {
  const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  const auto begin = reinterpret_cast<std::uintptr_t>(values.data()) / page * page;
  const auto end = reinterpret_cast<std::uintptr_t>(values.data() + values.size());
  std::vector<unsigned char> is_resident((end - begin + page - 1) / page);
  EXPECT_EQ(::mincore(reinterpret_cast<void*>(begin), end - begin, is_resident.data()), 0);
  const auto pages = std::count_if(is_resident.begin(), is_resident.end(),
                                   [](auto page_flags) { return (page_flags & 1) != 0; });
  return static_cast<std::int64_t>(pages) * static_cast<std::int64_t>(page);
}

template <class Real>
std::int64_t resident_bytes(const DecisionProcess<Real>& process) {
  return resident_bytes(process.row_begin) + resident_bytes(process.successor) +
         resident_bytes(process.probability) + resident_bytes(process.reward);
}

class UnloadedRows : public testing::TestWithParam<FusedCase> {};

template <class Real>
void check_restored_rows(const DecisionProcess<Real>& process) {
  for (const FusedLayout layout : host_layouts) {
    for (const std::int32_t threads : {1, 3}) {
      SCOPED_TRACE(testing::Message() << "layout " << int(layout) << ", threads " << threads);
      DecisionProcess<Real> unloadable = convert<Real>(process);
      const SliceValues<Real> before(first_values(process));
      SliceValues<Real> expected(process.state_count);
      SliceValues<Real> value(process.state_count);
      FusedSweeps<Real>(process, FusedLayout::rows, 1).sweep(before, expected);
      FusedSweeps<Real>(unloadable, layout, threads, &unloadable).sweep(before, value);
      EXPECT_TRUE(same_bits(value.to_vector(), expected.to_vector()));
      expect_rows_restored(unloadable, process);
    }
  }
}
TEST_P(UnloadedRows, AreRestoredExactly) {
  check_restored_rows(GetParam().make());
  check_restored_rows(convert<float>(GetParam().make()));
}

INSTANTIATE_TEST_SUITE_P(Processes, UnloadedRows, testing::ValuesIn(fused_cases),
                         [](const auto& instance) { return std::string(instance.param.name); });

/// Returns a process whose rows have two random successors each.
DecisionProcess<double> large_process() {
  constexpr std::int32_t states = 200'000;
  std::mt19937 random(21);
  return process_of<double>(
      states, 3,
      [&](std::int32_t, std::int32_t) {
        const auto successor = std::int32_t(random() % (states - 1));
        return Row{{successor, 0.5, 0}, {successor + 1, 0.5, 0}};
      },
      [](std::int32_t s, std::int32_t a) { return (s + a) % 7; });
}

TEST(UnloadedRows, TakeNoMoreMemoryWhenPacked) {
  for (const FusedLayout layout : {FusedLayout::automatic, FusedLayout::packed}) {
    for (const std::int32_t threads : {1, 2}) {
      SCOPED_TRACE(testing::Message() << "layout " << int(layout) << ", threads " << threads);
      DecisionProcess<double> process = large_process();
      const std::int64_t rows = FusedSweeps<double>(process, FusedLayout::rows, 1).model_bytes();
      ASSERT_GE(resident_bytes(process), rows);
      {
        const FusedSweeps<double> sweeps(process, layout, threads);
        EXPECT_GT(resident_bytes(process) + sweeps.model_bytes(), rows * 5 / 4);
      }
      {
        const FusedSweeps<double> sweeps(process, layout, threads, &process);
        EXPECT_LT(resident_bytes(process) + sweeps.model_bytes(), rows * 21 / 20);
      }
      EXPECT_GE(resident_bytes(process), rows);
    }
  }
}

TEST(UnloadedRows, AreOnlyThoseOfTheUnloadableProcess) {
  DecisionProcess<double> process = large_process();
  DecisionProcess<double> other = process;
  // Pages at the ends may also belong to neighbouring arrays.
  const std::int64_t nearly_all = resident_bytes(process) * 99 / 100;
  const FusedSweeps<double> sweeps(process, FusedLayout::packed, 1, &other);
  EXPECT_GE(resident_bytes(process), nearly_all);
  EXPECT_GE(resident_bytes(other), nearly_all);
  // The process does not own borrowed arrays.
  DecisionProcess<double> borrowed = borrow_with_first_values(process, first_values(process));
  const FusedSweeps<double> sweeps_of_borrowed(borrowed, FusedLayout::packed, 1, &borrowed);
  EXPECT_GE(resident_bytes(process), nearly_all);
}

/// Interrupts after three sweeps.
class Interruption final : public Progress {
 public:
  void begin(std::string_view, std::int64_t, std::string_view) override {}
  void advance_to(std::int64_t done) override {
    if (done == 3) throw std::runtime_error("enough");
  }
  void end() override {}
};

TEST(UnloadedRows, AreRestoredAfterASolveOrAnInterruption) {
  for (const double discount : {0.9, 1.0}) {
    const DecisionProcess<double> process =
        square_slip_world<double>(discount < 1 ? 300 : 30, 0.02);
    for (const FusedLayout layout : {FusedLayout::automatic, FusedLayout::packed}) {
      SCOPED_TRACE(testing::Message() << discount << ", layout " << int(layout));
      DecisionProcess<double> unloadable = process;
      unloadable.discount = discount;
      SolveOptions options;
      options.layout = layout;
      options.threads = 2;
      SilentProgress silent;
      const auto expected = solve_process(unloadable, options, silent);
      options.unloadable = &unloadable;
      const auto solution = solve_process(unloadable, options, silent);
      EXPECT_TRUE(same_bits(solution.value, expected.value));
      EXPECT_TRUE(same_bits(solution.action, expected.action));
      EXPECT_EQ(solution.bounds.lower, expected.bounds.lower);
      EXPECT_EQ(solution.bounds.upper, expected.bounds.upper);
      expect_rows_restored(unloadable, process);
      Interruption interruption;
      EXPECT_THROW(solve_process(unloadable, options, interruption), std::runtime_error);
      expect_rows_restored(unloadable, process);
    }
  }
}

}  // namespace
}  // namespace tidewise::mdp
