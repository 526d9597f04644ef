#include "output/board/board_policy.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <limits>
#include <numbers>

#include "base/error.h"
#include "base/file/atomic_file.h"
#include "base/file/fingerprint.h"
#include "env/file/time_reference.h"
#include "env/units/depths.h"
#include "output/board/bytes.h"
#include "output/board/position_nodes.h"
#include "output/error/codes.h"
#include "output/run/policy_description.h"
#include "output/version.h"
#include "tidewise_policy.h"

namespace tidewise {
namespace {

using Bytes = std::vector<std::uint8_t>;

constexpr std::uint64_t header_bytes = 128;
constexpr std::uint64_t action_bytes = 12;
constexpr std::uint64_t grid_bytes = 96;

std::uint32_t unsigned_of(std::int32_t n) { return static_cast<std::uint32_t>(n); }

/// "1.2.3" as 0x010203.
std::uint32_t version_number() {
  std::uint32_t number = 0;
  const std::string_view text = version();
  const char* at = text.data();
  for (int part = 0; part < 3; ++part) {
    std::uint32_t value = 0;
    at = std::from_chars(at, text.data() + text.size(), value).ptr + 1;
    number = number << 8 | std::min(value, 255u);
  }
  return number;
}

/// Writes the file from its beginning to its end, and then its first 128 bytes.
class BoardStream {
 public:
  explicit BoardStream(AtomicFile& file)
      : file_(file), stream_(file_.temporary_path(), std::ios::binary) {
    const Bytes header(header_bytes);
    stream_.write(reinterpret_cast<const char*>(header.data()), header_bytes);
  }

