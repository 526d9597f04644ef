#pragma once

#include "base/memory/stream.h"
#include "base/memory/view.h"

namespace tidewise {

/// Fills a band's halo with the values of the neighbouring bands. Each band has one object, which
/// the thread that solves the band uses while its device is current.
class DeviceHaloExchange {
 public:
  virtual ~DeviceHaloExchange() = default;

  /// Fills the halo rows of `value`, (row, x) of the window in device memory, and sends the band's
  /// border rows to its neighbours. Both follow the work on `stream` so far and precede its later
  /// work. All bands call this for the same planes in the same order: for a level v, and for a
  /// level that holds actions the value of each of them. The band may change its own rows after the
  /// stream has completed the next exchange. Errors: RunError if the exchange fails; WorkGivenUp if
  /// another band has given up.
  virtual void exchange(View<float> value, const DeviceStream& stream) = 0;

  /// Errors: RunError if an earlier exchange failed; WorkGivenUp.
  virtual void validate() {}
  /// Called after the band's work failed, so that no other device waits for it.
  virtual void give_up() noexcept {}
};

}  // namespace tidewise
