// The policy on board, as written by write_board_policy() and read by include/tidewise_policy.h.

#include "output/board/board_policy.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <fstream>
#include <iterator>
#include <memory>
#include <numbers>
#include <random>

#include "base/error.h"
#include "env/units/meridian_convergence.h"
#include "output/board/bytes.h"
#include "output/run/policy_description.h"
#include "support/ocean/environment_builder.h"
#include "support/temporary_folder.h"
#include "tidewise_policy.h"

namespace tidewise {
namespace {

using BoardBytes = std::vector<std::uint8_t>;

BoardBytes bytes_of_file(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

constexpr double board_epoch = 1730073600;  // 2024-10-28 00:00:00 UTC [s since 1970]

/// A synthetic plan of 9 × 7 cells and 6 levels. Each level closes another column, so that the
/// obstacle passes over the target of four cells.
class BoardPolicyTest : public testing::Test {
 protected:
  BoardPolicyTest() {
    info_ = test::plain_info(columns, rows, levels + 2);
    info_.grid = {columns, rows, 1000, -500, 250, 125};
    info_.time = {levels + 2, 3600, 600};
    info_.units = Units::metric;
    info_.time_units = "seconds since 2024-10-28 00:00:00";
    target_.assign(cells, 0);
    for (const std::size_t cell : {22u, 23u, 31u, 32u}) target_[cell] = 1;
    use_headings(8);
  }

  void use_headings(int headings) {
    actions_ = make_actions({0.25, 0.125}, headings, info_.grid, info_.time);
  }

  static bool masked(int k, std::size_t cell) { return cell % columns == std::size_t(k); }

  std::int16_t action(int k, std::size_t cell) const {
    if (k == levels - 1 || masked(k, cell) || target_[cell] != 0) return no_action;
    return static_cast<std::int16_t>((37 * static_cast<std::size_t>(k) + 11 * cell) %
                                     actions_.size());
  }
  static float value(int k, std::size_t cell) {
    return (cell % 2 == 0 ? -1.0F : 0.001F) * static_cast<float>(1000 * k + int(cell));
  }

  void write_plan() {
    if (geographic_) info_.coordinates = Coordinates::geographic;
    PolicyWriter writer(folder_ / "policy.h5", info_, actions_, "[mission]\n",
                        TimeLevel(levels - 1));
    if (geographic_) writer.write_longitude_latitude(longitude_, latitude_);
    for (int k = levels - 1; k >= 0; --k) {
      std::vector<std::int16_t> actions;
      std::vector<float> values;
      for (std::size_t cell = 0; cell < cells; ++cell) {
        actions.push_back(action(k, cell));
        values.push_back(value(k, cell));
      }
      writer.accept(0, TimeLevel(k), {actions.data(), cells}, {values.data(), cells});
    }
    writer.finish();
    EnvironmentInfo plane = info_;
    plane.coordinates = Coordinates::plane;
    test::write_environment(folder_ / "env.h5", plane, [](TimeLevel k, LevelFields<>& fields) {
      for (std::size_t cell = 0; cell < cells; ++cell) {
        fields.masked[cell] = masked(k.value, cell) ? 1 : 0;
      }
    });
  }

  /// Gives the cells longitudes and latitudes around 47° N; the axes are not east and north.
  void place_cells() {
    geographic_ = true;
    for (std::size_t cell = 0; cell < cells; ++cell) {
      const double x = 1000 + 250.0 * static_cast<double>(cell % columns);
      const double y = -500 + 125.0 * static_cast<double>(row_of(cell));
      longitude_.push_back(-125 + x * 1.3e-5 - y * 2e-6);
      latitude_.push_back(47 + y * 9e-6 + x * 1.2e-6);
    }
  }

  BoardPolicyFacts write(const BoardPolicyOptions& options = {}) {
    write_plan();
    const PolicyFile policy(folder_ / "policy.h5");
    const EnvironmentReader environment(folder_ / "env.h5");
    AtomicFile file(folder_ / "policy.twp");
    const auto facts = write_board_policy(file, policy, environment, target_, options);
    file.commit();
    bytes_ = bytes_of_file(folder_ / "policy.twp");
    return facts;
  }

  tw_policy open() const {
    tw_policy policy;
    EXPECT_EQ(tw_policy_open(&policy, bytes_.data(), bytes_.size()), TW_POLICY_OK);
    EXPECT_EQ(tw_policy_check(&policy), TW_POLICY_OK);
    return policy;
  }

  tw_policy_status expected_status(int k, std::size_t cell) const {
    if (masked(k, cell)) return TW_POLICY_CLOSED;
    if (target_[cell] != 0) return TW_POLICY_IN_TARGET;
    return k == levels - 1 ? TW_POLICY_PAST_END : TW_POLICY_OK;
  }

  static std::size_t row_of(std::size_t cell) { return cell / columns; }
  static double x_of(std::size_t cell) { return 1000 + 250.0 * double(cell % columns); }
  static double y_of(std::size_t cell) { return -500 + 125.0 * double(row_of(cell)); }
  static double time_of_level(int k) { return board_epoch + 3600 + 600 * k; }

  /// Expects answers for all cells of the window to equal the plan, for every kind of query.
  void expect_equal(const CutWindow& window, bool values) const {
    const tw_policy policy = open();
    for (int k = window.levels.first; k <= window.levels.last; ++k) {
      for (std::size_t cell = 0; cell < cells; ++cell) {
        if (!window.columns.contains(int(cell % columns)) ||
            !window.rows.contains(int(cell / columns))) {
          continue;
        }
        SCOPED_TRACE("level " + std::to_string(k) + " cell " + std::to_string(cell));
        tw_policy_action answer;
        const auto status =
            tw_policy_act_xy(&policy, x_of(cell), y_of(cell), time_of_level(k), &answer);
        ASSERT_EQ(status, expected_status(k, cell));
        ASSERT_EQ(answer.level, std::uint32_t(k));
        ASSERT_EQ(answer.row * columns + answer.column, cell);
        if (geographic_) {
          tw_policy_action by_degrees;
          ASSERT_EQ(tw_policy_act_lonlat(&policy, longitude_[cell] + 360, latitude_[cell],
                                         time_of_level(k) + 599, &by_degrees),
                    status);
          ASSERT_EQ(by_degrees.action, answer.action);
          ASSERT_EQ(by_degrees.level, answer.level);
        }
        if (status != TW_POLICY_OK) {
          ASSERT_EQ(answer.action, UINT32_MAX);
          ASSERT_TRUE(std::isnan(answer.heading) && std::isnan(answer.speed) &&
                      std::isnan(answer.value) && std::isnan(answer.bearing));
          continue;
        }
        const Action& taken = actions_[std::size_t(action(k, cell))];
        ASSERT_EQ(answer.action, std::uint32_t(action(k, cell)));
        ASSERT_EQ(answer.heading, double(static_cast<float>(taken.heading)));
        ASSERT_EQ(answer.speed, double(static_cast<float>(taken.speed)));
        if (values) {
          ASSERT_NEAR(answer.value, double(value(k, cell)),
                      std::abs(double(value(k, cell))) / 2048 + 1e-4);
        } else {
          ASSERT_TRUE(std::isnan(answer.value));
        }
        ASSERT_EQ(std::isnan(answer.bearing), !geographic_);
        if (!geographic_) continue;
        const MeridianConvergence convergence(info_.grid, longitude_, latitude_);
        const double bearing = true_bearing(taken.heading, convergence.at(x_of(cell), y_of(cell)));
        ASSERT_NEAR(std::remainder(answer.bearing - bearing, 360.0), 0, 0.1);
        ASSERT_TRUE(answer.bearing >= 0 && answer.bearing < 360);
      }
    }
  }

  static constexpr int columns = 9;
  static constexpr int rows = 7;
  static constexpr int levels = 6;
  static constexpr std::size_t cells = 63;
  static constexpr CutWindow whole_plan{{0, columns - 1}, {0, rows - 1}, {0, levels - 1}};

  test::TemporaryFolder folder_;
  EnvironmentInfo info_;
  std::vector<Action> actions_;
  std::vector<std::uint8_t> target_;
  bool geographic_ = false;
  std::vector<double> longitude_, latitude_;
  BoardBytes bytes_;
};

TEST_F(BoardPolicyTest, EqualsPlanInEveryCellAndLevel) {
  const BoardPolicyFacts facts = write();
  EXPECT_EQ(facts.bytes, bytes_.size());
  EXPECT_EQ(bytes_.size(), 128 + 16 * 12 + 96 + levels * cells);
  EXPECT_FALSE(facts.has_positions);
  EXPECT_TRUE(facts.has_dates);
  expect_equal(whole_plan, false);
}

TEST_F(BoardPolicyTest, HoldsValuesOnRequest) {
  const auto facts = write({.values = BoardValues::included});
  EXPECT_EQ(facts.bytes, 128 + 16 * 12 + 96 + 3 * levels * cells);
  expect_equal(whole_plan, true);
}

TEST_F(BoardPolicyTest, FindsCellByLongitudeAndLatitude) {
  place_cells();
  const auto facts = write({.values = BoardValues::included});
  EXPECT_TRUE(facts.has_positions);
  EXPECT_LE(facts.position_error, 0.002);
  EXPECT_LE(facts.bearing_error, 0.1);
  expect_equal(whole_plan, true);
}

TEST_F(BoardPolicyTest, UsesTwoBytesPerCellForManyActions) {
  use_headings(125);
  write();
  EXPECT_EQ(open().cell_bytes, 1u);
  expect_equal(whole_plan, false);
  use_headings(126);  // at two speeds
  write();
  EXPECT_EQ(open().cell_bytes, 2u);
  expect_equal(whole_plan, false);
}

TEST_F(BoardPolicyTest, APartKeepsTheIndicesOfThePlan) {
  place_cells();
  const CutWindow part{{2, 7}, {1, 4}, {1, 3}};
  const auto facts = write({.window = part, .values = BoardValues::included});
  EXPECT_EQ(facts.bytes, 128 + 16 * 12 + 96 + 4 * 8 + 3 * 3 * 4 * 6);
  expect_equal(part, true);
  const tw_policy policy = open();
  tw_policy_action answer;
  const auto query = [&](std::size_t cell, int k) {
    return tw_policy_act_xy(&policy, x_of(cell), y_of(cell), time_of_level(k), &answer);
  };
  EXPECT_EQ(query(20, 0), TW_POLICY_TOO_EARLY);
  EXPECT_EQ(query(20, 4), TW_POLICY_TOO_LATE);
  EXPECT_EQ(query(20, 5), TW_POLICY_PAST_END) << "the plan's end is known, though not held";
  EXPECT_EQ(query(10, 2), TW_POLICY_BEYOND_WINDOW) << "west of it";
  EXPECT_EQ(query(17, 2), TW_POLICY_BEYOND_WINDOW) << "east of it";
  EXPECT_EQ(query(2, 2), TW_POLICY_BEYOND_WINDOW) << "south of it";
  EXPECT_EQ(query(47, 2), TW_POLICY_BEYOND_WINDOW) << "north of it";
  const tw_policy cut = open();
  write();
  EXPECT_EQ(std::memcmp(cut.identity, open().identity, 16), 0) << "of one plan";
}

TEST_F(BoardPolicyTest, ReportsWhyThereIsNoAction) {
  place_cells();
  write();
  const tw_policy policy = open();
  tw_policy_action answer;
  const auto query = [&](double x, double y, double time) {
    return tw_policy_act_xy(&policy, x, y, time, &answer);
  };
  const double now = time_of_level(2);
  EXPECT_EQ(query(1000, -500, now), TW_POLICY_OK);
  EXPECT_EQ(query(875, -562.5, now), TW_POLICY_OK) << "the lower edges are the cell's";
  EXPECT_EQ(query(874.999, -500, now), TW_POLICY_OUTSIDE);
  EXPECT_EQ(query(1000, -562.501, now), TW_POLICY_OUTSIDE);
  EXPECT_EQ(query(3125, -500, now), TW_POLICY_OUTSIDE);
  EXPECT_EQ(query(1000, 312.5, now), TW_POLICY_OUTSIDE);
  EXPECT_EQ(query(NAN, 0, now), TW_POLICY_OUTSIDE);
  EXPECT_EQ(query(1e300, -1e300, now), TW_POLICY_OUTSIDE);
  EXPECT_EQ(query(1000, -500, NAN), TW_POLICY_TOO_EARLY);
  EXPECT_EQ(query(1000, -500, time_of_level(0) - 0.01), TW_POLICY_TOO_EARLY);
  EXPECT_EQ(query(1000, -500, -1e300), TW_POLICY_TOO_EARLY);
  EXPECT_EQ(query(1000, -500, time_of_level(5) - 0.01), TW_POLICY_OK);
  EXPECT_EQ(answer.level, 4u);
  EXPECT_EQ(query(1000, -500, time_of_level(5)), TW_POLICY_PAST_END);
  EXPECT_EQ(answer.level, 5u);
  EXPECT_EQ(query(1000, -500, time_of_level(6)), TW_POLICY_PAST_END);
  EXPECT_EQ(query(1000, -500, INFINITY), TW_POLICY_PAST_END);
  EXPECT_EQ(query(x_of(2), y_of(2), now), TW_POLICY_CLOSED);
  EXPECT_EQ(query(x_of(22), y_of(22), now), TW_POLICY_IN_TARGET);
  EXPECT_EQ(query(x_of(22), y_of(22), time_of_level(4)), TW_POLICY_CLOSED) << "a mask over it wins";
  EXPECT_EQ(query(x_of(22), y_of(22), time_of_level(5)), TW_POLICY_IN_TARGET)
      << "arrived, and in time";
  const auto query_degrees = [&](double longitude, double latitude) {
    return tw_policy_act_lonlat(&policy, longitude, latitude, now, &answer);
  };
  EXPECT_EQ(query_degrees(longitude_[0], latitude_[0]), TW_POLICY_OK);
  EXPECT_EQ(query_degrees(-120, 47), TW_POLICY_OUTSIDE);
  EXPECT_EQ(query_degrees(55, -47), TW_POLICY_OUTSIDE) << "the far side of the earth";
  EXPECT_EQ(query_degrees(longitude_[0], 91), TW_POLICY_OUTSIDE);
  EXPECT_EQ(query_degrees(NAN, 47), TW_POLICY_OUTSIDE);
  EXPECT_EQ(query_degrees(INFINITY, 47), TW_POLICY_OUTSIDE);
}

TEST_F(BoardPolicyTest, AcceptsXAndYWithoutDegrees) {
  write();
  const tw_policy policy = open();
  tw_policy_action answer;
  EXPECT_EQ(tw_policy_act_lonlat(&policy, -125, 47, time_of_level(1), &answer),
            TW_POLICY_NO_POSITIONS);
  double convergence = 0;
  EXPECT_EQ(tw_policy_convergence(&policy, 1000, 0, &convergence), TW_POLICY_NO_POSITIONS);
  EXPECT_TRUE(std::isnan(convergence));
}

/// A source of bytes that can fail, and records the sizes of its reads.
struct Flash {
  const BoardBytes& bytes;
  std::uint64_t fails_from = UINT64_MAX;
  std::uint32_t max_read = 0;
  std::uint64_t bytes_read = 0;

  static int read(void* self, std::uint64_t offset, void* to, std::uint32_t count) {
    auto* const flash = static_cast<Flash*>(self);
    flash->max_read = std::max(flash->max_read, count);
    flash->bytes_read += count;
    if (offset + count > flash->fails_from) return 1;
    if (offset + count > flash->bytes.size()) throw std::out_of_range("asked beyond the end");
    std::memcpy(to, flash->bytes.data() + offset, count);
    return 0;
  }
};

TEST_F(BoardPolicyTest, ReadsAFileAFewBytesAtATime) {
  place_cells();
  write({.values = BoardValues::included});
  const tw_policy in_memory = open();
  Flash flash{bytes_};
  tw_policy policy;
  ASSERT_EQ(tw_policy_open_reader(&policy, Flash::read, &flash, bytes_.size()), TW_POLICY_OK);
  EXPECT_EQ(tw_policy_check(&policy), TW_POLICY_OK);
  EXPECT_LE(flash.max_read, 128u);
  std::mt19937 random(7);
  std::uniform_real_distribution<> share;
  for (int n = 0; n < 2000; ++n) {
    const double longitude = -125 + 0.06 * share(random);
    const double latitude = 46.99 + 0.03 * share(random);
    const double time = time_of_level(-1) + 600 * levels * 1.3 * share(random);
    tw_policy_action a, b;
    flash.bytes_read = 0;
    ASSERT_EQ(tw_policy_act_lonlat(&policy, longitude, latitude, time, &a),
              tw_policy_act_lonlat(&in_memory, longitude, latitude, time, &b));
    ASSERT_EQ(a.action, b.action);
    ASSERT_EQ(std::bit_cast<std::uint64_t>(a.x), std::bit_cast<std::uint64_t>(b.x));
    ASSERT_LE(flash.bytes_read, 400u);
  }
  // Every failure is reported.
  for (std::uint64_t end = 0; end < bytes_.size(); end += 3) {
    Flash broken{bytes_, end};
    tw_policy other;
    auto status = tw_policy_open_reader(&other, Flash::read, &broken, bytes_.size());
    if (status == TW_POLICY_OK) status = tw_policy_check(&other);
    ASSERT_EQ(status, TW_POLICY_UNREADABLE) << end;
  }
  EXPECT_EQ(tw_policy_open_reader(&policy, nullptr, nullptr, 1000), TW_POLICY_UNREADABLE);
  EXPECT_EQ(tw_policy_open(&policy, nullptr, 1000), TW_POLICY_CORRUPT);
}

TEST_F(BoardPolicyTest, ComparesItsChecksumPieceByPiece) {
  write();
  const tw_policy policy = open();
  tw_policy_progress progress{};
  int pieces = 0;
  tw_policy_status status = TW_POLICY_UNFINISHED;
  while (status == TW_POLICY_UNFINISHED) {
    status = tw_policy_check_some(&policy, &progress, 100);
    ++pieces;
  }
  EXPECT_EQ(status, TW_POLICY_OK);
  EXPECT_EQ(pieces, int((bytes_.size() - 128 + 99) / 100));
  // The checksum can also be computed while the file arrives.
  std::uint32_t crc = 0;
  for (std::size_t at = 128; at < bytes_.size(); at += 61) {
    const auto count = std::min<std::size_t>(61, bytes_.size() - at);
    crc = tw_policy_crc32(crc, bytes_.data() + at, std::uint32_t(count));
  }
  EXPECT_EQ(crc, tw_policy_u32(bytes_.data() + 124));
  EXPECT_EQ(tw_policy_crc32(0, "123456789", 9), 0xcbf43926u) << "the check value of CRC-32";
}

/// Makes all queries to a file that may be damaged. The memory ends where the file ends, so that
/// sanitizers detect reads beyond it.
tw_policy_status query_all(const BoardBytes& bytes) {
  const std::unique_ptr<std::uint8_t[]> memory(new std::uint8_t[bytes.size()]);
  std::copy(bytes.begin(), bytes.end(), memory.get());
  tw_policy policy;
  const auto status = tw_policy_open(&policy, memory.get(), bytes.size());
  tw_policy_action answer;
  for (int k = -1; k < 8; k += 2) {
    const double time = board_epoch + 3600 + 600 * k;
    for (const double share : {0.0, 0.3, 0.99}) {
      tw_policy_act_xy(&policy, 1000 + 2000 * share, -500 + 750 * share, time, &answer);
      tw_policy_act_lonlat(&policy, -125 + 0.03 * share, 47 + 0.01 * share, time, &answer);
    }
  }
  return status == TW_POLICY_OK ? tw_policy_check(&policy) : status;
}

TEST_F(BoardPolicyTest, DetectsEveryTruncationAndChangedByte) {
  place_cells();
  write({.values = BoardValues::included});
  ASSERT_EQ(query_all(bytes_), TW_POLICY_OK);
  BoardBytes longer = bytes_;
  longer.insert(longer.end(), 100, 0xff);
  EXPECT_EQ(query_all(longer), TW_POLICY_OK) << "the rest of a page of flash";
  for (std::size_t size = 0; size < bytes_.size(); ++size) {
    ASSERT_EQ(query_all(BoardBytes(bytes_.begin(), bytes_.begin() + std::ptrdiff_t(size))),
              TW_POLICY_CORRUPT)
        << size;
  }
  for (std::size_t at = 0; at < bytes_.size(); ++at) {
    for (const int change : {1, 0x80, 0xff}) {
      BoardBytes changed = bytes_;
      changed[at] = static_cast<std::uint8_t>(changed[at] ^ change);
      const auto status = query_all(changed);
      ASSERT_TRUE(status == TW_POLICY_CORRUPT ||
                  (at >= 8 && at < 12 && status == TW_POLICY_UNSUPPORTED))
          << at << " " << status;
    }
  }
}

/// With adjusted checksums, only the bounds checks protect the memory outside the file.
TEST_F(BoardPolicyTest, NeverReadsOutsideTheFile) {
  place_cells();
  write({.values = BoardValues::included});
  const auto seal = [](BoardBytes& bytes) {
    const std::uint32_t header = tw_policy_crc32(0, bytes.data(), 120);
    const std::uint32_t rest =
        tw_policy_crc32(0, bytes.data() + 128, std::uint32_t(bytes.size() - 128));
    BoardBytes sums;
    append(sums, header);
    append(sums, rest);
    std::copy(sums.begin(), sums.end(), bytes.begin() + 120);
  };
  const std::size_t grid = 128 + 16 * 12;
  std::vector<std::size_t> positions;
  for (std::size_t byte = 12; byte < 120; ++byte) positions.push_back(byte);
  for (std::size_t byte = grid; byte < grid + 96 + 32; ++byte) positions.push_back(byte);
  std::mt19937 random(11);
  for (const std::size_t byte : positions) {
    for (const int change : {1, 2, 0x10, 0x7f, 0x80, 0xff}) {
      BoardBytes changed = bytes_;
      changed[byte] = static_cast<std::uint8_t>(changed[byte] ^ change);
      // Half of the time, another byte changes, too.
      if (random() % 2 == 0) {
        changed[positions[random() % positions.size()]] = static_cast<std::uint8_t>(random());
      }
      seal(changed);
      query_all(changed);
    }
  }
}

TEST_F(BoardPolicyTest, RejectsInvalidActionWithValidChecksum) {
  write();
  const tw_policy whole = open();
  BoardBytes changed = bytes_;
  changed[whole.data_at] = 16;  // beyond the last action
  tw_policy policy;
  ASSERT_EQ(tw_policy_open(&policy, changed.data(), changed.size()), TW_POLICY_OK);
  tw_policy_action answer;
  EXPECT_EQ(tw_policy_act_xy(&policy, 1000, -500, time_of_level(0), &answer), TW_POLICY_CORRUPT);
  changed[whole.data_at] = 0xff;
  EXPECT_EQ(tw_policy_act_xy(&policy, 1000, -500, time_of_level(0), &answer), TW_POLICY_NO_ACTION);
  changed[whole.data_at] = 3;
  changed[whole.actions_at + 3 * 12 + 3] = 0x7f;  // a heading of 1e38
  EXPECT_EQ(tw_policy_act_xy(&policy, 1000, -500, time_of_level(0), &answer), TW_POLICY_CORRUPT);
  EXPECT_TRUE(std::isnan(answer.heading));
}

TEST_F(BoardPolicyTest, ReportsLaterVersion) {
  write();
  for (const auto& [at, bits] : {std::pair<std::size_t, int>{8, 2}, {12, 32}}) {
    BoardBytes later = bytes_;
    later[at] = static_cast<std::uint8_t>(later[at] ^ bits);
    BoardBytes sum;
    append(sum, tw_policy_crc32(0, later.data(), 120));
    std::copy(sum.begin(), sum.end(), later.begin() + 120);
    tw_policy policy;
    EXPECT_EQ(tw_policy_open(&policy, later.data(), later.size()), TW_POLICY_UNSUPPORTED);
    tw_policy_action answer;
    EXPECT_EQ(tw_policy_act_xy(&policy, 1000, -500, time_of_level(0), &answer), TW_POLICY_CORRUPT)
        << "what could not be opened answers nothing";
    EXPECT_EQ(tw_policy_check(&policy), TW_POLICY_CORRUPT);
  }
}

/// A file written by hand, with every offset of docs/fly/onboard.md. It has one level of two by two
/// cells, and the end.
TEST(BoardPolicyFormat, MatchesTheDocument) {
  BoardBytes bytes;
  const auto expect_offset = [&](std::size_t offset) { ASSERT_EQ(bytes.size(), offset); };
  for (const char letter : {'T', 'W', 'P', 'O', 'L', 'I', 'C', 'Y'})
    bytes.push_back(std::uint8_t(letter));
  append(bytes, 1u);    // version
  append(bytes, 9u);    // flags: values, metric
  append(bytes, 2u);    // levels
  append(bytes, 2u);    // rows
  append(bytes, 2u);    // columns
  append(bytes, 1u);    // actions
  append(bytes, 128u);  // offset of actions
  append(bytes, 140u);  // offset of the grid
  append(bytes, 236u);  // offset of data
  append(bytes, 1u);    // bytes per cell
  expect_offset(48);
  for (const double value : {10.0, 2.0, -10.0, 4.0, 100.0, 50.0}) append(bytes, value);
  expect_offset(96);
  for (int n = 0; n < 16; ++n) bytes.push_back(std::uint8_t(n));
  append(bytes, 0x010203u);
  append(bytes, 236u + 8 + 16);
  expect_offset(120);
  BoardBytes rest;
  append(rest, std::bit_cast<std::uint32_t>(1.5F));
  append(rest, std::bit_cast<std::uint32_t>(0.25F));
  append(rest, 0u);
  for (const std::uint32_t n : {2u, 2u, 2u, 0u, 0u, 0u, 244u, 0u}) append(rest, n);
  append(rest, 2.0);  // scale of values
  for (int n = 0; n < 4; ++n) append(rest, 0u);
  for (int n = 0; n < 5; ++n) append(rest, 0.0);
  for (const int code : {0, 254, 253, 255, 255, 254, 253, 255}) rest.push_back(std::uint8_t(code));
  for (const std::uint16_t half : {0xc900, 0, 0, 0, 0, 0, 0, 0}) append(rest, half);  // -10
  append(bytes, tw_policy_crc32(0, bytes.data(), 120));
  append(bytes, tw_policy_crc32(0, rest.data(), std::uint32_t(rest.size())));
  bytes.insert(bytes.end(), rest.begin(), rest.end());
  expect_offset(260);
  tw_policy policy;
  ASSERT_EQ(tw_policy_open(&policy, bytes.data(), bytes.size()), TW_POLICY_OK);
  ASSERT_EQ(tw_policy_check(&policy), TW_POLICY_OK);
  EXPECT_EQ(policy.made_by, 0x010203u);
  EXPECT_EQ(policy.identity[15], 15);
  tw_policy_action answer;
  ASSERT_EQ(tw_policy_act_xy(&policy, 10, -10, 149.9, &answer), TW_POLICY_OK);
  EXPECT_EQ(answer.heading, 1.5);
  EXPECT_EQ(answer.speed, 0.25);
  EXPECT_EQ(answer.value, -20);
  EXPECT_TRUE(std::isnan(answer.bearing));
  EXPECT_EQ(tw_policy_act_xy(&policy, 12, -10, 100, &answer), TW_POLICY_IN_TARGET);
  EXPECT_EQ(tw_policy_act_xy(&policy, 10, -6, 100, &answer), TW_POLICY_CLOSED);
  EXPECT_EQ(tw_policy_act_xy(&policy, 12, -6, 100, &answer), TW_POLICY_NO_ACTION);
  EXPECT_EQ(tw_policy_act_xy(&policy, 12, -6, 150, &answer), TW_POLICY_PAST_END);
  EXPECT_EQ(tw_policy_act_xy(&policy, 12, -6, 99, &answer), TW_POLICY_TOO_EARLY);
}

TEST(BoardPolicyFormat, HasEveryStatusInWords) {
  std::vector<std::string> words;
  for (int status = TW_POLICY_OK; status <= TW_POLICY_UNFINISHED; ++status) {
    words.emplace_back(tw_policy_text(static_cast<tw_policy_status>(status)));
  }
  std::sort(words.begin(), words.end());
  EXPECT_EQ(std::adjacent_find(words.begin(), words.end()), words.end());
}

TEST(BoardPolicyFormat, RoundsValuesToTheNearestOfSixteenBits) {
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
    const double value = tw_policy_half(bits, 1);
    if (std::isnan(value)) continue;
    ASSERT_EQ(to_half(value), bits) << value;
    if ((bits & 0x7fff) == 0x7bff) continue;  // the greatest number
    const double next = tw_policy_half(bits + 1, 1);
    if (std::isnan(next) || (bits & 0x7fff) == 0x7fff) continue;
    ASSERT_EQ(to_half(value + (next - value) * 0.49), bits);
    ASSERT_EQ(to_half(value + (next - value) * 0.51), bits + 1);
    ASSERT_EQ(to_half((value + next) / 2) % 2, 0) << "of two, the even one";
  }
  EXPECT_EQ(tw_policy_half(0x3c00, 4), 4);
  EXPECT_EQ(tw_policy_half(0xc000, 1), -2);
  EXPECT_EQ(tw_policy_half(0x0001, 1), std::exp2(-24));
  EXPECT_EQ(to_half(65519), 0x7bff);
  EXPECT_TRUE(std::isnan(tw_policy_half(to_half(1e9), 1)));
  EXPECT_TRUE(std::isnan(tw_policy_half(to_half(NAN), 1)));
}

}  // namespace
}  // namespace tidewise
