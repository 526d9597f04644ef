#include "mdp/savings/file.h"

#include <vector>

#include "base/error.h"
#include "mdp/error/codes.h"

namespace tidewise::mdp {

void write_savings_problem(Hdf5File& file, const SavingsProblem& problem) {
  file.set_attribute("/", "wage", problem.wage);
  file.set_attribute("/", "interest", problem.interest);
  file.set_attribute("/", "beta", problem.discount);
  file.define_coordinate("productivity", problem.productivity.level);
  file.define_coordinate("assets", problem.assets);
  file.define_dimension("productivity_next", problem.productivity.count());
  file.define_variable("transition", NumberType::float64, {"productivity", "productivity_next"});
  file.write_all("transition", problem.productivity.transition);
  if (problem.utility.consumption.empty()) return;
  file.define_coordinate("utility_consumption", problem.utility.consumption);
  file.define_variable("utility", NumberType::float64, {"utility_consumption"});
  file.write_all("utility", problem.utility.utility);
}

SavingsProblem read_savings_problem(const std::string& path) {
  const Hdf5File file = Hdf5File::open(path);
  const auto read = [&](const char* name) {
    if (!file.has(name)) throw input_error(errors::savings_variable_missing, path, name);
    return file.read_all<double>(name);
  };
  SavingsProblem problem;
  problem.assets = read("assets");
  problem.productivity = {read("productivity"), read("transition")};
  if (file.has("utility")) problem.utility = {read("utility_consumption"), read("utility")};
  problem.wage = file.number_attribute("/", "wage").value_or(problem.wage);
  problem.interest = file.number_attribute("/", "interest").value_or(problem.interest);
  problem.discount = file.number_attribute("/", "beta").value_or(problem.discount);
  validate_savings(problem);
  return problem;
}

}  // namespace tidewise::mdp
