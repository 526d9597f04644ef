#pragma once

#include <string>
#include <utility>

#include "base/error.h"
#include "learning/track/track.h"

namespace tidewise {

/// The error of a valid file without any leg in the forecast, such as dives before the forecast
/// begins. Among several files such a file is only noted.
class NoLeg : public InputError {
 public:
  NoLeg(const std::string& why, ObservedTrack track) : InputError(why), track_(std::move(track)) {}
  const ObservedTrack& track() const { return track_; }

 private:
  ObservedTrack track_;
};

}  // namespace tidewise
