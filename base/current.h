#pragma once

#include <atomic>

namespace tidewise {

/// During its lifetime current<Of>() returns `object`, in all threads. Only one scope at a time.
template <class Of>
class CurrentScope {
 public:
  explicit CurrentScope(Of& object) { current = &object; }
  CurrentScope(const CurrentScope&) = delete;
  CurrentScope& operator=(const CurrentScope&) = delete;
  ~CurrentScope() { current = nullptr; }

  inline static std::atomic<Of*> current = nullptr;
};

/// The object of the present CurrentScope; null if there is none. Thread-safe.
template <class Of>
Of* current() {
  return CurrentScope<Of>::current;
}

}  // namespace tidewise
