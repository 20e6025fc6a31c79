// Options of the command line, as getopt of glibc finds them: words that are no options are moved behind those that are, unless the
// list of options begins with '+' (stop at the first such word) or '-' (it is an option of its own, 1).
//
// Everything is in variables of the program, so two threads that call these functions race, as they do with glibc.

#include <getopt.h>
#include <stdio.h>
#include <string.h>

extern "C" {

char* optarg = nullptr;
int optind = 1, opterr = 1, optopt = '?';

}  // extern "C"

namespace {

const char* next = "";               // what is left of a word with several short options
int firstWord = 1, behindWords = 1;  // the words that have been passed over

void swapWords(char** words, int from, int middle, int to) {
  const auto reverse = [&](int first, int last) {
    for (--last; first < last; ++first, --last) {
      char* const word = words[first];
      words[first] = words[last];
      words[last] = word;
    }
  };
  reverse(from, middle);
  reverse(middle, to);
  reverse(from, to);
}

bool isOption(const char* word) { return word[0] == '-' && word[1] != 0; }

class Parser {
 public:
  Parser(int count, char** words, const char* options, const option* longOptions, int* index, bool longOnly)
      : count_(count), words_(words), options_(options), long_(longOptions), index_(index), longOnly_(longOnly) {
    if (*options_ == '-' || *options_ == '+') mode_ = *options_++;
    quiet_ = *options_ == ':' || !opterr;
  }

  int parse() {
    optarg = nullptr;
    if (optind == 0) {  // start again
      optind = 1;
      next = "";
    }
    if (*next) return shortOption();
    if (optind == 1) firstWord = behindWords = 1;
    if (const int end = findOption()) return end == 1 ? 1 : -1;
    const char* const word = words_[optind];
    const bool isLong = long_ && (word[1] == '-' || (longOnly_ && (word[2] != 0 || !strchr(options_, word[1]))));
    if (isLong) return longOption(word + (word[1] == '-' ? 2 : 1), word[1] == '-');
    next = word + 1;
    return shortOption();
  }

 private:
  // Goes on to the next word that is an option. 0 if there is one, 1 if a word counts as an option, 2 at the end.
  int findOption() {
    if (mode_ == 0) {
      if (firstWord != behindWords && behindWords != optind) {
        swapWords(words_, firstWord, behindWords, optind);
        firstWord += optind - behindWords;
      } else if (behindWords != optind) {
        firstWord = optind;
      }
      while (optind < count_ && !isOption(words_[optind])) ++optind;
      behindWords = optind;
    }
    if (optind < count_ && strcmp(words_[optind], "--") == 0) {
      ++optind;
      if (firstWord != behindWords) {
        swapWords(words_, firstWord, behindWords, optind);
        firstWord += optind - behindWords;
      } else {
        firstWord = optind;
      }
      behindWords = optind = count_;
      optind = firstWord;
      return 2;
    }
    if (optind >= count_) {
      if (firstWord != behindWords) optind = firstWord;
      return 2;
    }
    if (isOption(words_[optind])) return 0;
    if (mode_ == '+') return 2;
    optarg = words_[optind++];
    return 1;
  }

  int shortOption() {
    const char c = *next++;
    const char* const found = c == ':' || c == ';' ? nullptr : strchr(options_, c);
    const char* const rest = next;
    if (!*next) {
      ++optind;
      next = "";
    }
    optopt = static_cast<unsigned char>(c);
    if (!found) return complain("invalid option -- '%c'\n", c);
    if (found[1] != ':') return c;
    if (*rest) {
      optarg = const_cast<char*>(rest);
      ++optind;
    } else if (found[2] != ':') {
      if (optind >= count_) {
        complain("option requires an argument -- '%c'\n", c);
        return *options_ == ':' ? ':' : '?';
      }
      optarg = words_[optind++];
    }
    next = "";
    return c;
  }

  int longOption(const char* name, bool mustBeLong) {
    const char* const end = strchrnul(name, '=');
    const auto length = static_cast<size_t>(end - name);
    const option* found = nullptr;
    bool ambiguous = false;
    for (const option* each = long_; each->name; ++each) {
      if (strncmp(each->name, name, length) != 0) continue;
      if (strlen(each->name) == length) {
        found = each;
        ambiguous = false;
        break;
      }
      ambiguous |= found != nullptr;
      if (!found) found = each;
    }
    if (!found && !mustBeLong && strchr(options_, *name)) {
      next = name;
      return shortOption();
    }
    ++optind;
    optopt = 0;
    if (!found || ambiguous) return complain(found ? "option '%s' is ambiguous\n" : "unrecognized option '%s'\n", name);
    optopt = found->val;
    if (*end) {
      if (found->has_arg == no_argument) return complain("option '%s' doesn't allow an argument\n", found->name);
      optarg = const_cast<char*>(end + 1);
    } else if (found->has_arg == required_argument) {
      if (optind >= count_) {
        complain("option '%s' requires an argument\n", found->name);
        return *options_ == ':' ? ':' : '?';
      }
      optarg = words_[optind++];
    }
    if (index_) *index_ = static_cast<int>(found - long_);
    if (!found->flag) return found->val;
    *found->flag = found->val;
    return 0;
  }

  template <class What>
  int complain(const char* format, What what) const {
    if (!quiet_) {
      fprintf(stderr, "%s: ", words_[0]);
      fprintf(stderr, format, what);
    }
    return '?';
  }

  int count_;
  char** words_;
  const char* options_;
  const option* long_;
  int* index_;
  bool longOnly_, quiet_;
  char mode_ = 0;
};

}  // namespace

extern "C" {

int getopt(int count, char* const* words, const char* options) {
  return Parser(count, const_cast<char**>(words), options, nullptr, nullptr, false).parse();
}
int getopt_long(int count, char* const* words, const char* options, const option* longOptions, int* index) {
  return Parser(count, const_cast<char**>(words), options, longOptions, index, false).parse();
}
int getopt_long_only(int count, char* const* words, const char* options, const option* longOptions, int* index) {
  return Parser(count, const_cast<char**>(words), options, longOptions, index, true).parse();
}

}  // extern "C"
