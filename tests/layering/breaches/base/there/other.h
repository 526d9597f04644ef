#pragma once

#include "base/here/one.h"
