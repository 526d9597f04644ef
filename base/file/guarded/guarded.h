#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "base/file/guarded/guarded_process.h"

namespace tidewise {

/// An Object in a GuardedProcess; this process calls its const member functions. `static
/// std::shared_ptr<Object> Object::open_unguarded(at, name)` makes it in the other process.
/// Arguments and results have types that GuardedMessage takes; a SharedBytes argument refers to the
/// memory that memory() returns.
template <class Object>
class Guarded {
 public:
  explicit Guarded(const std::filesystem::path& path) : process_(path, &open_in_reader) {}
  Guarded(const Guarded&) = delete;
  Guarded& operator=(const Guarded&) = delete;
  ~Guarded() {
    for (const auto& other : others_) other->process_.end_soon();
    process_.end_soon();
  }

  template <auto method, class... Args>
  auto call(const Args&... args) const {
    return Call<decltype(method), method>::ask(process_, args...);
  }
  std::unique_lock<std::recursive_mutex> lock() const { return process_.lock(); }
  void* memory(std::uint64_t size) const { return process_.memory(size); }

  /// A process that is locked for requests of this thread.
  struct LockedProcess {
    const Guarded& process;
    std::unique_lock<std::recursive_mutex> held;
  };
  /// This process, or a further one for the same file. A further process is started if another
  /// thread uses this one, because a library's lock would make the threads wait. Waits for this
  /// process if enough others exist or no further one can be started.
  LockedProcess take_free() const {
    if (auto lock = process_.try_lock()) return {*this, std::move(lock)};
    if (auto other = free_other()) return std::move(*other);
    if (started_count_++ < max_others) {
      try {
        return start_other();
      } catch (const std::exception&) {  // this process reports the reason
      }
    }
    return {*this, process_.lock()};
  }
  /// Maps the number of an object in the first process to its number in this one; `make` makes the
  /// object here on first use. Requires that this thread has locked the process.
  template <class Make>
  std::uint64_t number_of(std::uint64_t number, const Make& make) const {
    if (is_first_) return number;
    const auto known = numbers_.find(number);
    if (known != numbers_.end()) return known->second;
    const std::uint64_t made = make();
    return numbers_[number] = made;
  }

 private:
  // More processes read no faster, because memory bandwidth is the limit.
  static constexpr std::size_t max_others = 7;

  struct Another {};
  Guarded(Another, const Guarded& first)
      : process_(GuardedProcess::Another(), first.process_), is_first_(false) {}

  std::optional<LockedProcess> free_other() const {
    const std::lock_guard lock(others_mutex_);
    for (const auto& other : others_) {
      if (auto held = other->process_.try_lock()) return LockedProcess{*other, std::move(held)};
    }
    return std::nullopt;
  }
  LockedProcess start_other() const {
    std::unique_ptr<Guarded> started(new Guarded(Another(), *this));
    LockedProcess other{*started, started->process_.lock()};
    const std::lock_guard lock(others_mutex_);
    others_.push_back(std::move(started));
    return other;
  }

  static void open_in_reader(GuardedFile& file, GuardedMessage&, GuardedMessage&) {
    file.object = Object::open_unguarded(file.at, file.name);
  }

  template <class T>
  static T argument(const GuardedFile& file, GuardedMessage& request) {
    T value = request.get<T>();
    if constexpr (std::is_same_v<T, SharedBytes>) value.data = file.memory(value.size);
    return value;
  }

  template <class Method, Method method>
  struct Call;
  template <class Result, class... A, Result (Object::*method)(A...) const>
  struct Call<Result (Object::*)(A...) const, method> {
    static std::decay_t<Result> ask(GuardedProcess& process, const std::decay_t<A>&... args) {
      GuardedMessage request;
      (request.put(args), ...);
      GuardedMessage answer = process.ask(&serve, request);
      if constexpr (!std::is_void_v<Result>) return answer.template get<std::decay_t<Result>>();
    }
    static void serve(GuardedFile& file, GuardedMessage& request, GuardedMessage& answer) {
      const auto& object = *static_cast<const Object*>(file.object.get());
      const std::tuple<std::decay_t<A>...> args{argument<std::decay_t<A>>(file, request)...};
      const auto run = [&](const auto&... arg) { return (object.*method)(arg...); };
      if constexpr (std::is_void_v<Result>) {
        std::apply(run, args);
      } else {
        answer.put(std::apply(run, args));
      }
    }
  };

  mutable GuardedProcess process_;
  bool is_first_ = true;
  mutable std::map<std::uint64_t, std::uint64_t> numbers_ = {};  // key: number in the first process
  mutable std::atomic<std::size_t> started_count_ = 0;
  mutable std::mutex others_mutex_ = {};
  mutable std::vector<std::unique_ptr<Guarded>> others_ = {};
};

}  // namespace tidewise
