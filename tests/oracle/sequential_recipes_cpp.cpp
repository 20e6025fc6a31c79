// Recipes in C++: containers, algorithms, exceptions, virtual functions, lambdas, lifetimes. See sequential_recipes.h.
#include "sequential_recipes.h"

namespace heddle::oracle {

namespace {

const std::vector<std::string>& containers() {
  static const std::vector<std::string> all = {
      R"(
---
std::vector<$T> @v;
~ @v.push_back($t);
~ @v.emplace_back($t);
~ @v.insert(@v.begin() + long(@v.size() / 2), $t);
~ if (!@v.empty()) @v.pop_back();
~ if (!@v.empty()) @v.erase(@v.begin() + long($x % @v.size()));
~ @v.resize(@v.size() + $n, $t);
~ @v.reserve(@v.size() + $k);
~ { auto copy = @v; MIX(copy); copy.push_back($t); @v = std::move(copy); }
~ { auto copy = @v; copy.swap(@v); MIX(copy == @v); }
~ if (!@v.empty()) @v.front() = @v.back();
~ @v.insert(@v.end(), {$t, $t});
~ @v.shrink_to_fit();
~ @v.assign($n, $t);
MIX(@v);
MIX(@v.size());
)",
      R"(
---
std::deque<$T> @d;
~ @d.push_back($t);
~ @d.push_front($t);
~ if (!@d.empty()) @d.pop_front();
~ if (!@d.empty()) @d.pop_back();
~ @d.insert(@d.begin() + long(@d.size() / 2), $t);
~ { auto copy = @d; MIX(copy); @d = std::move(copy); }
MIX(@d);
)",
      R"(
---
std::list<$T> @l;
std::list<$T> @m;
~ @l.push_back($t);
~ @l.push_front($t);
~ @m.push_back($t);
~ @l.sort();
~ @l.reverse();
~ @l.splice(@l.begin(), @m);
~ @l.unique();
~ { auto copy = @l; MIX(copy); copy.merge(@m); @m = copy; }
~ if (!@l.empty()) @l.erase(std::next(@l.begin(), long($x % @l.size())));
~ @l.remove_if([&](const auto& v) { return hashOf(v) % 3 == $n % 3; });
MIX(@l);
MIX(@m);
)",
      R"(
---
std::map<unsigned, $T> @m;
~ @m.emplace($e % 17, $t);
~ @m.insert_or_assign($e % 11, $t);
~ @m.erase($e % 13);
~ { auto i = @m.find($e % 13); MIX(i == @m.end()); }
~ { auto i = @m.lower_bound($k); if (i != @m.end()) MIX(i->second); }
~ { auto copy = @m; MIX(copy); @m = copy; }
~ if (!@m.empty()) @m.insert(@m.extract(@m.begin()));
for (const auto& [key, value] : @m) {
  MIX(key);
  MIX(value);
}
)",
      R"(
---
[?std::set|std::multiset?]<$T> @s;
~ @s.insert($t);
~ @s.emplace($t);
~ @s.erase($t);
~ MIX(@s.count($t));
~ { auto copy = @s; MIX(copy); @s = std::move(copy); }
MIX(@s);
)",
      // The order of the elements is the library's own.
      R"(
---
std::unordered_map<[?unsigned|std::string?], $T> @m;
using @K = decltype(@m)::key_type;
~ @m.emplace(valueOf<@K>($e % 19), $t);
~ @m.insert_or_assign(valueOf<@K>($e % 7), $t);
~ @m.erase(valueOf<@K>($e % 9));
~ { auto i = @m.find(valueOf<@K>($k)); if (i != @m.end()) MIX(i->second); }
~ { auto copy = @m; MIX(copy == @m); copy.rehash(50); @m = std::move(copy); }
unsigned long @sum = 0;
for (const auto& pair : @m) @sum += hashOf(pair);
MIX(@sum);
MIX(@m.size());
)",
      R"(
