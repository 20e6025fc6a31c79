// Random structs, with members of every kind, and objects of them that are copied in every way there is.
//
// Every member has an initial value, and the checksum of an object is that of its members: padding does not count. In C a member
// may be _Atomic; in C and C++ members of integer types are accessed atomically by builtins, too.
#include <array>
#include <set>
#include <utility>

#include "sequential_program.h"

namespace heddle::oracle {

namespace {

// clang-format off
enum class MemberKind { integer, bits, floating, longDouble, text, array, nested, nestedArray, atomic, pointer, variant, vector };
// clang-format on

struct Member {
  MemberKind kind;
  std::string name, type;
  unsigned count = 1;      // of elements
  std::size_t nested = 0;  // the struct
};

struct Struct {
  std::string name;
  std::vector<Member> members;
  bool atomics = false;
};

// An object, and the struct that it is of.
struct Object {
  std::string text;
  std::size_t type;
  unsigned places = 1;  // an array of so many, at `text`
};

class StructWriter {
 public:
  explicit StructWriter(ProgramWriter& writer) : out_(writer), random_(writer.random) {}

  void write() {
    out_.global("static int @cells[4] = {1, 2, 3, 4};");
    const unsigned count = random_.between(1, 2);
    for (unsigned i = 0; i < count; ++i) declareStruct(i);
    for (std::size_t i = 0; i < structs_.size(); ++i) declareObjects(i);
    statements(random_.between(4, 10), 0);
    for (const Object& object : roots_) {
      for (unsigned i = 0; i < object.places; ++i) mix({place(object, i), object.type});
    }
    for (const std::string& block : blocks_) out_.line("free(" + block + ");");
  }

 private:
  bool isC() const { return out_.language == Language::c; }
  unsigned below(std::size_t n) { return random_.below(static_cast<unsigned>(n)); }
  template <std::size_t N>
  std::string oneOf(const std::array<const char*, N>& texts) {
    return texts[random_.below(N)];
  }
  static std::string place(const Object& object, unsigned index) {
    return object.places == 1 ? object.text : object.text + "[" + std::to_string(index) + "]";
  }

  std::string integerType() {
    static constexpr std::array<const char*, 9> types = {"char",     "unsigned char", "short", "unsigned short", "int",
                                                         "unsigned", "long",          "bool",  "unsigned long"};
    return oneOf(types);
  }

  Member member(std::size_t index, std::size_t structs) {
    static constexpr std::array<const char*, 8> atomics = {"int",   "unsigned", "char", "unsigned char",
                                                           "short", "long",     "bool", "unsigned long"};
    static const std::vector<unsigned> odds = {8, 3, 2, 1, 3, 3, 4, 3, 8, 2, 2, 1};
    Member m{static_cast<MemberKind>(random_.weighted(odds)), "m" + std::to_string(index), ""};
    const bool nested = m.kind == MemberKind::nested || m.kind == MemberKind::nestedArray;
    if ((nested && structs == 0) || (m.kind == MemberKind::atomic && !isC())) m.kind = MemberKind::integer;
    switch (m.kind) {
      case MemberKind::integer: m.type = integerType(); break;
      case MemberKind::bits: m.type = random_.percent(50) ? "unsigned" : "int", m.count = random_.between(1, 13); break;
      case MemberKind::floating: m.type = random_.percent(50) ? "float" : "double"; break;
      case MemberKind::longDouble: m.type = "long double"; break;
      case MemberKind::text: m.type = "char", m.count = random_.between(4, 20); break;
      case MemberKind::array: m.type = integerType(), m.count = random_.between(2, 5); break;
      case MemberKind::nested: m.nested = below(structs); break;
      case MemberKind::nestedArray: m.nested = below(structs), m.count = random_.between(2, 3); break;
      case MemberKind::atomic: m.type = oneOf(atomics), m.count = random_.percent(70) ? 1 : 3; break;
      case MemberKind::pointer: m.type = "int*"; break;
      case MemberKind::variant: break;
      case MemberKind::vector: m.type = "@v4"; break;
    }
    return m;
  }

