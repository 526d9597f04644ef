#pragma once

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <memory>
#include <utility>
#include <vector>

#include "base/memory/view.h"

namespace tidewise::mdp {

/// An array of a process: owned by this object, or borrowed from the caller and read in place.
/// Changing a borrowed array copies it first.
template <class T>
class BorrowableArray {
 public:
  using value_type = T;
  using const_iterator = const T*;
  using iterator = T*;

  BorrowableArray() = default;
  BorrowableArray(std::vector<T> values)
      : owned_(std::move(values)) {}                                    // NOLINT(google-explicit-*)
  BorrowableArray(std::initializer_list<T> values) : owned_(values) {}  // NOLINT(google-explicit-*)
  /// `owner` keeps the values alive.
  BorrowableArray(View<const T> borrowed, std::shared_ptr<const void> owner)
      : borrowed_(borrowed), owner_(std::move(owner)) {}

  const T* data() const { return owner_ ? borrowed_.data : owned_.data(); }
  std::size_t size() const { return owner_ ? borrowed_.size : owned_.size(); }
  bool empty() const { return size() == 0; }
  const T* begin() const { return data(); }
  const T* end() const { return data() + size(); }
  const T& operator[](std::size_t n) const { return data()[n]; }
  const T& front() const { return data()[0]; }
  const T& back() const { return data()[size() - 1]; }
  /// True if the values are borrowed.
  bool is_borrowed() const { return owner_ != nullptr; }

  T* data() { return own().data(); }
  T* begin() { return own().data(); }
  T* end() { return own().data() + owned_.size(); }
  T& operator[](std::size_t n) { return own()[n]; }
  T& front() { return own().front(); }
  T& back() { return own().back(); }
  void push_back(const T& value) { own().push_back(value); }
  void reserve(std::size_t count) { own().reserve(count); }
  void resize(std::size_t count) { own().resize(count); }
  void resize(std::size_t count, const T& value) { own().resize(count, value); }
  void clear() { *this = {}; }
  template <class Iterator>
  void assign(Iterator first, Iterator last) {
    *this = std::vector<T>(first, last);
  }
  /// The values in an owned vector, to be changed; copies borrowed values.
  std::vector<T>& own() {
    if (owner_) {
      owned_.assign(borrowed_.begin(), borrowed_.end());
      borrowed_ = {};
      owner_.reset();
    }
    return owned_;
  }

  friend bool operator==(const BorrowableArray& a, const BorrowableArray& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
  }

 private:
  std::vector<T> owned_;
  View<const T> borrowed_;
  std::shared_ptr<const void> owner_;
};

}  // namespace tidewise::mdp