---
std::string @s = $s;
std::string @t(size_t($k * 3), 'z');
~ @s += $s;
~ @s += char('a' + $k);
~ @s.insert(@s.size() / 2, @t);
~ if (@s.size() > 3) @s.erase(1, $n);
~ @s.replace(0, @s.size() / 3, $s);
~ @t = @s.substr(@s.size() / 2);
~ MIX(@s.find(@t));
~ MIX(@s.compare(@t) < 0);
~ MIX(@s.rfind('e'));
~ @s = @s + "-" + std::to_string($e);
~ std::swap(@s, @t);
~ @t = std::move(@s); @s = "moved";
~ if (@s.size() > 200) @s.resize(20);
~ MIX(std::stoul("1" + std::to_string($k)));
~ @s = @s;
~ @s.append(@s, 0, 5);
MIX(@s);
MIX(@t);
)",
      R"(
---
std::priority_queue<$T> @q;
std::queue<$T> @f;
std::stack<$T> @s;
~ @q.push($t);
~ @f.push($t);
~ @s.push($t);
~ if (!@q.empty()) { MIX(@q.top()); @q.pop(); }
~ if (!@f.empty()) { @s.push(@f.front()); @f.pop(); }
~ if (!@s.empty()) { MIX(@s.top()); @s.pop(); }
MIX(@q.size() * 100 + @f.size() * 10 + @s.size());
)",
      R"(
---
std::array<$T, 4> @a = {$t, $t, $t, $t};
std::array<$T, 4> @b = @a;
std::bitset<20> @bits($e);
std::vector<bool> @flags(size_t($k) + 3, true);
~ @b = @a;
~ std::swap(@a[$k % 4], @a[$k % 4]);
~ @b[$k % 4] = $t;
~ @bits.flip($k);
~ @bits <<= $n;
~ @flags.push_back($e % 2 == 0);
~ @flags[$k % 3] = !@flags[$k % 3];
~ MIX(@a < @b);
MIX(@a);
MIX(@b);
MIX(@bits.to_ulong());
for (bool flag : @flags) MIX(flag);
)",
      R"(
---
std::optional<$T> @o;
~ @o = $t;
~ @o.reset();
~ MIX(@o.has_value());
~ if (@o) MIX(*@o);
~ { auto copy = @o; @o.emplace($t); if (copy) MIX(*copy); }
~ MIX(@o.value_or($t));
std::tuple<$T, int, std::string> @t($t, $k, $s);
auto @u = @t;
std::get<1>(@u) += $k;
MIX(@t == @u);
MIX(std::get<0>(@u));
MIX(std::get<2>(@t));
)",
      R"(
---
std::variant<unsigned, $T, const char*> @v = unsigned($k);
~ @v = unsigned($e);
~ @v.emplace<1>($t);
~ @v = $s;
~ { auto copy = @v; MIX(copy.index()); }
~ MIX(std::visit([](const auto& value) { return hashOf(value); }, @v));
~ if (auto* p = std::get_if<1>(&@v)) MIX(*p);
MIX(@v.index());
std::any @a = $t;
? @a = unsigned($e);
if (auto* p = std::any_cast<$T>(&@a)) MIX(*p);
)",
      R"(
---
auto @p = std::make_shared<$T>($t);
std::shared_ptr<$T> @q = @p;
std::weak_ptr<$T> @w = @p;
std::unique_ptr<$T> @u(new $T($t));
~ @q = std::make_shared<$T>($t);
~ @p = @q;
~ @q.reset(new $T($t));
~ @w = @q;
~ MIX(@p.use_count());
~ if (auto l = @w.lock()) MIX(*l);
~ if (@u) MIX(*@u);
~ @q = std::shared_ptr<$T>(std::move(@u));
~ @u = std::make_unique<$T>($t);
~ MIX(@w.expired());
~ { std::shared_ptr<$T> alias(@p, @q.get()); if (alias) MIX(*alias); }
if (@q) MIX(*@q);
)",
      R"(