  std::string declaration(const Member& m) const {
    const std::string count = "[" + std::to_string(m.count) + "]";
    const std::string name = " " + m.name;
    switch (m.kind) {
      case MemberKind::bits: return m.type + name + " : " + std::to_string(m.count) + ";";
      case MemberKind::text:
      case MemberKind::array: return m.type + name + count + ";";
      case MemberKind::nested: return "struct " + structs_[m.nested].name + name + ";";
      case MemberKind::nestedArray: return "struct " + structs_[m.nested].name + name + count + ";";
      case MemberKind::atomic: return "_Atomic(" + m.type + ")" + name + (m.count == 1 ? "" : count) + ";";
      case MemberKind::variant: return "union { unsigned word[2]; unsigned long all; unsigned char bytes[8]; }" + name + ";";
      default: return m.type + name + ";";
    }
  }

  // The checksum of a member of `*s`.
  std::string mixed(const Member& m) const {
    const std::string name = "s->" + m.name;
    const std::string loop = "for (int i = 0; i < " + std::to_string(m.count) + "; i++) ";
    switch (m.kind) {
      case MemberKind::floating:
      case MemberKind::longDouble: return "MIX((long)(" + name + " * 8));";
      case MemberKind::text:
      case MemberKind::array: return loop + "MIX(" + name + "[i]);";
      case MemberKind::nested: return "MIX(@hash_" + structs_[m.nested].name.substr(1) + "(&" + name + "));";
      case MemberKind::nestedArray: return loop + "MIX(@hash_" + structs_[m.nested].name.substr(1) + "(&" + name + "[i]));";
      case MemberKind::atomic: return m.count == 1 ? "MIX(" + name + ");" : loop + "MIX(" + name + "[i]);";
      case MemberKind::pointer: return "MIX(*" + name + " + (" + name + " - @cells));";
      case MemberKind::variant: return "MIX(" + name + ".all);";
      case MemberKind::vector: return "for (int i = 0; i < 4; i++) MIX(" + name + "[i]);";
      default: return "MIX(" + name + ");";
    }
  }

  void declareStruct(unsigned index) {
    Struct s;
    s.name = "@S" + std::to_string(index);
    const unsigned members = random_.between(1, 5);
    for (unsigned i = 0; i < members; ++i) s.members.push_back(member(i, structs_.size()));
    for (const Member& m : s.members) {
      if (m.kind == MemberKind::vector && !std::exchange(vectors_, true)) {
        out_.global("typedef int @v4 __attribute__((vector_size(16)));");
      }
      const bool nested = m.kind == MemberKind::nested || m.kind == MemberKind::nestedArray;
      s.atomics |= m.kind == MemberKind::atomic || (nested && structs_[m.nested].atomics);
    }
    const std::string type = "struct " + s.name, name = s.name.substr(1);
    Line declared{type, {}, random_.percent(8) && !s.atomics ? "} __attribute__((aligned(16)));" : "};"};
    Line hash{"static unsigned long @hash_" + name + "(const " + type + "* s)", {}, "}"};
    Line start{"static void @start_" + name + "(" + type + "* s)", {}, "}"};
    hash.body.push_back({"unsigned long h = 1;"});
    start.body.push_back({"memset((void*)s, 0, sizeof *s);"});
    for (const Member& m : s.members) {
      declared.body.push_back({declaration(m)});
      hash.body.push_back({mixed(m)});
      if (m.kind == MemberKind::pointer) start.body.push_back({"s->" + m.name + " = @cells;"});
      if (m.kind == MemberKind::nested) {
        start.body.push_back({"@start_" + structs_[m.nested].name.substr(1) + "(&s->" + m.name + ");"});
      }
      if (m.kind == MemberKind::nestedArray) {
        start.body.push_back({"for (int i = 0; i < " + std::to_string(m.count) + "; i++) @start_" +
                              structs_[m.nested].name.substr(1) + "(&s->" + m.name + "[i]);"});
      }
    }
    hash.body.push_back({"return h;"});
    structs_.push_back(s);
    out_.globalBlock(std::move(declared));
    out_.globalBlock(std::move(hash));
    out_.globalBlock(std::move(start));
  }

