#pragma once

namespace tidewise {

/// A queue of work on the device that was current at construction: its work runs in order,
/// concurrently with other streams. Errors: RunError, as for every call to the device; always in a
/// build without CUDA.
class DeviceStream {
 public:
  DeviceStream();
  DeviceStream(DeviceStream&& other) noexcept;
  DeviceStream& operator=(DeviceStream&& other) noexcept;
  ~DeviceStream();

  /// Waits until all work so far is done.
  void synchronize() const;
  /// The cudaStream_t; .cu files use native_stream.h.
  void* handle() const { return handle_; }

 private:
  void* handle_ = nullptr;
};

/// A mark in the work of a stream.
class DeviceEvent {
 public:
  DeviceEvent();
  DeviceEvent(DeviceEvent&& other) noexcept;
  DeviceEvent& operator=(DeviceEvent&& other) noexcept;
  ~DeviceEvent();

  /// Places the mark after all work so far; replaces an earlier mark.
  void record(const DeviceStream& stream);
  /// Waits until the work before the mark is done; returns at once if none was recorded.
  void synchronize() const;
  /// Makes later work on `stream` wait for the work before the mark.
  void hold_up(const DeviceStream& stream) const;
  /// Time between the marks of two events that have both been reached [ms].
  double milliseconds_since(const DeviceEvent& earlier) const;

 private:
  [[maybe_unused]] void* handle_ = nullptr;  // unused without CUDA
};

}  // namespace tidewise
