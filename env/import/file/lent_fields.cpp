#include "env/import/file/lent_fields.h"

#include <atomic>

namespace tidewise::ingest {
namespace {

std::atomic<LentFields*> chosen_fields = nullptr;

}  // namespace

LentFieldsScope::LentFieldsScope(LentFields& fields) { chosen_fields = &fields; }
LentFieldsScope::~LentFieldsScope() { chosen_fields = nullptr; }

LentFields* current_lent_fields() { return chosen_fields; }

}  // namespace tidewise::ingest
