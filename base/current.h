#pragma once

#include <atomic>

namespace tidewise {

/// While it lives, current<Of>() of this process is `object`. One at a time.
template <class Of>
class CurrentScope {
 public:
  explicit CurrentScope(Of& object) { current = &object; }
  CurrentScope(const CurrentScope&) = delete;
  CurrentScope& operator=(const CurrentScope&) = delete;
  ~CurrentScope() { current = nullptr; }

  inline static std::atomic<Of*> current = nullptr;
};

/// Null outside of a scope. Called by any thread.
template <class Of>
Of* current() {
  return CurrentScope<Of>::current;
}

}  // namespace tidewise
