#include "output/mdp/text_output.h"

#include "base/error.h"

namespace tidewise {

TextOutput::TextOutput(const std::filesystem::path& path)
    : atomic_(path), file_(std::fopen(atomic_.temporary_path().c_str(), "wb")) {
  if (file_ == nullptr) fail();
}

TextOutput::~TextOutput() {
  if (file_ != nullptr) std::fclose(file_);
}

void TextOutput::fail() const {
  throw RunError(fmt::format("{}: writing failed; check the space left on the disk",
                             atomic_.final_path().string()));
}

void TextOutput::flush() {
  if (std::fwrite(text_.data(), 1, text_.size(), file_) != text_.size()) fail();
  text_.clear();
}

void TextOutput::finish() {
  flush();
  if (std::fclose(std::exchange(file_, nullptr)) != 0) fail();
  atomic_.commit();
}

}  // namespace tidewise
