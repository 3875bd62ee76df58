// The lines of one claim put together: rows from bits, marks, warps counted by dimension, `b` as register or block.

#include <algorithm>
#include <bit>
#include <set>

#include <fmt/format.h>

#include "kernels/layout/claim_line.h"

namespace lanescope::layout {
namespace {

using Entry = LinesOfClaim::Entry;

std::string listed_bits(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& w : words) out += (out.empty() ? "" : " ") + w;
  return out;
}

class Assembler {
 public:
  Assembler(const LinesOfClaim& lines, const Vocabulary& vocabulary)
      : entries_(lines.bits), singles_(lines.single), vocabulary_(vocabulary) {}

  Assembled run() {
    for (std::size_t i = 0; i < entries_.size(); ++i) origin_.push_back(i);
    bare_b();
    letters();
    dimensions();
    marks();
    renamed();
    if (out_.problems.empty()) rows();
    return std::move(out_);
  }

 private:
  void problem(const Entry& e, std::string message, std::string remedy = {}) {
    const std::size_t at = e.bit.physical_at != LineBit::npos ? e.bit.physical_at : e.bit.logical_at;
    out_.problems.push_back({.line = e.line,
                             .column = e.column + (at == LineBit::npos ? 0 : static_cast<int>(at)),
                             .message = std::move(message),
                             .remedy = std::move(remedy)});
  }

  bool has_row(Place place) const {
    return std::ranges::any_of(entries_, [&](const Entry& e) { return e.bit.bit.place == place && !e.bit.bare_b; }) ||
           std::ranges::any_of(singles_, [&](const auto& s) { return s.first == place; });
  }

  /// Elements of 32 bits and more have no parts in a register: then `b` is the block.
  bool too_wide_for_parts() const {
    for (const Entry& e : entries_) {
      if (!e.bit.bare_b) continue;
      for (const std::string& name : e.bit.term.names) {
        const auto axis = vocabulary_.axes.find(split_name(name).axis);
        if (axis != vocabulary_.axes.end() && axis->second.element_bits >= 32) return true;
      }
    }
    return false;
  }

  /// There are as many blocks as the bits count, and a register has another number of parts.
  bool counts_blocks(int bits) const {
    if (vocabulary_.blocks < 2 || static_cast<int>(std::bit_width(vocabulary_.blocks - 1)) != bits) return false;
    for (const Entry& e : entries_) {
      if (!e.bit.bare_b) continue;
      for (const std::string& name : e.bit.term.names) {
        const auto axis = vocabulary_.axes.find(split_name(name).axis);
        if (axis == vocabulary_.axes.end() || axis->second.element_bits == 0) continue;
        return 32 >> std::min(bits, 5) != axis->second.element_bits;
      }
    }
    return false;
  }

  void bare_b() {
    std::vector<std::string> words;
    int lowest = 64;
    for (const Entry& e : entries_) {
      if (!e.bit.bare_b) continue;
      words.push_back(e.bit.written);
      lowest = std::min(lowest, e.bit.bit.index);
    }
    const bool said_so = vocabulary_.letters.contains("b");
    if (words.empty() || (!said_so && (has_row(Place::simd) || has_row(Place::block) || too_wide_for_parts()))) return;
    if (!said_so && counts_blocks(static_cast<int>(words.size()))) {
      out_.assumed.push_back(fmt::format("{} {} read as bits of the block, of which there are {}", listed_bits(words),
                                         words.size() == 1 ? "is" : "are", vocabulary_.blocks));
      return;
    }
    for (Entry& e : entries_) {
      if (!e.bit.bare_b) continue;
      e.bit.bit = {Place::simd, e.bit.bit.index - lowest};
    }
    std::string said =
        fmt::format("{} {} read as bits of the register", listed_bits(words), words.size() == 1 ? "is" : "are");
    if (lowest > 0) said += fmt::format(", whose elements have {} bits", 1 << std::min(lowest, 6));
    if (!said_so) out_.b_as_simd = said;
    out_.assumed.push_back(std::move(said));
  }

