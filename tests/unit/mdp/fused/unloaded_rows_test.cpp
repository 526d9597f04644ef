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
bool has_bits_of(const BorrowableArray<T>& one, const BorrowableArray<T>& other) {
  return one.size() == other.size() &&
         (one.empty() || std::memcmp(one.data(), other.data(), one.size() * sizeof(T)) == 0);
}

template <class Real>
void expect_rows_back(const DecisionProcess<Real>& one, const DecisionProcess<Real>& other) {
  EXPECT_TRUE(has_bits_of(one.row_begin, other.row_begin));
  EXPECT_TRUE(has_bits_of(one.successor, other.successor));
  EXPECT_TRUE(has_bits_of(one.probability, other.probability));
  EXPECT_TRUE(has_bits_of(one.reward, other.reward));
}

/// Resident part of an array [B].
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
void check_return(const DecisionProcess<Real>& process) {
  for (const FusedLayout layout : host_layouts) {
    for (const std::int32_t threads : {1, 3}) {
      SCOPED_TRACE(testing::Message() << "layout " << int(layout) << ", threads " << threads);
      DecisionProcess<Real> own = convert<Real>(process);
      const SliceValues<Real> before(first_values(process));
      SliceValues<Real> expected(process.state_count);
      SliceValues<Real> value(process.state_count);
      FusedSweeps<Real>(process, FusedLayout::rows, 1).sweep(before, expected);
      FusedSweeps<Real>(own, layout, threads, &own).sweep(before, value);
      EXPECT_TRUE(same_bits(value.to_vector(), expected.to_vector()));
      expect_rows_back(own, process);
    }
  }
}
TEST_P(UnloadedRows, AreRestoredExactly) {
  check_return(GetParam().make());
  check_return(convert<float>(GetParam().make()));
}

INSTANTIATE_TEST_SUITE_P(Processes, UnloadedRows, testing::ValuesIn(fused_cases),
                         [](const auto& it) { return std::string(it.param.name); });

/// Random rows of two successors each.
DecisionProcess<double> large_process() {
  constexpr std::int32_t states = 200'000;
  std::mt19937 random(21);
  return process_of<double>(
      states, 3,
      [&](std::int32_t, std::int32_t) {
        const auto to = std::int32_t(random() % (states - 1));
        return Row{{to, 0.5, 0}, {to + 1, 0.5, 0}};
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
        const FusedSweeps<double> kept(process, layout, threads);
        EXPECT_GT(resident_bytes(process) + kept.model_bytes(), rows * 5 / 4);
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
  const std::int64_t all = resident_bytes(process) * 99 / 100;
  const FusedSweeps<double> sweeps(process, FusedLayout::packed, 1, &other);
  EXPECT_GE(resident_bytes(process), all);
  EXPECT_GE(resident_bytes(other), all);
  // The process does not own borrowed arrays.
  DecisionProcess<double> lent = borrow_with_first_values(process, first_values(process));
  const FusedSweeps<double> over_lent(lent, FusedLayout::packed, 1, &lent);
  EXPECT_GE(resident_bytes(process), all);
}

/// Interrupts after some sweeps.
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
      DecisionProcess<double> own = process;
      own.discount = discount;
      SolveOptions options;
      options.layout = layout;
      options.threads = 2;
      SilentProgress silent;
      const auto expected = solve_process(own, options, silent);
      options.unloadable = &own;
      const auto found = solve_process(own, options, silent);
      EXPECT_TRUE(same_bits(found.value, expected.value));
      EXPECT_TRUE(same_bits(found.action, expected.action));
      EXPECT_EQ(found.bounds.lower, expected.bounds.lower);
      EXPECT_EQ(found.bounds.upper, expected.bounds.upper);
      expect_rows_back(own, process);
      Interruption interruption;
      EXPECT_THROW(solve_process(own, options, interruption), std::runtime_error);
      expect_rows_back(own, process);
    }
  }
}

}  // namespace
}  // namespace tidewise::mdp
