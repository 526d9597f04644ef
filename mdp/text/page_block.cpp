#include "mdp/text/page_block.h"

#include <sys/mman.h>

#include <new>

namespace tidewise::mdp {

PageBlock::PageBlock(std::size_t bytes) : bytes_(bytes) {
  data_ = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (data_ == MAP_FAILED) throw std::bad_alloc();
}

PageBlock::~PageBlock() {
  if (data_ != nullptr) ::munmap(data_, bytes_);
}

}  // namespace tidewise::mdp
