#pragma once

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <memory>
#include <utility>
#include <vector>

#include "base/memory/view.h"

namespace tidewise::mdp {

/// An array of a process: its own, or one that the caller owns, which is read in place. Changing a
/// borrowed array copies it first.
template <class T>
class BorrowableArray {
 public:
  using value_type = T;
  using const_iterator = const T*;
  using iterator = T*;

  BorrowableArray() = default;
  BorrowableArray(std::vector<T> own) : own_(std::move(own)) {}       // NOLINT(google-explicit-*)
  BorrowableArray(std::initializer_list<T> values) : own_(values) {}  // NOLINT(google-explicit-*)
  /// `owner` keeps the values alive.
  BorrowableArray(View<const T> lent, std::shared_ptr<const void> owner)
      : lent_(lent), owner_(std::move(owner)) {}

  const T* data() const { return owner_ ? lent_.data : own_.data(); }
  std::size_t size() const { return owner_ ? lent_.size : own_.size(); }
  bool empty() const { return size() == 0; }
  const T* begin() const { return data(); }
  const T* end() const { return data() + size(); }
  const T& operator[](std::size_t n) const { return data()[n]; }
  const T& front() const { return data()[0]; }
  const T& back() const { return data()[size() - 1]; }
  /// True if the values are borrowed.
  bool is_lent() const { return owner_ != nullptr; }

  T* data() { return own().data(); }
  T* begin() { return own().data(); }
  T* end() { return own().data() + own_.size(); }
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
  /// The values as an own vector, to be changed.
  std::vector<T>& own() {
    if (owner_) {
      own_.assign(lent_.begin(), lent_.end());
      lent_ = {};
      owner_.reset();
    }
    return own_;
  }

  friend bool operator==(const BorrowableArray& one, const BorrowableArray& other) {
    return std::equal(one.begin(), one.end(), other.begin(), other.end());
  }

 private:
  std::vector<T> own_;
  View<const T> lent_;
  std::shared_ptr<const void> owner_;
};

}  // namespace tidewise::mdp