---
std::ostringstream @o;
~ @o << $e << ' ';
~ @o << $s;
~ @o << std::hex << $e << std::dec;
~ @o << double($k) / 4;
~ @o << char('a' + $k);
MIX(@o.str());
std::istringstream @i(std::to_string($e) + " " + std::to_string($k) + " word");
unsigned @n = 0, @m = 0;
std::string @s;
@i >> @n >> @m >> @s;
MIX(@n);
MIX(@m);
MIX(@s);
)",
  };
  return all;
}

const std::vector<std::string>& algorithms() {
  static const std::vector<std::string> all = {
      R"(
---
std::vector<$T> @v = {$t, $t, $t, $t, $t, $t};
~ std::sort(@v.begin(), @v.end());
~ std::stable_sort(@v.begin(), @v.end(), [](const auto& a, const auto& b) { return hashOf(a) % 7 < hashOf(b) % 7; });
~ std::rotate(@v.begin(), @v.begin() + long(@v.size() / 2), @v.end());
~ std::reverse(@v.begin(), @v.end());
~ std::copy(@v.begin(), @v.begin() + long(@v.size() / 2), @v.begin() + long(@v.size() / 2));
~ std::copy_backward(@v.begin(), @v.begin() + long(@v.size() / 2), @v.end());
~ std::swap_ranges(@v.begin(), @v.begin() + long(@v.size() / 2), @v.begin() + long(@v.size() / 2));
~ std::fill_n(@v.begin(), @v.size() / 3, $t);
~ MIX(std::count_if(@v.begin(), @v.end(), [](const auto& v) { return hashOf(v) % 2 == 0; }));
~ { auto i = std::find(@v.begin(), @v.end(), $t); MIX(i - @v.begin()); }
~ { auto i = std::max_element(@v.begin(), @v.end()); if (i != @v.end()) MIX(*i); }
~ @v.erase(std::unique(@v.begin(), @v.end()), @v.end());
~ std::partition(@v.begin(), @v.end(), [](const auto& v) { return hashOf(v) % 3 == 0; });
~ { std::make_heap(@v.begin(), @v.end()); std::sort_heap(@v.begin(), @v.end()); }
~ if (@v.size() > 2) std::nth_element(@v.begin(), @v.begin() + 1, @v.end()); std::sort(@v.begin(), @v.end());
~ MIX(std::next_permutation(@v.begin(), @v.end()));
~ @v.erase(std::remove(@v.begin(), @v.end(), $t), @v.end());
~ { std::sort(@v.begin(), @v.end()); MIX(std::binary_search(@v.begin(), @v.end(), $t)); }
MIX(@v);
)",
      R"(
---
std::vector<unsigned> @v(5 + $k);
std::iota(@v.begin(), @v.end(), $e);
std::vector<unsigned> @w(@v.size());
~ std::transform(@v.begin(), @v.end(), @w.begin(), [&](unsigned v) { return v * 3 + $x; });
~ std::partial_sum(@v.begin(), @v.end(), @w.begin());
~ MIX(std::accumulate(@v.begin(), @v.end(), 0u));
~ MIX(std::inner_product(@v.begin(), @v.end(), @w.begin(), 1u));
~ std::adjacent_difference(@w.begin(), @w.end(), @v.begin());
~ std::sort(@v.begin(), @v.end(), [](unsigned a, unsigned b) { return a % 5 != b % 5 ? a % 5 < b % 5 : a < b; });
~ std::swap(@v, @w);
~ std::move(@w.begin(), @w.end() - 2, @w.begin() + 2 - 2);
~ MIX(std::equal(@v.begin(), @v.end(), @w.begin()));
~ std::generate(@w.begin(), @w.end(), [&, n = 0u]() mutable { return n += $x + 1; });
MIX(@v);
MIX(@w);
)",
      R"(
---
std::vector<std::pair<unsigned, $T>> @v;
for (unsigned i = 0; i < 4 + $n; i++) @v.emplace_back(($e + i * 7) % 10, $t);
std::sort(@v.begin(), @v.end());
MIX(@v);
std::map<unsigned, std::vector<$T>> @groups;
for (auto& [key, value] : @v) @groups[key % 3].push_back(value);
for (auto& [key, values] : @groups) MIX(values);
)",
  };
  return all;
}

