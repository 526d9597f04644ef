#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/memory/stream.h"
#include "base/memory/view.h"
#include "env/row_window.h"

namespace tidewise {

/// What one band and a neighbour give each other of a plane of values, the window's (row, x):
/// as many values either way, each in one piece.
struct HaloSide {
  std::size_t send_begin = 0;     ///< of the band's own rows next to the border
  std::size_t receive_begin = 0;  ///< of the halo beyond it
  std::size_t count = 0;          ///< values; 0 where there is no neighbour
};
struct HaloSides {
  HaloSide south;
  HaloSide north;
};
/// `nx`: columns. Requires a halo that is no higher than the lowest band (divide_rows).
HaloSides halo_sides(const RowWindow& window, std::int32_t nx);

/// Another band has given up, over an error of its own.
struct SubdomainsEnded {};

/// Brings the values that neighbouring bands have found into a band's halo. One for each band, used
/// by the thread that solves the band, with its device current.
class DeviceHaloExchange {
 public:
  virtual ~DeviceHaloExchange() = default;

  /// Fills the halo rows of `value`, in device memory and of the window's (row, x): later work on
  /// `stream` finds them, and what the band's work on `stream` has found so far goes to its
  /// neighbours. All bands call this for the same levels in the same order. The band's own rows may
  /// change when the stream has come past the next exchange. Errors: RunError when the exchange
  /// fails; SubdomainsEnded.
  virtual void exchange(View<float> value, const DeviceStream& stream) = 0;

  /// Waits until all bands have come here. Errors: SubdomainsEnded.
  virtual void meet() = 0;
  /// Errors: SubdomainsEnded where a band has given up, and values are exchanged no more; RunError
  /// when an exchange has failed meanwhile.
  virtual void refuse_if_ended() = 0;
  /// Lets no other band wait for this one, whose work has failed.
  virtual void give_up() noexcept = 0;
  /// At a band's end, whatever it is, before memory that was given to exchange() goes: all work on
  /// the band's streams is done, and nothing of the other bands reads that memory any more.
  virtual void leave() noexcept = 0;
};

/// The exchanges of all bands of one process, one thread a band.
class DeviceHaloGroup {
 public:
  virtual ~DeviceHaloGroup() = default;
  virtual DeviceHaloExchange& of_subdomain(std::size_t subdomain) = 0;
  /// Ends the work of all bands, from any thread.
  virtual void give_up() noexcept = 0;
};

/// By copies from one band's memory to another's, wherever each is: several bands may share a
/// device. `nx`: columns.
std::unique_ptr<DeviceHaloGroup> make_copying_halo_group(const std::vector<RowWindow>& windows,
                                                         std::int32_t nx);

}  // namespace tidewise
