// Runs the program with every kind of invalid input. It must print one line on stderr, return exit
// status 2 and write nothing. docs/trust/wrong_calls.md shows frequent errors with their messages.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <functional>
#include <limits>

#include "support/ocean/raw_environment.h"
#include "support/program.h"
#include "support/temporary_folder.h"

namespace tidewise {
namespace {

namespace fs = std::filesystem;
using test::RawEnvironment;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

constexpr const char* good_mission = R"([environment]
file = "ocean.h5"
[vehicle]
speeds = [2.0]
headings = 8
[mission]
objective = "time"
start = [1.5, 1.5]
target = [5.5, 1.5]
)";

/// Makes the input invalid in a folder with a valid ocean.h5 and a valid m.toml.
using FolderChange = std::function<void(const fs::path& folder)>;

struct BadInput {
  std::string name;
  std::vector<std::string> arguments;
  std::vector<std::string> words;  ///< words that the line must contain
  FolderChange change = {};
};

void PrintTo(const BadInput& input, std::ostream* stream) { *stream << input.name; }

void write_text(const fs::path& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

/// Changes the environment before it is written.
FolderChange environment_with(const std::function<void(RawEnvironment&)>& change) {
  return [change](const fs::path& folder) {
    RawEnvironment environment;
    change(environment);
    environment.write(folder / "ocean.h5");
  };
}

/// Eight levels instead of four.
void make_long(RawEnvironment& environment) {
  environment.axes["time"] = {0, 1, 2, 3, 4, 5, 6, 7};
  for (auto& [name, variable] : environment.variables) {
    if (variable.dimensions.front() != "time") continue;
    const std::vector<double> first_levels = variable.values;
    variable.values.insert(variable.values.end(), first_levels.begin(), first_levels.end());
  }
}

/// Adds lines to the mission; they belong to [mission] unless they begin another table.
FolderChange mission(const std::string& lines) {
  return [lines](const fs::path& folder) { write_text(folder / "m.toml", good_mission + lines); };
}

FolderChange mission_text(const std::string& text) {
  return [text](const fs::path& folder) { write_text(folder / "m.toml", text); };
}

/// Makes a valid run in the folder "run".
void make_run(const fs::path& folder) {
  const auto result = test::run_tidewise({"plan", "m.toml", "--out", "run", "-q"}, folder);
  ASSERT_EQ(result.status, 0) << result.errors;
}

const std::vector<std::string> info{"env", "info", "ocean.h5"};
const std::vector<std::string> plan{"plan", "m.toml", "--out", "run"};
const std::vector<std::string> check{"check", "m.toml"};

std::vector<std::string> plan_with(const std::vector<std::string>& options) {
  std::vector<std::string> arguments = plan;
  arguments.insert(arguments.end(), options.begin(), options.end());
  return arguments;
}

std::vector<std::string> set(const std::string& setting) { return plan_with({"--set", setting}); }

/// Returns the arguments of a plan that minimizes energy, with a setting of its energy model.
std::vector<std::string> energy_plan(const std::string& setting) {
  return plan_with({"--set", "mission.objective=energy", "--set", setting});
}

std::vector<std::string> gyre(const std::vector<std::string>& options) {
  std::vector<std::string> arguments{"env", "double-gyre", "--out", "new.h5"};
  arguments.insert(arguments.end(), options.begin(), options.end());
  return arguments;
}

std::vector<BadInput> environment_files() {
  return {
      {"TruncatedHdf5",
       info,
       {"ocean.h5", "[not_hdf5]"},
       [](const fs::path& folder) { fs::resize_file(folder / "ocean.h5", 1500); }},
      {"NotHdf5",
       info,
       {"ocean.h5", "[not_hdf5]"},
       [](const fs::path& folder) { write_text(folder / "ocean.h5", "x,y,u,v\n1,2,3,4\n"); }},
      {"NetcdfClassic",
       info,
       {"ocean.h5", "[not_hdf5]"},
       [](const fs::path& folder) {
         write_text(folder / "ocean.h5", std::string("CDF\x01\0\0\0\0", 8) + std::string(64, '\0'));
       }},
      {"EmptyFile",
       info,
       {"ocean.h5", "[not_hdf5]"},
       [](const fs::path& folder) { write_text(folder / "ocean.h5", ""); }},
      {"EnvironmentIsDevice", {"env", "info", "/dev/zero"}, {"[file_not_regular]"}},
      {"MissionIsDevice", {"check", "/dev/zero"}, {"[file_not_regular]"}},
      {"TrackIsDevice",
       {"observe", "ocean.h5", "--track", "/dev/zero", "--out", "new.h5"},
       {"/dev/zero", "[file_not_regular]"}},
      {"ProcessIsDevice",
       {"research", "solve", "/dev/zero", "--out", "new.txt"},
       {"/dev/zero", "[file_not_regular]"}},
      {"PolicyIsDevice",
       {"lookup", "/dev/zero", "--at-xy", "1,1", "--time", "1"},
       {"[file_not_regular]"}},
      {"EnvironmentMissing", {"env", "info", "sea.h5"}, {"sea.h5", "[file_missing]"}},
      {"EnvironmentIsFolder", {"env", "info", "."}, {"[file_is_folder]"}},
      {"MissionEnvironmentMissing", set("environment.file=sea.h5"), {"sea.h5", "[file_missing]"}},
      {"MissingVariable",
       plan,
       {"ocean.h5", "v_mode", "[variable_missing]"},
       environment_with([](RawEnvironment& e) { e.variables.erase("v_mode"); })},
      {"NoEnvironmentAtAll",
       info,
       {"u_mean", "u_mode", "coefficient", "[not_an_environment]"},
       environment_with([](RawEnvironment& e) {
         for (const char* name : {"u_mean", "u_mode", "coefficient"}) e.variables.erase(name);
       })},
      {"NameOfNothing", set("environment.names.u_mean=uo"), {"uo", "u_mean", "[variable_missing]"}},
      {"NameInTwoRoles",
       set("environment.names.u_mean=v_mean"),
       {"v_mean", "[variable_with_two_roles]"}},
      {"TooFewDimensions",
       plan,
       {"variable coefficient", "[coefficient_shape]"},
       environment_with([](RawEnvironment& e) {
         e.variables["coefficient"] = {{"time", "mode"}, std::vector<double>(8, 0.0)};
       })},
      {"ModesDiffer",
       plan,
       {"variable u_mode", "(4, 3, 6, 8)", "(4, 2, 6, 8)", "[shape_differs]"},
       environment_with([](RawEnvironment& e) {
         e.dimensions["third"] = 3;
         e.variables["u_mode"] = {{"time", "third", "y", "x"},
                                  std::vector<double>(4 * 3 * 48, 0.0)};
       })},
      {"NaNInWater",
       info,
       {"u_mean", "NaN", "time 1, row 2, column 3", "obstacle_mask", "[field_not_finite]"},
       environment_with(
           [](RawEnvironment& e) { e.variables["u_mean"].values[48 + 2 * 8 + 3] = nan; })},
      {"NaNInWaterFoundBySolving",
       plan,
       {"v_mode", "NaN", "[field_not_finite]"},
       environment_with([](RawEnvironment& e) { e.variables["v_mode"].values[0] = nan; })},
      {"NaNInWaterFoundByChecking",
       check,
       {"v_mean", "NaN", "time 3", "[field_not_finite]"},
       environment_with([](RawEnvironment& e) { e.variables["v_mean"].values[3 * 48] = nan; })},
      {"InfinityInMode",
       info,
       {"u_mode", "[field_not_finite]"},
       environment_with([](RawEnvironment& e) { e.variables["u_mode"].values[5] = infinity; })},
      {"InfiniteCoefficient",
       plan,
       {"coefficient", "mode 1, realization 2", "[coefficient_not_finite]"},
       environment_with(
           [](RawEnvironment& e) { e.variables["coefficient"].values[5] = infinity; })},
      {"NonUniformAxis",
       info,
       {"variable x", "[axis_not_uniform]"},
       environment_with([](RawEnvironment& e) { e.axes["x"][3] = 3.9; })},
      {"DecreasingY",
       info,
       {"variable y", "5.5", "0.5", "south to north", "[axis_not_growing]"},
       environment_with([](RawEnvironment& e) { e.axes["y"] = {5.5, 4.5, 3.5, 2.5, 1.5, 0.5}; })},
      {"NaNInAxis",
       info,
       {"variable time", "[axis_not_finite]"},
       environment_with([](RawEnvironment& e) { e.axes["time"][1] = nan; })},
      {"MixedUnits", info, {"x: \"m\"", "[units_mixed]"}, environment_with([](RawEnvironment& e) {
         e.units["x"] = "m";
       })},
      {"Kilometres", info, {"\"km\"", "[units_mixed]"}, environment_with([](RawEnvironment& e) {
         e.units = {
             {"x", "km"}, {"y", "km"}, {"time", "s"}, {"u_mean", "m s-1"}, {"v_mean", "m s-1"}};
       })},
      {"MaskWithThrees",
       info,
       {"obstacle_mask", "holds 3", "[mask_value_invalid]"},
       environment_with([](RawEnvironment& e) { e.variables["obstacle_mask"].values[7] = 3; })},
      {"MaskOfAnotherName",
       set("environment.names.obstacle_mask=land"),
       {"land", "obstacle_mask", "none", "[named_variable_missing]"}},
      {"WeightsTooFew",
       plan,
       {"realization_weight", "(2)", "(3)", "[shape_differs]"},
       environment_with([](RawEnvironment& e) {
         e.variables["realization_weight"] = {{"mode"}, {1, 1}};
       })},
      {"LongitudeWithoutLatitude",
       info,
       {"variable lat", "[degrees_incomplete]"},
       environment_with([](RawEnvironment& e) {
         e.variables["lon"] = {{"y", "x"}, std::vector<double>(48, 5.0)};
       })},
      {"PackedVariable",
       info,
       {"u_mean", "[variable_packed]"},
       environment_with([](RawEnvironment& e) { e.packed.insert("u_mean"); })},
      {"FlowTooFast",
       plan,
       {"ocean.h5", "1024", "[flow_too_fast_for_cells]"},
       environment_with(
           [](RawEnvironment& e) { e.variables["u_mean"].values.assign(4 * 48, 2000.0); })},
  };
}

std::vector<BadInput> mission_files() {
  return {
      {"MissionIsFolder", {"check", "."}, {"[mission_file_is_folder]"}},
      {"TomlSyntax", plan, {"m.toml:10", "[not_toml]"}, mission("horizon = [1, \n")},
      {"NotText", check, {"m.toml", "[not_toml]"}, mission_text("\x89PNG\r\n\x1a\n")},
      {"MissionIsForecast",
       check,
       {"m.toml", "[mission_is_hdf5]"},
       mission_text("\x89HDF\r\n\x1a\n")},
      {"WrongType",
       set("mission.horizon=soon"),
       {"mission.horizon", "soon", "whole number", "[key_value_invalid]"}},
      {"NoEnvironment",
       plan,
       {"m.toml", "environment.file", "[key_missing]"},
       mission_text("[vehicle]\nspeeds = [1]\n")},
      {"SpeedNotANumber",
       set("vehicle.speeds=[nan]"),
       {"vehicle.speeds", "nan", "[key_value_invalid]"}},
      {"SpeedTooGreat",
       set("vehicle.speeds=[5000]"),
       {"vehicle.speeds", "5000", "1024", "[speed_too_fast_for_cells]"}},
      {"BaselinesUnknown",
       set("rollout.baselines=some"),
       {"rollout.baselines", "none", "all", "[key_value_invalid]"}},
      {"TooManyActions",
       plan_with({"--set", "vehicle.headings=30000", "--set", "vehicle.speeds=[1,2]"}),
       {"32767", "[actions_too_many]"}},
      {"NegativeEnergy",
       set("vehicle.energy.c_f=-1"),
       {"vehicle.energy.c_f", "-1", "0 or more", "[key_value_invalid]"}},
      {"NetEnergyWithoutScalar",
       set("mission.objective=net_energy"),
       {"net_energy", "scalar_mean", "[scalar_field_missing]"}},
      {"StartMissing",
       plan,
       {"mission.start", "start_lonlat", "[key_missing]"},
       mission_text("[environment]\nfile = \"ocean.h5\"\n[vehicle]\nspeeds = [1]\n")},
      {"TargetMissing",
       plan,
       {"mission.target", "target_lonlat", "[key_missing]"},
       mission_text("[environment]\nfile = \"ocean.h5\"\n[vehicle]\nspeeds = [1]\n[mission]\n"
                    "start = [1, 1]\n")},
      {"StartOfThreeNumbers",
       set("mission.start=[1, 2, 3]"),
       {"mission.start", "1, 2, 3", "list of 2", "[key_value_invalid]"}},
      {"StartOutside",
       set("mission.start=[9.5, 1]"),
       {"mission.start", "[9.5, 1]", "[place_outside]"}},
      {"StartFarOutside", set("mission.start=[1e300, 1]"), {"mission.start", "[place_outside]"}},
      {"StartOnLand",
       set("mission.start=[5.5, 3.5]"),
       {"mission.start", "[5.5, 3.5]", "row 3, column 5", "land", "[start_closed]"}},
      {"TargetOutside",
       set("mission.target=[1, -0.1]"),
       {"mission.target", "[1, -0.1]", "[place_outside]"}},
      {"TargetClosed",
       set("mission.target=[5.5, 3.5]"),
       {"mission.target", "target_radius", "[target_closed]"}},
      {"LonLatOnAPlane",
       plan,
       {"mission.start_lonlat", "[degrees_unavailable]"},
       mission_text("[environment]\nfile = \"ocean.h5\"\n[vehicle]\nspeeds = [2]\n[mission]\n"
                    "start_lonlat = [-126, 46]\ntarget = [5.5, 1.5]\n")},
      {"LatitudeTooGreat",
       set("mission.start_lonlat=[46.8, -126.0]"),
       {"latitude from -90 to 90", "[key_value_invalid]"}},
      {"LonLatOutside",
       set("mission.start_lonlat=[20, 46.8]"),
       {"[place_degrees_outside]"},
       environment_with([](RawEnvironment& e) {
         for (const std::string name : {"lon", "lat"}) e.variables[name] = {{"y", "x"}, {}};
         for (int cell = 0; cell < 48; ++cell) {
           e.variables["lon"].values.push_back(-126 + 0.1 * (cell % 8));
           const int row = cell / 8;
           e.variables["lat"].values.push_back(46 + 0.1 * row);
         }
       })},
      {"LonLatOfGaps",
       set("mission.start_lonlat=[-126, 46.1]"),
       {"lat", "[environment_degrees_not_finite]"},
       environment_with([](RawEnvironment& e) {
         e.variables["lon"] = {{"y", "x"}, std::vector<double>(48, -126)};
         e.variables["lat"] = {{"y", "x"}, std::vector<double>(48, nan)};
       })},
      {"NegativeRadius",
       set("mission.target_radius=-1"),
       {"mission.target_radius", "-1", "0 or more", "[key_value_invalid]"}},
      {"HorizonTooLong",
       set("mission.horizon=4"),
       {"mission.horizon", "4", "3", "from 1 to 3", "[horizon_outside]"}},
      {"DepartureTooLate",
       set("mission.departure=3"),
       {"mission.departure", "3", "2", "[departure_outside]"}},
      {"DepartureNegative",
       set("mission.departure=-1"),
       {"mission.departure", "-1", "from 0", "[key_value_invalid]"}},
      {"PriceInfinite",
       set("mission.failure.late=-inf"),
       {"mission.failure.late", "-inf", "[key_value_invalid]"}},
      {"PriceOfNoSuchFailure",
       set("mission.failure.sunk=-1"),
       {"mission.failure.sunk", "[key_misspelled]"}},
      {"RadiusBeyondTheDomain",
       set("mission.target_radius=100"),
       {"mission.target_radius", "100", "every start would have arrived",
        "[target_radius_covers_environment]"}},
      {"RadiusInfinite",
       set("mission.target_radius=inf"),
       {"mission.target_radius", "inf", "[key_value_invalid]"}},
      {"PenaltyInfinite",
       set("mission.failure_penalty=-inf"),
       {"mission.failure_penalty", "-inf", "[key_value_invalid]"}},
      {"CostOfSpeedTooLarge",
       energy_plan("vehicle.energy.c_f=1e37"),
       {"vehicle.energy.c_f", "1.2e+38", "5.09e+31", "[rewards_too_large]"}},
      {"CostOfTimeTooLarge",
       energy_plan("vehicle.energy.c_t=1e37"),
       {"vehicle.energy.c_t", "3e+37", "5.09e+31", "[rewards_too_large]"}},
      {"PenaltyTooLarge",
       set("mission.failure_penalty=-1e30"),
       {"mission.failure_penalty", "1e+30", "4.66e+27", "[rewards_too_large]"},
       environment_with([](RawEnvironment& e) {
         e.variables["realization_weight"] = {{"realization"}, {1, 2, 3}};
       })},
      {"HarvestTooLarge",
       plan_with({"--set", "mission.objective=net_energy", "--set", "mission.harvest.c_r=1e20"}),
       {"ocean.h5", "level 2", "[value_overflows]"},
       environment_with([](RawEnvironment& e) {
         e.variables["scalar_mean"] = {{"time", "y", "x"}, std::vector<double>(4 * 48, 1e30)};
       })},
      {"HarvestBeyondNumbers",
       plan_with({"--set", "mission.objective=net_energy", "--set", "mission.harvest.c_r=1e300"}),
       {"mission.harvest.c_r", "1e+300", "[harvest_too_large]"},
       environment_with([](RawEnvironment& e) {
         e.variables["scalar_mean"] = {{"time", "y", "x"}, std::vector<double>(4 * 48, 0)};
       })},
      {"AlphaAboveOne",
       set("mission.weight.alpha=1.5"),
       {"mission.weight.alpha", "1.5", "from 0 to 1", "[key_value_invalid]"}},
      {"UnknownEngine",
       set("planner.engine=latice"),
       {"planner.engine", "did you mean lattice?", "[key_value_invalid]"}},
      {"UnknownLanding",
       set("planner.landing=areas"),
       {"planner.landing", "did you mean area?", "[key_value_invalid]"}},
      {"SubgridRadiusNegative",
       set("planner.subgrid_radius=-1"),
       {"planner.subgrid_radius", "-1", "[key_value_invalid]"}},
      {"MarginBelowZero",
       set("planner.margin=-1"),
       {"planner.margin", "-1", "a number of 0 or more", "[key_value_invalid]"}},
      {"MarginWithItsUnit",
       set("planner.margin=6km"),
       {"planner.margin", "6km", "a number of 0 or more, without its unit: m",
        "[key_value_invalid]"}},
      {"MarginOfAWord",
       set("planner.margin=auto"),
       {"planner.margin", "auto", "a number of 0 or more", "[key_value_invalid]"}},
      {"MarginWiderThanTheBasin",
       set("planner.margin=100"),
       {"planner.margin", "100", "[margin_too_wide]"}},
      {"UnknownRolloutMode",
       set("rollout.mode=both"),
       {"rollout.mode", "none, continuous, chain", "[key_value_invalid]"}},
      {"TooManyRealizations",
       set("rollout.realizations=4"),
       {"rollout.realizations", "is 4", "3", "[realizations_outside]"}},
      {"RealizationBeyond",
       set("rollout.realizations=[0, 3]"),
       {"rollout.realizations", "holds 3", "2", "[realizations_outside]"}},
      {"FlightsBeyondMemory",
       plan_with({"--set", "rollout.mode=chain", "--set", "rollout.flights=100000000"}),
       {"--set rollout.flights", "100000000", "17.2 GB", "[flights_exceed_memory]"},
       environment_with(make_long)},
      {"FlightsBeyondMemoryFoundByChecking",
       {"check", "m.toml", "--set", "rollout.mode=chain", "--set", "rollout.flights=100000000"},
       {"--set rollout.flights", "100000000", "[flights_exceed_memory]"},
       environment_with(make_long)},
      {"NoFlights",
       set("rollout.flights=0"),
       {"rollout.flights", "0", "from 1", "[key_value_invalid]"}},
      {"UnknownFormat",
       set("output.formats=[\"gpz\"]"),
       {"output.formats", "netcdf", "gpx", "[key_value_invalid]"}},
  };
}

std::vector<BadInput> command_lines() {
  return {
      {"UnknownCommand", {"plam"}, {"plam", "did you mean plan?", "rollout", "[command_unknown]"}},
      {"UnknownSecondWord",
       {"env", "gyre"},
       {"unknown command gyre", "import, double-gyre, wind-driven-gyre, info"}},
      {"UnknownOption", plan_with({"--fast"}), {"--fast", "--help"}},
      {"FormerOption", plan_with({"--device", "1"}), {"--device is called --devices N now"}},
      {"FormerFlagOfACommand",
       {"env", "wind-driven-gyre", "--out", "o.h5", "--restart-over"},
       {"--restart-over is called --overwrite now"}},
      {"MissionNotGiven", {"plan"}, {"mission is required", "--help"}},
      {"EnvAlone", {"env"}, {"no command is given", "import, double-gyre, wind-driven-gyre, info"}},
      {"SetWithoutValue", plan_with({"--set"}), {"--set"}},
      {"ThreadsInWords", plan_with({"--threads", "two"}), {"--threads two", "whole number"}},
      {"EngineUnknown",
       plan_with({"--set", "planner.engine=fast"}),
       {"--set planner.engine=fast", "paper, direct, lattice"}},
      {"BackendUnknown", plan_with({"--backend", "gpu"}), {"--backend gpu", "auto, cpu, cuda"}},
      {"DeviceNegative",
       plan_with({"--set", "planner.device=-1"}),
       {"--set planner.device=-1", "planner.device is -1"}},
      {"DeviceNoNumber",
       plan_with({"--set", "planner.device=first"}),
       {"planner.device is \"first\""}},
      {"DevicesNegative", plan_with({"--devices", "-1"}), {"--devices -1"}},
      {"DevicesNoList",
       plan_with({"--devices", "both"}),
       {"--devices both", "planner.devices", "all\", or a list of GPUs", "[key_value_invalid]"}},
      {"DeviceMemoryWithoutSize",
       plan_with({"--device-memory", "much"}),
       {"--device-memory much", "planner.device_memory", "512MiB", "[key_value_invalid]"}},
      {"DeviceMemoryOfAnotherUnit",
       plan_with({"--device-memory", "512Mb/s"}),
       {"planner.device_memory", "512Mb/s", "[key_value_invalid]"}},
      {"BlockSizeBeyondABlock",
       plan_with({"--set", "planner.block_size=1025"}),
       {"--set planner.block_size=1025", "from 1 to 1024"}},
      {"OutIsFile", {"plan", "m.toml", "--out", "ocean.h5"}, {"ocean.h5", "not a folder", "--out"}},
      {"OutUnderFile",
       {"plan", "m.toml", "--out", "ocean.h5/run"},
       {"not a folder", "[run_folder_unusable]"}},
      {"OutCannotBeMade",
       {"plan", "m.toml", "--out", "/proc/tidewise/run"},
       {"/proc", "[run_folder_unusable]"}},
      {"CheckOfUnwritableOut",
       {"check", "m.toml", "--set", "output.directory=ocean.h5"},
       {"[run_folder_unusable]"}},
      {"GyreWithoutOut", {"env", "double-gyre"}, {"--out is required", "[command_line_invalid]"}},
      {"GyreOfOneColumn", gyre({"--nx", "1"}), {"--nx is 1", "10", "[env_option_outside_range]"}},
      {"GyreOfOneLevel", gyre({"--nt", "1"}), {"--nt is 1", "2", "[env_option_outside_range]"}},
      {"GyreWithoutRealizations",
       gyre({"--realizations", "0"}),
       {"--realizations", "0", "[env_option_outside_range]"}},
      {"GyreTooWide",
       gyre({"--nx", "1000000"}),
       {"--nx", "1000000", "32768", "[env_option_outside_range]"}},
      {"GyreInWords", gyre({"--nx", "many"}), {"--nx", "many", "[option_value_not_number]"}},
      {"GyreOfNegativeSeed",
       gyre({"--seed", "-1"}),
       {"--seed: -1 is no seed", "from 0 to", "[command_line_invalid]"}},
      {"GyreOfTooGreatASeed",
       gyre({"--seed", "18446744073709551616"}),
       {"--seed: 18446744073709551616 is no seed", "[command_line_invalid]"}},
      {"ImportOfNegativeSeed",
       {"env", "import", "a.nc", "--out", "b.h5", "--seed", "-1"},
       {"--seed: -1 is no seed", "[command_line_invalid]"}},
      {"GyreOfNoSpeed",
       gyre({"--speed", "nan"}),
       {"--speed is nan", "[double_gyre_speed_invalid]"}},
      {"GyreIntoNowhere",
       {"env", "double-gyre", "--nx", "10", "--out", "/dev/null/where.h5"},
       {"/dev/null/where.h5", "[output_folder_not_folder]"}},
      {"GyreOverAFolder",
       {"env", "double-gyre", "--nx", "10", "--out", "."},
       {"[output_is_folder]"}},
  };
}

std::vector<BadInput> rollouts() {
  const auto rollout = [](const std::vector<std::string>& options) {
    std::vector<std::string> arguments{"rollout", "run"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    return arguments;
  };
  return {
      {"RunMissing", rollout({}), {"run", "[run_missing]"}},
      {"FolderIsNoRun", {"rollout", "."}, {"[run_without_policy]"}},
      {"PolicyIsNoHdf5",
       rollout({}),
       {"policy.h5", "[not_a_run]"},
       [](const fs::path& folder) {
         fs::create_directory(folder / "run");
         write_text(folder / "run/policy.h5", "nothing");
       }},
      {"EnvironmentForPolicy", {"rollout", "ocean.h5"}, {"ocean.h5", "[not_a_policy]"}},
      {"RolloutStartOnLand",
       rollout({"--at-xy", "5.5,3.5"}),
       {"--at-xy 5.5,3.5", "land", "[start_closed]"},
       make_run},
      {"RolloutStartOutside",
       rollout({"--at-xy", "-1,3"}),
       {"--at-xy -1,3", "[place_outside]"},
       make_run},
      {"RolloutStartOfOneNumber",
       rollout({"--at-xy", "5"}),
       {"--at-xy", "\"5\"", "[number_list_invalid]"},
       make_run},
      {"RolloutStartInWords",
       rollout({"--at-xy", "here,there"}),
       {"--at-xy", "here,there", "100.5,40.5", "[number_list_invalid]"},
       make_run},
      {"RolloutStartEmpty",
       rollout({"--at-xy", ""}),
       {"--at-xy: its value is empty; give one, or leave it out", "rollout --help",
        "[command_line_invalid]"}},
      {"RolloutDepartureEmpty", rollout({"--time="}), {"--time", "[option_value_missing]"}},
      {"RolloutOfNothing", {"rollout", ""}, {"run: its value is empty", "[command_line_invalid]"}},
      {"ExportOfAnEmptyWord",
       {"export", "run", "--format", "csv,,gpx", "--out", "o"},
       {"[list_word_empty]"}},
      {"ExportOfALastEmptyWord",
       {"export", "run", "--format=csv,", "--out", "o"},
       {"[list_word_empty]"}},
      {"ExportOfAComma", {"export", "run", "--format", ",", "--out", "o"}, {"[list_word_empty]"}},
      {"BenchOfAnEmptyWord",
       {"research", "bench", "mdp", "--method", "sweeps", ",fused"},
       {"--method", "fused", "[list_word_empty]"}},
      {"SolveOfMoreSweepsThanThereAre",
       {"research", "solve", "m.h5", "--out", "o.txt", "--max-sweeps", "99999999999999999999"},
       {"--max-sweeps: 99999999999999999999 is beyond 9223372036854775807",
        "[command_line_invalid]"}},
      {"PlanOfTooManyThreads",
       {"plan", "m.toml", "--threads", "1000"},
       {"--threads 1000", "[too_many_threads]"}},
      {"PlanOfTooManyThreadsSet",
       {"plan", "m.toml", "--set", "planner.threads=1000"},
       {"planner.threads=1000", "[too_many_threads]"}},
      {"ExportOfTooManyThreads",
       {"export", "run", "--format", "csv", "--threads", "1000"},
       {"--threads 1000", "[too_many_threads]"},
       make_run},
      {"PlanArrivalsEmpty",
       {"plan", "m.toml", "--arrival-at-least", ""},
       {"--arrival-at-least: its value is empty", "[command_line_invalid]"}},
      {"PlanThreadsEmpty",
       {"plan", "m.toml", "--threads", ""},
       {"--threads: its value is empty", "[command_line_invalid]"}},
      {"ImportEmpty",
       {"env", "import", "a.nc", "--out", "b.h5", "--spacing", ""},
       {"--spacing: its value is empty", "[command_line_invalid]"}},
      {"RolloutStartTwice",
       rollout({"--at-xy", "1,1", "--at", "1,1"}),
       {"--at-xy", "[options_exclude_each_other]"},
       make_run},
      {"RolloutLonLatOnAPlane",
       rollout({"--at", "-126,46"}),
       {"--at -126,46", "lon", "lat", "[degrees_unavailable]"},
       make_run},
      {"RolloutTooLate",
       rollout({"--time", "3"}),
       {"--time 3", "0 to 2", "[rollout_departure_outside]"},
       make_run},
      {"RolloutTooEarly",
       rollout({"--time", "-1"}),
       {"--time -1", "from 0 to 2", "[key_value_invalid]"},
       make_run},
      {"RolloutUnknownMode",
       rollout({"--mode", "free"}),
       {"--mode free", "continuous, chain", "[key_value_invalid]"},
       make_run},
      {"RolloutOverItsRun", rollout({"--out", "run"}), {"[rollout_output_is_run]"}, make_run},
      {"EnvironmentGone",
       rollout({}),
       {"ocean.h5", "[file_missing]"},
       [](const fs::path& folder) {
         make_run(folder);
         fs::remove(folder / "ocean.h5");
       }},
      {"EnvironmentChanged",
       rollout({}),
       {"policy.h5", "ocean.h5", "[policy_of_other_environment]"},
       [](const fs::path& folder) {
         make_run(folder);
         RawEnvironment moved;
         moved.axes["x"] = {1, 3, 5, 7, 9, 11, 13, 15};
         moved.write(folder / "ocean.h5");
       }},
  };
}

std::string repeated(const std::string& text, int times) {
  std::string all;
  for (int n = 0; n < times; ++n) all += text;
  return all;
}

/// Texts with extreme size or nesting, or with unusual bytes.
std::vector<BadInput> texts() {
  const std::string key = repeated("a.", 100'000) + "a";
  const std::vector<std::string> compare{"compare", "run", "run"};
  return {
      {"KeyOfManyDots",
       check,
       {"m.toml:2", "64", "[nesting_too_deep]"},
       mission_text("\n" + key + " = 1\n")},
      {"TableOfManyDots",
       check,
       {"m.toml:1", "64", "[nesting_too_deep]"},
       mission_text("[" + key + "]\n")},
      {"ListOfManyLists",
       check,
       {"64", "[nesting_too_deep]"},
       mission("a = " + repeated("[", 100'000) + "\n")},
      {"SettingOfManyTables",
       set("mission.start=" + repeated("{a=", 2000)),
       {"64", "--set mission.start", "[nesting_too_deep]"}},
      {"SummaryOfManyLevels",
       compare,
       {"summary.json:1", "64", "[nesting_too_deep]"},
       [](const fs::path& folder) {
         make_run(folder);
         write_text(folder / "run/summary.json", "{\"mission\": " + repeated("{\"a\": ", 100'000) +
                                                     "1" + repeated("}", 100'000) +
                                                     ", \"value_at_start\": 1}");
       }},
      {"FolderThatIsNoUtf8FoundByChecking",
       {"check", "b\xff/m.toml"},
       {"b\\xff", "[path_not_utf8]"},
       [](const fs::path& folder) {
         fs::create_directory(folder / "b\xff");
         fs::copy(folder / "ocean.h5", folder / "b\xff/ocean.h5");
         fs::copy(folder / "m.toml", folder / "b\xff/m.toml");
       }},
      {"OutThatIsNoUtf8",
       {"plan", "m.toml", "--out", "r\xff"},
       {"r\\xff", "[mission_name_not_utf8]"}},
      {"EscapesInAKey",
       check,
       {"m.toml:10", "\\u001b[31mred\\u000d", "[key_unknown]"},
       mission("\"\\u001b[31mred\\r\" = 1\n")},
      {"ValueOfAMegabyte",
       set("mission.objective=" + std::string(100'000, 'x')),
       {"xxx … ", "time, energy", "[key_value_invalid]"}},
      {"HarvestBeyondSinglePrecisionFoundByChecking",
       {"check", "m.toml", "-q", "--set", "mission.objective=net_energy", "--set",
        "mission.harvest.c_r=1e38"},
       {"--set mission.harvest.c_r=1e38", "[harvest_overflows]"},
       environment_with([](RawEnvironment& e) {
         e.variables["scalar_mean"] = {{"time", "y", "x"}, std::vector<double>(4 * 48, 1)};
       })},
      {"PlaceOfTwoWords",
       {"lookup", "run", "--at-xy=1,", "2", "--time", "1"},
       {"[option_value_split]"}},
      {"OptionWithoutValue", {"plan", "m.toml", "--out"}, {"[option_value_missing]"}},
      {"OptionsThatExclude",
       {"lookup", "run", "--at", "1,2", "--at-xy", "1,2", "--time", "1"},
       {"cannot be given together"}},
  };
}

/// Extends a file to 40 GB. It is sparse, so that it takes no space on the disk, but would fill the
/// memory.
void make_huge(const fs::path& file) {
  std::ofstream(file, std::ios::app) << "";
  fs::resize_file(file, 40'000'000'000);
}
FolderChange huge(const std::string& name) {
  return [name](const fs::path& folder) { make_huge(folder / name); };
}

/// Text inputs that are larger than their format may be.
std::vector<BadInput> oversized() {
  const auto size_error = [](const std::string& file) {
    return std::vector<std::string>{file, "40000000000", "[file_too_large]"};
  };
  std::vector<BadInput> inputs{
      {"HugeMission", check, size_error("m.toml"), huge("m.toml")},
      {"HugeBatch", {"batch", "b.toml"}, size_error("b.toml"), huge("b.toml")},
      {"HugeMissionOfABatch",
       {"batch", "b.toml"},
       size_error("m.toml"),
       [](const fs::path& folder) {
         write_text(folder / "b.toml",
                    "[batch]\nmission = \"m.toml\"\n[vary]\n\"mission.departure\" = [0, 1]\n");
         make_huge(folder / "m.toml");
       }},
      {"HugeZones", check, size_error("zones.geojson"),
       [](const fs::path& folder) {
         write_text(folder / "m.toml",
                    std::string(good_mission) + "[[mission.no_go]]\nfile = \"zones.geojson\"\n");
         make_huge(folder / "zones.geojson");
       }},
      {"HugeSummary",
       {"compare", "run", "run"},
       size_error("run/summary.json"),
       [](const fs::path& folder) {
         make_run(folder);
         make_huge(folder / "run/summary.json");
       }},
      {"HugeSummaryOfAPage",
       {"view", "run"},
       size_error("run/summary.json"),
       [](const fs::path& folder) {
         make_run(folder);
         make_huge(folder / "run/summary.json");
       }}};
#ifdef TIDEWISE_WITH_IMPORT
  inputs.push_back({"HugeDepthProfile",
                    {"env", "import", "ocean.h5", "--profile", "d=depths.csv", "--out", "e.h5"},
                    size_error("depths.csv"),
                    huge("depths.csv")});
#endif
  return inputs;
}

class BadInputs : public testing::TestWithParam<BadInput> {};

TEST_P(BadInputs, CausesOneErrorLineAndStatusTwoAndNoFiles) {
  const test::TemporaryFolder folder;
  RawEnvironment().write(folder / "ocean.h5");
  write_text(folder / "m.toml", good_mission);
  if (GetParam().change) GetParam().change(folder.path());
  const std::string before = test::listing(folder.path());

  const auto result = test::run_tidewise(GetParam().arguments, folder.path());

  EXPECT_EQ(result.status, 2);
  EXPECT_TRUE(result.errors.starts_with("tidewise: error: ")) << result.errors;
  EXPECT_EQ(std::count(result.errors.begin(), result.errors.end(), '\n'), 1) << result.errors;
  EXPECT_TRUE(result.errors.ends_with("\n"));
  EXPECT_LT(result.errors.size(), 2000u);
  for (const auto& word : GetParam().words) EXPECT_THAT(result.errors, testing::HasSubstr(word));
  EXPECT_EQ(result.output, "");
  EXPECT_EQ(test::listing(folder.path()), before);
}

const auto name_of = [](const auto& input) { return input.param.name; };
INSTANTIATE_TEST_SUITE_P(EnvironmentFile, BadInputs, testing::ValuesIn(environment_files()),
                         name_of);
INSTANTIATE_TEST_SUITE_P(MissionFile, BadInputs, testing::ValuesIn(mission_files()), name_of);
INSTANTIATE_TEST_SUITE_P(CommandLine, BadInputs, testing::ValuesIn(command_lines()), name_of);
INSTANTIATE_TEST_SUITE_P(Rollout, BadInputs, testing::ValuesIn(rollouts()), name_of);
INSTANTIATE_TEST_SUITE_P(Text, BadInputs, testing::ValuesIn(texts()), name_of);
INSTANTIATE_TEST_SUITE_P(Size, BadInputs, testing::ValuesIn(oversized()), name_of);

TEST(Nohup, LeavesIgnoredSignalsIgnored) {
  const test::TemporaryFolder folder;
  const auto result = test::run_command(
      {"sh", "-c",
       "trap '' HUP INT; \"$0\" env double-gyre --out g.h5 --nx 60 --ny 60 --nt 100 -q & pid=$!; "
       "while ! ls .g.h5* >/dev/null 2>&1 && kill -0 $pid; do sleep 0.01; done; "
       "kill -HUP $pid; kill -INT $pid; wait $pid",
       test::tidewise_program().string()},
      folder.path());
  EXPECT_EQ(result.status, 0) << result.errors;
  EXPECT_TRUE(fs::exists(folder / "g.h5"));
}

// Without changes the inputs are valid.
TEST(GoodInput, IsPlanned) {
  const test::TemporaryFolder folder;
  RawEnvironment().write(folder / "ocean.h5");
  write_text(folder / "m.toml", good_mission);
  const auto result = test::run_tidewise(plan, folder.path());
  EXPECT_EQ(result.status, 0) << result.errors;
  EXPECT_TRUE(fs::exists(folder / "run/summary.json"));
}

}  // namespace
}  // namespace tidewise