const std::vector<std::string>& language() {
  static const std::vector<std::string> all = {
      // Exceptions.
      R"(
struct @E {
  unsigned a;
  std::string text;
  long b[3];
};
struct @D : @E {
  explicit @D(unsigned v) : @E{v, std::to_string(v), {1, 2, long(v)}} {}
};
struct @Guard {
  unsigned long& h;
  unsigned n;
  ~@Guard() { MIX(n); }
};
static unsigned @raise(unsigned v, unsigned long& h) {
  @Guard guard{h, v};
  if (v % 5 == 0) throw @E{v, $s, {3, 2, 1}};
  if (v % 5 == 1) throw @D(v);
  if (v % 5 == 2) throw v;
  if (v % 5 == 3) throw std::runtime_error($s);
  return v;
}
---
for (unsigned i = 0; i < $n; i++) {
  try {
    ? std::string local = $s;
    MIX(@raise($e + i, h));
    ? MIX(@raise($e, h));
  }
  catch (const @D& e) {
    MIX(e.a ^ e.b[2]);
    MIX(e.text);
  }
  catch (@E& e) {
    e.a++;
    MIX(e.a);
    MIX(e.b[1]);
    MIX(e.text);
  }
  catch (const std::exception& e) {
    MIX(e.what());
  }
  catch (unsigned e) {
    MIX(e);
  }
}
)",
      R"(
struct @X {
  unsigned v[6];
};
---
std::exception_ptr @p;
try {
  try {
    @X x = {{$e, $e, 3, 4, 5, $e}};
    throw x;
  }
  catch (@X& x) {
    x.v[1] += $k;
    ? try { throw std::logic_error("inner"); } catch (std::logic_error& e) { MIX(e.what()); }
    ? @p = std::current_exception();
    throw;
  }
}
catch (@X x) {
  for (unsigned v : x.v) MIX(v);
}
? if (@p) try { std::rethrow_exception(@p); } catch (const @X& x) { MIX(x.v[1]); }
@p = std::make_exception_ptr(unsigned($e));
auto @q = @p;
@p = nullptr;
try { std::rethrow_exception(@q); } catch (unsigned v) { MIX(v); }
)",
      R"(
---
try {
  try {
    throw std::out_of_range($s);
  }
  catch (...) {
    std::throw_with_nested(std::runtime_error("outer"));
  }
}
catch (const std::exception& e) {
  MIX(e.what());
  try { std::rethrow_if_nested(e); } catch (const std::exception& inner) { MIX(inner.what()); }
}
std::vector<int> @v(3);
try { @v.at($k) = 1; MIX(1); } catch (const std::out_of_range&) { MIX(2); }
try { MIX(std::stoul($s)); } catch (const std::invalid_argument&) { MIX(3); }
try { MIX(std::get<1>(std::variant<int, char>($k))); } catch (const std::bad_variant_access&) { MIX(4); }
MIX(std::uncaught_exceptions());
)",
      R"(
struct @Part {
  unsigned long& h;
  unsigned n;
  @Part(unsigned long& h, unsigned n) : h(h), n(n) {
    if (n % 4 == 3) throw n;
    MIX(n);
  }
  ~@Part() { MIX(n * 7); }
};
struct @Whole {
  @Part a, b;
  std::unique_ptr<@Part> c;
  @Whole(unsigned long& h, unsigned n) try : a(h, n), b(h, n + 1), c(new @Part(h, n + 2)) {
    MIX(100);
  }
  catch (unsigned v) {
    h += v;
  }
};
---
for (unsigned i = 0; i < $n; i++) {
  try { @Whole w(h, $e % 6 + i); MIX(w.b.n); } catch (unsigned v) { MIX(v + 50); }
}
)",
      // Virtual functions, run-time type information.
      R"(
