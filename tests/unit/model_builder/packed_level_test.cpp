#include "model_builder/explicit/packed_level.h"

#include <gtest/gtest.h>

#include <set>

#include "solver/backup/expectation.h"
#include "support/device.h"
#include "unit/solver/explicit_level_fixture.h"

namespace tidewise {
namespace {

void expect_same(const CompactLevel& found, const CompactLevel& expected) {
  EXPECT_EQ(found.row_start, expected.row_start);
  EXPECT_EQ(found.offset, expected.offset);
  EXPECT_EQ(found.count, expected.count);
}

TEST(PackedEntry, KeepsPlaceCountAndSign) {
  struct Limits {
    std::uint32_t total;
    std::int32_t places;
  };
  for (const auto& [total, places] :
       {Limits{5000, 512}, Limits{65535, 64}, Limits{16383, 256}, Limits{1, 1}}) {
    ASSERT_TRUE(EntryCode::is_narrow(total, places)) << total;
    const EntryCode code = EntryCode::for_places(places);
    for (const std::uint32_t count : {1u, total / 3 + 1, total - total / 4, total}) {
      for (const std::int32_t place : {0, places / 2, places - 1}) {
        for (const RowPart part : {RowPart::opens, RowPart::goes_on}) {
          const auto entry = make_entry<NarrowEntry>(place, count, part);
          EXPECT_EQ(code.place(entry), place);
          EXPECT_EQ(code.count(entry), static_cast<float>(count));
          EXPECT_EQ(opens_row(entry), part == RowPart::opens);
        }
      }
    }
  }
  EXPECT_FALSE(EntryCode::is_narrow(5000, 513));
  EXPECT_FALSE(EntryCode::is_narrow(1u << 24, 2));
  const auto wide = make_entry<WideEntry>(65535, 1u << 24, RowPart::opens);
  EXPECT_EQ(EntryCode().place(wide), 65535);
  EXPECT_EQ(EntryCode().count(wide), 0x1p24F);
  EXPECT_TRUE(opens_row(wide));
  EXPECT_FALSE(opens_row(make_entry<WideEntry>(3, 7, RowPart::goes_on)));
}

TEST(OrderedSum, AddsFromWestToEastThenFromSouthToNorth) {
  // Sums that differ in any other order: 2^24 absorbs a single 1.
  const auto sum = [](bool two_rows) {
    OrderedSum found;
    found.add(1, 0x1p24F);
    found.add(1, 1);
    if (two_rows) found.next_row();
    found.add(1, 1);
    found.add(1, 1);
    found.add(0, 0x1p24F);  // padding
    return found.sum();
  };
  EXPECT_EQ(sum(true), 0x1p24F + 2);
  EXPECT_EQ(sum(false), 0x1p24F);
}

/// Packed levels with numbers of actions near a slice's 32 rows, and with both widths of an entry.
class Packed : public testing::TestWithParam<std::tuple<int, bool>> {
 protected:
  Packed() : level_({.headings = std::get<0>(GetParam()), .weighted = std::get<1>(GetParam())}) {}

  PackedLevel<MemorySpace::host> packed() const {
    PackedLevel<MemorySpace::host> packed;
    pack(level_.rows, level_.subgrid, level_.action_count(), level_.total(), 2, packed);
    return packed;
  }

  test::ExplicitLevel level_;
};

TEST_P(Packed, IsRestoredExactly) {
  const auto packed = this->packed();
  EXPECT_EQ(packed.width, std::get<1>(GetParam()) ? EntryWidth::wide : EntryWidth::narrow);
  for (const std::int32_t threads : {1, 3}) {
    expect_same(unpack(packed, level_.subgrid, threads), level_.rows);
  }
}

TEST_P(Packed, HasAPlaceForEveryEntry) {
  const auto packed = this->packed();
  const PackedView view = packed.view();
  std::set<std::size_t> places;
  std::size_t row = 0;
  for (std::int32_t cell = 0; cell < packed.cell_count; ++cell) {
    for (std::int32_t a = 0; a < packed.action_count; ++a, ++row) {
      const auto size = level_.rows.row_start[row + 1] - level_.rows.row_start[row];
      for (std::int32_t n = 0; n < size; ++n) places.insert(entry_place(view, cell, a, n));
    }
  }
  ASSERT_EQ(places.size(), level_.rows.offset.size());
  EXPECT_LT(*places.rbegin(), static_cast<std::size_t>(packed.entry_count));
}

TEST_P(Packed, HasWindowsWithEveryLandingAndTheCell) {
  const auto packed = this->packed();
  std::size_t n = 0;
  for (std::size_t row = 0; row + 1 < level_.rows.row_start.size(); ++row) {
    const CellStencil window = packed.window[row / static_cast<std::size_t>(packed.action_count)];
    EXPECT_LE(window.size(), packed.max_window_places);
    EXPECT_GE(window.width(), 2);
    EXPECT_EQ(window.offset(window.place({0, 0})).dx, 0);
    EXPECT_TRUE(window.dx_min <= 0 && window.dx_max >= 0);
    EXPECT_TRUE(window.dy_min <= 0 && window.dy_max >= 0);
    for (; n < static_cast<std::size_t>(level_.rows.row_start[row + 1]); ++n) {
      const Offset to = level_.subgrid.offset(level_.rows.offset[n]);
      ASSERT_TRUE(to.dx >= window.dx_min && to.dx <= window.dx_max && to.dy >= window.dy_min &&
                  to.dy <= window.dy_max);
    }
  }
}

TEST_P(Packed, KeepsMemoryForTheNextLevel) {
  auto packed = this->packed();
  const auto* previous = packed.entries.data();
  CompactLevel empty;
  empty.row_start.assign(level_.rows.row_start.size(), 0);
  pack(empty, level_.subgrid, level_.action_count(), level_.total(), 1, packed);
  EXPECT_EQ(packed.entry_count, 0);
  EXPECT_EQ(packed.entries.data(), previous);
  expect_same(unpack(packed, level_.subgrid), empty);
}

TEST(PackedLevel, PadsRowsToTheLongest) {
  CompactLevel level;  // one cell, two actions: 300 entries and none
  level.row_start = {0, 300, 300};
  for (std::uint16_t n = 0; n < 300; ++n) level.offset.push_back(n);
  level.count.assign(300, 1);
  const SubGrid subgrid{-10, 9, -7, 7};
  PackedLevel<MemorySpace::host> packed;
  pack(level, subgrid, 2, 300, 1, packed);
  EXPECT_EQ(packed.entry_count, 600);
  expect_same(unpack(packed, subgrid), level);
}

TEST_P(Packed, IsRestoredExactlyFromTheDevice) {
  TIDEWISE_REQUIRE_DEVICE();
  const DeviceCompactLevel on_device =
      upload(level_.rows, level_.subgrid, level_.action_count(), level_.total());
  expect_same(download(on_device, level_.subgrid), level_.rows);
}

INSTANTIATE_TEST_SUITE_P(Sizes, Packed,
                         testing::Combine(testing::Values(1, 8, 16, 17, 40), testing::Bool()),
                         [](const auto& test) {
                           return std::to_string(2 * std::get<0>(test.param)) + "_actions" +
                                  (std::get<1>(test.param) ? "_weighted" : "");
                         });

}  // namespace
}  // namespace tidewise
