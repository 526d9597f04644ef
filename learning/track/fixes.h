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
  bool repeats = false;  // has exactly the same numbers of the position as the previous fix
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
  /// Sorts the fixes by time and joins those of one time.
  void put_in_order();
  /// Removes repeated positions from a drift if rounding can explain them. A leg then leads from
  /// the first of them to the next different position. Returns the number of removed fixes.
  std::size_t remove_rounded_repeats();

  /// The fix of a row; nullopt if it has no time or no position.
  std::optional<TrackFix> of_row(std::size_t row) const;

  /// All fixes.
  std::vector<TrackFix>& all() { return fixes_; }
  const std::vector<TrackFix>& all() const { return fixes_; }
  /// Resolution of the written positions: the length of a unit in their last digit [m or 1].
  double position_resolution() const { return position_resolution_; }

  /// Removes the track's legs and throws NoLeg with the track. `row`: the row concerned, if any.
  [[noreturn]] void throw_no_leg(const std::string& reason,
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
  /// Notes rows with a fill value instead of a longitude or latitude.
  void note_fill_values();
  std::pair<double, double> written_place(const TrackFix& fix) const;
  void mark_repeated_places();
  void find_position_resolution();

  const TrackRows& rows_;
  ObservedTrack& track_;
  std::vector<TrackFix> fixes_;
  double position_resolution_ = 0;  // [m or 1]
  std::optional<Stray> stray_;      // the first fix outside
};

}  // namespace tidewise