struct @Base {
  unsigned b = $k;
  virtual ~@Base() = default;
  virtual unsigned f(unsigned v) const { return v + b; }
  virtual const char* name() const { return "base"; }
};
struct @Left : virtual @Base {
  unsigned l = 2;
  unsigned f(unsigned v) const override { return v * l + b; }
};
struct @Right : virtual @Base {
  long r[2] = {5, 6};
  const char* name() const override { return "right"; }
};
struct @Both : @Left, @Right {
  unsigned f(unsigned v) const override { return @Left::f(v) ^ unsigned(r[1]); }
};
---
std::vector<std::unique_ptr<@Base>> @all;
~ @all.push_back(std::make_unique<@Base>());
~ @all.push_back(std::make_unique<@Left>());
~ @all.push_back(std::make_unique<@Right>());
~ @all.push_back(std::make_unique<@Both>());
for (auto& p : @all) {
  p->b += $e;
  MIX(p->f($x));
  MIX(p->name());
  if (auto* l = dynamic_cast<@Left*>(p.get())) MIX(++l->l);
  if (auto* r = dynamic_cast<@Right*>(p.get())) MIX(dynamic_cast<@Left*>(r) != nullptr);
  MIX(typeid(*p) == typeid(@Both));
  try { MIX(dynamic_cast<@Right&>(*p).r[0]); } catch (const std::bad_cast&) { MIX(9); }
}
@Both @x;
@Both @y = @x;
@y.r[0] = $k;
@x = @y;
MIX(@x.r[0]);
unsigned (@Base::*@m)(unsigned) const = &@Base::f;
MIX((@x.*@m)($e));
)",
      // Lifetimes, and their order.
      R"(
static unsigned long @log = 1;
struct @Life {
  unsigned n;
  explicit @Life(unsigned n) : n(n) { @log = @log * 31 + n; }
  @Life(const @Life& other) : n(other.n + 1) { @log = @log * 37 + n; }
  @Life(@Life&& other) noexcept : n(other.n + 2) { other.n = 0; @log = @log * 41 + n; }
  @Life& operator=(const @Life& other) { n = other.n; @log = @log * 43 + n; return *this; }
  ~@Life() { @log = @log * 47 + n; }
};
static @Life @make(@Life v) {
  v.n += $k;
  return v;
}
static @Life& @shared() {
  static @Life life($k);
  return life;
}
static thread_local unsigned @local = $k + @log % 2;
---
~ @Life(unsigned($e));
~ { @Life a($k), b = a; MIX(b.n); }
~ { auto a = @make(@Life($k)); MIX(a.n); }
~ { std::vector<@Life> v; v.emplace_back($k); v.emplace_back($k); v.emplace_back($k); MIX(v[1].n); }
~ { @Life a[2] = {@Life($k), @Life(3)}; a[0] = a[1]; }
~ MIX(@shared().n++);
~ MIX(@local++);
~ { alignas(@Life) unsigned char room[sizeof(@Life)]; auto* p = new (room) @Life($k); MIX(p->n); p->~@Life(); }
~ { auto* p = new @Life[3]{@Life(1), @Life($k), @Life(2)}; MIX(p[1].n); delete[] p; }
MIX(@log);
)",
      // Lambdas and functions.
      R"(
---
unsigned @n = $k;
std::function<unsigned(unsigned)> @f = [&@n](unsigned v) { return v + @n++; };
auto @g = [s = std::string($s), @n](unsigned v) mutable { s += char('a' + v % 26); return unsigned(s.size()) + ++@n; };
~ MIX(@f($e));
~ MIX(@g($e));
~ @f = @g;
~ @f = [=, old = @f](unsigned v) { return v % 2 == 0 ? old(v) : v + $k; };
~ { auto copy = @g; MIX(copy($k)); }
~ { std::vector<std::function<unsigned(unsigned)>> all(3, @f); for (auto& f : all) MIX(f($k)); }
~ MIX(std::invoke([](auto... v) { return (v + ... + 0u); }, $e, $e, $e));
MIX(@n);
std::function<unsigned(unsigned)> @fact = [&](unsigned v) { return v == 0 ? 1u : v * @fact(v - 1); };
MIX(@fact($k));
)",
      R"(