  // The function `how` that takes and gives back objects of a struct by value; declares it when it is first used.
  std::string copier(const std::string& how, std::size_t type) {
    const std::string t = "struct " + structs_[type].name, name = structs_[type].name.substr(1),
                      function = "@" + how + "_" + name;
    if (!copiers_.insert(function).second) return function;
    if (how == "same") {
      out_.globalBlock({"static " + t + " " + function + "(" + t + " v)", {{"return v;"}}, "}"});
    } else if (how == "second") {
      out_.globalBlock({"static " + t + " " + function + "(unsigned n, " + t + " v, " + t + " w, " + t + "* z)",
                        {{"if (n % 2 == 0) *z = v;"}, {"return n % 3 == 0 ? v : w;"}},
                        "}"});
    } else if (how == "listed") {
      out_.globalBlock({"static " + t + " " + function + "(int n, ...)",
                        {{"va_list list;"},
                         {"va_start(list, n);"},
                         {"while (n-- > 0) (void)va_arg(list, unsigned);"},
                         {t + " v = va_arg(list, " + t + ");"},
                         {"va_end(list);"},
                         {"return v;"}},
                        "}"});
    } else {
      out_.globalBlock({"static " + t + " " + function + "(" + t + " v, unsigned n, unsigned long* h)",
                        {{"*h += @hash_" + name + "(&v) * (n + 1);"}, {"return n == 0 ? v : " + function + "(v, n - 1, h);"}},
                        "}"});
    }
    return function;
  }

  void declareObjects(std::size_t s) {
    const std::string type = "struct " + structs_[s].name, start = "@start_" + structs_[s].name.substr(1);
    const unsigned count = random_.between(1, 2);
    for (unsigned i = 0; i < count; ++i) {
      const std::string name = "@o" + out_.number();
      Object object{name, s};
      switch (random_.below(6)) {
        case 0: out_.global("static " + type + " " + name + ";"); break;
        case 1: out_.global("static __thread " + type + " " + name + ";"); break;
        case 2:
          object.places = random_.between(2, 4);
          out_.line(type + " " + name + "[" + std::to_string(object.places) + "];");
          break;
        case 3: {
          object.places = random_.between(1, 3);
          out_.line(type + "* " + name + " = (" + type + "*)malloc(" + std::to_string(object.places) + " * sizeof *" + name +
                    ");");
          blocks_.push_back(name);
          if (object.places == 1) object.text = "(*" + name + ")";
          break;
        }
        default: out_.line(type + " " + name + ";");
      }
      for (unsigned n = 0; n < object.places; ++n) out_.line(start + "(&" + place(object, n) + ");");
      for (const Member& m : structs_[s].members) {
        const bool number = m.kind == MemberKind::integer || (m.kind == MemberKind::atomic && m.count == 1);
        if (number) out_.leaves.push_back("(unsigned)" + place(object, 0) + "." + m.name);
      }
      roots_.push_back(object);
    }
  }

  // An object of the struct, or of any: a variable, or a part of one.
  Object anyObject() {
    const Object& root = roots_[below(roots_.size())];
    Object object{place(root, root.places == 1 ? 0 : random_.below(root.places)), root.type};
    while (random_.percent(50)) {
      std::vector<const Member*> nested;
      for (const Member& m : structs_[object.type].members) {
        if (m.kind == MemberKind::nested || m.kind == MemberKind::nestedArray) nested.push_back(&m);
      }
      if (nested.empty()) break;
      const Member& m = *nested[below(nested.size())];
      object.text += "." + m.name + (m.kind == MemberKind::nested ? "" : "[" + std::to_string(random_.below(m.count)) + "]");
      object.type = m.nested;
    }
    return object;
  }
  Object objectLike(const Object& other) {
    for (int attempt = 0; attempt < 20; ++attempt) {
      Object object = anyObject();
      if (object.type == other.type) return object;
    }
    return other;
  }

  void statements(unsigned count, unsigned depth) {
    for (unsigned i = 0; i < count; ++i) statement(depth);
  }

  void statement(unsigned depth) {
    switch (random_.weighted({10, 12, 4, depth < 2 ? 2u : 0u, 2, 2})) {
      case 0: assign(); break;
      case 1: copy(); break;
      case 2: mix(anyObject()); break;
      case 3: block(depth); break;
      case 4: moveElements(); break;
      default: through(); break;
    }
  }

