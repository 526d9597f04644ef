#include "solver/missions/lane_kernels.h"
#include "solver/missions/lane_kernels_body.h"
#include "solver/missions/lane_kernels_variants.h"

// Plain loops that compilers turn into vectors of any width. They are the meaning of the kernels;
// the hand-written ones are held to them by tests.

namespace tidewise {
namespace {

struct Portable {
  static constexpr std::size_t lanes = 16;
  static constexpr int vectors = 2;  // a pass

  template <class T>
  struct Lanes {
    T of[lanes];
  };
  using Floats = Lanes<float>;
  using Actions = Lanes<std::int32_t>;
  using Mask = Lanes<std::int32_t>;

  template <class T, class Rule>
  [[gnu::always_inline]] static Lanes<T> each(const Rule& rule) {
    Lanes<T> result;
    for (std::size_t n = 0; n < lanes; ++n) result.of[n] = static_cast<T>(rule(n));
    return result;
  }
  static Floats load(const float* from) {
    return each<float>([&](std::size_t n) { return from[n]; });
  }
  static void store(float* to, const Floats& value) {
    for (std::size_t n = 0; n < lanes; ++n) to[n] = value.of[n];
  }
  static Floats set(float value) {
    return each<float>([&](std::size_t) { return value; });
  }
  static Floats add(const Floats& a, const Floats& b) {
    return each<float>([&](std::size_t n) { return a.of[n] + b.of[n]; });
  }
  static Floats multiply(const Floats& a, const Floats& b) {
    return each<float>([&](std::size_t n) { return a.of[n] * b.of[n]; });
  }
  static Floats fma(const Floats& a, const Floats& b, const Floats& c) {
    return each<float>([&](std::size_t n) { return __builtin_fmaf(a.of[n], b.of[n], c.of[n]); });
  }
  static Mask greater(const Floats& a, const Floats& b) {
    return each<std::int32_t>([&](std::size_t n) { return a.of[n] > b.of[n] ? 1 : 0; });
  }
  static Mask is_number(const Floats& a) {
    return each<std::int32_t>([&](std::size_t n) { return a.of[n] == a.of[n] ? 1 : 0; });
  }
  static Floats select(const Mask& mask, const Floats& yes, const Floats& no) {
    return each<float>([&](std::size_t n) { return mask.of[n] != 0 ? yes.of[n] : no.of[n]; });
  }
  static Actions select_action(const Mask& mask, const Actions& yes, const Actions& no) {
    return each<std::int32_t>(
        [&](std::size_t n) { return mask.of[n] != 0 ? yes.of[n] : no.of[n]; });
  }
  static Actions set_action(std::int32_t action) {
    return each<std::int32_t>([&](std::size_t) { return action; });
  }
  static Actions load_actions(const std::int16_t* from) {
    return each<std::int32_t>([&](std::size_t n) { return from[n]; });
  }
  static void store_actions(std::int16_t* to, const Actions& action) {
    for (std::size_t n = 0; n < lanes; ++n) to[n] = static_cast<std::int16_t>(action.of[n]);
  }
};

}  // namespace

const LaneKernels portable_lane_kernels{"portable", keep_transitions_of<PlainRows>,
                                        back_up<Portable>};

}  // namespace tidewise
