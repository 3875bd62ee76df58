#include "kernels/source/notation/shares/work_scope.h"

#include <algorithm>

#include <fmt/format.h>

#include "kernels/base/text.h"
#include "kernels/source/cxx/lexer.h"
#include "kernels/source/cxx/number_types.h"

namespace lanescope::source {

const Phrases& work_phrases() {
  static const Phrases table(R"(
each        (SURE:(each|every)|ARTICLE:a|one|1) <owner> (<group>|!(in|of|within)) (<then>* <does>|<responsible>)
one_per     (one|1) <owner> per <filler>? <filler>? <filler>?
            NOUN:(ROWS:row|COLUMNS:(column|col)|CHANNEL:channel|element|output|pixel|entry)
extent      (the|-|:)* (ROWS:height|COLUMNS:width|DIM:((ROWS:M|COLUMNS:N) (dim|dimension|extent|size))) of
            (the|a|continuous|contiguous)* (block|tile|submatrix|subtile|sub|patch) (-|matrix|tile|block)* (of ARRAY:.)?
            (that|which|is)* (<verb> by <an_owner>|<an_owner> will* <verb>)
owner_size  the* per - <owner> tile size (for|in) the* (ROWS:M|COLUMNS:N) (dim|dimension)
product     (\*|-)* FIRST:<owner> tile (:|=) MNK:<NAME> $
one_one     (one|1) <owner> (one|1) (ROWS:row|COLUMNS:column|element) $
per_owner   per <owner> ($|AGAIN:((at|in|for|per)? (each|every|a|one)* (step|iteration|time|load|pass) $)
            |PURPOSE:((for|so|to) !(each|every)))
per_lead    (we|'|ll|will|so|to|handle)*
per_noun    ((<filler>|half|bf16|fp8|consecutive) &.)* (ROWS:(row|rows|token|tokens)|NOUN:<element>) $

owner       <plain>* (BLOCK:(thread block|block|threadblock|cta)|WARP:warp|THREAD:(thread|lane))
an_owner    (each|every|one|a) <owner>
plain       cuda|gpu|individual|active|worker|compute|single
group       (in|of|within) (the|a|this|thread)* (block|grid|warp|threadblock|group|kernel|cta)
then        then|simply|also|will|is|needs|need|has|to|must|responsible|for|thus|therefore|independently
does        <verb>|ACCESSES:((works|operates) on|deals with|(doing|does|do) &((one|1|two) (row|rows|column|columns)))
responsible (!(responsible for !<then>) <then>)* ACCESSES:(responsible for) !<then>
verb        WRITES:(<computes>|writes|write|stores|store|outputs|writing|storing)
            |READS:(loads|load|reads|read|fetches|fetch|loading|reading|copies|copy|copying|fetching|transfers)
            |ACCESSES:(processes|process|handles|handle|owns|own|covers|cover|processing|handling)
computes    computes|compute|calculates|calculate|produces|produce|computing|calculating|producing|computed|calculated

begins      each|every|one (thread|block|warp|threadblock)
not_behind  for|only|per|of|than|if|when|from|to|in|by|with|at|let|makes|make|the|just|on|<INT>
behind_one  use|using|-|launch|assign|with|strategy|kernel|,|and|simply
lead        (exactly|just|its|the|own)*
sum         (sum|sums|maximum|minimum|mean) (of|for|over) the*
one_of      one of the <element>
article     (a|an|one|single) single?
modifiers   (CONSECUTIVE:(consecutive|contiguous|adjacent|neighboring|neighbouring)|!(<element> !<more>) <filler> &.)*
noun        ROWS:(row|rows)|COLUMNS:(column|columns|col|cols)|!(matrix|tiles) TILE:<tile>|ELEMENTS:<element> !<more>
sized       (of (size|shape|dimension|dimensions)*|with (size|shape|dimension|dimensions)+)
elements    <element>*
more        !(of|in|from|to|into|for|using|with|on|and|so|which|by|via|as|that|along|then|since|because|starting|this|we|it
            |the|its|concurrently|independently) <NAME>
tile        tile|patch|subtile|block|subblock|submatrix|portion|region|minitile|fragment|square|microtile|tiles|chunk|matrix
            |threadtile|blocktile|warptile
element     element|elements|value|values|output|outputs|result|results|entry|entries|pixel|pixels|item|items|number|numbers
            |scalar|scalars|cell|cells|float|floats|half|halfs|halves|double|doubles|float4|float4s|float2|float2s|half2|int4
            |uint4|ints|int|bytes|byte
filler      output|input|result|resulting|final|matrix|array|data|c|thread|warp|block|register|sub|-|sized|square|entire|full
            |whole|complete|image|query|token|vector|small|little|own|computed|bf16|fp32|fp16|half|float|global|local
            |rectangular|destination|source|scalar|shape
result      output|outputs|result|results

bad         if|when|could|would|should|might|may|not|no|never|instead|unlike|multiple|several|many|some|except|unless|until
            |least|most|about|approximately|roughly|around|iteration|iterations|time|step|steps|stage|pass|round|loop|loops
            |turn|times|plus|another|extra|additional|either|or|todo|ideally|future|before|originally|old|without|than|more
            |fewer|less|half|nth|first|last|leader|assume|assuming|suppose|cannot|want|needs|example|e.g|i.e|where|whose
            |remaining|both|rather|previously|imagine|alternatively|second|case|ought|sometimes|usually|typically|only|twice
            |different|while|whether|but|phase|now|every|each|version|across|range|strided|~|\<|>|=|per|at|\+|/
of_each     of each (sub|matrix|tile|input|array|vector|submatrix)
on_chip     shared|smem|__shared__|sram|shmem|lds|cache|register|registers|reg|regs|tmem
lines       rows|row|columns|column
one_line    (a|the|same|one) <lines>
second      and (a|one|1) (row|column|col|element)
no_array    a|i|the|in|of|to|and|x

chinese     (每个|每|一个|1个) <cn_owner> 会? 需要? <cn_verb> 出? (ARRAY:<NAME> (中的|中|上的|里的))? 大小为? A:(<INT>|<NAME>)
            ((x|\*) B:(<INT>|<NAME>))? 个? 的? <cn_noun>? $
cn_owner     BLOCK:(线程块|thread block|threadblock|block|cta)|WARP:(线程束|warp)|THREAD:(线程|thread)|LANE:lane
cn_verb      HANDLES:负责处理|COMPUTES:负责计算|LOADS:(负责加载|负责读取)|HANDLES:(负责|处理 了?)|COMPUTES:计算
            |LOADS:(读取|加载|搬运|load|读|取)|COVERS:覆盖|WRITES:(写入|写)|COPIES:拷贝
cn_noun      ELEMENTS:(元素|数据|数|elements|element)|FLOAT:float|ROWS:行|COLUMNS:列|TILE:(矩阵块|子矩阵|子块|tile|块)
mark        ,|;|，|。|；|：|、
)");
  return table;
}

bool has_bad_word(const Words& w, std::size_t first, std::size_t end) {
  for (std::size_t i = first; i < end; ++i) {
    if (work_phrases().is("of_each", w, i))
      ++i;  // "of each sub-matrix": one of them
    else if (work_phrases().is("bad", w, i))
      return true;
  }
  return false;
}

int bytes_of_unit(std::string_view w) {
  if (one_of(w, {"byte", "bytes"})) return 1;
  if (w.ends_with("4s") || w.ends_with("2s")) w.remove_suffix(1);
  if (one_of(w, {"floats", "doubles", "ints"})) w.remove_suffix(1);
  if (one_of(w, {"half", "halfs", "halves"})) w = "__half";
  if (w == "half2") w = "__half2";
  if (!one_of(w, {"float", "double", "__half", "int", "float4", "float2", "__half2", "int4", "uint4"})) return 0;
  const auto type = number_type(w);
  return type ? type->bytes : 0;
}

int axis_of_name(std::string_view name) {
  const std::string n = lower(name.substr(name.rfind(':') + 1));
  const auto of = [&](std::string_view part, std::string_view ends, std::string_view stems) {
    if (n.find(part) != std::string::npos) return true;
    for (const Word& end : words_of(ends))
      if (n == end.text || n.ends_with("_" + end.low)) return true;
    return std::ranges::any_of(words_of(stems),
                               [&](const Word& w) { return n == w.low + std::string(ends.substr(0, 1)); });
  };
  constexpr std::string_view stems = "b t w block thread warp kblock wmma_ mma_ tile_ r";
  return of("row", "m y height h", stems) ? 1 : of("col", "n x width w", stems) ? -1 : 0;
}

namespace {

/// "two", "sixteen"; 0: none.
std::int64_t number_word(std::string_view w) {
  constexpr std::string_view words[] = {"",     "one", "two",    "three",  "four", "five", "six", "seven",  "eight",
                                        "nine", "ten", "eleven", "twelve", "",     "",     "",    "sixteen"};
  if (one_of(w, {"single", "a", "an"})) return 1;
  return w.empty() || !one_of(w, words) ? 0 : std::ranges::find(words, w) - std::begin(words);
}

class QuantityReader {
 public:
  QuantityReader(const Words& words, const Values& values) : w_(words), values_(values) {}

  Quantity run(std::size_t& k) {
    if (pair(k)) return std::move(out_);
    std::size_t at = k;
    if (!factor(at)) return {};
    k = at;
    while (at < w_.size() && out_.factors.size() < 4) {
      const bool by = w_[at].low == "x" || w_[at].low == "by";
      if (!by && w_[at].text != "*") break;
      if (!factor(++at)) break;
      out_.by = out_.by || by;
      k = at;
    }
    return std::move(out_);
  }

 private:
  bool add(std::size_t& at, std::int64_t value, std::string_view name) {
    out_.factors.push_back(value);
    out_.names.emplace_back(name);
    ++at;
    return true;
  }

  /// "(THREAD_M, THREAD_N)".
  bool pair(std::size_t& k) {
    if (k >= w_.size() || w_[k].text != "(") return false;
    std::size_t at = k + 1;
    const Quantity a = QuantityReader(w_, values_).run(at);
    if (a.factors.size() != 1 || at >= w_.size() || w_[at].text != ",") return false;
    const Quantity b = QuantityReader(w_, values_).run(++at);
    if (b.factors.size() != 1 || at >= w_.size() || w_[at].text != ")") return false;
    out_ = {.factors = {a.factors[0], b.factors[0]},
            .names = {a.names[0], b.names[0]},
            .by = true,
            .problem = a.problem.empty() ? b.problem : a.problem};
    k = at + 1;
    return true;
  }

  bool factor(std::size_t& at) {
    if (at >= w_.size()) return false;
    const Word& p = w_[at];
    if (p.text == "(") return in_brackets(at);
    if (is_digit(p.text.front())) return p.text.size() <= 9 && add(at, std::stoll(p.low), p.text);
    if (const std::int64_t n = number_word(p.low); n > 0 && !values_.contains(p.text)) {
      out_.word = true;
      return add(at, n, p.text);
    }
    if (!is_word_start(p.text.front())) return false;
    if (const ConstantValue v = evaluate(p.text, values_)) return add(at, *v, p.text);
    // "TMxTN"
    for (std::size_t x = p.text.find('x', 1); x != std::string_view::npos && x + 1 < p.text.size();
         x = p.text.find('x', x + 1)) {
      const std::string_view first = p.text.substr(0, x), second = p.text.substr(x + 1);
      const ConstantValue a = evaluate(first, values_), b = evaluate(second, values_);
      if (!a || !b || is_digit(second.front())) continue;
      out_ = {.factors = {*a}, .names = {std::string(first)}, .by = true};
      return add(at, *b, second);
    }
    // "mblock" of a parameter mBlock.
    const std::pair<const std::string, std::int64_t>* alike = nullptr;
    bool several = false;
    for (const auto& known : values_) {
      if (p.text.size() < 3 || lower(known.first) != p.low) continue;
      several = several || (alike != nullptr && alike->second != known.second);
      alike = &known;
    }
    if (alike != nullptr && !several) return add(at, alike->second, alike->first);
    const bool name = p.text.size() > 1 &&
                      (p.text.find('_') != std::string_view::npos || lower(p.text.substr(1)) != p.text.substr(1));
    if (!name) return false;
    out_.problem = fmt::format("`{}` has no known value", p.text);
    return add(at, 0, p.text);
  }

  bool in_brackets(std::size_t& at) {
    int depth = 0;
    std::string inside;
    for (std::size_t e = at; e < w_.size(); ++e) {
      if (w_[e].text == "(") ++depth;
      if (w_[e].text == ")" && --depth == 0) {
        const ConstantValue v = evaluate(inside, values_);
        if (!v) return false;
        at = e;
        return add(at, *v, inside);
      }
      if (e > at) inside += std::string(w_[e].text) + " ";
    }
    return false;
  }

  const Words& w_;
  const Values& values_;
  Quantity out_;
};

/// "each block computes a BM x BN tile of C" for a clause that the table reads as a whole.
std::string clause_in_english(std::span<const Word> words) {
  const auto m = work_phrases().at("chinese", words);
  if (!m) return {};
  const std::string owner = lower(m->tags[0].name), verb = lower(m->tags[1].name), last = lower(m->tags.back().name);
  const std::string noun = last == "a" || last == "b" ? "elements" : last;
  const bool product = m->has("B");
  if (noun == "tile" ? !product : product && (noun == "rows" || noun == "columns")) return {};
  std::string out = fmt::format("each {} {} {}{}", owner, verb, noun == "tile" ? "a " : "", m->text("A", words));
  if (product) out += fmt::format(" x {}", m->text("B", words));
  out += " " + noun;
  if (m->has("ARRAY")) out += fmt::format(" of {}", m->text("ARRAY", words));
  return out + ".";
}

}  // namespace

Quantity quantity(const Words& words, std::size_t& k, const Values& values) {
  return QuantityReader(words, values).run(k);
}

std::string work_in_english(std::string_view line) {
  if (std::ranges::none_of(line, [](char c) { return static_cast<unsigned char>(c) >= 0xe4; })) return {};
  const Words words = words_of(line);
  std::string out;
  for (std::size_t first = 0, k = 0; k <= words.size(); ++k) {
    if (k < words.size() && !work_phrases().is("mark", words, k)) continue;
    if (const std::string english = clause_in_english(std::span(words).subspan(first, k - first)); !english.empty())
      out += (out.empty() ? "" : " ") + english;
    first = k + 1;
  }
  return out;
}

}  // namespace lanescope::source
