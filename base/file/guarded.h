#pragma once

#include <filesystem>
#include <memory>
#include <tuple>
#include <utility>

#include "base/file/guarded_process.h"

namespace tidewise {

/// An Object that lives in a GuardedProcess and whose const member functions are called here. It is
/// made there by `static std::shared_ptr<Object> Object::open_unguarded(at, name)`. Arguments and
/// results are what GuardedMessage takes; a SharedBytes argument comes with the memory that
/// memory() gives.
template <class Object>
class Guarded {
 public:
  explicit Guarded(const std::filesystem::path& path) : process_(path, &open_there) {}

  template <auto method, class... Args>
  auto call(const Args&... args) const {
    return Call<decltype(method), method>::ask(process_, args...);
  }
  std::unique_lock<std::recursive_mutex> lock() const { return process_.lock(); }
  void* memory(std::uint64_t size) const { return process_.memory(size); }

 private:
  static void open_there(GuardedFile& file, GuardedMessage&, GuardedMessage&) {
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
};

}  // namespace tidewise
