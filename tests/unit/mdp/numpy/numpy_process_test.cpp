#include <gmock/gmock.h>

#include <fstream>
#include <limits>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/progress.h"
#include "mdp/file/reader.h"
#include "mdp/numpy/array.h"
#include "mdp/numpy/process.h"
#include "mdp/numpy/sparse_matrix.h"
#include "support/mdp/npz_files.h"
#include "support/mdp/process_cases.h"
#include "support/temporary_folder.h"

namespace tidewise::mdp {
namespace {

using namespace tidewise::test;  // the makers of files
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::ThrowsMessage;

std::vector<std::uint8_t> bytes_of(const std::string& text) { return {text.begin(), text.end()}; }
NumpyArray array_of(const std::string& text) { return {bytes_of(text), "a.npy"}; }

TEST(NumpyArray, IsReadInEveryType) {
  EXPECT_THAT(array_of(npy(std::vector<double>{1.5, -2})).numbers(), ElementsAre(1.5, -2));
  EXPECT_THAT(array_of(npy(std::vector<float>{.5f})).numbers(), ElementsAre(.5));
  EXPECT_THAT(array_of(npy(std::vector<std::int8_t>{-3, 4})).integers(), ElementsAre(-3, 4));
  EXPECT_THAT(array_of(npy(std::vector<std::int16_t>{-300})).integers(), ElementsAre(-300));
  EXPECT_THAT(array_of(npy(std::vector<std::uint32_t>{4000000000u})).integers(),
              ElementsAre(4000000000));
  EXPECT_THAT(array_of(npy(std::vector<std::int64_t>{7})).numbers(), ElementsAre(7));
  EXPECT_THAT(array_of(npy_of("|b1", "(2,)", std::string("\1\0", 2))).numbers(), ElementsAre(1, 0));
  EXPECT_THAT(array_of(npy_of(">i4", "(1,)", std::string("\0\0\1\2", 4))).integers(),
              ElementsAre(258));
  EXPECT_THAT(array_of(npy_of("<f8", "(0,)", "")).numbers(), IsEmpty());
  EXPECT_EQ(array_of(npy_text("csr")).text(), "csr");
  EXPECT_EQ(array_of(npy_of("<U3", "()", std::string("c\0\0\0s\0\0\0c\0\0\0", 12))).text(), "csc");
}

TEST(NumpyArray, OfFortranComesInCOrder) {
  const std::vector<double> stored{1, 4, 2, 5, 3, 6};  // columns of [[1, 2, 3], [4, 5, 6]]
  const NumpyArray array = array_of(npy_of("<f8", "(2, 3)", elements_of(stored), true));
  EXPECT_THAT(array.shape(), ElementsAre(2, 3));
  EXPECT_THAT(array.numbers(), ElementsAre(1, 2, 3, 4, 5, 6));
}

TEST(NumpyArray, RefusesWhatIsNone) {
  const auto refused = [](const std::string& text, const std::string& why) {
    EXPECT_THAT([&] { (void)array_of(text).numbers(); },
                ThrowsMessage<InputError>(AllOf(HasSubstr("a.npy: "), HasSubstr(why))));
  };
  const std::string good = npy(std::vector<double>{1, 2});
  refused("", "is no array");
  refused("\x93NUMPY", "is no array");
  refused(good.substr(0, 40), "is cut off");
  refused(good.substr(0, good.size() - 1), "2 elements of 8 bytes, and 15 bytes are there");
  refused(npy_of("|O", "(1,)", "12345678"), "is an array of ");
  refused(npy_of("<c16", "(1,)", std::string(16, '\0')), "is an array of ");
  refused(npy_of("<f2", "(1,)", "12"), "save one of float64");
  refused(npy_of("<f16", "(1,)", std::string(16, '\0')), "save them as float64");
  refused(npy_of("<i3", "(1,)", "123"), "numbers of 3 bytes");
  refused(npy_of("<f8", "(-1,)", ""), "its shape is no tuple");
  refused(npy_of("<f8", "[1]", "12345678"), "its shape is no tuple");
  refused(npy_of("<f8", "(999999999, 999999999)", ""), "claims more elements");
  refused(npy_of("<f8", "(99999999999999999999,)", ""), "its shape is no tuple");
  refused(npy_with_header("{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (1,)}",
                          "12345678"),
          "is an array of ");
  refused(npy_with_header("{'descr': , 'fortran_order': False, 'shape': (1,)}", "12345678"),
          "is an array of ");
  refused(npy_with_header("{'shape': (1,)}", "12345678"), "lacks descr");
  refused(npy_text("csr"), "is no array of numbers");
  EXPECT_THAT([&] { (void)array_of(good).integers(); },
              ThrowsMessage<InputError>(HasSubstr("whole numbers")));
  EXPECT_THAT(
      [&] { (void)array_of(npy(std::vector<std::uint64_t>{~std::uint64_t{0}})).integers(); },
      ThrowsMessage<InputError>(HasSubstr("too large")));
}

/// [[0, 2, 0], [1, 0, 3]]
ZipMembers small_csr() {
  return {{"indices.npy", npy(std::vector<std::int32_t>{1, 2, 0})},
          {"indptr.npy", npy(std::vector<std::int32_t>{0, 1, 3})},
          {"format.npy", npy_text("csr")},
          {"shape.npy", npy(std::vector<std::int64_t>{2, 3})},
          {"data.npy", npy(std::vector<double>{2, 3, 1})}};
}

SparseMatrix matrix_of(const std::string& text) { return read_sparse_matrix({text, "m.npz"}); }

ZipMembers with_member(ZipMembers members, const std::string& name, const std::string& content) {
  for (auto& member : members) {
    if (member.first == name) member.second = content;
  }
  return members;
}

TEST(ScipyMatrix, IsReadInThreeFormsAndBothPackings) {
  const auto is_it = [](const SparseMatrix& matrix) {
    EXPECT_EQ(matrix.row_count, 2);
    EXPECT_EQ(matrix.column_count, 3);
    EXPECT_THAT(matrix.begin, ElementsAre(0, 1, 3));
    std::vector<double> dense(6);
    for (std::size_t row = 0; row < 2; ++row) {
      for (auto n = matrix.begin[row]; n < matrix.begin[row + 1]; ++n) {
        dense[row * 3 + std::size_t(matrix.column[std::size_t(n)])] += matrix.value[std::size_t(n)];
      }
    }
    EXPECT_THAT(dense, ElementsAre(0, 2, 0, 1, 0, 3));
  };
  const ZipMembers csc{{"indices.npy", npy(std::vector<std::int64_t>{1, 0, 1})},
                       {"indptr.npy", npy(std::vector<std::int64_t>{0, 1, 2, 3})},
                       {"format.npy", npy_text("csc")},
                       {"shape.npy", npy(std::vector<std::int64_t>{2, 3})},
                       {"data.npy", npy(std::vector<float>{1, 2, 3})}};
  const ZipMembers coo{{"row.npy", npy(std::vector<std::int32_t>{1, 0, 1})},
                       {"col.npy", npy(std::vector<std::int32_t>{2, 1, 0})},
                       {"format.npy", npy_text("coo")},
                       {"shape.npy", npy(std::vector<std::int64_t>{2, 3})},
                       {"data.npy", npy(std::vector<std::int64_t>{3, 2, 1})}};
  for (const ZipMembers& members : {small_csr(), csc, coo}) {
    for (const Packing packing : {Packing::stored, Packing::deflated}) {
      for (const bool is_wide : {false, true}) is_it(matrix_of(zip(members, packing, is_wide)));
    }
  }
}

TEST(ScipyMatrix, RefusesWhatIsNone) {
  const auto refused = [](const std::string& text, const std::string& why) {
    EXPECT_THAT([&] { (void)matrix_of(text); },
                ThrowsMessage<InputError>(AllOf(HasSubstr("m.npz: "), HasSubstr(why))))
        << why;
  };
  const auto changed = [&](const std::string& name, const std::string& content) {
    return zip(with_member(small_csr(), name, content), Packing::deflated);
  };
  const std::string good = zip(small_csr(), Packing::stored);
  refused("", "is no .npz");
  refused("PK\3\4", "is no .npz");
  refused(good.substr(0, good.size() - 30), "is no .npz");
  refused(zip({{"a.npy", npy(std::vector<double>{1})}}, Packing::stored), "no sparse matrix");
  refused(changed("format.npy", npy_text("bsr")), "in the format 'bsr'");
  refused(changed("shape.npy", npy(std::vector<std::int64_t>{2, 3, 1})), "its shape");
  refused(changed("shape.npy", npy(std::vector<std::int64_t>{-2, 3})), "its shape");
  refused(changed("shape.npy", npy(std::vector<std::int64_t>{2, 1LL << 40})), "its shape");
  refused(changed("indices.npy", npy(std::vector<std::int32_t>{1, 3, 0})), "has 3 in indices.npy");
  refused(changed("indices.npy", npy(std::vector<std::int32_t>{1, -1, 0})), "has -1 in");
  refused(changed("indices.npy", npy(std::vector<std::int32_t>{1})), "has 1 numbers in indices");
  refused(changed("indptr.npy", npy(std::vector<std::int32_t>{0, 3, 1})), "its indptr");
  refused(changed("indptr.npy", npy(std::vector<std::int32_t>{0, 1, 4})), "its indptr");
  refused(changed("indptr.npy", npy(std::vector<std::int32_t>{0, 3})), "its indptr");
  std::string damaged = good;
  damaged[damaged.find("\x93NUMPY") + 20] ^= 1;
  refused(damaged, "does not have its checksum");
  std::string packed = zip(small_csr(), Packing::deflated);
  packed[30 + std::string("indices.npy").size() + 20 + 4] ^= 0x55;
  refused(packed, "damaged");
}

TEST(ScipyMatrix, ClaimsAreJudgedBeforeMemoryIsTaken) {
  std::string text = zip(small_csr(), Packing::deflated);
  // A member that says it unpacks to 4 GB less one, in the list of members.
  const auto at = text.find("PK\1\2");
  for (int n = 0; n < 4; ++n) text[at + 24 + std::size_t(n)] = n == 3 ? '\x7F' : '\xFF';
  EXPECT_THAT([&] { (void)matrix_of(text); }, ThrowsMessage<InputError>(HasSubstr("claims")));
  const ZipMembers coo{{"row.npy", npy(std::vector<std::int32_t>{1})},
                       {"col.npy", npy(std::vector<std::int32_t>{2})},
                       {"format.npy", npy_text("coo")},
                       {"shape.npy", npy(std::vector<std::int64_t>{1LL << 40, 3})},
                       {"data.npy", npy(std::vector<double>{3})}};
  EXPECT_THAT([&] { (void)matrix_of(zip(coo, Packing::stored)); },
              ThrowsMessage<InputError>(HasSubstr("claims 1099511627776 rows")));
}

/// The three states of docs/mdp/formats.md in files.
class NumpyProcess : public testing::Test {
 protected:
  void write(const std::string& name, const std::string& bytes) const {
    std::ofstream(folder_ / name, std::ios::binary) << bytes;
  }
  static std::string csr(std::int64_t rows, std::int64_t columns,
                         const std::vector<std::int32_t>& begin,
                         const std::vector<std::int32_t>& column,
                         const std::vector<double>& value) {
    return zip({{"indices.npy", npy(column)},
                {"indptr.npy", npy(begin)},
                {"format.npy", npy_text("csr")},
                {"shape.npy", npy(std::vector<std::int64_t>{rows, columns})},
                {"data.npy", npy(value)}},
               Packing::deflated);
  }
  /// Rows state · 2 + action.
  void write_whole() const {
    write("m.npz",
          csr(6, 3, {0, 2, 3, 4, 6, 7, 8}, {0, 1, 1, 2, 0, 2, 2, 1}, {.5, .5, 1, 1, .3, .7, 1, 1}));
  }
  void write_transition_rewards() const {
    write("m.R.npz", csr(6, 3, {0, 1, 1, 2, 2, 2, 3}, {1, 2, 1}, {1, 2, 3}));
  }
  DecisionProcess<double> read(const std::string& name, ReadOptions options = {}) const {
    options.discount = options.discount.value_or(.9);
    SilentProgress progress;
    return read_process<double>(folder_ / name, options, progress);
  }
  void is_three_states(const DecisionProcess<double>& process) const {
    const auto wanted = three_state_process<double>();
    EXPECT_EQ(process.row_begin, wanted.row_begin);
    EXPECT_EQ(process.successor, wanted.successor);
    EXPECT_EQ(process.probability, wanted.probability);
    EXPECT_EQ(process.reward, wanted.reward);
    EXPECT_EQ(process.discount, .9);
  }
  void refused(const std::string& name, const std::string& why) const {
    EXPECT_THAT([&] { (void)read(name); }, ThrowsMessage<InputError>(HasSubstr(why)));
  }

