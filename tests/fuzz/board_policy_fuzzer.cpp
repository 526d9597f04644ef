// Calls all functions on a policy for a vehicle with arbitrary bytes. The checksums are corrected,
// because otherwise the fuzzer would not get past them.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "tidewise_policy.h"

namespace {

void put(std::uint8_t* at, std::uint32_t value) {
  for (int shift = 0; shift < 32; shift += 8) *at++ = static_cast<std::uint8_t>(value >> shift);
}

/// Aborts unless the answer is valid, or empty with an error status.
void require_answer(const tw_policy& policy, tw_policy_status status, const tw_policy_action& a) {
  if (status > TW_POLICY_UNFINISHED) std::abort();
  if (status != TW_POLICY_OK) {
    if (!std::isnan(a.heading) || !std::isnan(a.speed) || a.action != UINT32_MAX) std::abort();
    return;
  }
  if (a.action >= policy.actions || a.level >= policy.plan_levels || a.row >= policy.plan_rows ||
      a.column >= policy.plan_columns || !(a.speed >= 0) || !(std::abs(a.heading) <= 8)) {
    std::abort();
  }
  if (!std::isnan(a.bearing) && !(a.bearing >= 0 && a.bearing < 360)) std::abort();
}

void request_actions(const tw_policy& policy, double first, double second, double time) {
  tw_policy_action action;
  require_answer(policy, tw_policy_act_xy(&policy, first, second, time, &action), action);
  const tw_policy_status status = tw_policy_act_lonlat(&policy, first, second, time, &action);
  if (status != TW_POLICY_NO_POSITIONS && status != TW_POLICY_OUTSIDE) {
    require_answer(policy, status, action);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  // A separate buffer that ends with the file, so that reads beyond the end are found.
  const std::unique_ptr<std::uint8_t[]> bytes(new std::uint8_t[size]);
  std::memcpy(bytes.get(), data, size);
  if (size >= 128) {
    const std::uint32_t declared_size = tw_policy_u32(bytes.get() + 116);
    const auto file_size = static_cast<std::uint32_t>(
        declared_size >= 128 && declared_size <= size ? declared_size : size);
    put(bytes.get() + 120, tw_policy_crc32(0, bytes.get(), 120));
    put(bytes.get() + 124, tw_policy_crc32(0, bytes.get() + 128, file_size - 128));
  }
  tw_policy policy;
  if (tw_policy_open(&policy, bytes.get(), size) != TW_POLICY_OK) return 0;
  if (tw_policy_check(&policy) != TW_POLICY_OK) std::abort();
  const double plan_end = policy.t0 + policy.plan_levels * policy.dt;
  for (const double time : {policy.t0, policy.t0 + policy.dt * policy.first_level,
                            plan_end - policy.dt, plan_end, 0.0}) {
    for (const double share : {0.0, 0.4, 0.99}) {
      request_actions(policy, policy.x0 + share * policy.plan_columns * policy.dx,
                      policy.y0 + share * policy.plan_rows * policy.dy, time);
      request_actions(policy, policy.centre_longitude * 57.3 + 9 * (share - .5), 90 * share, time);
    }
  }
  request_actions(policy, NAN, INFINITY, NAN);
  return 0;
}
