#include "env/file/reader.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/error.h"
#include "env/error/codes.h"
#include "env/file/declared_marks.h"
#include "env/file/layout.h"
#include "env/file/level_validation.h"
#include "env/file/profile_words.h"
#include "env/mask.h"
#include "env/weights.h"

namespace tidewise {
namespace {

std::uint64_t to_extent(std::int32_t size) { return static_cast<std::uint64_t>(size); }

/// True if any value is missing. Checks all of them without a branch, so that the loop vectorizes.
bool has_missing(View<const float> values, MissingMarks is_missing) {
  unsigned any_missing = 0;
  for (const float value : values) any_missing |= static_cast<unsigned>(is_missing(value));
  return any_missing != 0;
}

/// True if a level has no value that validation would change or refuse.
bool is_complete(const LevelFieldViews& fields, const LevelMarks& marks) {
  std::uint8_t max = 0;
  for (const std::uint8_t flag : fields.masked) max = std::max(max, flag);
  for (const std::uint8_t flag : fields.modes_missing) {
    if (flag != 0) return false;
  }
  return max <= beyond_forecast && !has_missing(fields.u_mean, marks.u_mean) &&
         !has_missing(fields.v_mean, marks.v_mean) && !has_missing(fields.u_mode, marks.u_mode) &&
         !has_missing(fields.v_mode, marks.v_mode) && !has_missing(fields.scalar, marks.scalar) &&
         !has_missing(fields.coefficient, marks.coefficient);
}

}  // namespace

EnvironmentReader::EnvironmentReader(const std::filesystem::path& path, EnvironmentNames names)
    : EnvironmentReader(path, std::move(names), std::optional<RowWindow>()) {}

EnvironmentReader::EnvironmentReader(const std::filesystem::path& path, EnvironmentNames names,
                                     const RowWindow& window)
    : EnvironmentReader(path, std::move(names), std::optional(window)) {}

EnvironmentReader::EnvironmentReader(const EnvironmentReader& whole, const RowWindow& window)
    : EnvironmentReader(whole.path(), whole.names(), window) {
  close(whole.closures_);
  if (whole.computed_scalar_) replace_scalar(*whole.computed_scalar_);
  chosen_ = whole.chosen_;
  drift_ = whole.drift_;
  coefficient_factor_ = whole.coefficient_factor_;
  info_.profiles = whole.info_.profiles;
  info_.velocities = whole.info_.velocities;
}

EnvironmentReader::EnvironmentReader(const std::filesystem::path& path, EnvironmentNames names,
                                     std::optional<RowWindow> window)
    : file_(Hdf5File::open(path)),
      names_(std::move(names)),
      info_(read_environment_info(file_, names_)),
      file_obstacles_(info_.obstacles),
      file_profiles_(info_.profiles),
      window_(window.value_or(all_rows(info_.grid.ny))),
      marks_{find_marks(names_.u_mean),      find_marks(names_.v_mean),
             find_marks(names_.u_mode),      find_marks(names_.v_mode),
             find_marks(names_.coefficient), find_marks(names_.scalar_mean)},
      u_mean_(open_mean(names_.u_mean)),
      v_mean_(open_mean(names_.v_mean)),
      u_mode_(open_modes(names_.u_mode)),
      v_mode_(open_modes(names_.v_mode)),
      coefficient_(open_coefficients()),
      scalar_(info_.has_scalar ? open_planes(names_.scalar_mean) : Hdf5Boxes{}),
      mask_(file_obstacles_ == Obstacles::none ? Hdf5Boxes{} : open_mask()) {
  info_.grid = window_grid(info_.grid, window_);
}

void EnvironmentReader::close(std::vector<CellClosure> closures) {
  closures_ = std::move(closures);
  shared_modes_ = std::make_shared<SharedModesCache>();
  info_.obstacles = file_obstacles_;
  for (const CellClosure& closure : closures_) {
    if (closure.cells.empty() || closure.first_level >= closure.end_level) continue;
    const bool always = closure.first_level <= 0 && closure.end_level >= info_.time.level_count;
    if (!always) {
      info_.obstacles = Obstacles::moving;
    } else if (info_.obstacles == Obstacles::none) {
      info_.obstacles = Obstacles::fixed;
    }
  }
}

void EnvironmentReader::replace_scalar(ComputedScalar scalar) {
  info_.has_scalar = true;
  info_.scalar_units = scalar.units;
  info_.scalar_long_name = scalar.long_name;
  constexpr float none = std::numeric_limits<float>::quiet_NaN();
  marks_.scalar = {none, none};
  computed_scalar_ = std::move(scalar);
}

void EnvironmentReader::choose_profiles(const std::vector<std::string>& names) {
  shared_modes_ = std::make_shared<SharedModesCache>();
  std::vector<std::size_t> numbers;
  const std::vector<std::string> all = names_of(file_profiles_);
  for (const std::string& name : names) {
    const auto found = std::find(all.begin(), all.end(), name);
    if (found == all.end()) {
      throw input_error(
          errors::profile_unknown, path().string(), name,
          all.empty() ? "its velocity is of one depth: leave the profile out, or import one with "
                        "'tidewise env import --profile'"
                      : fmt::format("it has {}", fmt::join(all, ", ")));
    }
    numbers.push_back(static_cast<std::size_t>(found - all.begin()));
  }
  info_.profiles.clear();
  for (const std::size_t number : numbers) info_.profiles.push_back(file_profiles_[number]);
  if (!has_profiles()) return;
  info_.velocities = static_cast<std::int32_t>(numbers.size());
  chosen_ = std::move(numbers);
}

void EnvironmentReader::choose_profile(std::size_t number) {
  shared_modes_ = std::make_shared<SharedModesCache>();
  // The others follow the chosen one, because the scalar must also exist in their open cells.
  if (has_profiles()) {
    chosen_ = {number};
    for (std::size_t other = 0; other < file_profiles_.size(); ++other) {
      if (other != number) chosen_.push_back(other);
    }
  }
  info_.profiles = {file_profiles_[number]};
  info_.velocities = 1;
}

void EnvironmentReader::drift_at_surface(double share) {
  shared_modes_ = std::make_shared<SharedModesCache>();
  for (std::size_t p = 0; has_profiles() && p < file_profiles_.size(); ++p) {
    if (file_profiles_[p].name != "surface") continue;
    drift_ = {p, static_cast<float>(share)};
    return;
  }
  throw input_error(errors::surface_profile_missing, path().string());
}

void EnvironmentReader::require_profile() const {
  if (!has_profiles() || !chosen_.empty()) return;
  const std::vector<std::string> names = names_of(file_profiles_);
  throw input_error(errors::profile_choice_missing, path().string(), fmt::join(names, ", "));
}

Extents EnvironmentReader::in_profile(std::int32_t p, Extents start, bool along_time) const {
  if (!chosen_.empty()) start.insert(start.begin() + (along_time ? 1 : 0), chosen_[p]);
  return start;
}

/// Extends a box by the profile dimension of files with several profiles, of which it covers one.
Extents EnvironmentReader::box_of(Extents box) const {
  if (has_profiles()) box.insert(box.begin(), 1);
  return box;
}

MissingMarks EnvironmentReader::find_marks(const std::string& variable) const {
  constexpr float none = std::numeric_limits<float>::quiet_NaN();
  return file_.has(variable) ? in_single_precision(read_declared_marks(file_, variable))
                             : MissingMarks{none, none};
}

Hdf5Boxes EnvironmentReader::open_planes(const std::string& variable) const {
  return file_.keep_open(variable, {1, to_extent(window_.known_size()), to_extent(info_.grid.nx)});
}

Hdf5Boxes EnvironmentReader::open_subdomain(const std::string& variable, Extents box) const {
  box = box_of(std::move(box));
  if (window_.size() == window_.known_size()) return file_.keep_open(variable, box);
  BoxPlace place{box, Extents(box.size(), 0)};
  const std::size_t row = box.size() - 2;
  place.array[row] = to_extent(window_.known_size());
  place.begin[row] = to_extent(window_.south_halo());
  return file_.keep_open(variable, box, place);
}

Hdf5Boxes EnvironmentReader::open_mean(const std::string& variable) const {
  return open_subdomain(variable, {1, to_extent(window_.size()), to_extent(info_.grid.nx)});
}

Hdf5Boxes EnvironmentReader::open_modes(const std::string& variable) const {
  Extents box{to_extent(info_.mode_count), to_extent(window_.size()), to_extent(info_.grid.nx)};
  if (!info_.has_fixed_modes) box.insert(box.begin(), 1);
  return open_subdomain(variable, std::move(box));
}

Hdf5Boxes EnvironmentReader::open_coefficients() const {
  return file_.keep_open(names_.coefficient,
                         {1, to_extent(info_.mode_count), to_extent(info_.realization_count)});
}

Hdf5Boxes EnvironmentReader::open_mask() const {
  Extents box{to_extent(window_.known_size()), to_extent(info_.grid.nx)};
  if (file_obstacles_ == Obstacles::moving) box.insert(box.begin(), 1);
  return file_.keep_open(names_.obstacle_mask, box_of(std::move(box)));
}

template <class T>
void EnvironmentReader::read_flags(TimeLevel k, std::int32_t p, T* flags) const {
  const std::uint64_t first_row = to_extent(window_.known_begin);
  if (file_obstacles_ == Obstacles::fixed) {
    file_.read(mask_, in_profile(p, {first_row, 0}, false), flags);
  } else {
    file_.read(mask_, in_profile(p, {to_extent(k.value), first_row, 0}), flags);
  }
}

void EnvironmentReader::read_mask(TimeLevel k, std::int32_t p, View<std::uint8_t> masked) const {
  require_profile();
  read_file_mask(k, p, masked);
  const std::int32_t first_cell = window_.known_begin * info_.grid.nx;
  for (const CellClosure& closure : closures_) {
    if (k.value < closure.first_level || k.value >= closure.end_level) continue;
    for (const std::int32_t cell : closure.cells) {
      const std::int32_t known_cell = cell - first_cell;
      // Only open cells are closed, so that validation still sees invalid values of the file.
      if (known_cell >= 0 && known_cell < info_.grid.cell_count() && masked[known_cell] == 0) {
        masked[known_cell] = closed_by_obstacle;
      }
    }
  }
}

void EnvironmentReader::read_file_mask(TimeLevel k, std::int32_t p,
                                       View<std::uint8_t> masked) const {
  if (file_obstacles_ == Obstacles::none) {
    std::fill(masked.begin(), masked.end(), std::uint8_t{0});
    return;
  }
  try {
    read_flags(k, p, masked.data);
  } catch (const InputError&) {  // most likely a value that is not a flag, such as -1, 0.9 or NaN
    std::vector<double> stored(masked.size);
    read_flags(k, p, stored.data());
    refusal(k, p).refuse_mask<double>(stored);
    throw;
  }
}

LevelRefusal EnvironmentReader::refusal(TimeLevel k, std::int32_t p) const {
  std::optional<std::uint64_t> profile;
  if (!chosen_.empty()) profile = chosen_[p];
  return {file_, names_, info_, k, profile};
}

std::vector<std::uint8_t> EnvironmentReader::read_masked(TimeLevel k) const {
  std::vector<std::uint8_t> masked(static_cast<std::size_t>(info_.grid.cell_count()));
  std::vector<std::uint8_t> mask_of_profile(masked.size());
  for (std::int32_t p = 0; p < info_.velocities; ++p) {
    read_mask(k, p, mask_of_profile);
    refusal(k, p).refuse_mask<std::uint8_t>(mask_of_profile);
    for (std::size_t cell = 0; cell < mask_of_profile.size(); ++cell) {
      if (p == 0 || mask_of_profile[cell] == 0) masked[cell] = mask_of_profile[cell];
    }
  }
  return masked;
}

void EnvironmentReader::read_fields(TimeLevel k, const LevelFieldViews& fields,
                                    MaskReading mask) const {
  require_profile();
  const std::uint64_t level = to_extent(k.value);
  const std::uint64_t subdomain = to_extent(window_.begin);
  for (std::int32_t p = 0; p < info_.velocities; ++p) {
    const LevelFieldViews profile_fields = fields.profile(p, info_.velocities);
    if (mask == MaskReading::always || info_.obstacles == Obstacles::moving) {
      read_mask(k, p, profile_fields.masked);
    }
    const Extents mean{level, subdomain, 0};
    file_.read(u_mean_, in_profile(p, mean), profile_fields.u_mean.data);
    file_.read(v_mean_, in_profile(p, mean), profile_fields.v_mean.data);
    if (drift_) {
      add_drift(u_mean_, mean, marks_.u_mean, profile_fields.u_mean);
      add_drift(v_mean_, mean, marks_.v_mean, profile_fields.v_mean);
    }
    if (!shares_modes(info_))
      read_modes(p, mode_start(k), profile_fields.u_mode, profile_fields.v_mode);
  }
  read_coefficients(level, fields.coefficient);
  if (computed_scalar_) {
    computed_scalar_->fill(k, info_.grid, fields.scalar);
  } else if (info_.has_scalar) {
    file_.read(scalar_, {level, to_extent(window_.known_begin), 0}, fields.scalar.data);
  }
  fill_halo(marks_.u_mean, fields.u_mean);
  fill_halo(marks_.v_mean, fields.v_mean);
  fill_halo(marks_.u_mode, fields.u_mode);
  fill_halo(marks_.v_mode, fields.v_mode);
}

Extents EnvironmentReader::mode_start(TimeLevel k) const {
  Extents start{0, to_extent(window_.begin), 0};
  if (!info_.has_fixed_modes) start.insert(start.begin(), to_extent(k.value));
  return start;
}

void EnvironmentReader::read_modes(std::int32_t p, const Extents& start, View<float> u,
                                   View<float> v) const {
  const bool along_time = !info_.has_fixed_modes;
  file_.read(u_mode_, in_profile(p, start, along_time), u.data);
  file_.read(v_mode_, in_profile(p, start, along_time), v.data);
  if (!drift_) return;
  add_drift(u_mode_, start, marks_.u_mode, u, along_time);
  add_drift(v_mode_, start, marks_.v_mode, v, along_time);
}

std::shared_ptr<const SharedModes<>> EnvironmentReader::shared_modes() const {
  if (!shares_modes(info_)) return nullptr;
  const std::lock_guard lock(shared_modes_->mutex);
  if (!shared_modes_->modes) {
    shared_modes_->modes = std::make_shared<const SharedModes<>>(read_shared_modes());
  }
  return shared_modes_->modes;
}

SharedModes<> EnvironmentReader::read_shared_modes() const {
  require_profile();
  SharedModes<> modes(info_);
  const auto cells = static_cast<std::size_t>(info_.grid.cell_count());
  Array<std::uint8_t> masked(cells, closed_by_obstacle);
  Array<std::uint8_t> own_masks(info_.velocities > 1 ? modes.missing.size() : 0);
  LevelFieldViews all;
  all.u_mode = modes.u;
  all.v_mode = modes.v;
  all.dry = modes.missing;
  all.own_masks = own_masks;
  for (std::int32_t p = 0; p < info_.velocities; ++p) {
    LevelFieldViews profile_modes = all.profile(p, info_.velocities);
    read_modes(p, mode_start(TimeLevel(0)), profile_modes.u_mode, profile_modes.v_mode);
    if (info_.velocities > 1) read_mask(TimeLevel(0), p, profile_modes.masked);
    fill_halo(marks_.u_mode, profile_modes.u_mode);
    fill_halo(marks_.v_mode, profile_modes.v_mode);
    profile_modes.masked =
        masked;  // open cells of each level are validated later, with SharedModes::missing
    validate_profile(profile_modes);
  }
  if (info_.velocities == 1) return modes;
  Array<std::uint8_t> dry(modes.missing.size());
  all.masked = masked;
  all.dry = dry;
  const JoinProfiles join{all, info_.velocities, marks_.scalar};
  for (std::size_t cell = 0; cell < cells; ++cell) join(cell);
  return modes;
}

void EnvironmentReader::add_drift(const Hdf5Boxes& variable, const Extents& start,
                                  const MissingMarks& is_missing, View<float> field,
                                  bool along_time) const {
  Extents in_surface = start;
  in_surface.insert(in_surface.begin() + (along_time ? 1 : 0), drift_->profile);
  std::vector<float> surface(field.size);
  file_.read(variable, in_surface, surface.data());
  const float rest = 1 - drift_->share;
  for (std::size_t n = 0; n < field.size; ++n) {
    if (is_missing(field[n])) continue;
    field[n] = rest * field[n] + (is_missing(surface[n]) ? 0.0F : drift_->share * surface[n]);
  }
}

void EnvironmentReader::read_coefficients(std::uint64_t level, View<float> coefficient) const {
  file_.read(coefficient_, {level, 0, 0}, coefficient.data);
  if (coefficient_factor_ == 1) return;
  for (float& value : coefficient) value *= coefficient_factor_;
}

void EnvironmentReader::fill_halo(const MissingMarks& is_missing, View<float> field) const {
  float number = 0;
  while (is_missing(number)) ++number;  // 0 may be a fill value of the file
  const auto plane = static_cast<std::size_t>(info_.grid.cell_count());
  const auto nx = static_cast<std::size_t>(info_.grid.nx);
  const std::size_t south = static_cast<std::size_t>(window_.south_halo()) * nx;
  const std::size_t north = static_cast<std::size_t>(window_.north_halo()) * nx;
  for (std::size_t begin = 0; begin < field.size; begin += plane) {
    float* rows = field.data + begin;
    std::fill(rows, rows + south, number);
    std::fill(rows + plane - north, rows + plane, number);
  }
}

void EnvironmentReader::validate_fields(TimeLevel k, const LevelFieldViews& fields) const {
  const auto refuse_scalar = [&](View<std::uint8_t> masked) {
    LevelFieldViews scalar_only;
    scalar_only.masked = masked;
    scalar_only.scalar = fields.scalar;
    refusal(k, 0).refuse_fields(scalar_only, marks_);
  };
  if (info_.velocities == 1 && has_missing(fields.scalar, marks_.scalar)) {
    std::vector<std::uint8_t> masked(fields.scalar.size);
    for (std::size_t other = 1; other < chosen_.size(); ++other) {
      read_mask(k, static_cast<std::int32_t>(other), masked);
      refuse_scalar(masked);
    }
  }
  for (std::int32_t p = 0; p < info_.velocities; ++p) {
    const LevelFieldViews profile_fields = fields_of_profile(fields, p, info_.velocities);
    if (!validate_profile(profile_fields)) refuse_profile(k, p, profile_fields);
  }
  if (info_.velocities == 1) return;
  const JoinProfiles join{fields, info_.velocities, marks_.scalar};
  bool valid = true;
  for (std::size_t cell = 0; cell < join.cells(); ++cell) valid &= join(cell);
  if (!valid) refuse_scalar(fields.masked);
}

bool EnvironmentReader::validate_profile(const LevelFieldViews& fields) const {
  if (is_complete(fields, marks_)) {  // true for most levels, and faster than validating each cell
    std::fill(fields.dry.begin(), fields.dry.end(), std::uint8_t{0});
    return true;
  }
  const LevelValidation validate{fields, marks_};
  bool valid = true;
  for (std::size_t piece = 0; piece < validate.piece_count(); ++piece) valid &= validate(piece);
  return valid;
}

void EnvironmentReader::refuse_profile(TimeLevel k, std::int32_t p, LevelFieldViews fields) const {
  std::vector<float> u;
  std::vector<float> v;
  if (shares_modes(info_)) {  // the shared copy reads 0 where modes are missing
    u.resize(fields.masked.size * static_cast<std::size_t>(info_.mode_count));
    v.resize(u.size());
    fields.u_mode = u;
    fields.v_mode = v;
    read_modes(p, mode_start(k), fields.u_mode, fields.v_mode);
    fill_halo(marks_.u_mode, fields.u_mode);
    fill_halo(marks_.v_mode, fields.v_mode);
  }
  refusal(k, p).refuse_fields(fields, marks_);
}

void EnvironmentReader::read_level(TimeLevel k, LevelFields<>& fields) const {
  fields.shared_modes = shared_modes();
  if (fields.shared_modes) {
    fields.u_mode = {};
    fields.v_mode = {};
  }
  LevelFieldViews views = fields.views();
  if (fields.shared_modes) views.modes_missing = fields.shared_modes->missing;
  read_fields(k, views);
  validate_fields(k, views);
}

std::vector<double> EnvironmentReader::read_positions(const std::string& variable,
                                                      double limit) const {
  auto degrees = read_numbers(file_, variable, {to_extent(window_.known_begin), 0},
                              {to_extent(window_.known_size()), to_extent(info_.grid.nx)});
  const auto invalid = std::find_if(degrees.begin(), degrees.end(),
                                    [limit](double value) { return std::abs(value) > limit; });
  if (invalid == degrees.end()) return degrees;
  const auto cell = invalid - degrees.begin();
  throw input_error(errors::degrees_outside_range, path().string(), variable, *invalid,
                    window_.known_begin + cell / info_.grid.nx, cell % info_.grid.nx, -limit,
                    limit);
}

std::vector<double> EnvironmentReader::read_longitude() const {
  return read_positions(names_.lon, 720);  // axes across 180° may be off by whole turns
}

std::vector<double> EnvironmentReader::read_latitude() const {
  return read_positions(names_.lat, 90);
}

}  // namespace tidewise
