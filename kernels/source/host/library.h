#pragma once
// The CUDA runtime and the C++ library as host code calls them: a table with a row for functions that are handled alike.

#include <span>

#include "kernels/source/host/call.h"
#include "kernels/source/host/function.h"

namespace lanescope::source::host {

const Library& library();

// The rows by subject.
std::span<const LibraryFunction> c_functions();          // library_c.cpp: numbers, texts, allocations, the process
std::span<const LibraryFunction> algorithm_functions();  // library_algorithms.cpp
std::span<const LibraryFunction> copy_functions();       // library_copies.cpp: allocations, copies and memsets
std::span<const LibraryFunction> stream_functions();     // library_streams.cpp
std::span<const LibraryFunction> device_functions();     // library_device.cpp: the GPU's properties and limits

std::optional<Value> library_method(Call& c);  // library_methods.cpp

/// Evaluates the arguments: what it does changes no launch.
std::optional<Value> no_effect(Call& c);
/// A call of the runtime whose result depends on the machine: what its arguments point to is unknown.
std::optional<Value> depends_on_machine(Call& c);

}  // namespace lanescope::source::host