  const TemporaryFolder folder_;
};

TEST_F(NumpyProcess, IsOneMatrixWithRewardsOfTransitions) {
  write_whole();
  write_transition_rewards();
  is_three_states(read("m.npz"));
  EXPECT_EQ(read("m.npz").entry_reward, three_state_process<double>().entry_reward);
  EXPECT_TRUE(read("m.npz", {.transition_rewards = TransitionRewards::drop}).entry_reward.empty());
}

TEST_F(NumpyProcess, HasRewardsOfPairsInEveryForm) {
  write_whole();
  const std::vector<double> pairs{.5, 0, 2, 0, 0, 3};
  write("m.R.npy", npy(pairs, "(3, 2)"));
  is_three_states(read("m.npz"));
  write("m.R.npy", npy(pairs));
  is_three_states(read("m.npz"));
  std::filesystem::remove(folder_ / "m.R.npy");
  write("m.R.npz", csr(3, 2, {0, 1, 2, 3}, {0, 0, 1}, {.5, 2, 3}));
  is_three_states(read("m.npz"));
  std::filesystem::remove(folder_ / "m.R.npz");
  write("m.R.npy", npy(std::vector<float>{1, 2, 3}));
  EXPECT_THAT(read("m.npz").reward, testing::Pointwise(testing::Eq(), {1, 1, 2, 2, 3, 3}));
}

TEST_F(NumpyProcess, IsAMatrixAnAction) {
  write("m.P0.npz", csr(3, 3, {0, 2, 3, 4}, {0, 1, 2, 2}, {.5, .5, 1, 1}));
  write("m.P1.npz", csr(3, 3, {0, 1, 3, 4}, {1, 2, 0, 1}, {1, .7, .3, 1}));
  write("m.R0.npz", csr(3, 3, {0, 1, 2, 2}, {1, 2}, {1, 2}));
  write("m.R1.npz", csr(3, 3, {0, 0, 0, 1}, {1}, {3}));
  is_three_states(read("m.P0.npz"));
  is_three_states(read("m.P1.npz"));
  std::filesystem::remove(folder_ / "m.R1.npz");
  refused("m.P0.npz", "the rewards are 1 matrices");
  std::filesystem::rename(folder_ / "m.P1.npz", folder_ / "m.P2.npz");
  refused("m.P2.npz", "m.P1.npz is not there");
}

TEST_F(NumpyProcess, LeavesActionsOutThatAStateDoesNotHave) {
  write("m.npz", csr(4, 2, {0, 1, 2, 2, 3}, {0, 1, 0}, {1, 1, 1}));
  write("m.R.npy",
        npy(std::vector<double>{1, 4, 5, -std::numeric_limits<double>::infinity()}, "(2, 2)"));
  const auto process = read("m.npz");
  EXPECT_THAT(process.row_begin, testing::Pointwise(testing::Eq(), {0, 1, 2, 2, 2}));
  EXPECT_TRUE(process.is_terminal(1));
}

TEST_F(NumpyProcess, TakesLabelsBesideIt) {
  write_whole();
  write("m.lab", "0=\"init\" 1=\"end\"\n1: 0\n2: 1\n");
  const auto process = read("m.npz", {.target = "end", .objective = ReadObjective::probability});
  EXPECT_EQ(process.initial_state, 1);
  EXPECT_TRUE(process.is_terminal(2));
  refused("m.npz", "there are no rewards beside it");
}

TEST_F(NumpyProcess, RefusesWhatDoesNotFit) {
  write("m.R.npy", npy(std::vector<double>{1, 2, 3}));
  write("m.npz", csr(4, 3, {0, 1, 2, 3, 4}, {0, 1, 2, 0}, {1, 1, 1, 1}));
  refused("m.npz", "is of the shape (4, 3)");
  write_whole();
  write("m.R.npy", npy(std::vector<double>{1, 2, 3, 4}));
  refused("m.npz", "an array of the shape (4)");
  write("m.R.npy", npy(std::vector<double>{1, 2, std::numeric_limits<double>::infinity()}));
  refused("m.npz", "m.npz: state 2, action 0: its reward is inf");
  write_transition_rewards();
  refused("m.npz", "rewards in two forms");
  std::filesystem::remove(folder_ / "m.R.npy");
  write("m.npz",
        csr(6, 3, {0, 2, 3, 4, 6, 7, 8}, {0, 1, 1, 2, 0, 2, 2, 1}, {.5, .4, 1, 1, .3, .7, 1, 1}));
  refused("m.npz", "m.npz: state 0, action 0: its probabilities sum to 0.9");
  refused("none.npz", "none.npz");
  EXPECT_THAT([&] { require_writable(folder_ / "n.npz"); },
              ThrowsMessage<InputError>(HasSubstr("form of decision processes that is written")));
}

}  // namespace
}  // namespace tidewise::mdp
