#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace tidewise {

/// Memory that two processes share. The caller sets the size; the process that answers gets `data`.
struct SharedBytes {
  std::uint64_t size = 0;  // [B]
  void* data = nullptr;
};

/// A message between processes of the same program on the same machine: a sequence of values of the
/// types that put() accepts.
class GuardedMessage {
 public:
  GuardedMessage() = default;
  explicit GuardedMessage(std::string bytes) : bytes_(std::move(bytes)) {}

  const std::string& bytes() const { return bytes_; }

  void put(std::string_view text) {
    put(static_cast<std::uint64_t>(text.size()));
    append(text.data(), text.size());
  }
  void put(const std::string& text) { put(std::string_view(text)); }
  void put(const SharedBytes& shared) { put(shared.size); }
  template <class T>
  void put(const T& value) {
    static_assert(std::is_arithmetic_v<T> || std::is_enum_v<T>);
    append(&value, sizeof(T));
  }
  template <class T>
  void put(const std::vector<T>& values) {
    put(static_cast<std::uint64_t>(values.size()));
    for (const T& value : values) put(value);
  }
  template <class T>
  void put(const std::optional<T>& value) {
    put(value.has_value());
    if (value) put(*value);
  }
  template <class A, class B>
  void put(const std::pair<A, B>& values) {
    put(values.first);
    put(values.second);
  }

  /// Removes and returns the next value. Errors: std::length_error if the message is too short.
  template <class T>
  T get() {
    return take(static_cast<T*>(nullptr));
  }

 private:
  void append(const void* from, std::size_t size) {
    bytes_.append(static_cast<const char*>(from), size);
  }
  const char* next(std::uint64_t size) {
    if (size > bytes_.size() - position_) throw std::length_error("a message ends too early");
    position_ += size;
    return bytes_.data() + (position_ - size);
  }
  template <class T>
  T take(T*) {
    static_assert(std::is_arithmetic_v<T> || std::is_enum_v<T>);
    T value;
    std::memcpy(&value, next(sizeof(T)), sizeof(T));
    return value;
  }
  std::string take(std::string*) {
    const auto size = get<std::uint64_t>();
    return {next(size), size};
  }
  SharedBytes take(SharedBytes*) { return {get<std::uint64_t>(), nullptr}; }
  template <class T>
  std::vector<T> take(std::vector<T>*) {
    std::vector<T> values;
    for (auto remaining = get<std::uint64_t>(); remaining > 0; --remaining)
      values.push_back(get<T>());
    return values;
  }
  template <class T>
  std::optional<T> take(std::optional<T>*) {
    return get<bool>() ? std::optional<T>(get<T>()) : std::nullopt;
  }
  template <class A, class B>
  std::pair<A, B> take(std::pair<A, B>*) {
    A first = get<A>();
    return {std::move(first), get<B>()};
  }

  std::string bytes_;
  std::size_t position_ = 0;
};

}  // namespace tidewise
