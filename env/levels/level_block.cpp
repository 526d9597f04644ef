#include "env/levels/level_block.h"

#include "base/memory/memory.h"

namespace tidewise {
namespace {

// Alignment of fields and blocks [B], that of device memory itself.
constexpr std::size_t alignment = 256;

/// The offset of the field after one of `count` values.
template <class T>
std::size_t offset_after(std::size_t begin, std::size_t count) {
  return (begin + byte_count(count, sizeof(T)) + alignment - 1) / alignment * alignment;
}

template <class T>
View<T> field_at(std::byte* memory, std::size_t begin, std::size_t count) {
  return {reinterpret_cast<T*>(memory + begin), count};
}

}  // namespace

LevelBlock::LevelBlock(const EnvironmentInfo& info)
    : cell_count_(static_cast<std::size_t>(info.grid.cell_count()) *
                  static_cast<std::size_t>(info.velocities)),
      mode_value_count_(
          shares_modes(info) ? 0 : cell_count_ * static_cast<std::size_t>(info.mode_count)),
      coefficient_count_(static_cast<std::size_t>(info.mode_count) *
                         static_cast<std::size_t>(info.realization_count)),
      scalar_count_(info.has_scalar ? static_cast<std::size_t>(info.grid.cell_count()) : 0),
      mask_count_(static_cast<std::size_t>(info.grid.cell_count())),
      own_mask_count_(info.velocities > 1 ? cell_count_ : 0),
      u_mean_(0),
      v_mean_(offset_after<float>(u_mean_, cell_count_)),
      u_mode_(offset_after<float>(v_mean_, cell_count_)),
      v_mode_(offset_after<float>(u_mode_, mode_value_count_)),
      coefficient_(offset_after<float>(v_mode_, mode_value_count_)),
      scalar_(offset_after<float>(coefficient_, coefficient_count_)),
      masked_(offset_after<float>(scalar_, scalar_count_)),
      own_masks_(offset_after<std::uint8_t>(masked_, mask_count_)),
      dry_(offset_after<std::uint8_t>(own_masks_, own_mask_count_)),
      size_(offset_after<std::uint8_t>(dry_, cell_count_)) {}

LevelFieldViews LevelBlock::fields(std::byte* memory) const {
  return {field_at<float>(memory, u_mean_, cell_count_),
          field_at<float>(memory, v_mean_, cell_count_),
          field_at<float>(memory, u_mode_, mode_value_count_),
          field_at<float>(memory, v_mode_, mode_value_count_),
          field_at<float>(memory, coefficient_, coefficient_count_),
          field_at<float>(memory, scalar_, scalar_count_),
          field_at<std::uint8_t>(memory, masked_, mask_count_),
          field_at<std::uint8_t>(memory, dry_, cell_count_),
          field_at<std::uint8_t>(memory, own_masks_, own_mask_count_)};
}

}  // namespace tidewise
