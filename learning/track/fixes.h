#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "learning/track/track_rows.h"

namespace tidewise {

/// A row that has a time and a place.
struct TrackFix {
  std::size_t row = 0;
  double time = 0;
  PlanePoint at = {};
  bool inside = true;
  std::optional<PlanePoint> dead = {};
  std::optional<PlaneVector> own = {};  // velocity through the water, from here on
  std::optional<NamedCurrent> current = {};
  std::optional<double> dive = {};
  std::optional<double> depth = {};  // greatest since the fix before
  std::optional<std::int32_t> profile = {};
  bool repeats = false;  // the place of the fix before, to the last digit
};

/// The fixes of a table. What is odd about them is noted in the track. All arguments outlive it.
class TrackFixes {
 public:
  TrackFixes(const TrackRows& rows, ObservedTrack& track) : rows_(rows), track_(track) {}

  /// Reads them, by time. Errors: NoLeg where fewer than two are there, or none is inside.
  void read();
  /// Adds a fix of another source than read(); `point`: of it on the globe.
  void add(const TrackFix& fix, const GeographicPoint& point);
  /// Errors: NoLeg where none is inside.
  void require_some_inside();
  void put_in_order();
  /// Takes repeated positions out of a drift where rounding alone can explain them: from the first
  /// of them to the next one the motion is known. Returns how many.
  std::size_t pass_over_rounded_places();

  /// Time and place of a row; nothing where it has none.
  std::optional<TrackFix> of_row(std::size_t row) const;

  std::vector<TrackFix>& all() { return fixes_; }
  const std::vector<TrackFix>& all() const { return fixes_; }
  /// Between two neighbouring numbers of a position [m or 1].
  double last_digit() const { return last_digit_; }

  /// Errors: NoLeg, always. `row`: where, if it is one.
  [[noreturn]] void refuse_without_leg(const std::string& why,
                                       std::optional<std::size_t> row = std::nullopt);

 private:
  struct Stray {
    std::size_t row;
    GeographicPoint at;  // or x and y
  };

  /// Gives the fix the place of the row, and notes where it is if that is outside; false where the
  /// row has none.
  bool place(std::size_t row, TrackFix& fix, std::optional<Stray>& stray) const;
  /// What a place outside the domain may be meant to be; "" if unknown.
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