  void write(const Bytes& bytes) {
    crc_ = static_cast<std::uint32_t>(
        crc32_z(crc_, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
    stream_.write(reinterpret_cast<const char*>(bytes.data()),
                  static_cast<std::streamsize>(bytes.size()));
    require_good();
  }

  /// Writes the header and closes the file. `header`: the first 120 bytes.
  void finish(Bytes header) {
    append(header, static_cast<std::uint32_t>(
                       crc32_z(0, reinterpret_cast<const Bytef*>(header.data()), header.size())));
    append(header, crc_);
    stream_.seekp(0);
    stream_.write(reinterpret_cast<const char*>(header.data()), header_bytes);
    stream_.close();
    require_good();
  }

 private:
  void require_good() const {
    if (stream_) return;
    throw RunError(fmt::format("{}: could not be written; check the space left on the disk",
                               file_.final_path().string()));
  }

  AtomicFile& file_;
  std::ofstream stream_;
  std::uint32_t crc_ = 0;
};

class BoardPolicyWriter {
 public:
  BoardPolicyWriter(const PolicyFile& policy, const EnvironmentReader& environment,
                    const std::vector<std::uint8_t>& target, const BoardPolicyOptions& options)
      : policy_(policy),
        environment_(environment),
        target_(target),
        info_(describe_environment_of(policy)),
        origin_(read_time_origin()),
        leg_(policy.leg(options.leg)),
        has_values_(options.values == BoardValues::included) {
    facts_.window = options.window.value_or(whole_plan(policy));
    cell_bytes_ = policy.actions().size() <= 250 ? 1 : 2;
    if (policy.actions().size() > 65000) {
      throw input_error(errors::board_actions_too_many, policy.path().string(),
                        policy.actions().size());
    }
    constexpr std::int32_t max_held = 65535;
    if (policy.decisions().every > max_held) {
      throw input_error(errors::board_hold_too_long, policy.path().string(),
                        policy.decisions().every, max_held);
    }
    for (const EnvironmentProfile& profile : policy.profiles()) {
      dives_.push_back(depths_of(profile));
    }
    if (info_.coordinates == Coordinates::geographic) find_nodes();
    lay_out();
  }

  BoardPolicyFacts write(AtomicFile& file) {
    if (has_values_) scale_ = value_scale();
    BoardStream stream(file);
    stream.write(action_table());
    stream.write(grid_block());
    for_each_level([&](TimeLevel k) { stream.write(action_level(k)); });
    if (has_values_) for_each_level([&](TimeLevel k) { stream.write(value_level(k)); });
    stream.finish(header());
    facts_.bytes = size_;
    facts_.has_positions = nodes_.step > 0;
    facts_.has_dates = origin_.has_value();
    facts_.node_count = nodes_.rows * nodes_.columns;
    facts_.position_error = nodes_.position_error;
    facts_.bearing_error = nodes_.bearing_error;
    return facts_;
  }

 private:
  /// Depths of a dive [m]: the upper end in the lower 16 bits, the lower end in the upper ones.
  std::uint32_t depths_of(const EnvironmentProfile& profile) const {
    const std::vector<Depths> ranges = parse_depth_ranges(profile.depths);
    if (ranges.size() > 1) {
      throw input_error(errors::board_profile_ranges, policy_.path().string(), profile.name,
                        describe_ranges(ranges, " to "));
    }
    if (ranges.empty()) {
      throw input_error(errors::board_profile_depths, policy_.path().string(), profile.name,
                        profile.depths);
    }
    const Depths& depths = ranges.front();
    return static_cast<std::uint32_t>(std::lround(depths.from)) |
           static_cast<std::uint32_t>(std::lround(depths.to)) << 16;
  }

  std::optional<double> read_time_origin() const {
    try {
      return time_reference(info_.time_units, "");
    } catch (const InputError& error) {
      throw InputError(fmt::format("{}: variable time: {}", policy_.path().string(), error.what()));
    }
  }

  void find_nodes() {
    try {
      nodes_ = find_position_nodes(policy_.grid(), read_longitude(policy_), read_latitude(policy_));
    } catch (const InputError& error) {
      throw InputError(fmt::format("{}: {}", policy_.path().string(), error.what()));
    }
  }

  void lay_out() {
    const CutWindow& window = facts_.window;
    const std::uint64_t cells = static_cast<std::uint64_t>(window.levels.count()) *
                                static_cast<std::uint64_t>(window.rows.count()) *
                                static_cast<std::uint64_t>(window.columns.count());
    actions_at_ = header_bytes;
    grid_at_ = actions_at_ + action_bytes * policy_.actions().size();
    nodes_at_ = grid_at_ + grid_bytes;
    data_at_ = nodes_at_ + 4 * nodes_.map.size();
    value_at_ = data_at_ + cells * cell_bytes_;
    size_ = value_at_ + (has_values_ ? 2 * cells : 0);
    if (size_ <= std::numeric_limits<std::uint32_t>::max()) return;
    throw input_error(errors::board_file_too_large, policy_.path().string(),
                      static_cast<double>(size_) / 1e9);
  }

  Bytes header() const {
    const Grid& grid = policy_.grid();
    const CutWindow& window = facts_.window;
    Bytes bytes;
    for (const char letter : std::string_view("TWPOLICY")) {
      bytes.push_back(static_cast<std::uint8_t>(letter));
    }
    // A file without features of later versions is of version 1, which every reader accepts.
    append(bytes, dives_.empty() ? std::uint32_t{1} : std::uint32_t{TW_POLICY_VERSION});
    append(bytes, flags());
    for (const IndexRange& range : {window.levels, window.rows, window.columns}) {
      append(bytes, unsigned_of(range.count()));
    }
    append(bytes, static_cast<std::uint32_t>(policy_.actions().size()));
    for (const std::uint64_t offset : {actions_at_, grid_at_, data_at_}) {
      append(bytes, static_cast<std::uint32_t>(offset));
    }
    append(bytes, std::uint32_t{cell_bytes_});
    for (const double value : {grid.x_first, grid.dx, grid.y_first, grid.dy,
                               origin_.value_or(0) + policy_.time().first, policy_.time().step}) {
      append(bytes, value);
    }
    append(bytes, fingerprint(policy_.mission_text()));
    append(bytes, fingerprint(policy_.environment_fingerprint()));
    append(bytes, version_number());
    append(bytes, static_cast<std::uint32_t>(size_));
    return bytes;
  }

  std::uint32_t flags() const {
    std::uint32_t flags = 0;
    if (has_values_) flags |= TW_POLICY_HAS_VALUE;
    if (nodes_.step > 0) flags |= TW_POLICY_HAS_POSITIONS;
    if (origin_) flags |= TW_POLICY_HAS_DATES;
    if (info_.units == Units::metric) flags |= TW_POLICY_IS_METRIC;
    if (policy_.decisions().hold()) flags |= TW_POLICY_HOLDS;
    if (!dives_.empty()) flags |= TW_POLICY_DIVES;
    return flags;
  }

  /// Steps of an action hold (lower 16 bits), first level that decides (upper ones); 0: no hold.
  std::uint32_t decision_word() const {
    const Decisions& decisions = policy_.decisions();
    if (!decisions.hold()) return 0;
    const std::int32_t first = decisions.for_all_departures
                                   ? TW_POLICY_DECIDES_ALWAYS
                                   : decisions.until_next(TimeLevel(0)) % decisions.every;
    return unsigned_of(decisions.every) | unsigned_of(first) << 16;
  }

  Bytes action_table() const {
    Bytes bytes;
    for (const Action& action : policy_.actions()) {
      // The reader refuses headings above 8 rad.
      const double heading = std::abs(action.heading) <= 2 * std::numbers::pi
                                 ? action.heading
                                 : std::remainder(action.heading, 2 * std::numbers::pi);
      append(bytes, std::bit_cast<std::uint32_t>(static_cast<float>(heading)));
      append(bytes, std::bit_cast<std::uint32_t>(static_cast<float>(action.speed)));
      append(bytes, dives_.empty() ? std::uint32_t{0} : dives_[action.profile]);
    }
    return bytes;
  }

  /// The block that describes the grid, followed by the position nodes.
  Bytes grid_block() const {
    const CutWindow& window = facts_.window;
    Bytes bytes;
    for (const std::int32_t count :
         {policy_.time().level_count, policy_.grid().ny, policy_.grid().nx, window.levels.first,
          window.rows.first, window.columns.first}) {
      append(bytes, unsigned_of(count));
    }
    append(bytes, static_cast<std::uint32_t>(has_values_ ? value_at_ : 0));
    append(bytes, static_cast<std::uint32_t>(nodes_.step > 0 ? nodes_at_ : 0));
    append(bytes, scale_);
    for (const std::uint32_t n : {nodes_.step, nodes_.rows, nodes_.columns, decision_word()}) {
      append(bytes, n);
    }
    for (const double value : {nodes_.centre_longitude, nodes_.sin_centre, nodes_.cos_centre,
                               nodes_.position_error, nodes_.bearing_error}) {
      append(bytes, value);
    }
    for (const float value : nodes_.map) append(bytes, std::bit_cast<std::uint32_t>(value));
    return bytes;
  }

  template <class Visit>
  void for_each_level(const Visit& visit) const {
    for (TimeLevel k(facts_.window.levels.first); k.value <= facts_.window.levels.last; ++k.value) {
      visit(k);
    }
  }

  template <class Visit>
  void for_each_cell(const Visit& visit) const {
    const CutWindow& window = facts_.window;
    for (std::int32_t j = window.rows.first; j <= window.rows.last; ++j) {
      for (std::int32_t i = window.columns.first; i <= window.columns.last; ++i) {
        visit(static_cast<std::size_t>(policy_.grid().cell(i, j).value));
      }
    }
  }

  Bytes action_level(TimeLevel k) {
    std::vector<std::int16_t> action(static_cast<std::size_t>(policy_.grid().cell_count()));
    leg_.read_action(k, {action.data(), action.size()});
    if (masked_.empty() || environment_.info().obstacles == Obstacles::moving) {
      masked_ = environment_.read_masked(k);
    }
    Bytes bytes;
    for_each_cell([&](std::size_t cell) {
      const std::uint16_t code = code_of(action[cell], masked_[cell] != 0, target_[cell] != 0);
      bytes.push_back(static_cast<std::uint8_t>(code & 255));
      if (cell_bytes_ == 2) bytes.push_back(static_cast<std::uint8_t>(code >> 8));
    });
    return bytes;
  }

  /// The action, or a code from the top of the range: no action, in the target, closed. A closed
  /// cell of the target is closed, as in the plan. Cells of one byte store the lower byte.
  static std::uint16_t code_of(std::int16_t action, bool masked, bool in_target) {
    if (action != no_action) return static_cast<std::uint16_t>(action);
    if (masked) return 0xfffd;
    return in_target ? 0xfffe : 0xffff;
  }

  std::vector<float> read_values(TimeLevel k) const {
    std::vector<float> value(static_cast<std::size_t>(policy_.grid().cell_count()));
    leg_.read_value(k, {value.data(), value.size()});
    return value;
  }

  /// The power of two that scales the greatest value into the range of binary16.
  double value_scale() const {
    double largest = 0;
    for_each_level([&](TimeLevel k) {
      const auto value = read_values(k);
      for_each_cell([&](std::size_t cell) {
        if (std::isfinite(value[cell])) {
          largest = std::max(largest, std::abs(static_cast<double>(value[cell])));
        }
      });
    });
    constexpr double max = 32768;  // half of the range, so that rounding up stays within it
    return largest > 0 ? std::exp2(std::ceil(std::log2(largest / max))) : 1;
  }

  Bytes value_level(TimeLevel k) const {
    const auto value = read_values(k);
    Bytes bytes;
    for_each_cell([&](std::size_t cell) { append(bytes, to_half(value[cell] / scale_)); });
    return bytes;
  }

  const PolicyFile& policy_;
  const EnvironmentReader& environment_;
  const std::vector<std::uint8_t>& target_;
  EnvironmentInfo info_;
  std::optional<double> origin_;      // origin of the times [s since 1970]
  std::vector<std::uint32_t> dives_;  // (profile); empty if there is one velocity
  const PolicySource& leg_;
  bool has_values_;
  BoardPolicyFacts facts_;
  PositionNodes nodes_;
  std::uint32_t cell_bytes_ = 1;
  std::uint64_t actions_at_ = 0, grid_at_ = 0, nodes_at_ = 0, data_at_ = 0, value_at_ = 0,
                size_ = 0;
  double scale_ = 1;
  std::vector<std::uint8_t> masked_;
};

}  // namespace

CutWindow whole_plan(const PolicyFile& policy) {
  return {{0, policy.grid().nx - 1}, {0, policy.grid().ny - 1}, {0, policy.last_level().value}};
}

BoardPolicyFacts write_board_policy(AtomicFile& file, const PolicyFile& policy,
                                    const EnvironmentReader& environment,
                                    const std::vector<std::uint8_t>& target,
                                    const BoardPolicyOptions& options) {
  return BoardPolicyWriter(policy, environment, target, options).write(file);
}

}  // namespace tidewise