  void block(unsigned depth) {
    const unsigned inside = random_.between(1, 3);
    switch (random_.below(4)) {
      case 0: out_.open("if (" + out_.expression() + " % 3u != 0)"); break;
      case 1: out_.open("for (unsigned i = 0; i < " + std::to_string(random_.between(1, 3)) + "; i++)"); break;
      case 2: out_.open("do", "} while ((x0 = x0 / 7) > 1000);"); break;
      default:
        out_.open("switch (" + out_.expression() + " % 3u)");
        for (unsigned i = 0; i < inside; ++i) {
          out_.open((i == 2 ? "default" : "case " + std::to_string(i)) + ":");
          statement(depth + 1);
          if (random_.percent(60)) out_.line("break;");
          out_.close();
        }
        out_.close();
        return;
    }
    statements(inside, depth + 1);
    out_.close();
  }

  void mix(const Object& object) {
    out_.line("MIX(@hash_" + structs_[object.type].name.substr(1) + "(&" + object.text + "));");
  }

  void assign() {
    static constexpr std::array<const char*, 4> orders = {"__ATOMIC_RELAXED", "__ATOMIC_SEQ_CST", "__ATOMIC_RELEASE",
                                                          "__ATOMIC_SEQ_CST"};
    const Object object = anyObject();
    const Member& m = structs_[object.type].members[below(structs_[object.type].members.size())];
    const std::string member = object.text + "." + m.name;
    const std::string element = member + "[" + std::to_string(random_.below(m.count)) + "]";
    const std::string value = out_.expression();
    switch (m.kind) {
      case MemberKind::integer:
        if (m.type != "bool" && random_.percent(20)) {
          out_.line("__atomic_store_n(&" + member + ", (" + m.type + ")" + value + ", " + oneOf(orders) + ");");
        } else if (m.type != "bool" && random_.percent(20)) {
          out_.line("MIX(__atomic_fetch_add(&" + member + ", (" + m.type + ")" + value + ", __ATOMIC_ACQ_REL));");
        } else {
          out_.line(member + " = (" + m.type + ")" + value + ";");
        }
        break;
      case MemberKind::bits: out_.line(member + " = " + value + ";"); break;
      case MemberKind::floating:
      case MemberKind::longDouble: out_.line(member + " = (" + m.type + ")(" + value + " % 1000u) / 4;"); break;
      case MemberKind::text: text(member, m.count); break;
      case MemberKind::array: out_.line(element + " = (" + m.type + ")" + value + ";"); break;
      case MemberKind::nested:
      case MemberKind::nestedArray: copy(); break;
      case MemberKind::atomic: atomic(m.count == 1 ? member : element, m.type, value); break;
      case MemberKind::pointer: out_.line(member + " = &@cells[" + value + " % 4u]; *" + member + " += 1;"); break;
      case MemberKind::variant:
        if (random_.percent(50))
          out_.line(member + ".bytes[" + std::to_string(random_.below(8)) + "] = (unsigned char)" + value + ";");
        else
          out_.line(member + ".word[" + std::to_string(random_.below(2)) + "] += " + value + ";");
        break;
      case MemberKind::vector: out_.line(member + "[" + std::to_string(random_.below(4)) + "] = (int)" + value + ";"); break;
    }
  }

  void text(const std::string& member, unsigned size) {
    const std::string room = std::to_string(size);
    switch (random_.below(4)) {
      case 0: out_.line("snprintf(" + member + ", " + room + ", \"%u-%s\", " + out_.expression() + ", \"ab\");"); break;
      case 1: out_.line("strcpy(" + member + ", \"abc\");"); break;
      case 2: out_.line("memset(" + member + ", 'a' + " + std::to_string(random_.below(9)) + ", " + room + " - 1);"); break;
      default: out_.line("memmove(" + member + " + 1, " + member + ", " + room + " - 2);");
    }
  }

  void atomic(const std::string& member, const std::string& type, const std::string& value) {
    static constexpr std::array<const char*, 5> orders = {
        "memory_order_relaxed", "memory_order_seq_cst", "memory_order_acq_rel", "memory_order_release", "memory_order_acquire"};
    const std::string cast = "(" + type + ")" + value;
    switch (random_.below(type == "bool" ? 3 : 5)) {
      case 0: out_.line("atomic_store_explicit(&" + member + ", " + cast + ", memory_order_relaxed);"); break;
      case 1: out_.line(member + " = " + cast + ";"); break;
      case 2: out_.line("MIX(atomic_exchange_explicit(&" + member + ", " + cast + ", " + oneOf(orders) + "));"); break;
      case 3: out_.line("MIX(atomic_fetch_add_explicit(&" + member + ", " + cast + ", " + oneOf(orders) + "));"); break;
      default:
        out_.line("{ " + type + " want = " + member + "; MIX(atomic_compare_exchange_strong(&" + member + ", &want, " + cast +
                  ")); }");
    }
  }

