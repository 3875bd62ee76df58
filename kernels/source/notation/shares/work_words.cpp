#include "kernels/source/notation/shares/work_words.h"

#include <algorithm>

#include <fmt/format.h>

#include "kernels/base/text.h"
#include "kernels/source/cxx/lexer.h"
#include "kernels/source/cxx/number_types.h"

namespace lanescope::source {
namespace {

/// Words that make a sentence one that is not read.
constexpr std::string_view not_read[] = {
    "if",         "when",      "could",      "would",   "should",     "might",   "may",           "not",
    "no",         "never",     "instead",    "unlike",  "multiple",   "several", "many",          "some",
    "except",     "unless",    "until",      "least",   "most",       "about",   "approximately", "roughly",
    "around",     "iteration", "iterations", "time",    "step",       "steps",   "stage",         "pass",
    "round",      "loop",      "loops",      "turn",    "times",      "plus",    "another",       "extra",
    "additional", "either",    "or",         "todo",    "ideally",    "future",  "before",        "originally",
    "old",        "without",   "than",       "more",    "fewer",      "less",    "half",          "nth",
    "first",      "last",      "leader",     "assume",  "assuming",   "suppose", "cannot",        "don't",
    "doesn't",    "want",      "wants",      "example", "e.g",        "i.e",     "where",         "whose",
    "remaining",  "except",    "both",       "rather",  "previously", "imagine", "alternatively", "second",
    "case",       "ought",     "sometimes",  "usually", "typically",  "only",    "twice",         "different",
    "while",      "whether",   "but",        "phase",   "now",        "every",   "each",          "version",
    "across",     "range",     "every",      "strided"};

/// "two", "sixteen"; 0: none.
std::int64_t number_word(std::string_view w) {
  constexpr std::string_view words[17] = {"",     "one", "two",    "three",  "four", "five", "six", "seven",  "eight",
                                          "nine", "ten", "eleven", "twelve", "",     "",     "",    "sixteen"};
  if (w == "single" || w == "a" || w == "an") return 1;
  if (w == "thirty-two") return 32;
  for (std::size_t n = 1; n < std::size(words); ++n)
    if (!words[n].empty() && words[n] == w) return static_cast<std::int64_t>(n);
  return 0;
}

}  // namespace

std::vector<Piece> pieces_of(std::string_view s, std::size_t first, std::size_t end) {
  std::vector<Piece> out;
  for (std::size_t i = first; i < end;) {
    if (is_blank(s[i]) || s[i] == '\n') {
      ++i;
      continue;
    }
    std::size_t stop = i + 1;
    if (s.substr(i).starts_with("\u00d7")) {
      out.push_back({s.substr(i, 2), "x", i});
      i += 2;
      continue;
    }
    if (is_digit(s[i])) {
      while (stop < end && is_digit(s[stop])) ++stop;
    } else if (is_word_start(s[i])) {
      while (stop < end && (is_word(s[stop]) || (s[stop] == '.' && stop + 1 < end && is_word_start(s[stop + 1])) ||
                            (s.substr(stop, 2) == "::" && stop + 2 < end && is_word_start(s[stop + 2])) ||
                            (s[stop] == ':' && s[stop - 1] == ':')))
        ++stop;
    }
    out.push_back({s.substr(i, stop - i), lower(s.substr(i, stop - i)), i});
    i = stop;
  }
  return out;
}

std::optional<SubarrayClaim::Owner> owner_at(const std::vector<Piece>& w, std::size_t& k) {
  using Owner = SubarrayClaim::Owner;
  while (k < w.size() && one_of(w[k].low, {"cuda", "gpu", "individual", "active", "worker", "compute", "single"})) ++k;
  if (k >= w.size()) return std::nullopt;
  const std::string& n = w[k].low;
  if (n == "thread" && k + 1 < w.size() && w[k + 1].low == "block") {
    k += 2;
    return Owner::block;
  }
  ++k;
  if (one_of(n, {"block", "threadblock", "cta"})) return Owner::block;
  if (n == "warp") return Owner::warp;
  if (n == "thread" || n == "lane") return Owner::thread;
  --k;
  return std::nullopt;
}

std::optional<WorkShare::Verb> work_verb(std::string_view w) {
  using Verb = WorkShare::Verb;
  if (one_of(w, {"computes", "compute", "calculates", "calculate", "produces", "produce", "writes", "write", "stores",
                 "store", "outputs", "computing", "calculating", "producing", "writing", "storing", "computed",
                 "calculated"}))
    return Verb::writes;
  if (one_of(w, {"loads", "load", "reads", "read", "fetches", "fetch", "loading", "reading", "copies", "copy",
                 "copying", "fetching", "transfers"}))
    return Verb::reads;
  if (one_of(w,
             {"processes", "process", "handles", "handle", "owns", "own", "covers", "cover", "processing", "handling"}))
    return Verb::accesses;
  return std::nullopt;
}

bool is_computing(std::string_view verb) {
  return verb.starts_with("comput") || verb.starts_with("calculat") || verb.starts_with("produc");
}

bool is_tile_word(std::string_view w) {
  return one_of(w, {"tile",    "patch",  "subtile",     "sub-tile", "block",      "subblock",  "submatrix",
                    "portion", "region", "minitile",    "fragment", "square",     "microtile", "micro-tile",
                    "tiles",   "chunk",  "output-tile", "matrix",   "threadtile", "blocktile", "warptile"});
}

bool is_element_word(std::string_view w) {
  return one_of(
      w, {"element", "elements", "value", "values", "output", "outputs", "result",  "results", "entry",   "entries",
          "pixel",   "pixels",   "item",  "items",  "number", "numbers", "scalar",  "scalars", "cell",    "cells",
          "float",   "floats",   "half",  "halfs",  "halves", "double",  "doubles", "float4",  "float4s", "float2",
          "float2s", "half2",    "int4",  "uint4",  "ints",   "int",     "bytes",   "byte",    "halfs"});
}

bool is_filler(std::string_view w) {
  return one_of(w, {"output", "input",  "result",      "resulting",   "final",  "matrix", "array",  "data",   "c",
                    "thread", "warp",   "block",       "register",    "sub",    "-",      "sized",  "square", "entire",
                    "full",   "whole",  "complete",    "image",       "query",  "token",  "vector", "2d",     "1d",
                    "small",  "little", "own",         "computed",    "bf16",   "fp32",   "fp16",   "half",   "float",
                    "global", "local",  "rectangular", "destination", "source", "scalar", "shape"});
}

int bytes_of_unit(std::string_view w) {
  if (one_of(w, {"byte", "bytes"})) return 1;
  if (w.ends_with("4s") || w.ends_with("2s")) w.remove_suffix(1);
  if (one_of(w, {"floats", "doubles", "ints"})) w.remove_suffix(1);
  if (one_of(w, {"halfs", "halves"})) w = "half";
  if (one_of(w, {"float", "double", "half", "int", "float4", "float2", "half2", "int4", "uint4"}))
    if (const auto t = number_type(w == "half" ? "__half" : w == "half2" ? "__half2" : w)) return t->bytes;
  return 0;
}

int axis_of_name(std::string_view name) {
  const std::string n = lower(name.substr(name.rfind(':') + 1));
  const auto ends = [&](std::string_view w) { return n == w || n.ends_with("_" + std::string(w)); };
  if (n.find("row") != std::string::npos || ends("m") || ends("y") || ends("height") || ends("h") ||
      one_of(n, {"bm", "tm", "wm", "blockm", "threadm", "warpm", "kblockm", "wmma_m", "mma_m", "tile_m", "rm"}))
    return 1;
  if (n.find("col") != std::string::npos || ends("n") || ends("x") || ends("width") || ends("w") ||
      one_of(n, {"bn", "tn", "wn", "blockn", "threadn", "warpn", "kblockn", "wmma_n", "mma_n", "tile_n", "rn"}))
    return -1;
  return 0;
}

bool has_bad_word(const std::vector<Piece>& w, std::size_t first, std::size_t end) {
  for (std::size_t i = first; i < end; ++i) {
    if (one_of(w[i].low, not_read)) {
      // "of each sub-matrix": one of them.
      const bool of_each = w[i].low == "each" && i > 0 && w[i - 1].low == "of" && i + 1 < end &&
                           one_of(w[i + 1].low, {"sub", "matrix", "tile", "input", "array", "vector", "submatrix"});
      if (!of_each) return true;
    }
    if (w[i].text == "~" || w[i].text == "<" || w[i].text == ">" || w[i].text == "=") return true;
    if (w[i].low == "per" || w[i].low == "at") return true;
    if (w[i].text == "+" || w[i].text == "/") return true;  // "one element + 1"
  }
  return false;
}

bool noun_follows(const std::vector<Piece>& w, std::size_t k) {
  if (k >= w.size() || !is_word_start(w[k].text.front())) return false;
  return !one_of(
      w[k].low, {"of",       "in",    "from", "to",  "into", "for",  "using",        "with",         "on",    "and",
                 "so",       "which", "by",   "via", "as",   "that", "along",        "then",         "since", "because",
                 "starting", "this",  "we",   "it",  "the",  "its",  "concurrently", "independently"});
}

Quantity quantity(const std::vector<Piece>& w, std::size_t& k, const Values& values) {
  Quantity out;
  // "(THREAD_M, THREAD_N)": two extents.
  if (k < w.size() && w[k].text == "(") {
    std::size_t at = k + 1;
    const Quantity first = quantity(w, at, values);
    if (first.factors.size() == 1 && at < w.size() && w[at].text == ",") {
      ++at;
      const Quantity second = quantity(w, at, values);
      if (second.factors.size() == 1 && at < w.size() && w[at].text == ")") {
        out.factors = {first.factors[0], second.factors[0]};
        out.names = {first.names[0], second.names[0]};
        out.by = true;
        out.problem = first.problem.empty() ? second.problem : first.problem;
        k = at + 1;
        return out;
      }
    }
  }
  const auto factor = [&](std::size_t& at) -> bool {
    if (at >= w.size()) return false;
    const Piece& p = w[at];
    if (p.text == "(") {
      int depth = 0;
      std::string inside;
      std::size_t e = at;
      for (; e < w.size(); ++e) {
        if (w[e].text == "(") ++depth;
        if (w[e].text == ")" && --depth == 0) break;
        if (e > at) inside += std::string(w[e].text) + " ";
      }
      if (e >= w.size()) return false;
      const ConstantValue v = evaluate(inside, values);
      if (!v) return false;
      out.factors.push_back(*v);
      out.names.push_back(inside);
      at = e + 1;
      return true;
    }
    if (is_digit(p.text.front())) {
      if (p.text.size() > 9) return false;
      out.factors.push_back(std::stoll(std::string(p.text)));
      out.names.emplace_back(p.text);
      ++at;
      return true;
    }
    if (const std::int64_t n = number_word(p.low); n > 0 && !values.contains(p.text)) {
      out.factors.push_back(n);
      out.names.emplace_back(p.text);
      out.word = true;
      ++at;
      return true;
    }
    if (!is_word_start(p.text.front())) return false;
    if (const ConstantValue v = evaluate(p.text, values)) {
      out.factors.push_back(*v);
      out.names.emplace_back(p.text);
      ++at;
      return true;
    }
    // "TMxTN"
    for (std::size_t x = p.text.find('x', 1); x != std::string_view::npos && x + 1 < p.text.size();
         x = p.text.find('x', x + 1)) {
      const ConstantValue a = evaluate(p.text.substr(0, x), values), b = evaluate(p.text.substr(x + 1), values);
      const bool names = is_word_start(p.text.front()) && !is_digit(p.text[x + 1]);
      if (!a || !b || !names) continue;
      out.factors = {*a, *b};
      out.names = {std::string(p.text.substr(0, x)), std::string(p.text.substr(x + 1))};
      out.by = true;
      ++at;
      return true;
    }
    // "mblock" of a parameter mBlock.
    std::optional<std::pair<std::string, std::int64_t>> alike;
    bool several = false;
    for (const auto& [known, value] : values) {
      if (p.text.size() < 3 || known.size() != p.text.size() || lower(known) != p.low) continue;
      several = several || (alike && alike->second != value);
      alike = {known, value};
    }
    if (alike && !several) {
      out.factors.push_back(alike->second);
      out.names.push_back(alike->first);
      ++at;
      return true;
    }
    const bool name = std::ranges::any_of(p.text, [](char c) { return c == '_' || (c >= 'A' && c <= 'Z'); }) &&
                      p.text.size() > 1 &&
                      (p.text.find('_') != std::string_view::npos || lower(p.text.substr(1)) != p.text.substr(1));
    if (!name) return false;
    out.problem = fmt::format("`{}` has no known value", p.text);
    out.factors.push_back(0);
    out.names.emplace_back(p.text);
    ++at;
    return true;
  };
  std::size_t at = k;
  if (!factor(at)) return {};
  k = at;
  while (at < w.size() && out.factors.size() < 4) {
    const bool star = w[at].text == "*", by = w[at].low == "x" || w[at].low == "by";
    // "x8" of "8x8"
    const bool joined_by = w[at].low.size() > 1 && w[at].low.front() == 'x' &&
                           std::ranges::all_of(w[at].low.substr(1), is_digit) &&
                           w[at].at == w[at - 1].at + w[at - 1].text.size() && w[at].low.size() < 10;
    if (joined_by) {
      out.by = true;
      out.factors.push_back(std::stoll(w[at].low.substr(1)));
      out.names.emplace_back(w[at].text.substr(1));
      k = ++at;
      continue;
    }
    if (!star && !by) break;
    ++at;
    const std::size_t before = out.factors.size();
    if (!factor(at) || out.factors.size() == before) break;
    out.by = out.by || by;
    k = at;
  }
  return out;
}

}  // namespace lanescope::source
