#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tidewise {

/// What the text of an option names of `count` realizations: "50" the first fifty, "0,5,10-19"
/// these (and "7-7" realization 7 alone), in the order given. Errors: InputError naming `option`
/// for anything else, a realization that there is none of, and one that is named twice.
std::vector<std::int32_t> parse_realizations(const std::string& option, const std::string& text,
                                             std::int32_t count);

/// 0, step, 2 step, … Errors: InputError for a step below 1 or above `count`.
std::vector<std::int32_t> every_realization(std::int32_t step, std::int32_t count);

/// `number` different ones of `count`, each set of them as likely as any other, in ascending order;
/// the same seed gives the same. Errors: InputError for a number below 1 or above `count`.
std::vector<std::int32_t> random_realizations(std::int32_t number, std::uint64_t seed,
                                              std::int32_t count);

}  // namespace tidewise