  void copy() {
    const Object to = anyObject(), from = objectLike(to);
    const std::string type = "struct " + structs_[to.type].name;
    const std::string size = "sizeof(" + type + ")";
    switch (random_.below(13)) {
      case 0:
      case 1: out_.line(to.text + " = " + from.text + ";"); break;
      case 2: out_.line("memmove((void*)&" + to.text + ", &" + from.text + ", " + size + ");"); break;
      case 3:
        if (to.text == from.text) return out_.line("memmove((void*)&" + to.text + ", &" + from.text + ", " + size + ");");
        out_.line("memcpy((void*)&" + to.text + ", &" + from.text + ", " + size + ");");
        break;
      case 4: out_.line(to.text + " = " + copier("same", to.type) + "(" + from.text + ");"); break;
      case 5:
        out_.line(to.text + " = " + copier("second", to.type) + "(" + out_.expression() + ", " + from.text + ", " +
                  objectLike(to).text + ", &" + objectLike(to).text + ");");
        break;
      case 6: out_.line(to.text + " = " + copier("listed", to.type) + "(1, 2u, " + from.text + ");"); break;
      case 7:
        out_.line("{ unsigned long d = 0; " + to.text + " = " + copier("deep", to.type) + "(" + from.text +
                  ", 2, &d); MIX(d); }");
        break;
      case 8:
        out_.line("{ " + type + " t = " + to.text + "; " + to.text + " = " + from.text + "; " + from.text + " = t; }");
        break;
      case 9:
        out_.line("{ " + type + "* p = (" + type + "*)malloc(" + size + "); *p = " + from.text + "; " + to.text +
                  " = *p; free(p); }");
        break;
      case 10:
        out_.line("for (unsigned i = 0; i < " + size + "; i++) ((unsigned char*)&" + to.text + ")[i] = ((unsigned char*)&" +
                  from.text + ")[i];");
        break;
      case 11: out_.line("{ " + type + " t[2] = {" + from.text + ", " + to.text + "}; " + to.text + " = t[x0 % 2]; }"); break;
      default: partOf(to, from);
    }
  }

  // A copy of one member only.
  void partOf(const Object& to, const Object& from) {
    const Member& m = structs_[to.type].members[below(structs_[to.type].members.size())];
    if (m.kind == MemberKind::bits) return;
    out_.line("memmove((void*)&" + to.text + "." + m.name + ", (const void*)&" + from.text + "." + m.name + ", sizeof " +
              from.text + "." + m.name + ");");
  }

  // Of an array, onto each other.
  void moveElements() {
    std::vector<const Object*> arrays;
    for (const Object& root : roots_) {
      if (root.places > 1) arrays.push_back(&root);
    }
    if (arrays.empty()) return copy();
    const Object& array = *arrays[below(arrays.size())];
    const std::string count = std::to_string(array.places - 1);
    std::string to = array.text, from = array.text + " + 1";
    if (random_.percent(50)) std::swap(to, from);
    out_.line("memmove((void*)(" + to + "), " + from + ", " + count + " * sizeof *" + array.text + ");");
  }

  void through() {
    const Object one = anyObject(), other = objectLike(one);
    const std::string type = "struct " + structs_[one.type].name, pointer = "@q" + out_.number();
    out_.line("{ " + type + "* " + pointer + " = x1 % 2u == 0 ? &" + one.text + " : &" + other.text + "; " + type + " t = *" +
              pointer + "; *" + pointer + " = t; MIX(@hash_" + structs_[one.type].name.substr(1) + "(&t)); }");
  }

  ProgramWriter& out_;
  Random& random_;
  std::vector<Struct> structs_;
  std::vector<Object> roots_;
  std::set<std::string> copiers_;    // that are declared
  std::vector<std::string> blocks_;  // to be freed
  bool vectors_ = false;
};

}  // namespace

void writeStructs(ProgramWriter& writer) { StructWriter(writer).write(); }

}  // namespace heddle::oracle
