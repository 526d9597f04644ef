#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "mdp/process/decision_process.h"

namespace tidewise::mdp {

/// The states that satisfy `expression`, ascending: labels joined by & (all must hold), each with !
/// in front where it must not, and in "quotes" if one likes: finished & !agree.
/// `place` is what errors begin with. Errors: InputError for a label that there is not.
std::vector<std::int32_t> states_that_satisfy(std::string_view expression,
                                              const std::vector<StateLabel>& labels,
                                              std::int32_t state_count, const std::string& place);

}  // namespace tidewise::mdp
