#pragma once

namespace tidewise {

/// A queue of work for the device that was current when it was made: what is put on it runs in
/// order, beside the work of other streams. Errors: RunError, as of every call to the device; in a
/// build without CUDA always.
class DeviceStream {
 public:
  DeviceStream();
  DeviceStream(DeviceStream&& other) noexcept;
  DeviceStream& operator=(DeviceStream&& other) noexcept;
  ~DeviceStream();

  /// Waits until all work so far is done.
  void synchronize() const;
  /// The cudaStream_t; .cu files take it through native_stream.h.
  void* handle() const { return handle_; }

 private:
  void* handle_ = nullptr;
};

/// A mark in a stream's work.
class DeviceEvent {
 public:
  DeviceEvent();
  DeviceEvent(DeviceEvent&& other) noexcept;
  DeviceEvent& operator=(DeviceEvent&& other) noexcept;
  ~DeviceEvent();

  /// Puts the mark behind all work so far; an earlier mark is forgotten.
  void record(const DeviceStream& stream);
  /// Waits here until the work before the mark is done; at once where none was ever recorded.
  void synchronize() const;
  /// Later work on `stream` waits for the work before the mark.
  void hold_up(const DeviceStream& stream) const;
  /// Time between the marks of two events that have both been passed [ms].
  double milliseconds_since(const DeviceEvent& earlier) const;

 private:
  [[maybe_unused]] void* handle_ = nullptr;  // without CUDA nothing asks for it
};

}  // namespace tidewise
