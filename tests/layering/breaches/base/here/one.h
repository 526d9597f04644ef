#pragma once

#include "base/there/other.h"