  /// `wx wy wz` count the warps in x, y and z, x fastest.
  void dimensions() {
    std::array<int, 3> bits{};
    std::array<const Entry*, 3> first{};
    for (const Entry& e : entries_) {
      if (e.bit.dimension < 0) continue;
      const auto d = static_cast<std::size_t>(e.bit.dimension);
      bits[d] = std::max(bits[d], e.bit.bit.index + 1);
      if (first[d] == nullptr) first[d] = &e;
    }
    if (first[0] == nullptr && first[1] == nullptr && first[2] == nullptr) return;
    std::array<int, 3> have = bits;
    std::string said = "wx, wy and wz are read as the warp's number";
    if (vocabulary_.block) {
      for (std::size_t d = 0; d < 3; ++d) {
        const std::uint32_t extent = d == 0 ? (*vocabulary_.block)[0] / 32 : (*vocabulary_.block)[d];
        const std::uint32_t warps = std::max<std::uint32_t>(extent, 1);
        have[d] = std::bit_width(warps - 1);
        const bool above = (d < 2 && first[2] != nullptr) || (d < 1 && first[1] != nullptr);
        if (first[d] != nullptr && bits[d] > have[d]) {
          problem(*first[d], fmt::format("w{} has {} bits here, but the block has {} warps in that direction", "xyz"[d],
                                         bits[d], warps));
        } else if (above && !std::has_single_bit(warps)) {
          problem(*(first[d] != nullptr   ? first[d]
                    : first[2] != nullptr ? first[2]
                                          : first[1]),
                  fmt::format("the block has {} warps in {}, so that the bits above are no bits of the warp's number",
                              warps, "xyz"[d]));
        }
      }
      said += fmt::format(" in a block of {} x {} x {} threads", (*vocabulary_.block)[0], (*vocabulary_.block)[1],
                          (*vocabulary_.block)[2]);
    } else {
      said += ", each with the bits named here";
    }
    for (Entry& e : entries_) {
      if (e.bit.dimension < 0) continue;
      int below = 0;
      for (int d = 0; d < e.bit.dimension; ++d) below += have[static_cast<std::size_t>(d)];
      e.bit.bit.index += below;
    }
    out_.assumed.push_back(std::move(said));
  }

  /// Letters that the file explains and that the notation has for something else, or not at all.
  void letters() {
    std::set<std::string> reported;
    for (const Entry& e : entries_) {
      const std::string stem = e.bit.written.substr(0, e.bit.written.find_first_of("0123456789*'"));
      const auto said = vocabulary_.letters.find(stem);
      if (said == vocabulary_.letters.end() || !reported.insert(stem).second) continue;
      const std::string usual(1, row_letter(said->second.place));
      if (stem == usual || (stem == "l" && said->second.place == Place::thread)) continue;
      out_.assumed.push_back(
          fmt::format("{} is read as the {} (line {})", stem, row_name(said->second.place), said->second.line));
    }
  }

  void marks() {
    std::set<char> reported;
    const std::size_t count = entries_.size();
    for (std::size_t i = 0; i < count; ++i) {
      const Entry e = entries_[i];
      if (e.bit.mark == '\0') continue;
      const auto known = vocabulary_.marks.find(e.bit.mark);
      if (known == vocabulary_.marks.end()) {
        problem(e, fmt::format("`{}` is marked with {}, and no comment explains the mark", e.bit.written, e.bit.mark),
                fmt::format("write for example `{} marks a spectator` or `{} counts to 3`", e.bit.mark, e.bit.mark));
        out_.problems.back().unexplained_mark = e.bit.mark;
        continue;
      }
      const MarkMeaning& meaning = known->second;
      if (reported.insert(e.bit.mark).second)
        out_.assumed.push_back(meaning.counts_to > 0
                                   ? fmt::format("a bit marked with {} counts to {} (line {})", e.bit.mark,
                                                 meaning.counts_to, meaning.line)
                                   : fmt::format("a bit marked with {} is a spectator and read as written (line {})",
                                                 e.bit.mark, meaning.line));
      if (meaning.counts_to > 2) count_to(i, meaning.counts_to);
    }
  }

