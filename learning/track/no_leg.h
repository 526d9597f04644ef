#pragma once

#include <string>
#include <utility>

#include "base/error.h"
#include "learning/track/track.h"

namespace tidewise {

/// A file that is understood, and of which nothing is in the forecast. Of several files that is one
/// that says nothing here: dives before the forecast begins, say.
class NoLeg : public InputError {
 public:
  NoLeg(const std::string& why, ObservedTrack track) : InputError(why), track_(std::move(track)) {}
  const ObservedTrack& track() const { return track_; }

 private:
  ObservedTrack track_;
};

}  // namespace tidewise
