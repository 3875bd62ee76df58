#pragma once
// A claim of a comment, the variables that it names and the probe that reads them.

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "kernels/layout/assignment.h"
#include "kernels/source/model/memory_claim.h"
#include "kernels/source/model/why.h"

namespace lanescope::source {

/// One bit of an assignment as it is written: the places of its physical and of its logical side.
struct WrittenBit {
  layout::PhysicalBit bit;
  TextPlace physical, logical;  ///< line 0: that side is not written out ("simd: k0")
};

/// An axis whose extent a comment gives: "i in 0..5", "e:6". It need not be a power of two.
struct StatedExtent {
  std::string axis;
  std::uint64_t extent = 0;  ///< elements
  TextPlace place;
};

/// A line among the rows of a claim that cannot be read.
struct UnreadRow {
  int line = 0, column = 0;  ///< of what is wrong in it
  std::string text;          ///< the whole line without its comment marker
  std::string problem;       ///< may be empty: it is no row at all
  std::string remedy;
};

/// A variable that probes read. One C++ object: "x0", or "x" for an array or vector.
struct Variable {
  int id = 0;
  std::string name;
  std::string type;  ///< as written; may be empty (auto)
  std::string function;
  int declared_line = 0;
};

/// Where a probe was put in the probed text.
struct ProbePoint {
  int id = 0;                  ///< as in the PTX comment
  int claim = -1;              ///< index in Source::claims, -1: a watch probe (for views)
  int line = 0, column = 0;    ///< the user's position just before which the probe stands
  int statement_line = 0;      ///< line of the statement that the probe follows (whose effect it sees)
  std::vector<int> variables;  ///< ids read by this probe
};

enum class ClaimKind : std::uint8_t { registers, memory, subarray };

/// What a comment claims. Of memory it has no `stated`, registers or probes.
struct Claim {
  /// Nothing: the registers of `variable`, which `stated` describes.
  std::variant<std::monostate, ArrayLayout, ArrayPart, WorkShare> about;
  ClaimKind kind() const;
  std::string function;               ///< of memory: around the comment, or that begins right after it
  int first_line = 0, last_line = 0;  ///< of its rows
  int column = 0;                     ///< of memory
  std::vector<int> row_lines;         ///< one per row present, in text order
  std::string variable;               ///< display name: "x"
  std::vector<int> registers;         ///< variable ids in register order (r = 0, 1, ...); one id for an array
  layout::Assignment stated;
  std::vector<WrittenBit> bits;       ///< of `stated`, where the text has them
  std::vector<StatedExtent> extents;  ///< of axes, as its text and the comments before it give them
  /// How its rows were read, in sentences: "b1 b0 are read as bits of the register."
  std::vector<std::string> read_as;
  bool other_notation = false;  ///< rows that stand for what another tool's notation or index arithmetic says
  int alternative_of = -1;      ///< index of the claim that this one is an alternative to: one of them has to hold
  std::string sentence;         ///< the prose that introduced it; of memory the comment itself
  std::string assumed;          ///< which variable is meant where none is named, in words; empty: it is named
  int probe = -1;               ///< ProbePoint id; -1 when none could be placed
  /// Where it may be meant instead when it is false at `probe`: after the writes of its variables that follow the
  /// comment directly, in text order; the last one sees them all.
  std::vector<int> later_probes;
  std::string forward_words;       ///< words of the comment that speak of what the next statements do: "becomes"
  std::string step_words;          ///< words that speak of a step and leave its side open: "this exchanges"
  ClaimReason unchecked_reason{};  ///< of a claim that no run can check
};

/// Of memory: the comment at `place`.
Claim claim_at(const TextPlace& place, std::string sentence);
/// What is stated, in one line.
std::string stated_words(const Claim& claim);
/// "register assignment of `x`", "layout of `E`", "stated part of `p`".
std::string subject_words(const Claim& claim);

}  // namespace lanescope::source