template <unsigned N> struct @Power {
  static unsigned of(unsigned v) { return v * @Power<N - 1>::of(v); }
};
template <> struct @Power<0> {
  static unsigned of(unsigned) { return 1; }
};
template <class T, class... Rest> unsigned long @all(const T& first, const Rest&... rest) {
  unsigned long h = hashOf(first);
  if constexpr (sizeof...(rest) > 0) MIX(@all(rest...));
  return h;
}
enum class @Kind : unsigned char { a, b = $k + 1, c };
---
MIX(@Power<$n>::of($e));
MIX(@all($e, $s, $t, 'c', 2.5, @Kind::c));
)",
      // Atomics, as they are used in objects.
      R"(
struct @A {
  std::atomic<unsigned> a{$k};
  std::atomic<[?bool|unsigned char|unsigned long?]> b{1};
  unsigned plain = 3;
  std::atomic<long> c[2] = {4, 5};
  @A() = default;
  @A(const @A& other) : a(other.a.load()), b(other.b.load()), plain(other.plain) {
    for (int i = 0; i < 2; i++) c[i] = other.c[i].load(std::memory_order_relaxed);
  }
};
---
@A @x;
~ MIX(@x.a.fetch_add($e));
~ @x.b = $e % 2;
~ MIX(@x.c[$k % 2]--);
~ { unsigned want = $k; MIX(@x.a.compare_exchange_strong(want, $e)); MIX(want); }
~ @x.plain += @x.a;
~ { @A y = @x; MIX(y.a ^ unsigned(y.c[1])); y.a = $e; }
~ { std::unique_ptr<@A> y(new @A(@x)); MIX(y->b); }
~ MIX(@x.c[1].exchange($e, std::memory_order_acq_rel));
MIX(@x.a);
MIX(@x.c[0]);
MIX(@x.plain);
std::atomic<std::shared_ptr<unsigned>> @p;
? @p = std::make_shared<unsigned>($e);
if (auto p = @p.load()) MIX(*p);
struct @W {
  unsigned long l, r;
};
std::atomic_flag @flag;
MIX(@flag.test_and_set());
unsigned @plain = $k;
std::atomic_ref<unsigned> @ref(@plain);
@ref += $e;
MIX(@plain);
)",
      R"(
---
std::mutex @m;
std::once_flag @once;
for (unsigned i = 0; i < $n; i++) {
  std::lock_guard lock(@m);
  std::call_once(@once, [&] { $x += 7; });
  MIX($x);
}
std::unique_lock @l(@m, std::try_to_lock);
MIX(@l.owns_lock());
)",
      R"(
struct @Matrix {
  std::vector<std::vector<double>> rows;
  @Matrix(size_t n, double v) : rows(n, std::vector<double>(n, v)) {}
  @Matrix operator*(const @Matrix& o) const {
    @Matrix r(rows.size(), 0);
    for (size_t i = 0; i < rows.size(); i++) {
      for (size_t j = 0; j < rows.size(); j++) {
        for (size_t k = 0; k < rows.size(); k++) r.rows[i][j] += rows[i][k] * o.rows[k][j];
      }
    }
    return r;
  }
};
---
@Matrix @a(2, $k), @b(2, 0.5);
@a.rows[1][0] = double($e % 100) / 4;
auto @c = @a * @b * @a;
MIX(long(@c.rows[0][0] * 8));
MIX(long(@c.rows[1][0] * 8));
)",
  };
  return all;
}

}  // namespace

const std::vector<std::string>& cppRecipes() {
  static const std::vector<std::string> all = [] {
    std::vector<std::string> result = containers();
    result.insert(result.end(), algorithms().begin(), algorithms().end());
    result.insert(result.end(), language().begin(), language().end());
    return result;
  }();
  return all;
}

}  // namespace heddle::oracle
