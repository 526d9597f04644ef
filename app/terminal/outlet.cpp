#include "app/terminal/outlet.h"

#include <atomic>

namespace tidewise {
namespace {

std::atomic<Outlet*> chosen_outlet = nullptr;

}  // namespace

OutletScope::OutletScope(Outlet& outlet) { chosen_outlet = &outlet; }
OutletScope::~OutletScope() { chosen_outlet = nullptr; }

Outlet* current_outlet() { return chosen_outlet; }

}  // namespace tidewise
