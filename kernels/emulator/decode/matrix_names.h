#pragma once
// Names of the elements of matrices. Private to this folder.

#include <string_view>

#include "kernels/emulator/machine/program.h"

namespace lanescope::emulator {

struct ElementName {
  std::string_view name;
  MmaOp::Element element;
  u32 bits;
};
inline constexpr ElementName element_names[] = {
    {"f16", MmaOp::Element::f16, 16},  {"bf16", MmaOp::Element::bf16, 16}, {"tf32", MmaOp::Element::tf32, 32},
    {"f64", MmaOp::Element::f64, 64},  {"e4m3", MmaOp::Element::e4m3, 8},  {"e5m2", MmaOp::Element::e5m2, 8},
    {"e3m2", MmaOp::Element::e3m2, 8}, {"e2m3", MmaOp::Element::e2m3, 8},  {"e2m1", MmaOp::Element::e2m1, 8},
    {"s8", MmaOp::Element::s8, 8},     {"u8", MmaOp::Element::u8, 8},      {"s4", MmaOp::Element::s4, 4},
    {"u4", MmaOp::Element::u4, 4},     {"b1", MmaOp::Element::b1, 1}};

}  // namespace lanescope::emulator
