#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "learning/track/track_rows.h"

namespace tidewise {

/// A row with a time and a position.
struct TrackFix {
  std::size_t row = 0;
  double time = 0;
  PlanePoint at = {};
  bool inside = true;
  std::optional<PlanePoint> dead_reckoned = {};
  std::optional<PlaneVector> water_velocity = {};  // velocity through the water, from this fix on
  std::optional<NamedCurrent> current = {};
  std::optional<double> dive = {};
  std::optional<double> depth = {};  // greatest depth since the previous fix
  std::optional<std::int32_t> profile = {};
  bool repeats = false;  // has the position of the previous fix, to the last digit
};

/// The fixes of a table. Irregularities are noted in the track. The arguments of the constructor
/// must outlive the object.
class TrackFixes {
 public:
  TrackFixes(const TrackRows& rows, ObservedTrack& track) : rows_(rows), track_(track) {}

  /// Reads all fixes, by time. Errors: NoLeg if there are fewer than two, or none is inside.
  void read();
  /// Adds a fix from another source than read(). `point`: its position on the globe.
  void add(const TrackFix& fix, const GeographicPoint& point);
  /// Errors: NoLeg if no fix is inside.
  void require_some_inside();
  /// Sorts the fixes by time.
  void put_in_order();
  /// Removes repeated positions from a drift if rounding can explain them: the motion is known from
  /// the first of them to the next different one. Returns their number.
  std::size_t pass_over_rounded_places();

  /// The fix of a row; nullopt if it has no time or no position.
  std::optional<TrackFix> of_row(std::size_t row) const;

  /// All fixes.
  std::vector<TrackFix>& all() { return fixes_; }
  const std::vector<TrackFix>& all() const { return fixes_; }
  /// Resolution of the positions' numbers [m or 1].
  double last_digit() const { return last_digit_; }

  /// Throws NoLeg. `row`: the row concerned, if any.
  [[noreturn]] void refuse_without_leg(const std::string& why,
                                       std::optional<std::size_t> row = std::nullopt);

 private:
  struct Stray {
    std::size_t row;
    GeographicPoint at;  // or x and y
  };

  /// Sets the position of a fix from its row, and `stray` if that is outside; returns false if the
  /// row has no position.
  bool read_place(std::size_t row, TrackFix& fix, std::optional<Stray>& stray) const;
  /// A remedy for a position outside the domain, by its likely cause; "" if unknown.
  std::string remedy_of(const Stray& stray) const;
  void note_fills();
  std::pair<double, double> written_place(const TrackFix& fix) const;
  void mark_repeated_places();
  void find_last_digit();

  const TrackRows& rows_;
  ObservedTrack& track_;
  std::vector<TrackFix> fixes_;
  double last_digit_ = 0;
  std::optional<Stray> stray_;  // the first fix outside
};

}  // namespace tidewise
