#include "model_builder/packed_level.h"

#include <gtest/gtest.h>

#include <set>

#include "explicit_level_fixture.h"
#include "solver/row_sum.h"
#include "support/device.h"

namespace tidewise {
namespace {

void expect_same(const CompactLevel& found, const CompactLevel& expected) {
  EXPECT_EQ(found.row_start, expected.row_start);
  EXPECT_EQ(found.offset, expected.offset);
  EXPECT_EQ(found.count, expected.count);
}

TEST(PackedEntry, KeepsPlaceCountAndMark) {
  for (const std::uint32_t count : {1u, 255u, 256u, 32768u, 65535u}) {
    for (const std::uint32_t place : {0u, 1u, 16383u}) {
      const auto entry = make_entry<NarrowEntry>(place, count, true);
      EXPECT_EQ(place_of(entry), static_cast<std::int32_t>(place));
      EXPECT_EQ(count_of(entry), count);
      EXPECT_EQ(count_as_float(entry), static_cast<float>(count));
      EXPECT_TRUE(opens_row(entry));
      EXPECT_FALSE(opens_row(make_entry<NarrowEntry>(place, count, false)));
    }
  }
  const auto wide = make_entry<WideEntry>(65535, 1u << 24, false);
  EXPECT_EQ(place_of(wide), 65535);
  EXPECT_EQ(count_as_float(wide), 0x1p24F);
  EXPECT_FALSE(opens_row(wide));
}

TEST(RowSum, GoesFromWestToEastThenFromSouthToNorth) {
  // Sums that differ in any other order: 2^24 swallows a 1 that comes alone.
  const float outcome[] = {0x1p24F, 1, 1, 1};
  EntryBlock<NarrowEntry> block{};
  block.entry[0] = make_entry<NarrowEntry>(0, 1, true);
  block.entry[1] = make_entry<NarrowEntry>(1, 1, false);
  block.entry[2] = make_entry<NarrowEntry>(2, 1, true);
  block.entry[3] = make_entry<NarrowEntry>(3, 1, false);
  RowSum sum;
  sum.add_block(block, outcome);
  sum.add_block(EntryBlock<NarrowEntry>{}, outcome);  // padding
  EXPECT_EQ(sum.sum(), 0x1p24F + 2);
  block.entry[2] = make_entry<NarrowEntry>(2, 1, false);
  RowSum one_row;
  one_row.add_block(block, outcome);
  EXPECT_EQ(one_row.sum(), 0x1p24F);
}

/// Numbers of actions about a slice's 32 rows, and both widths of an entry.
class Packed : public testing::TestWithParam<std::tuple<int, bool>> {
 protected:
  Packed() : level_({.headings = std::get<0>(GetParam()), .weighted = std::get<1>(GetParam())}) {}

  PackedLevel<MemorySpace::host> pack_in(BlockOrder order) const {
    PackedLevel<MemorySpace::host> packed;
    pack(level_.rows, level_.subgrid, level_.action_count(), level_.total(), order, 2, packed);
    return packed;
  }

  test::ExplicitLevel level_;
};

TEST_P(Packed, ComesBackExactly) {
  for (const BlockOrder order : {BlockOrder::by_row, BlockOrder::by_step}) {
    const auto packed = pack_in(order);
    EXPECT_EQ(packed.width, std::get<1>(GetParam()) ? EntryWidth::wide : EntryWidth::narrow);
    expect_same(unpack(packed, level_.subgrid), level_.rows);
  }
}

TEST_P(Packed, EveryBlockHasAPlaceOfItsOwn) {
  for (const BlockOrder order : {BlockOrder::by_row, BlockOrder::by_step}) {
    const auto packed = pack_in(order);
    const PackedView view = packed.view();
    std::set<std::size_t> places;
    for (std::int32_t cell = 0; cell < packed.cell_count; ++cell) {
      for (std::int32_t a = 0; a < packed.action_count; ++a) {
        for (std::int32_t step = 0; step < view.row_blocks(cell, a); ++step) {
          places.insert(block_place(view, cell, a, step));
        }
      }
    }
    ASSERT_EQ(places.size(), static_cast<std::size_t>(packed.block_count));
    EXPECT_EQ(*places.rbegin(), places.size() - 1);
  }
}

TEST_P(Packed, MemoryIsKeptForTheNextLevel) {
  auto packed = pack_in(BlockOrder::by_step);
  const auto* before = packed.blocks.data();
  CompactLevel empty;
  empty.row_start.assign(level_.rows.row_start.size(), 0);
  pack(empty, level_.subgrid, level_.action_count(), level_.total(), BlockOrder::by_step, 1,
       packed);
  EXPECT_EQ(packed.block_count, 0);
  EXPECT_EQ(packed.blocks.data(), before);
  expect_same(unpack(packed, level_.subgrid), empty);
}

TEST_P(Packed, GoesToTheDeviceAndBack) {
  TIDEWISE_REQUIRE_DEVICE();
  for (const BlockOrder order : {BlockOrder::by_row, BlockOrder::by_step}) {
    const DeviceCompactLevel there =
        upload(level_.rows, level_.subgrid, level_.action_count(), level_.total(), order);
    expect_same(download(there, level_.subgrid), level_.rows);
  }
}

INSTANTIATE_TEST_SUITE_P(Sizes, Packed,
                         testing::Combine(testing::Values(1, 8, 16, 17, 40), testing::Bool()),
                         [](const auto& test) {
                           return std::to_string(2 * std::get<0>(test.param)) + "_actions" +
                                  (std::get<1>(test.param) ? "_weighted" : "");
                         });

}  // namespace
}  // namespace tidewise
