#pragma once

#include <atomic>

namespace tidewise {

/// During its lifetime current<Object>() returns `object`, in all threads. Only one scope may exist
/// at a time.
template <class Object>
class CurrentScope {
 public:
  explicit CurrentScope(Object& object) { current = &object; }
  CurrentScope(const CurrentScope&) = delete;
  CurrentScope& operator=(const CurrentScope&) = delete;
  ~CurrentScope() { current = nullptr; }

  inline static std::atomic<Object*> current = nullptr;
};

/// The object of the present CurrentScope; null if there is none. Thread-safe.
template <class Object>
Object* current() {
  return CurrentScope<Object>::current;
}

}  // namespace tidewise
