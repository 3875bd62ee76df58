#pragma once
// precompiled_gui.h for tests, which have other options.

#include "cmake/precompiled_gui.h"

#include <gtest/gtest.h>
#include <random>
