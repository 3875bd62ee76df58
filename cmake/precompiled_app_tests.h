#pragma once
// precompiled_app.h for tests, which have other options.

#include "cmake/precompiled_app.h"

#include <gtest/gtest.h>
#include <random>
