#pragma once
// Words of comments, and tables of phrases over them. A table has one rule a line; a line that begins with a blank continues
// the rule above it:
//
//   owner   <plain>* (BLOCK:(thread block|block|cta)|WARP:warp|THREAD:(thread|lane))
//   plain   cuda|gpu|single
//
// A word stands for itself in any case, or in its own where it has capitals; a backslash is before a sign of the table itself. <rule>
// is another rule, <NAME> a name, <INT> digits, `.` any word and `$` the end of the words. x? x* x+ take as many as fit and give
// none back, a|b takes the first that fits, !x and &x look ahead. TAG:x reports the words that x has matched.

#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::source {

/// A name with its members ("threadIdx.x", "a::b"), a run of digits, or one other character.
struct Word {
  std::string_view text;
  std::string low;     ///< in lower case
  std::size_t at = 0;  ///< in the text that was cut; the text ends at or after `end()`
  std::size_t end() const { return at + text.size(); }
};
using Words = std::vector<Word>;
/// Words of bytes [first, end) of a text, which must outlive them.
Words words_of(std::string_view text, std::size_t first = 0, std::size_t end = std::string_view::npos);
/// Names and numbers alone, "4t" as one of them.
Words plain_words_of(std::string_view text, std::size_t first = 0);

/// Where `name` is in a text, no letter, digit or underscore beside it; npos: nowhere.
std::size_t find_word(std::string_view text, std::string_view name, std::size_t from = 0);
/// The first entry of a list "a|b|c" that the text contains, with borders of words around it if `whole`; empty: none.
std::string_view entry_in(std::string_view list, std::string_view text, bool whole = false);

class Phrases {
 public:
  struct Tag {
    std::string_view name;
    std::size_t first = 0, end = 0;  ///< words
  };
  struct Match {
    std::size_t first = 0, end = 0;  ///< words
    std::vector<Tag> tags;           ///< in the order of the words
    bool has(std::string_view tag) const { return find(tag) != nullptr; }
    const Tag* find(std::string_view tag) const;
    /// The text of a tag's words and of what is between them; empty where the tag is not among them.
    std::string_view text(std::string_view tag, std::span<const Word> words) const;
  };

  explicit Phrases(std::string_view table);
  /// The rule at word `k`.
  std::optional<Match> at(std::string_view rule, std::span<const Word> words, std::size_t k = 0) const;
  /// The first place from word `k` on at which the rule fits.
  std::optional<Match> in(std::string_view rule, std::span<const Word> words, std::size_t k = 0) const;
  bool is(std::string_view rule, std::span<const Word> words, std::size_t k) const {
    return at(rule, words, k).has_value();
  }
  bool is(std::string_view rule, std::string_view word) const;
  /// Moves `k` to the word after the rule if it fits there.
  bool skip(std::string_view rule, std::span<const Word> words, std::size_t& k) const;

 private:
  enum class Kind : unsigned char {
    words,
    exact,
    any,
    name,
    number,
    end,
    sequence,
    choice,
    repeat,
    tag,
    ahead,
    not_ahead,
    rule
  };
  struct Node {
    Kind kind = Kind::words;
    std::vector<std::string> words{};  ///< sorted; one for a tag, a rule and an exact word
    std::vector<int> parts{};
    std::size_t least = 0, most = 1;
  };
  class Parser;
  bool match(int node, std::span<const Word> words, std::size_t& k, std::vector<Tag>& tags) const;

  std::vector<Node> nodes_;
  std::map<std::string, int, std::less<>> rules_;
};

/// The phrases that comments are read by, all but those of shares of work (kernels/source/notation/shares/work_words.cpp).

const Phrases& comment_phrases();

}  // namespace lanescope::source