  /// A digit of `values` values, the highest of its row and of its axis, as bits.
  void count_to(std::size_t i, int values) {
    const Entry e = entries_[i];
    if (e.bit.term.names.size() != 1 || e.bit.term.constant)
      return problem(e, fmt::format("`{}` counts to {}, but is no single digit of an axis", e.bit.written, values));
    const LogicalBit digit = split_name(e.bit.term.names.front());
    for (const Entry& other : entries_) {
      if (&other == &entries_[i]) continue;
      const bool above = other.bit.bit.place == e.bit.bit.place && other.bit.bit.index > e.bit.bit.index;
      const bool higher = std::ranges::any_of(other.bit.term.names, [&](const std::string& name) {
        return split_name(name).axis == digit.axis && split_name(name).bit > digit.bit;
      });
      if ((above || higher) && !std::has_single_bit(static_cast<unsigned>(values)))
        return problem(e, fmt::format("`{}` counts to {}, but {} is above it, so that the row has no bits",
                                      e.bit.written, values, other.bit.written));
      if (above || higher)
        return problem(e, fmt::format("`{}` counts to {} and is not the highest of its row", e.bit.written, values));
    }
    const int bits = std::bit_width(static_cast<unsigned>(values - 1));
    out_.extents[digit.axis] = static_cast<std::uint64_t>(values) << digit.bit;
    for (int more = 0; more < bits; ++more) {
      Entry one = e;
      one.bit.bit.index += more;
      one.bit.term = sum_of({fmt::format("{}{}", digit.axis, digit.bit + more)});
      if (more == 0) {
        entries_[i] = one;
      } else {
        entries_.push_back(one);
        origin_.push_back(origin_[i]);
      }
    }
  }

  void renamed() {
    std::set<std::string> reported;
    for (Entry& e : entries_) {
      std::vector<std::string> names;
      bool constant = e.bit.term.constant, any = false;
      for (const std::string& name : e.bit.term.names) {
        const auto other = vocabulary_.renamed.find(name);
        if (other == vocabulary_.renamed.end() || other->second.from_line > e.line) {
          names.push_back(name);
          continue;
        }
        any = true;
        constant ^= other->second.bits.constant;
        names.insert(names.end(), other->second.bits.names.begin(), other->second.bits.names.end());
        if (reported.insert(name).second)
          out_.assumed.push_back(
              fmt::format("{} is {} (line {})", name, print(other->second.bits), other->second.from_line));
      }
      if (!any) continue;
      const Term term = sum_of(std::move(names), constant);
      if (term.names.empty())
        problem(e, fmt::format("`{}` cancels: no logical bit is left", print(e.bit.term)));
      else
        e.bit.term = term;
    }
  }

  void rows() {
    for (const auto& [place, line] : singles_) {
      if (out_.assignment.row(place)) {
        out_.problems.push_back({line, 0, fmt::format("there are two {} rows", row_name(place)), "keep one"});
        return;
      }
      out_.assignment.row(place).emplace();
    }
    for (std::size_t i = 0; i < entries_.size(); ++i) {
      const Entry& e = entries_[i];
      const PhysicalBit bit = e.bit.bit;
      if (bit.index < 0 || bit.index >= 32) {
        problem(e, "more than 32 bits", "a row has at most 32");
        return;
      }
      std::optional<std::vector<Term>>& row = out_.assignment.row(bit.place);
      if (row && row->empty() && std::ranges::any_of(singles_, [&](const auto& s) { return s.first == bit.place; })) {
        problem(e, fmt::format("there are two {} rows", row_name(bit.place)), "keep one");
        return;
      }
      if (!row) row.emplace();
      const auto index = static_cast<std::size_t>(bit.index);
      while (row->size() <= index) row->push_back({.role = Term::Role::unsaid, .names = {}, .constant = false});
      Term& slot = (*row)[index];
      if (slot.role != Term::Role::unsaid && slot != e.bit.term) {
        problem(e, fmt::format("{} row: {} occurs twice", row_name(bit.place), to_string(bit)), "name each bit once");
        return;
      }
      slot = e.bit.term;
      out_.order.push_back(origin_[i]);
      out_.final_bits.push_back(bit);
    }
    for (int p = 0; p < place_count; ++p) {
      const auto place = static_cast<Place>(p);
      std::vector<std::string> missing;
      for (int i = out_.assignment.bits(place) - 1; i >= 0; --i) {
        const PhysicalBit bit{place, i};
        const bool named = std::ranges::find(out_.final_bits, bit) != out_.final_bits.end();
        if (!named) missing.push_back(to_string(bit));
      }
      if (!missing.empty())
        out_.assumed.push_back(fmt::format("{} {} not named, so nothing is claimed about {}", listed_bits(missing),
                                           missing.size() == 1 ? "is" : "are", missing.size() == 1 ? "it" : "them"));
    }
  }

  std::vector<Entry> entries_;
  std::vector<std::size_t> origin_;  ///< of each entry in the input
  std::vector<std::pair<Place, int>> singles_;
  const Vocabulary& vocabulary_;
  Assembled out_;
};

}  // namespace

Assembled assemble(const LinesOfClaim& lines, const Vocabulary& vocabulary) {
  return Assembler(lines, vocabulary).run();
}

}  // namespace lanescope::layout
