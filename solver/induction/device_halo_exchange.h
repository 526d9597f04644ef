#pragma once

#include "base/memory/stream.h"
#include "base/memory/view.h"

namespace tidewise {

/// Brings the values that neighbouring bands have found into a band's halo. One for each band, used
/// by the thread that solves the band, with its device current.
class DeviceHaloExchange {
 public:
  virtual ~DeviceHaloExchange() = default;

  /// Fills the halo rows of `value`, in device memory and of the window's (row, x): later work on
  /// `stream` finds them, and what the band's work on `stream` has found so far goes to its
  /// neighbours. All bands call this for the same planes in the same order: of a level v, and where
  /// the level holds actions the value of each of them. The band's own rows may change when the
  /// stream has come past the next exchange. Errors: RunError when the exchange fails; WorkGivenUp
  /// where another band has given up.
  virtual void exchange(View<float> value, const DeviceStream& stream) = 0;

  /// Errors: RunError when an exchange has failed meanwhile; WorkGivenUp.
  virtual void validate() {}
  /// Lets no device wait for this band's, whose work has failed.
  virtual void give_up() noexcept {}
};

}  // namespace tidewise
